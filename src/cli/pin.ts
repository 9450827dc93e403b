// compaction pin: keeps a text in every brief of the project, and says it at the calls that it is about.

import { parseOn, shownOn, THEN, type Then, USUAL_THEN } from "../guards/pinned.js";
import { ownProgram } from "../hosts/own-program.js";
import { PIN_CODE_POINTS } from "../limits.js";
import { ownRules } from "../rules/load-rules.js";
import { redact } from "../rules/redact/redact.js";
import { fitsPin, pinId, readChoices, pin as store } from "../state/choices.js";
import { lackingHooks } from "./doctor.js";
import { type Arguments, inStateFolder, oneOf } from "./input/arguments.js";
import { requireFolder, rulesFor } from "./input/project.js";
import { CommandError, say } from "./output/terminal.js";

export async function pin(given: Arguments): Promise<undefined> {
  const { values, positionals } = given;
  const then = oneOf(given, "then", THEN, USUAL_THEN) as Then;
  if (values.then !== undefined && values.on === undefined) throw new CommandError("--then needs --on", ON_HINT);
  say(await pinned(requireFolder(values.project ?? process.cwd()), positionals.join(" ").trim(), values.on, then));
}

/** Agents with our hooks, but without the one before calls: init writes it only if there are guards. */
export function unheard(folder: string): string {
  const lacks = lackingHooks(folder);
  return lacks.map(({ says, fix }) => `${says}, so the guard does not speak there yet:\n  ${fix}\n`).join("");
}

const ON_HINT = "--on 'edit:src/legacy/**' or --on 'command:git push --force'";

export async function pinned(folder: string, given: string, on?: string, then: Then = USUAL_THEN): Promise<string> {
  if (given === "") throw new CommandError("no text is given", `${ownProgram()} pin "Never touch the public API."`);
  if (!fitsPin(given))
    throw new CommandError(`a pin can have at most ${PIN_CODE_POINTS} characters`, "shorten it, or pin its parts");
  const { rules } = rulesFor(folder);
  const text = redact(given, rules.redactions);
  const call = on === undefined ? undefined : parseOn(on, ownRules());
  if (on !== undefined && !call) {
    const masked = redact(on, rules.redactions);
    throw new CommandError(`"${masked}" ${masked === on ? "is for no call" : "holds a secret, and would be stored"}`, ON_HINT);
  }
  const id = pinId(text);
  const old = readChoices(folder).choices.pins.filter((one) => pinId(one) === id && one !== text);
  await inStateFolder(() => store(folder, text, undefined, call && { on: call, does: then }));
  const guard = call ? `guard ${then} ${shownOn(call)}\n${unheard(folder)}` : "";
  return `pinned ${id} ${text}\n${guard}${old.map((one) => `in place of: ${one}\n`).join("")}`;
}
