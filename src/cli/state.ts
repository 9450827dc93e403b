// compaction state: lists, shows and removes stored data.

import { readRegular } from "../files/regular-file.js";
import { ownProgram } from "../hosts/own-program.js";
import { STATE_BYTES } from "../limits.js";
import { clearState, listAll, listAside, NO_FOLDER, type Stored, stateFolder } from "../state/state.js";
import { didYouMean } from "../text/did-you-mean.js";
import { type Arguments, inStateFolder } from "./input/arguments.js";
import { CommandError, say } from "./output/terminal.js";

const ACTIONS = ["list", "show", "clear"];

export async function state({ positionals }: Arguments): Promise<undefined> {
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
    const gone = await inStateFolder(() => clearState(name));
    return say(gone.map((one) => `removed ${line(one)}`).join("") || NOTHING);
  }
  if (name === undefined) throw new CommandError("name what to show", `${ownProgram()} state list prints the names`);
  const { file } = stored.find((one) => one.name === name) as Stored;
  if (!file.endsWith(".json")) throw new CommandError(`${name} is a database`, `${ownProgram()} find searches it`);
  say(await inStateFolder(() => readRegular(file, STATE_BYTES).toString("utf8")));
}

const NOTHING = "nothing is stored\n";
const line = ({ name, bytes, time }: Stored) => `${name}  ${bytes} bytes  ${time}\n`;
