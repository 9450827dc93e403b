// compaction pin: a text that always survives.
import { factId, pin as store } from "../keep/choices.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { requireFolder } from "./rules.js";

export const help = `compaction pin TEXT [--project DIR]

Keeps a text in every brief and summary of the project until it is dropped. It is stored in your own state folder
(see compaction state), not in the project.

  --project DIR     the project; this folder unless given

Exit status: 0 done, 2 it could not run.
`;

const options: Options = { project: { type: "string" } };

export function pin(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "pin");
  const text = positionals.join(" ").trim();
  if (text === "") throw new Failure("no text is given", 'compaction pin "Never touch the public API."');
  const folder = requireFolder((values.project as string | undefined) ?? process.cwd());
  store(folder, text);
  process.stdout.write(`pinned ${factId({ kind: "note", text })} ${text}\n`);
  return EXIT.fine;
}
