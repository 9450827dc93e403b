// compaction init: a first configuration and team pack.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { rulesFolder } from "../config/built-in.js";
import { CONFIG_PLACES, isThere, searchConfig } from "../config/search.js";
import { inside } from "../reach.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { initHost } from "./init-host.js";
import { say } from "./print.js";
import { shownPath } from "./reporters/report.js";
import { requireFolder } from "./rules.js";
import { schemaFrom } from "./schema-path.js";
import { coloursFor } from "./terminal.js";

export const help = `compaction init [--project DIR] [--name NAME]
compaction init --host opencode|claude-code|codex [--project DIR] [--remove] [--yes]

Writes a first configuration, .compactionrc, and a first team pack, compaction/team.yaml, with a rule to start from.
Both name their schema, so that an editor completes and explains every key.
Nothing is overwritten: where one of the files is there already, nothing is written.

  --project DIR     the folder to write to; this one unless given
  --name NAME       the name of the team pack; team unless given

With --host, the project's configuration of that agent is changed instead: an entry in "plugin" of opencode.json, or hooks
around the compaction in .claude/settings.json or .codex/hooks.json, which are made if they are not there. Comments and layout
stay. The change is shown; only with --yes is it written.

  --host NAME       opencode, claude-code or codex
  --remove          undo it: the file is as before, or only what init wrote is removed if you changed the file since
  --yes             write what is shown

Exit status: 0 written, shown or nothing to do, 2 nothing was written.
`;

const options: Options = {
  project: { type: "string" },
  name: { type: "string" },
  host: { type: "string" },
  remove: { type: "boolean" },
  yes: { type: "boolean" },
};

const CONFIG = ".compactionrc";
const PACK = "compaction/team.yaml";
const UNSHARED = "(their $schema lines name a file of this machine, as compaction-rules is not in the project's node_modules)";

export function init(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "init");
  if (positionals.length > 0) throw new Failure(`init takes no "${positionals[0]}"`, "--project names the folder to write to");
  const project = (values.project as string | undefined) ?? ".";
  if (values.host !== undefined) return initHost(values, project);
  const stray = ["remove", "yes"].find((option) => values[option] !== undefined);
  if (stray) throw new Failure(`--${stray} is nothing without --host`, "see compaction init --help");
  const name = (values.name as string | undefined) ?? "team";
  if (name.trim() === "" || /\p{Cc}/u.test(name)) throw new Failure("--name must be a name on one line");
  requireFolder(project);
  // Links resolved: relative paths in the files must hold for every reader.
  const folder = realpathSync(project);
  refuseToOverwrite(folder, project);

  const above = searchConfig(folder).config?.file;
  const packSchema = schemaFrom(dirname(join(folder, PACK)), folder, "pack.schema.json");
  const configSchema = schemaFrom(folder, folder, "config.schema.json");
  const quoted = stringify(name, { lineWidth: 0 }).trim();
  writeAll([
    { file: join(folder, PACK), text: fill("team.yaml", { schema: packSchema.path, name: quoted }) },
    { file: join(folder, CONFIG), text: fill("compactionrc.yaml", { schema: configSchema.path, name: quoted }) },
  ]);

  const { green, dim } = coloursFor(process.stdout);
  const where = values.project === undefined ? "" : ` --project ${project}`;
  const steps = [
    [`compaction validate${where}`, "check both files"],
    [`compaction test${where}`, "run the examples beside the rules"],
    [`compaction explain -${where}`, "type a sentence, and see what the rules make of it"],
  ] as const;
  const width = Math.max(...steps.map(([command]) => command.length));
  say(
    [
      ...[CONFIG, PACK].map((file) => `${green("wrote")} ${shown(project, file)}`),
      ...(packSchema.shared ? [] : [dim(UNSHARED)]),
      ...(above ? [`There and below it, ${shown(project, CONFIG)} takes the place of ${shownPath(above)}.`] : []),
      "",
      "Next:",
      ...steps.map(([command, what]) => `  ${command.padEnd(width)}   ${dim(what)}`),
      "",
    ].join("\n"),
  );
  return EXIT.fine;
}

const shown = (project: string, file: string) => (project === "." ? file : join(project, file).replaceAll("\\", "/"));

function refuseToOverwrite(folder: string, project: string): void {
  // A .compactionrc would silence a configuration under one of the other names.
  const there = [...CONFIG_PLACES, PACK].filter((file) => isThere(join(folder, file)));
  if (there.length > 0) {
    const files = there.map((file) => shown(project, file)).join(" and ");
    throw new Failure(
      `${files} ${there.length === 1 ? "is" : "are"} already there: nothing was written`,
      "move away what is there to start anew, or name another folder with --project",
    );
  }
  if (!inside(join(folder, PACK), folder))
    throw new Failure(`${shown(project, PACK)} leads out of the project: nothing was written`, "its folder is a link");
}

/** The texts of the files are data beside the rules. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(rulesFolder, "init", template), "utf8");
  return text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole);
}

/** All or nothing: what was written before a failure is taken away again. */
function writeAll(files: readonly { readonly file: string; readonly text: string }[]): void {
  const undo: (() => void)[] = [];
  let current = "";
  try {
    for (const { file, text } of files) {
      current = file;
      const folder = dirname(file);
      if (!existsSync(folder)) {
        mkdirSync(folder);
        undo.unshift(() => rmdirSync(folder));
      }
      writeNew(file, text);
      undo.unshift(() => rmSync(file));
    }
  } catch (error) {
    for (const step of undo) step();
    throw new Failure(`${shownPath(current)} cannot be written (${(error as NodeJS.ErrnoException).code}): nothing was written`);
  }
}

/** Where the disk is full, a part of it would be left. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" && existsSync(file)) rmSync(file, { force: true });
    throw error;
  }
}
