// Sends a note to maenifold's command line. Success is what its JSON says: the exit code is always 0 (S0-31).
import { MEMORY_MILLISECONDS, MEMORY_OUTPUT_BYTES, MEMORY_PAYLOAD_BYTES, QUOTED_CODE_POINTS } from "../limits.js";
import { locateProgram, runChild } from "./program.js";
import { failed, type Note, type SinkOutcome } from "./sink.js";

/** How maenifold is started. */
export interface MaenifoldSettings {
  /** The program, as an absolute path. Searched for if not given. */
  readonly command?: string;
}

interface SendOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly milliseconds?: number;
}

/** Writes a note to maenifold. Never rejects: errors are in the outcome. */
export const writeMemory = (note: Note, settings: MaenifoldSettings): Promise<SinkOutcome> => sendNote(note, settings);

/** The same with another environment and deadline. */
export async function sendNote(
  { text, store }: Note,
  { command }: MaenifoldSettings,
  { environment = process.env, milliseconds = MEMORY_MILLISECONDS }: SendOptions = {},
): Promise<SinkOutcome> {
  if (text.trim() === "") return failed("debug", "there is nothing to remember");
  if (!store?.title) return failed("warn", "nothing is remembered: the template of the note has no title");
  const { title, folder, tags } = store;
  const payload = JSON.stringify({ title, content: text, ...(folder && { folder }), tags });
  const bytes = Buffer.byteLength(payload);
  if (bytes > MEMORY_PAYLOAD_BYTES)
    return failed(
      "warn",
      `nothing is remembered: the note has ${bytes} bytes, more than the ${MEMORY_PAYLOAD_BYTES} that are sent`,
    );
  const program = locateProgram(command, environment);
  if (typeof program === "string") return failed("warn", `nothing is remembered: ${program}`);

  const args = ["--tool", "WriteMemory", "--payload", payload, "--json"];
  const child = await runChild(program, args, { milliseconds, bytes: MEMORY_OUTPUT_BYTES, environment });
  if (child.end === "timeout") return failed("error", `${program.name} was ended: it took more than ${milliseconds} ms`);
  if (child.end === "not-started") return failed("warn", `${program.name} cannot be started (${child.reason})`);
  const answer = readAnswer(child.stdout);
  if (!answer) {
    const said = quoted(child.stdout) || quoted(child.stderr) || "nothing";
    return failed("error", `${program.name} did not answer in JSON${child.cut ? ", and at great length" : ""}: ${said}`);
  }
  if (answer.success === true) {
    const uri = answer.data?.uri;
    return { ok: true, ...(typeof uri === "string" && { uri }) };
  }
  const { code, message } = answer.error ?? {};
  return failed(
    "warn",
    `${program.name} refused the note: ${[code, message].filter(Boolean).map(quoted).join(": ") || "no reason given"}`,
  );
}

interface Answer {
  readonly success: boolean;
  readonly data?: { readonly uri?: unknown } | null;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
}

/** Parses the whole output, or the part from the first line that starts with { to the last }: log lines may surround it. */
function readAnswer(output: string): Answer | undefined {
  const start = /^\s*\{/m.exec(output)?.index ?? 0;
  for (const text of [output, output.slice(start, output.lastIndexOf("}") + 1)]) {
    try {
      const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
      if (typeof (value as Answer | null)?.success === "boolean") return value as Answer;
    } catch {}
  }
  return undefined;
}

/** Another program's output on one line, without characters that a terminal acts on. */
function quoted(words: unknown): string {
  const line = String(words)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  const characters = [...line.slice(0, 4 * QUOTED_CODE_POINTS)];
  return characters.length > QUOTED_CODE_POINTS ? `${characters.slice(0, QUOTED_CODE_POINTS - 1).join("")}…` : line;
}
