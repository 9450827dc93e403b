// compaction drop: a fact that is not wanted any more.
import { factId, pinId, readChoices, drop as store, undrop } from "../keep/choices.js";
import { findRemembered } from "../keep/memory.js";
import { storedStanding } from "../keep/standing.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say, warn } from "./print.js";
import { requireFolder } from "./rules.js";
import { inStateFolder } from "./state-folder.js";

export const help = `compaction drop ID [--project DIR]
compaction drop --undo ID [--project DIR]
compaction drop --list [--project DIR]

Drops a fact of the project by its id, as compaction explain, compaction pin and /carry print it: it stays gone until that
is undone. Dropping a pin takes the pin out.

  --undo            let a fact count again that was dropped, wherever a session still says it
  --list            the pins of the project, the rules that its sessions gave and where each was said, and what was
                    dropped, with their ids
  --project DIR     the project; this folder unless given

Exit status: 0 done, 2 it could not run, or not all that is stored could be read.
`;

const options: Options = { project: { type: "string" }, list: { type: "boolean" }, undo: { type: "boolean" } };

export function drop(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "drop");
  const [id, ...more] = positionals;
  const isId = id !== undefined && more.length === 0 && /^[0-9a-f]{8}$/.test(id);
  if (values.list ? id !== undefined || values.undo : !isId) {
    throw new Failure("name one fact by its id", "eight characters, as compaction drop --list and compaction explain print them");
  }
  const folder = requireFolder((values.project as string | undefined) ?? process.cwd());
  const { known, broken } = remembered(folder);
  if (id === undefined) {
    const nothing = broken.length > 0 ? "" : "nothing is pinned or remembered of this project\n";
    say(known.map((one) => `${one.id} ${one.what}: ${one.text}${one.said ? ` (${one.said})` : ""}\n`).join("") || nothing);
    for (const what of broken) warn(`compaction: ${what}\n`);
    return broken.length > 0 ? EXIT.couldNotRun : EXIT.fine;
  }
  const named = known.filter((one) => one.id === id);
  return values.undo ? undo(folder, id, named) : dropped(folder, id, named);
}

function dropped(folder: string, id: string, all: readonly Known[]): number {
  const texts = inStateFolder(() => {
    const named = all.filter(({ text }) => text !== UNKNOWN);
    const found = named.length > 0 ? undefined : findRemembered((item) => factId(item) === id);
    const words = found ? [onOneLine(found.evidence.quote)] : named.map(({ text }) => text);
    store(folder, id, undefined, words[0]);
    return words;
  });
  // It may be a fact of a session that was never compacted here.
  say(texts.map((text) => `dropped ${id} ${text}\n`).join("") || `noted ${id}: nothing remembered has this id yet\n`);
  return EXIT.fine;
}

function undo(folder: string, id: string, named: readonly Known[]): number {
  inStateFolder(() => undrop(folder, id));
  const gone = named.find(({ what }) => what === DROPPED);
  if (!gone) throw new Failure(`${id} was not dropped`, "compaction drop --list prints what was; a pin is pinned again");
  say(`counts again: ${id} ${gone.text}\n`);
  return EXIT.fine;
}

interface Known {
  readonly id: string;
  readonly what: string;
  readonly text: string;
  /** Where and when a rule was said. */
  readonly said?: string;
}

const DROPPED = "dropped";
const UNKNOWN = "(its words are not known)";
const onOneLine = (text: string) => text.replace(/\s+/g, " ");

function remembered(folder: string): { readonly known: readonly Known[]; readonly broken: readonly string[] } {
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
