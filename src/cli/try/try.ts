// compaction try: runs rules over past sessions, and shows what they find and what they take away.

import { resolve } from "node:path";
import { projectHome } from "../../files/folders.js";
import { ownProgram } from "../../hosts/own-program.js";
import { isOfProject } from "../../recall/listed.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { counted } from "../../text/forms.js";
import { findSessions, type SessionHere } from "../first/agents-here.js";
import { type Arguments, dateIn } from "../input/arguments.js";
import { isOff, requireFolder } from "../input/project.js";
import { CommandError, coloursOf, createProgress, EXIT, printJson, say, warn } from "../output/terminal.js";
import { toReport } from "./report.js";
import { packsAt } from "./revision.js";
import { LINES, toText } from "./text.js";
import { type TryOptions, triedRules } from "./tried-rules.js";
import { trySessions } from "./try-sessions.js";

async function tryRules(given: Arguments): Promise<number> {
  const { values, flags, positionals } = given;
  const project = resolve(requireFolder(values.project ?? process.cwd()));
  const { rule, against } = values;
  const asked: TryOptions = { project, packs: positionals.map((file) => resolve(file)), asked: values.rule };
  const alone = triedRules(asked);
  if (isOff(alone.now)) return EXIT.fine;
  const options = against === undefined ? asked : { ...asked, before: packsAt(against, asked, alone.now) };
  const tried = against === undefined ? alone : triedRules(options);
  const ids = [...tried.declared.keys()];
  if (ids.length === 0)
    throw new CommandError("there are no rules of your own to try", `name a pack, or write one: ${ownProgram()} init`);
  if (rule !== undefined && !ids.includes(rule))
    throw new CommandError(`there is no rule "${rule}" to try`, didYouMean(rule, ids));
  const sessions = sessionsFor(given, project);
  const progress = createProgress();
  const done = await trySessions(sessions, options, tried, (count) =>
    progress.step(`${count} of ${counted(sessions.length, "session")}`),
  );
  progress.end();
  const report = toReport(done, tried, rule, against);
  if (flags.json) return printJson(report);
  for (const { path, why } of report.unread) warn(`note: ${path} is not read: ${why}\n`);
  say(toText(report, rule === undefined ? LINES : Number.POSITIVE_INFINITY, coloursOf()));
  return EXIT.fine;
}

export { tryRules as try };

/** Those of the project, unless others are named. */
export function sessionsFor(given: Pick<Arguments, "values" | "flags">, project: string): readonly SessionHere[] {
  const { values, flags } = given;
  if (flags.all && values.sessions !== undefined) throw new CommandError("--all and --sessions cannot be used together");
  const since = dateIn(given, "since");
  const from = since === undefined ? 0 : Date.parse(since);
  const folder = values.sessions === undefined ? undefined : resolve(requireFolder(values.sessions));
  const home = flags.all || folder !== undefined ? undefined : projectHome(project);
  const isWanted = home === undefined ? () => true : isOfProject(home);
  const found = findSessions(folder).filter((one) => one.time >= from && isWanted(one));
  if (found.length > 0) return found;
  const where = folder ?? (home === undefined ? "of any agent on this machine" : `of the project ${project}`);
  const hint =
    home === undefined ? "--sessions names a folder with sessions" : "--all takes those of all projects, --sessions a folder";
  throw new CommandError(
    `there are no sessions ${folder === undefined ? where : `in ${where}`}${since ? " since then" : ""}`,
    hint,
  );
}
