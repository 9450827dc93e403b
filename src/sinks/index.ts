// The entry point `compaction-rules/sinks`: where the note of a session is written.
import { type MaenifoldSettings, writeMemory } from "./maenifold.js";
import { failed, type Note, type NotesSettings, reasonOf, type SinkOutcome, writeNote } from "./notes.js";

export { type MaenifoldSettings, writeMemory } from "./maenifold.js";
export { type Note, type NotesSettings, type SinkOutcome, writeNote } from "./notes.js";

/** The sinks to write to. */
export type SinkSettings = { readonly notes?: NotesSettings; readonly maenifold?: MaenifoldSettings };

/** The outcome of one sink. */
export type SinkReport = SinkOutcome & { readonly sink: keyof SinkSettings };

/** Writes a note to the sinks. Never rejects: a failing sink does not affect the others. */
export async function writeToSinks(note: Note, { notes, maenifold }: SinkSettings): Promise<readonly SinkReport[]> {
  const writes: Promise<SinkReport>[] = [];
  if (notes) writes.push(reported("notes", () => writeNote(note, notes)));
  if (maenifold) writes.push(reported("maenifold", () => writeMemory(note, maenifold)));
  return Promise.all(writes);
}

async function reported(sink: keyof SinkSettings, write: () => Promise<SinkOutcome>): Promise<SinkReport> {
  try {
    return { sink, ...(await write()) };
  } catch (error) {
    return { sink, ...failed("error", `the sink ${sink} has a bug: ${reasonOf(error)}`) };
  }
}
