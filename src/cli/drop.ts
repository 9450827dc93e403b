// compaction drop: removes a fact that the user no longer wants.
import { ownProgram } from "../hosts/own-program.js";
import { factId, pinId, readChoices, drop as store, undrop } from "../state/choices.js";
import { findRemembered } from "../state/memory.js";
import { storedStanding } from "../state/standing.js";
import { oneLine } from "../text/forms.js";
import { type Arguments, inStateFolder } from "./input/arguments.js";
import { requireFolder } from "./input/project.js";
import { CommandError, EXIT, say, warn } from "./output/terminal.js";

export async function drop({ values, flags, positionals }: Arguments): Promise<number> {
  const [id, ...more] = positionals;
  const isId = id !== undefined && more.length === 0 && /^[0-9a-f]{8}$/.test(id);
  const hint = `eight characters, as printed by ${ownProgram()} drop --list and ${ownProgram()} explain`;
  if (flags.list ? id !== undefined || flags.undo : !isId) throw new CommandError("name one fact by its id", hint);
  const folder = requireFolder(values.project ?? process.cwd());
  const { known, broken } = remembered(folder);
  if (id === undefined) {
    const nothing = broken.length > 0 ? "" : "nothing is pinned or remembered of this project\n";
    const lines = known.map((one) => `${one.id} ${one.what}: ${oneLine(one.text)}${one.said ? ` (${oneLine(one.said)})` : ""}\n`);
    say(lines.join("") || nothing);
    for (const what of broken) warn(`compaction: ${what}\n`);
    return broken.length > 0 ? EXIT.couldNotRun : EXIT.fine;
  }
  const named = known.filter((one) => one.id === id);
  return flags.undo ? undo(folder, id, named) : dropped(folder, id, named);
}

async function dropped(folder: string, id: string, all: readonly KnownFact[]): Promise<number> {
  const texts = await inStateFolder(() => {
    const named = all.filter(({ text }) => text !== UNKNOWN);
    const found = named.length > 0 ? undefined : findRemembered((item) => factId(item) === id);
    const words = found ? [onOneLine(found.evidence.quote)] : named.map(({ text }) => text);
    store(folder, id, undefined, words[0]);
    return words;
  });
  // The fact may be from a session that was never compacted here.
  say(texts.map((text) => `dropped ${id} ${text}\n`).join("") || `dropped ${id}: nothing stored has this id yet\n`);
  return texts.length > 0 ? EXIT.fine : EXIT.findings;
}

async function undo(folder: string, id: string, named: readonly KnownFact[]): Promise<number> {
  await inStateFolder(() => undrop(folder, id));
  const gone = named.find(({ what }) => what === DROPPED);
  if (!gone)
    throw new CommandError(`${id} was not dropped`, `${ownProgram()} drop --list prints what was; a pin is pinned again`);
  say(`used again: ${id} ${gone.text}\n`);
  return EXIT.fine;
}

interface KnownFact {
  readonly id: string;
  readonly what: string;
  readonly text: string;
  /** Where and when the user said the rule. */
  readonly said?: string;
}

const DROPPED = "dropped";
const UNKNOWN = "(its words are not known)";
const onOneLine = (text: string) => text.replace(/\s+/g, " ");

function remembered(folder: string): { readonly known: readonly KnownFact[]; readonly broken: readonly string[] } {
  const { choices, ...stored } = readChoices(folder);
  const standing = storedStanding(folder);
  const rules = standing.rules.map(({ item, session, time }) => ({
    id: factId(item),
    text: item.evidence.quote,
    said: `said in session ${session}, message ${item.evidence.source}${time ? `, ${time}` : ""}`,
  }));
  const wordsOf = (id: string) => choices.words[id] ?? rules.find((rule) => rule.id === id)?.text ?? UNKNOWN;
  const all = [
    ...choices.pins.map((text) => ({ id: pinId(text), what: "pin", text })),
    ...rules.filter(({ id }) => !choices.drops.includes(id)).map((rule) => ({ ...rule, what: "rule" })),
    ...choices.drops.map((id) => ({ id, what: DROPPED, text: wordsOf(id) })),
  ];
  return {
    known: all.map((one) => ({ ...one, text: onOneLine(one.text) })),
    broken: [stored.broken, standing.broken].filter((what) => what !== undefined),
  };
}
