// compaction init --host opencode: puts the plugin into the project's configuration of OpenCode, or takes it out again.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type Arguments, oneOf } from "./arguments.js";
import { showChanges } from "./changes.js";
import { EXIT, Failure } from "./failure.js";
import { additions, copyIn, ENTRY, isOurs, readHostFiles, removals, writeHostFile } from "./opencode-file.js";
import { say } from "./print.js";
import { requireFolder } from "./rules.js";
import { coloursFor } from "./terminal.js";

const HOSTS = ["opencode"];

export function initHost(values: Arguments["values"], project: string): number {
  const host = oneOf(values, "host", HOSTS, "");
  if (values.name !== undefined) throw new Failure("--name is nothing with --host", "see compaction init --help");
  const folder = realpathSync(requireFolder(project));
  const { remove, yes } = values;
  const files = readHostFiles(folder);
  const shown = (name: string) => (project === "." ? name : join(project, name).replaceAll("\\", "/"));
  const copy = remove ? undefined : copyIn(folder);
  if (copy !== undefined) {
    say(`${shown(copy)} names ${ENTRY} already: nothing to do\n`);
    return EXIT.fine;
  }
  const changes = remove ? removals(files) : additions(files);
  const colours = coloursFor(process.stdout);
  const there = files.find(({ list }) => list?.parts.some(({ node }) => isOurs(node)));
  if (changes.length === 0 && there && remove) {
    const what = there.foreign
      ? `${shown(there.name)} leads out of the project`
      : `${shown(there.name)} names ${ENTRY} with a version, a path or options`;
    throw new Failure(`${what}: nothing was written`, "take it out by hand: only the bare entry that init writes is removed");
  }
  if (changes.length === 0) {
    say(there ? `${shown(there.name)} names ${ENTRY} already: nothing to do\n` : `nothing here names ${ENTRY}: nothing to do\n`);
    return EXIT.fine;
  }
  for (const change of changes) {
    if (yes) writeHostFile(folder, change);
    say(`${yes ? colours.green("wrote") : "would write"} ${shown(change.name)}\n`);
    say(showChanges(change.before, change.after, colours));
  }
  const where = project === "." ? "" : ` --project ${project}`;
  if (!yes)
    say(`\nNothing is written yet; this does it:\n  compaction init --host ${host}${remove ? " --remove" : ""}${where} --yes\n`);
  return EXIT.fine;
}
