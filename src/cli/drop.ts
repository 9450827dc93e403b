// compaction drop: a fact that is not wanted any more.
import { drop as store } from "../keep/choices.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say } from "./print.js";
import { requireFolder } from "./rules.js";
import { inStateFolder } from "./state-folder.js";

export const help = `compaction drop ID [--project DIR]

Drops a fact of the project by its id, as compaction explain and compaction pin print it: it stays gone. Dropping a
pin takes the pin out.

  --project DIR     the project; this folder unless given

Exit status: 0 done, 2 it could not run.
`;

const options: Options = { project: { type: "string" } };

export function drop(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "drop");
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0 || !/^[0-9a-f]{8}$/.test(id)) {
    throw new Failure("name one fact by its id", "eight characters, as compaction explain prints them in [brackets]");
  }
  const folder = requireFolder((values.project as string | undefined) ?? process.cwd());
  inStateFolder(() => store(folder, id));
  say(`dropped ${id}\n`);
  return EXIT.fine;
}
