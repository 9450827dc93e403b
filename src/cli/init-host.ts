// compaction init --host: puts the plugin or the hooks into the project's configuration of an agent, or takes them out again.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_HOSTS, type CommandHost } from "../hosts/command-hooks.js";
import { type Arguments, oneOf } from "./arguments.js";
import { showChanges } from "./changes.js";
import { EXIT, Failure } from "./failure.js";
import { hookChange, isInstalled } from "./hook-file.js";
import { type HostChange, writeHostFile } from "./host-file.js";
import { forgetUndo, rememberUndo, undone } from "./host-undo.js";
import { additions, copyIn, ENTRY, isOurs, readHostFiles, removals } from "./opencode-file.js";
import { say } from "./print.js";
import { requireFolder } from "./rules.js";
import { coloursFor } from "./terminal.js";

const OPENCODE = "opencode";
const HOSTS = [OPENCODE, ...COMMAND_HOSTS];

export function initHost(values: Arguments["values"], project: string): number {
  const host = oneOf(values, "host", HOSTS, "");
  if (values.name !== undefined) throw new Failure("--name is nothing with --host", "see compaction init --help");
  const folder = realpathSync(requireFolder(project));
  const remove = values.remove === true;
  const shown = (name: string) => (project === "." ? name : join(project, name).replaceAll("\\", "/"));
  const changes =
    host === OPENCODE ? pluginChanges(folder, remove, shown) : hookChanges(host as CommandHost, folder, remove, shown);
  const colours = coloursFor(process.stdout);
  for (const { change, bare } of changes) {
    const { before = "", after } = change;
    if (values.yes && !remove) rememberUndo(folder, change, bare);
    if (values.yes) writeHostFile(folder, change);
    if (values.yes && remove) forgetUndo(folder, change);
    const [would, done] = after === undefined ? ["would remove", "removed"] : ["would write", "wrote"];
    say(`${values.yes ? colours.green(done) : would} ${shown(change.name)}\n`);
    say(showChanges(before, after ?? "", colours));
  }
  const where = project === "." ? "" : ` --project ${project}`;
  if (changes.length > 0 && !values.yes)
    say(`\nNothing is written yet; this does it:\n  compaction init --host ${host}${remove ? " --remove" : ""}${where} --yes\n`);
  if (changes.length > 0 && host !== OPENCODE && !remove) sayWhatIsLeft(host, folder);
  return EXIT.fine;
}

function sayWhatIsLeft(host: string, folder: string): void {
  if (!isInstalled(folder)) say("\nThe agent must find compaction on its path: npm install --global compaction-rules\n");
  if (host === "codex") say("\nCodex runs no hook that you have not looked at: start codex, type /hooks and trust them.\n");
}

/** A change, and what the file says without what is ours. */
interface Planned {
  readonly change: HostChange;
  readonly bare: string | undefined;
}

type Shown = (name: string) => string;

function hookChanges(host: CommandHost, folder: string, remove: boolean, shown: Shown): readonly Planned[] {
  const { name, change, bare } = hookChange(host, folder, remove);
  if (!change)
    say(`${shown(name)} ${remove ? "runs no" : "runs"} compaction hook ${host}${remove ? "" : " already"}: nothing to do\n`);
  return change ? [{ change: remove ? undone(folder, change) : change, bare }] : [];
}

function pluginChanges(folder: string, remove: boolean, shown: Shown): readonly Planned[] {
  const files = readHostFiles(folder);
  const copy = remove ? undefined : copyIn(folder);
  if (copy !== undefined) {
    say(`${shown(copy)} names ${ENTRY} already: nothing to do\n`);
    return [];
  }
  const changes = remove ? removals(files) : additions(files);
  const there = files.find(({ list }) => list?.parts.some(({ node }) => isOurs(node)));
  if (changes.length === 0 && there && remove) {
    const what = there.foreign
      ? `${shown(there.name)} leads out of the project`
      : `${shown(there.name)} names ${ENTRY} with a version, a path or options`;
    throw new Failure(`${what}: nothing was written`, "take it out by hand: only the bare entry that init writes is removed");
  }
  if (changes.length === 0)
    say(there ? `${shown(there.name)} names ${ENTRY} already: nothing to do\n` : `nothing here names ${ENTRY}: nothing to do\n`);
  return changes.map((change) => ({ change: remove ? undone(folder, change) : change, bare: change.before }));
}
