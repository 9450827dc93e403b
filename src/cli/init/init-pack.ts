// compaction init --pack: writes a package with a pack of rules, to publish on npm.

import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isThere } from "../../config/find-config.js";
import { rulesFolder } from "../../config/load-pack.js";
import { ownProgram } from "../../hosts/own-program.js";
import { shellWord } from "../../text/forms.js";
import { CommandError, EXIT } from "../output/terminal.js";
import { fill, sayWritten, shown, writeAll } from "./write-files.js";

const PREFIX = "compaction-rules-";
const NAME = /^(?<scope>@[a-z0-9][a-z0-9._-]*\/)?(?:compaction-rules-)?(?<name>[a-z][a-z0-9-]*)$/;

/** @param given the name of the pack, with or without the prefix, and with or without a scope */
export function initPack(given: string, project: string): number {
  const { scope = "", name } = NAME.exec(given)?.groups ?? {};
  if (name === undefined)
    throw new CommandError(`"${given}" cannot be the name of a package`, "use small letters, digits and -, such as --pack acme");
  const folder = PREFIX + name;
  if (isThere(join(project, folder)))
    throw new CommandError(`${shown(project, folder)} is already there: nothing was written`, "choose another name");
  const { version } = JSON.parse(readFileSync(join(rulesFolder, "../package.json"), "utf8"));
  const values = { package: scope + folder, quoted: scope ? `"${scope}${folder}"` : folder, name, version };
  const files = [
    ["package.json", "package.json"],
    ["rules.txt", `rules/${name}.yaml`],
    ["README.md", "README.md"],
  ] as const;
  const root = realpathSync(project);
  writeAll(files.map(([template, file]) => ({ file: join(root, folder, file), text: fill(`pack/${template}`, values) })));
  const rules = shellWord(shown(project, `${folder}/rules/${name}.yaml`));
  sayWritten(
    files.map(([, file]) => shown(project, `${folder}/${file}`)),
    [],
    [
      [`${ownProgram()} validate ${rules}`, "check the rules"],
      [`${ownProgram()} test ${rules}`, "run the examples beside them"],
      [`npm publish ${shellWord(`./${shown(project, folder)}`)}`, "then every project can extend it"],
    ],
  );
  return EXIT.fine;
}
