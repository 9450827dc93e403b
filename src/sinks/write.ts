// A note to every sink that is configured, all at once.
import { type MaenifoldSettings, writeMemory } from "./maenifold.js";
import { type NotesSettings, writeNote } from "./notes.js";
import { failed, type Note, reasonOf, type SinkOutcome } from "./sink.js";

export interface SinkSettings {
  readonly notes?: NotesSettings;
  readonly maenifold?: MaenifoldSettings;
}

export type SinkReport = SinkOutcome & { readonly sink: keyof SinkSettings };

/** Never rejects: one sink that fails keeps nothing from the others. */
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
