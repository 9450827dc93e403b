// compaction init --host: adds the plugin or the hooks to the project's configuration of an agent, or removes them.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type Arguments, oneOf } from "../input/arguments.js";
import { requireFolder } from "../input/project.js";
import { type Colours, CommandError, coloursFor, EXIT, say } from "../output/terminal.js";
import {
  EMPTY_MAP,
  HOSTS,
  type HostKind,
  hasEntry,
  installedIn,
  pluginCopy,
  withEntries,
  withoutEntries,
} from "./host-entries.js";
import {
  exactRemoval,
  forgetUndo,
  type HostChange,
  type HostFile,
  readHostFile,
  rememberUndo,
  writeHostFile,
} from "./host-file.js";

/** A change, and the text of the file without our entries. */
type Planned = HostChange & { readonly original?: string | undefined };

export function initHost(given: Pick<Arguments, "values" | "flags">): number {
  const { project = ".", name } = given.values;
  const { yes = false, remove = false } = given.flags;
  const host = oneOf(given, "host", Object.keys(HOSTS), "");
  if (name !== undefined) throw new CommandError("--name cannot be used with --host", "see npx compaction-rules init --help");
  const folder = realpathSync(requireFolder(project));
  const shown = (file: string) => (project === "." ? file : join(project, file).replaceAll("\\", "/"));
  const changes = (remove ? removals : additions)(HOSTS[host] as HostKind, folder, shown);
  const colours = coloursFor(process.stdout);
  for (const change of changes) {
    const { before = "", after } = change;
    if (yes && !remove) rememberUndo(folder, change, change.original);
    if (yes) writeHostFile(folder, change);
    if (yes && remove) forgetUndo(folder, change);
    const [would, done] = after === undefined ? ["would remove", "removed"] : ["would write", "wrote"];
    say(`${yes ? colours.green(done) : would} ${shown(change.name)}\n`);
    say(showChanges(before, after ?? "", colours));
  }
  if (changes.length === 0) return EXIT.fine;
  const where = project === "." ? "" : ` --project ${project}`;
  if (!yes)
    say(
      `\nNothing is written yet; this does it:\n  npx compaction-rules init --host ${host}${remove ? " --remove" : ""}${where} --yes\n`,
    );
  if (remove || host === "opencode") return EXIT.fine;
  if (!installedIn(folder)) say("\nThe agent must find compaction-rules on its path: npm install --global compaction-rules\n");
  if (host === "codex") say("\nCodex runs no hook that you have not looked at: start codex, type /hooks and trust them.\n");
  return EXIT.fine;
}

const isBlank = (text: string | undefined) => text === undefined || text.trim() === "";

/** The files of an agent, and whether each has our entry. */
function filesOf({ files, entries, byHand }: HostKind, folder: string) {
  return files.map((name): HostFile & { readonly ours: boolean } => {
    const file = readHostFile(folder, name);
    return { ...file, ours: !isBlank(file.text) && hasEntry({ name, text: file.text ?? "", byHand }, entries(folder)) };
  });
}

type Shown = (file: string) => string;

/** Adds the entries to the first existing file, unless one already has them. */
function additions(kind: HostKind, folder: string, shown: Shown): readonly Planned[] {
  const files = filesOf(kind, folder);
  const there = files.filter(({ text }) => text !== undefined);
  const target = there.find(({ ours }) => ours) ?? there.find(({ foreign }) => !foreign) ?? there[0] ?? (files[0] as HostFile);
  const { name, text: before, foreign } = target;
  const copy = kind === HOSTS.opencode ? pluginCopy(folder) : undefined;
  const text = before === undefined ? kind.fresh : isBlank(before) ? EMPTY_MAP : before;
  const host = { name, text, byHand: kind.byHand };
  const after = copy === undefined ? withEntries(host, kind.entries(folder)) : before;
  if (after === before) {
    say(`${shown(copy ?? name)} ${kind.does} already: nothing to do\n`);
    return [];
  }
  if (foreign) throw new CommandError(`${name} leads outside the project: nothing was written`, "edit its target by hand");
  return [{ name, before, after, original: isBlank(before) ? before : withoutEntries(host, kind.entries(folder)) }];
}

function removals(kind: HostKind, folder: string, shown: Shown): readonly Planned[] {
  const files = filesOf(kind, folder);
  const changes = files.flatMap(({ name, text: before, foreign, ours }): readonly HostChange[] => {
    if (!ours || foreign || before === undefined) return [];
    const after = withoutEntries({ name, text: before, byHand: kind.byHand }, kind.entries(folder));
    return after === before ? [] : [exactRemoval(folder, { name, before, after })];
  });
  const left = files.find(({ ours }) => ours) ?? (files.every(({ foreign }) => foreign) ? files[0] : undefined);
  if (changes.length === 0 && left) {
    const what = left.foreign ? "leads outside the project" : `${kind.does} ${kind.otherForm}`;
    throw new CommandError(
      `${shown(left.name)} ${what}: nothing was written`,
      "remove it by hand: --remove only removes the bare entry that init writes",
    );
  }
  if (changes.length === 0) say(`nothing here ${kind.does}: nothing to do\n`);
  return changes;
}

const NEIGHBOURS = 2;

/** The changed lines with their neighbours, as one block: init edits one place. */
function showChanges(before: string, after: string, { red, green, dim }: Colours): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `  ${mark} ${line}`.trimEnd());
  const shown = [
    ...marked(" ", now.slice(Math.max(0, head - NEIGHBOURS), head)).map(dim),
    ...marked("-", old.slice(head, old.length - tail)).map(red),
    ...marked("+", now.slice(head, now.length - tail)).map(green),
    ...marked(" ", now.slice(now.length - tail).slice(0, NEIGHBOURS)).map(dim),
  ];
  return shown.map((line) => `${line}\n`).join("");
}

const linesOf = (text: string) =>
  text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .filter((line, _, all) => line !== "" || all.length > 1);
