// compaction wrong: drops a fact that is wrong, and keeps it as a case that the rules can be tested with.
import { ownProgram } from "../hosts/own-program.js";
import { redact } from "../rules/redact/redact.js";
import { addCase } from "../state/cases.js";
import { drop, factId } from "../state/choices.js";
import { findRemembered } from "../state/memory.js";
import { type Arguments, inStateFolder } from "./input/arguments.js";
import { extractFrom, inputOf } from "./input/open-session.js";
import { requireFolder, rulesFor } from "./input/project.js";
import { CommandError, printJson, say } from "./output/terminal.js";

export async function wrong({ values, flags, positionals }: Arguments): Promise<number | undefined> {
  const [id, session, ...more] = positionals;
  if (id === undefined || more.length > 0 || !/^[0-9a-f]{8}$/.test(id))
    throw new CommandError("name one fact by its id", `eight characters, as printed by ${ownProgram()} explain`);
  const folder = requireFolder(values.project ?? process.cwd());
  const loaded = rulesFor(folder);
  const isIt = (item: Parameters<typeof factId>[0]) => factId(item) === id;
  const { format } = values;
  const found =
    session === undefined
      ? await inStateFolder(() => findRemembered(isIt))
      : extractFrom(inputOf(session), { loaded, project: folder, format }, () => {}).extraction.continuation.items.find(isIt);
  if (!found) {
    const hint = session === undefined ? `${ownProgram()} wrong ${id} SESSION, with the session that it was found in` : undefined;
    throw new CommandError(`${session ?? "nothing stored"} has no fact with the id ${id}`, hint);
  }
  const note = values.note === undefined ? undefined : redact(values.note, loaded.rules.redactions);
  const file = await inStateFolder(() => {
    drop(folder, id, undefined, found.evidence.quote);
    return addCase(folder, id, found, note);
  });
  if (flags.json) return printJson({ version: 1, dropped: id, kind: found.kind, text: found.text, file });
  say(`dropped ${id} ${found.text.replace(/\s+/g, " ")}\n`);
  say(`kept as a case in ${file}\n\n${ownProgram()} test --cases says whether your rules still find it.\n`);
  return undefined;
}
