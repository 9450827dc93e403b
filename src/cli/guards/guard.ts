// compaction guard: proposes a guard for a rule that the user typed or pinned, from the paths and commands that stand in it.

import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { orUndefined, projectHome } from "../../files/folders.js";
import { proposeOn, THEN, type Then, USUAL_THEN } from "../../guards/pinned.js";
import { ownProgram } from "../../hosts/own-program.js";
import { factId, pinId, readChoices } from "../../state/choices.js";
import { storedStanding } from "../../state/standing.js";
import { oneLine, shellWord } from "../../text/forms.js";
import { type Arguments, oneOf } from "../input/arguments.js";
import { inputOf } from "../input/open-session.js";
import { requireFolder, rulesFor } from "../input/project.js";
import { CommandError, EXIT, printJson, say } from "../output/terminal.js";
import { pinned } from "../pin.js";
import { livesOfInput, projectInputs } from "./lives.js";

export async function guard(given: Arguments): Promise<number> {
  const { values, flags, positionals } = given;
  const then = oneOf(given, "then", THEN, USUAL_THEN) as Then;
  const [id, session, ...more] = positionals;
  const hint = `${ownProgram()} drop --list and ${ownProgram()} rules print the ids of pins and rules`;
  if (id === undefined || more.length > 0) throw new CommandError("name one rule by its id", hint);
  const folder = resolve(requireFolder(values.project ?? process.cwd()));
  const text = textOf(folder, id) ?? textInSessions(folder, id, session);
  if (text === undefined)
    throw new CommandError(
      `no pin and no rule of this project has the id ${id}`,
      session === undefined ? `for a rule of a session: ${ownProgram()} guard ${id} SESSION` : hint,
    );
  const home = projectHome(folder);
  const kindOf = (path: string) => {
    const info = orUndefined(() => statSync(join(home, path), { throwIfNoEntry: false }));
    return info && (info.isDirectory() ? "folder" : "file");
  };
  const proposed = proposeOn(text, rulesFor(folder).rules, kindOf);
  if (flags.json) printJson({ version: 1, id, text, then, proposed });
  const [first] = proposed;
  if (first === undefined) {
    if (!flags.json) say(`${text}\nit names no path and no command: give one with ${ownProgram()} pin --on\n`);
    return EXIT.findings;
  }
  if (flags.yes) {
    const done = await pinned(folder, text, first, then);
    if (!flags.json) say(done);
  } else if (!flags.json) {
    const each = proposed.map((on) => `  ${ownProgram()} pin ${shellWord(text)} --on ${shellWord(on)} --then ${then}\n`);
    say(`${text}\n\nNothing is stored yet; ${each.length > 1 ? "one of these does" : "this does"} it:\n${each.join("")}`);
  }
  return EXIT.fine;
}

/** Sessions that are read to find a rule. */
const SESSIONS = 20;

/** A rule that the user typed in a session, as `rules` prints it. It may hold for this session only. */
function textInSessions(folder: string, id: string, session?: string): string | undefined {
  const loaded = rulesFor(folder);
  const inputs = session === undefined ? projectInputs(folder).slice(0, SESSIONS) : [inputOf(session)];
  for (const input of inputs) {
    const rule = livesOfInput(input, loaded, folder).rules.find((one) => one.id === id);
    if (rule?.from === "pack") throw new CommandError(`${id} is a guard of a pack already`, `${ownProgram()} trust`);
    if (rule) return rule.text;
  }
  return undefined;
}

function textOf(folder: string, id: string): string | undefined {
  const pin = readChoices(folder).choices.pins.find((one) => pinId(one) === id);
  const rule = storedStanding(folder).rules.find(({ item }) => factId(item) === id);
  return pin ?? (rule && oneLine(rule.item.evidence.quote));
}
