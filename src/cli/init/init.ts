// compaction init: writes a first configuration and team pack.

import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { stringify } from "yaml";
import { findConfig, isThere } from "../../config/find-config.js";
import { searchConfig } from "../../config/search-config.js";
import { findUpwards, inside } from "../../files/folders.js";
import { ownProgram } from "../../hosts/own-program.js";
import { shellWord } from "../../text/forms.js";
import { type Arguments, noPositional } from "../input/arguments.js";
import { requireFolder } from "../input/project.js";
import { shownPath } from "../output/report.js";
import { CommandError, coloursOf, EXIT } from "../output/terminal.js";
import { initAll } from "./init-all.js";
import { initHost } from "./init-host.js";
import { initPack } from "./init-pack.js";
import { initSkill } from "./init-skill.js";
import { fill, sayWritten, shown, writeAll } from "./write-files.js";

const CONFIG = ".compactionrc";
const PACK = "compaction/team.yaml";
const NO_SCHEMA = "(without a $schema line for editors, as compaction-rules is not in the project's node_modules)";

export async function init(given: Arguments): Promise<number> {
  const { values, flags, positionals } = given;
  noPositional(positionals, "init");
  const { project = ".", name = "team" } = values;
  if (flags.skill) return initSkill(given);
  if (flags.all) return initAll(given);
  if (values.host !== undefined) return initHost(given);
  const stray = ["mcp", "remove", "yes"].find((option) => flags[option]);
  if (stray) throw new CommandError(`--${stray} needs --host, --all or --skill`, `see ${ownProgram()} init --help`);
  if (name.trim() === "" || /\p{Cc}/u.test(name)) throw new CommandError("--name must be a name on one line");
  requireFolder(project);
  if (values.pack !== undefined) return initPack(values.pack, project);
  // Resolve links: relative paths in the files must work for every reader.
  const folder = realpathSync(project);
  refuseToOverwrite(folder, project);

  const above = searchConfig(folder).config?.file;
  const schemas = findUpwards(folder, "node_modules/compaction-rules/schemas");
  const quoted = stringify(name, { lineWidth: 0 }).trim();
  const filled = (file: string, template: string, schema: string) => ({
    file: join(folder, file),
    text: fill(template, { name: quoted, schema: schemas && near(dirname(join(folder, file)), join(schemas, schema)) }),
  });
  writeAll([filled(PACK, "team.yaml", "pack.schema.json"), filled(CONFIG, "compactionrc.yaml", "config.schema.json")]);

  const { dim } = coloursOf();
  const where = values.project === undefined ? "" : ` --project ${shellWord(project)}`;
  const notes = [
    ...(schemas ? [] : [dim(NO_SCHEMA)]),
    ...(above ? [`There and below it, ${shown(project, CONFIG)} takes the place of ${shownPath(above)}.`] : []),
  ];
  sayWritten(
    [CONFIG, PACK].map((file) => shown(project, file)),
    notes,
    [
      [`${ownProgram()} validate${where}`, "check both files"],
      [`${ownProgram()} test${where}`, "run the examples beside the rules"],
      [`${ownProgram()} explain -${where}`, "type a sentence, and see what the rules make of it"],
      [`${ownProgram()} init --host opencode${where}`, "or claude-code, codex: let the agent use them"],
    ],
  );
  return EXIT.fine;
}

function refuseToOverwrite(folder: string, project: string): void {
  // A configuration under another name would hide the .compactionrc, or be hidden by it.
  const configs = findConfig(folder).map((file) => relative(folder, file));
  const there = [...configs.filter((file) => !file.startsWith("..")), ...(isThere(join(folder, PACK)) ? [PACK] : [])];
  if (there.length > 0) {
    const files = there.map((file) => shown(project, file)).join(" and ");
    const hint = "move the existing files away, or choose another folder with --project";
    throw new CommandError(`${files} ${there.length === 1 ? "is" : "are"} already there: nothing was written`, hint);
  }
  if (!inside(join(folder, PACK), folder))
    throw new CommandError(`${shown(project, PACK)} leads outside the project: nothing was written`, "its folder is a link");
}

/** The path of a file for an editor. @param from the folder of the file that names it; links resolved */
function near(from: string, file: string): string {
  const path = relative(from, file).replaceAll("\\", "/");
  return path.startsWith("../") ? path : `./${path}`;
}
