// compaction try: runs rules over past sessions, and shows what they find and what they take away.
import { resolve } from "node:path";
import { orUndefined, projectHome } from "../../files/folders.js";
import { isOfProject } from "../../recall/listed.js";
import { counted } from "../../text/counted.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { findSessions, type SessionHere } from "../first/agents-here.js";
import { type Arguments, dateIn } from "../input/arguments.js";
import { isOff, requireFolder } from "../input/project.js";
import { CommandError, createProgress, EXIT, printJson, say, warn } from "../output/terminal.js";
import { inParallel } from "../run/pool.js";
import { knownSessions } from "./known-sessions.js";
import { toReport } from "./report.js";
import { packsAt } from "./revision.js";
import { toText } from "./text.js";
import { type TryOptions, triedRules } from "./tried-rules.js";
import { type TriedSession, type TryFailure, type TryUnit, tryUnit } from "./try-session.js";

async function tryRules(given: Arguments): Promise<number> {
  const { values, flags, positionals } = given;
  const project = resolve(requireFolder(values.project ?? process.cwd()));
  const { rule, against } = values;
  const asked: TryOptions = { project, packs: positionals.map((file) => resolve(file)) };
  const alone = triedRules(asked);
  if (isOff(alone.now)) return EXIT.fine;
  const options = against === undefined ? asked : { ...asked, before: packsAt(against, asked, alone.now) };
  const tried = against === undefined ? alone : triedRules(options);
  const ids = [...tried.declared.keys()];
  if (ids.length === 0)
    throw new CommandError("there are no rules of your own to try", "name a pack, or write one: npx compaction-rules init");
  if (rule !== undefined && !ids.includes(rule))
    throw new CommandError(`there is no rule "${rule}" to try`, didYouMean(rule, ids));
  const sessions = sessionsFor(given, project);
  const progress = createProgress();
  const done: Outcome[] = [];
  const known = knownSessions(tried);
  const found: Record<string, TriedSession> = {};
  const work = tryUnit(tried);
  const outcomes = inParallel<TryUnit | Outcome, Outcome>(unitsOf(sessions, known), {
    worker: "try-worker",
    data: options,
    work: (unit) => ("size" in unit ? work(unit) : unit),
    bytesOf: (unit) => ("size" in unit ? unit.size : undefined),
    lost: (unit, error) => ("size" in unit ? { path: unit.path, failed: error?.message ?? "the worker ended" } : unit),
  });
  for await (const one of outcomes) {
    done.push(one);
    if ("key" in one) found[one.key] = one;
    progress.step(`${done.length} of ${counted(sessions.length, "session")}`);
  }
  known.store(found);
  progress.end();
  const report = toReport(done, tried, rule, against);
  if (flags.json) return printJson(report);
  for (const { path, why } of report.unread) warn(`note: ${path} is not read: ${why}\n`);
  say(toText(report, rule !== undefined));
  return EXIT.fine;
}

export { tryRules as try };

type Outcome = TriedSession | TryFailure;

/** Those of the project, unless others are named. */
function sessionsFor(given: Arguments, project: string): readonly SessionHere[] {
  const { values, flags } = given;
  if (flags.all && values.sessions !== undefined) throw new CommandError("--all and --sessions cannot be used together");
  const since = dateIn(given, "since");
  const from = since === undefined ? 0 : Date.parse(since);
  const folder = values.sessions === undefined ? undefined : resolve(requireFolder(values.sessions));
  const home = flags.all || folder !== undefined ? undefined : projectHome(project);
  const found = findSessions(folder).filter((one) => one.time >= from && (home === undefined || isOfProject(home, one)));
  if (found.length > 0) return found;
  const where = folder ?? (home === undefined ? "of any agent on this machine" : `of the project ${project}`);
  const hint =
    home === undefined ? "--sessions names a folder with sessions" : "--all takes those of all projects, --sessions a folder";
  throw new CommandError(
    `there are no sessions ${folder === undefined ? where : `in ${where}`}${since ? " since then" : ""}`,
    hint,
  );
}

/** A session that is known is not read again. */
async function* unitsOf(
  sessions: readonly SessionHere[],
  known: ReturnType<typeof knownSessions>,
): AsyncIterable<TryUnit | Outcome> {
  for (const { path, row, bytes: size } of sessions) {
    const bytes = row?.read();
    const unit = { path, size: bytes?.length ?? size, ...(bytes && { bytes }) };
    const key = orUndefined(() => known.keyOf(unit));
    const before = key === undefined ? undefined : known.get(key);
    yield key === undefined ? { path, failed: "it cannot be read" } : before ? { ...before, path } : { ...unit, key };
  }
}
