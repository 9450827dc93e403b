// compaction compact: the summary that takes a session's place, and the state for the next one.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Compacted, CompactOptions } from "../hosts/compact.js";
import { countVerdicts } from "../keep/audit.js";
import { memoryName } from "../keep/memory.js";
import type { Session } from "../model.js";
import { type Options, parseArguments, wholeNumber } from "./arguments.js";
import { countLine, toLines } from "./audit-report.js";
import { connect, type Endpoint, failureOf, isAborted, listening, notStored } from "./endpoint.js";
import { isOff, notesOf } from "./extraction.js";
import { EXIT, Failure } from "./failure.js";
import { isFile, nameOf, readBytes, toSession } from "./input.js";
import { openOutput } from "./output.js";
import { say, warn } from "./print.js";
import { rulesFor } from "./rules.js";
import { coloursFor, createProgress, printable } from "./terminal.js";

export const help = `compaction compact SESSION [--model M --base-url URL] [--focus TEXT] [--out FILE] [--project DIR] [--format F] [--json]

Writes the summary that takes a session's place, in fixed sections; behind it the files that were read and modified, and
what it lost of the facts that the rules found. "-" reads standard input. The next compact of the same session goes on from
there: what is needed for it is kept in your state folder (see compaction state), and the session's own file is never
written to.

Without a model the rules alone write the summary, offline, the same for the same session.

  --model M         a model that writes it, behind an OpenAI-compatible endpoint
  --base-url URL    the endpoint: what comes before /chat/completions, such as http://localhost:11434/v1
  --focus TEXT      what the model is to look at especially
  --timeout N       give up after so many seconds (900, and 180 without a sign of life)
  --out FILE        write the summary there; the verdicts of the audit are printed then
  --project DIR     the project: its .compactionrc counts, and its notes (SESSION.md) and work items are read
  --format F        the format of the session; told from the content unless given
  --json            the summary, its file lists and the verdicts as data

A key for the endpoint is read from COMPACTION_API_KEY, and goes nowhere else. Secrets in the session are masked before
the model sees them. When anything fails before there is a summary, the state of the earlier round is what it was; a summary
that cannot be printed or written is kept, and compaction state show prints it, and one that cannot be kept is printed or written.
Exit status: 0 done, 2 it could not run, or what the next round needs could not be kept, 130 given up by Ctrl-C.
`;

const options: Options = {
  model: { type: "string" },
  "base-url": { type: "string" },
  focus: { type: "string" },
  timeout: { type: "string" },
  out: { type: "string" },
  project: { type: "string" },
  format: { type: "string" },
  json: { type: "boolean" },
};

/** No host calls a session so. */
const UNNAMED = "\u0000";

export async function compact(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, options, "compact");
  const { project, format, focus, ...rest } = values as Readonly<Record<string, string | undefined>>;
  const out = rest.out === "-" ? undefined : rest.out;
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new Failure("name one session", 'a file, or "-" for standard input');
  const timeout = wholeNumber(values, "timeout");
  const endpoint = endpointOf(rest.model, rest["base-url"], timeout);
  const only = ["focus", "timeout"].find((name) => values[name] !== undefined);
  if (!endpoint && only !== undefined) throw new Failure(`--${only} is for a model`, "name one with --model and --base-url");
  const folder = project ?? process.cwd();
  const loaded = rulesFor(folder);
  if (isOff(loaded)) return EXIT.fine;
  const { session: read, notices } = toSession(readBytes(path), path, format, UNNAMED);
  const session = { ...withOwnId(read, path), whole: read.whole === true && isFile(path) };
  // Before a model is asked, which costs time and money.
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
      ...(focus !== undefined && { focus }),
    };
    const { compactSession } = await import("../hosts/compact.js");
    const compacted = endpoint
      ? await listening(progress, async (listen) => compactSession(session, { ...common, ...(await connect(endpoint, listen)) }))
      : await compactSession(session, common);
    progress.end();
    const text = values.json ? JSON.stringify(toDocument(session, compacted), null, 2) : compacted.summary;
    const shown = out === undefined && !values.json ? printable(text) : text;
    const { unstored } = compacted;
    // Whatever becomes of the file, the summary is not lost.
    write(
      `${shown}\n`,
      unstored === undefined ? `the summary is kept: compaction state show ${memoryName(session.id)}` : undefined,
    );
    report(session, compacted, out !== undefined && !values.json);
    if (unstored !== undefined) throw notStored(unstored);
    return EXIT.fine;
  } catch (error) {
    progress.end();
    if (isAborted(error)) {
      warn("compaction: given up; what was kept of this session is as it was\n");
      return EXIT.aborted;
    }
    throw failureOf(error);
  }
}

function endpointOf(model: string | undefined, baseUrl: string | undefined, timeout: number | undefined): Endpoint | undefined {
  if (model === undefined && baseUrl === undefined) return undefined;
  if (model === undefined) throw new Failure("no model is named", "name it with --model");
  if (baseUrl === undefined)
    throw new Failure("no endpoint is named", "name it with --base-url, such as http://localhost:11434/v1");
  return { model, baseUrl, timeout };
}

/** A session without an id of its own is told by its file and its first message: another one must not inherit its facts. */
function withOwnId(session: Session, path: string): Session {
  if (session.id !== UNNAMED) return session;
  const [first] = session.messages;
  const place = path === "-" ? "" : resolve(path);
  const hash = createHash("sha256")
    .update(JSON.stringify([place, first?.role, first?.text]))
    .digest("hex");
  return { ...session, id: `${nameOf(path)}-${hash.slice(0, 8)}` };
}

function toDocument({ id, format }: Session, compacted: Compacted): object {
  const { summary, round, state, verdicts, hidden, omitted, unstored } = compacted;
  return {
    version: 1,
    session: { id, format },
    round,
    summary,
    files: { read: state.readFiles, modified: state.modifiedFiles },
    counts: countVerdicts(verdicts),
    verdicts,
    hidden,
    omitted,
    ...(unstored === undefined && { state: memoryName(id) }),
  };
}

/** The summary is on its way already: what is said of it goes beside it. */
function report(session: Session, compacted: Compacted, shown: boolean): void {
  const { summary, verdicts, round, omitted, unchanged, unstored, notices } = compacted;
  warn(notesOf({ session, diagnostics: notices }));
  if (omitted > 0)
    warn(`note: the model was not shown the oldest ${omitted} messages; budget: { summary-request: N } says how much fits\n`);
  if (unchanged) {
    warn(`note: nothing was said since round ${round}; this is its summary\n`);
    return;
  }
  if (shown) say(toLines({ summary, verdicts }, coloursFor(process.stdout)));
  else warn(`${countLine(verdicts)}\n`);
  if (unstored === undefined) warn(`round ${round}, kept as ${memoryName(session.id)}\n`);
}
