// compaction state: what is stored, where, how large; and its removal.
import { didYouMean } from "../config/suggest.js";
import { clearState, listAside, listState, NO_FOLDER, type Stored, stateFolder } from "../keep/state.js";
import { STATE_BYTES } from "../limits.js";
import { readRegular } from "../regular-file.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say } from "./print.js";
import { inStateFolder } from "./state-folder.js";

export const help = `compaction state list | show NAME | clear [NAME]

What is stored about projects and sessions, in your own state folder: readable by you alone. What is kept of a session is
removed, when another one is compacted, after it was not written for 90 days (keepDays in its project's .compactionrc);
pins, drops and rules of a project stay until you drop or clear them.

  list              the files, with size and time
  show NAME         one of them
  clear [NAME]      remove one of them, or all

Exit status: 0 done, 2 it could not run.
`;

const options: Options = {};
const ACTIONS = ["list", "show", "clear"];

export function state(args: readonly string[]): number {
  const { positionals } = parseArguments(args, options, "state");
  const [action, name, ...more] = positionals;
  if (action === undefined || !ACTIONS.includes(action) || more.length > 0) {
    throw new Failure(
      action === undefined ? "say what to do" : `"${[action, ...more].join(" ")}" is nothing to do`,
      didYouMean(action ?? "", ACTIONS),
    );
  }
  const stored = inStateFolder(() => listState());
  if (name !== undefined && !stored.some((one) => one.name === name)) {
    throw new Failure(
      `nothing is stored as "${name}"`,
      didYouMean(
        name,
        stored.map((one) => one.name),
      ),
    );
  }
  if (action === "list") {
    const aside = inStateFolder(() => listAside()).map((file) => `set aside, for it could not be read: ${file}\n`);
    return print([
      `${stateFolder() ?? NO_FOLDER}\n`,
      ...stored.map(line),
      stored.length === 0 ? "nothing is stored\n" : "",
      ...aside,
    ]);
  }
  if (action === "clear")
    return print(
      inStateFolder(() => clearState(name)).map((one) => `removed ${line(one)}`),
      stored.length === 0 ? "nothing is stored\n" : "",
    );
  if (name === undefined) throw new Failure("name what to show", "compaction state list prints the names");
  const { file } = stored.find((one) => one.name === name) as Stored;
  process.stdout.write(inStateFolder(() => readRegular(file, STATE_BYTES).toString("utf8")));
  return EXIT.fine;
}

const line = ({ name, bytes, time }: Stored) => `${name}  ${bytes} bytes  ${time}\n`;

function print(parts: readonly string[], otherwise = ""): number {
  say(parts.join("") + otherwise);
  return EXIT.fine;
}
