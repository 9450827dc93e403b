// compaction compact: writes the summary that replaces a session, and stores the state for the next one.

import { fstatSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { countVerdicts } from "../audit/audit.js";
import { replaceFile } from "../files/regular-file.js";
import type { Compacted, CompactOptions } from "../hosts/compact-session.js";
import { ownProgram } from "../hosts/own-program.js";
import type { Session } from "../model.js";
import { memoryName } from "../state/memory.js";
import { countLine, verdictLines } from "./audit.js";
import { type Arguments, oneSession, wholeNumber } from "./input/arguments.js";
import { asCommandError, type Endpoint, isAborted, notStored, withModel } from "./input/endpoint.js";
import { readWholeSession, STANDARD_INPUT } from "./input/open-session.js";
import { isOff, rulesFor } from "./input/project.js";
import { notesOf } from "./output/lines.js";
import { CommandError, coloursOf, createProgress, EXIT, print, printable, say, warn } from "./output/terminal.js";

export async function compact(given: Arguments): Promise<number | undefined> {
  const { values, flags } = given;
  const { project, format, focus } = values;
  const out = values.out === "-" ? undefined : values.out;
  const path = oneSession(given.positionals);
  const endpoint = endpointOf(values.model, values["base-url"], wholeNumber(given, "timeout"));
  const only = ["focus", "timeout"].find((name) => values[name] !== undefined);
  if (!endpoint && only !== undefined) throw new CommandError(`--${only} is for a model`, "name one with --model and --base-url");
  const folder = project ?? process.cwd();
  const loaded = rulesFor(folder);
  if (isOff(loaded)) return undefined;
  const { session, notices } = readWholeSession(path, format);
  // Check the output before a model is asked, which costs time and money.
  const write = openOutput(out, path);
  const progress = createProgress();
  try {
    const common: CompactOptions = {
      folder,
      alone: project === undefined,
      loaded,
      notices,
      log: (level, message) => {
        if (level === "warn" || level === "error") warn(`note: ${message}\n`);
      },
      progress: (done, total) => progress.step(`${path} ${done}/${total}`),
      focus,
      judge: !flags["no-judge"],
    };
    const { compactSession } = await import("../hosts/compact-session.js");
    const compacted = endpoint
      ? await withModel(endpoint, progress, (connection) => compactSession(session, { ...common, ...connection }))
      : await compactSession(session, common);
    progress.end();
    const text = flags.json ? JSON.stringify(toDocument(session, compacted), null, 2) : compacted.summary;
    const shown = out === undefined && !flags.json ? printable(text) : text;
    const { unstored } = compacted;
    const stored = `the summary is stored: ${ownProgram()} state show ${memoryName(session.id)}`;
    // Even if the file cannot be written, the summary is not lost.
    write(`${shown}\n`, unstored === undefined ? stored : undefined);
    report(session, compacted, out !== undefined && !flags.json);
    if (unstored !== undefined) throw notStored(unstored);
    return undefined;
  } catch (error) {
    progress.end();
    if (isAborted(error)) {
      warn("compaction: given up; the stored state of this session is unchanged\n");
      return EXIT.aborted;
    }
    throw asCommandError(error);
  }
}

function endpointOf(model: string | undefined, baseUrl: string | undefined, timeout: number | undefined): Endpoint | undefined {
  if (model === undefined && baseUrl === undefined) return undefined;
  if (model === undefined) throw new CommandError("no model is named", "name it with --model");
  if (baseUrl === undefined)
    throw new CommandError("no endpoint is named", "name it with --base-url, such as http://localhost:11434/v1");
  return { model, baseUrl, timeout };
}

function toDocument({ id, format }: Session, compacted: Compacted): object {
  const { summary, round, state, verdicts, facts, judged, hidden, omitted, unstored } = compacted;
  const files = { read: state.readFiles, modified: state.modifiedFiles };
  const counts = countVerdicts(verdicts);
  const stored = unstored === undefined ? { state: memoryName(id) } : {};
  const result = { round, summary, files, counts, verdicts, facts, judged, hidden, omitted, ...stored };
  return { version: 1, session: { id, format }, ...result };
}

function report(session: Session, compacted: Compacted, shown: boolean): void {
  const { summary, verdicts, round, omitted, unchanged, unstored, notices } = compacted;
  warn(notesOf({ session, diagnostics: notices }));
  if (omitted > 0)
    warn(`note: the model was not shown the oldest ${omitted} messages; set budget: { summary-request: N } to send more\n`);
  if (unchanged) return warn(`note: nothing new since round ${round}; this is its summary\n`);
  if (shown) say(verdictLines(summary, verdicts, coloursOf()));
  else warn(`${countLine(verdicts)}\n`);
  if (unstored === undefined) warn(`round ${round}, stored as ${memoryName(session.id)}\n`);
}

/** Writes to standard output unless a file is named. Checks before the work begins whether the file can be written.
 * @param input the session file, which is never written to
 * @returns how to write; `comfort` is the hint to show if it fails */
function openOutput(path: string | undefined, input: string): (text: string, comfort?: string) => void {
  if (path === undefined) return print;
  if (path === "") throw new CommandError("--out names no file", 'omit it, or use "-", to write to standard output');
  const found = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw new CommandError(`${path} is a folder`, "--out names a file");
  // A device or a pipe is written to directly.
  if (found && !found.isFile()) return (text, comfort) => attempt(path, () => writeFileSync(path, text), comfort);
  const read = input === STANDARD_INPUT ? fstatSync(0) : statSync(input);
  if (found && found.dev === read.dev && found.ino === read.ino)
    throw new CommandError(`${path} is the session itself, which is never written to`, "name another file with --out");
  // Keep a link.
  const target = found ? realpathSync(path) : path;
  const write = (text: string, ready: () => boolean, comfort?: string) =>
    attempt(path, () => replaceFile(target, text, { exactMode: found?.mode, ready }), comfort);
  // Only a test: a draft that exists while a model works would be left behind if the process were killed.
  write("", () => false);
  return (text, comfort) => void write(text, () => true, comfort);
}

function attempt<T>(path: string, work: () => T, hint = "name another file with --out"): T {
  try {
    return work();
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, hint);
  }
}
