// compaction pin: a text that always survives.
import { redact } from "../extract/redact.js";
import { fitsPin, pinId, readChoices, pin as store } from "../keep/choices.js";
import { PIN_CODE_POINTS } from "../limits.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say } from "./print.js";
import { requireFolder, rulesFor } from "./rules.js";
import { inStateFolder } from "./state-folder.js";

export const help = `compaction pin TEXT [--project DIR]

Keeps a text in every brief and summary of the project until it is dropped. It is stored in your own state folder
(see compaction state), not in the project; secrets in it are masked. It has at most ${PIN_CODE_POINTS} characters.

  --project DIR     the project; this folder unless given

Exit status: 0 done, 2 it could not run.
`;

const options: Options = { project: { type: "string" } };

export function pin(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "pin");
  const given = positionals.join(" ").trim();
  if (given === "") throw new Failure("no text is given", 'compaction pin "Never touch the public API."');
  const folder = requireFolder((values.project as string | undefined) ?? process.cwd());
  if (!fitsPin(given)) throw new Failure(`a pin has at most ${PIN_CODE_POINTS} characters`, "say it shorter, or pin its parts");
  const text = redact(given, rulesFor(folder).rules.redactions);
  const id = pinId(text);
  const old = readChoices(folder).choices.pins.filter((pinned) => pinId(pinned) === id && pinned !== text);
  inStateFolder(() => store(folder, text));
  say(`pinned ${id} ${text}\n${old.map((pinned) => `in place of: ${pinned}\n`).join("")}`);
  return EXIT.fine;
}
