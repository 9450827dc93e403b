// compaction state: lists, shows and removes stored data.

import { readRegular } from "../files/regular-file.js";
import { ownProgram } from "../hosts/own-program.js";
import { STATE_BYTES } from "../limits.js";
import { clearState, listAll, listAside, NO_FOLDER, readState, type Stored, stateFolder } from "../state/state.js";
import { didYouMean } from "../text/did-you-mean.js";
import { counted } from "../text/forms.js";
import { asFields, asText } from "../text/json.js";
import { type Arguments, inStateFolder } from "./input/arguments.js";
import { ask, CommandError, say } from "./output/terminal.js";

const ACTIONS = ["list", "show", "clear"];

export async function state({ positionals, flags }: Arguments): Promise<undefined> {
  const [action, name, ...more] = positionals;
  if (action === undefined) throw new CommandError("no action is given", didYouMean("", ACTIONS));
  if (!ACTIONS.includes(action) || more.length > 0)
    throw new CommandError(`"${[action, ...more].join(" ")}" is not an action`, didYouMean(action, ACTIONS));
  const stored = await inStateFolder(() => listAll());
  const names = stored.map((one) => one.name);
  if (name !== undefined && !names.includes(name))
    throw new CommandError(`nothing is stored as "${name}"`, didYouMean(name, names));
  if (action === "list") {
    const aside = (await inStateFolder(() => listAside())).map((file) => `set aside (it could not be read): ${file}\n`);
    return say(`${stateFolder() ?? NO_FOLDER}\n${stored.map(line).join("") || NOTHING}${aside.join("")}`);
  }
  if (action === "clear") {
    if (name === undefined && stored.length > 0 && !(await agreed(stored, flags.yes === true)))
      return say("Nothing is removed.\n");
    const gone = await inStateFolder(() => clearState(name));
    return say(gone.map((one) => `removed ${line(one)}`).join("") || NOTHING);
  }
  if (name === undefined) throw new CommandError("name what to show", `${ownProgram()} state list prints the names`);
  const { file } = stored.find((one) => one.name === name) as Stored;
  if (!file.endsWith(".json")) throw new CommandError(`${name} is a database`, `${ownProgram()} find searches it`);
  say(await inStateFolder(() => readRegular(file, STATE_BYTES).toString("utf8")));
}

/** Files that cannot be made again, by the start of their names, and what each contains. */
const OWN: readonly (readonly [start: RegExp, what: string, ofProject?: true])[] = [
  [/^project-/, "pins and drops of", true],
  [/^rules-/, "rules that you typed in", true],
  [/^cases-/, "wrong facts that you noted in", true],
  [/^trusted$/, "which packs you trust"],
  [/^recall/, "the index of find, and your consent to it"],
];

/** Removes the user's own words of all projects, so a person says yes to what is named. */
async function agreed(stored: readonly Stored[], yes: boolean): Promise<boolean> {
  const folderOf = ({ name }: Stored) => asText(asFields(readState(name).value).folder);
  const own = OWN.flatMap(([start, what, ofProject]) => {
    const files = stored.filter(({ name }) => start.test(name));
    return ofProject ? files.map((one) => `${what} ${folderOf(one) ?? one.name}`) : files.slice(0, 1).map(() => what);
  });
  const rest = stored.filter(({ name }) => !OWN.some(([start]) => start.test(name))).length;
  const all = [...own, ...(rest > 0 ? [`what is remembered of sessions and compactions: ${counted(rest, "file")}`] : [])];
  const text = `This removes what is stored about all projects:\n${all.map((line) => `  ${line}\n`).join("")}`;
  if (yes) return true;
  const answer = await ask(`${text}Remove all of it? [y/N] `);
  if (answer !== undefined) return /^\s*y/i.test(answer);
  say(text);
  throw new CommandError("nothing is removed", `${ownProgram()} state clear --yes removes all of it, clear NAME one file`);
}

const NOTHING = "nothing is stored\n";
const line = ({ name, bytes, time }: Stored) => `${name}  ${bytes} bytes  ${time}\n`;
