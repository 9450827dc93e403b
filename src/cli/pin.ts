// compaction pin: keeps a text in every brief of the project.
import { PIN_CODE_POINTS } from "../limits.js";
import { redact } from "../rules/redact/redact.js";
import { fitsPin, pinId, readChoices, pin as store } from "../state/choices.js";
import { type Arguments, inStateFolder } from "./input/arguments.js";
import { requireFolder, rulesFor } from "./input/project.js";
import { CommandError, say } from "./output/terminal.js";

export async function pin({ values, positionals }: Arguments): Promise<undefined> {
  say(await pinned(requireFolder(values.project ?? process.cwd()), positionals.join(" ").trim()));
}

export async function pinned(folder: string, given: string): Promise<string> {
  if (given === "") throw new CommandError("no text is given", 'npx compaction-rules pin "Never touch the public API."');
  if (!fitsPin(given))
    throw new CommandError(`a pin can have at most ${PIN_CODE_POINTS} characters`, "shorten it, or pin its parts");
  const text = redact(given, rulesFor(folder).rules.redactions);
  const id = pinId(text);
  const old = readChoices(folder).choices.pins.filter((one) => pinId(one) === id && one !== text);
  await inStateFolder(() => store(folder, text));
  return `pinned ${id} ${text}\n${old.map((one) => `in place of: ${one}\n`).join("")}`;
}
