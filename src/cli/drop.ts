// compaction drop: a fact that is not wanted any more.
import { factId, pinId, readChoices, drop as store } from "../keep/choices.js";
import { findRemembered } from "../keep/memory.js";
import { storedStanding } from "../keep/standing.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say, warn } from "./print.js";
import { requireFolder } from "./rules.js";
import { inStateFolder } from "./state-folder.js";

export const help = `compaction drop ID [--project DIR]
compaction drop --list [--project DIR]

Drops a fact of the project by its id, as compaction explain, compaction pin and /carry print it: it stays gone. Dropping
a pin takes the pin out.

  --list            the pins of the project and the rules that its sessions gave, with their ids
  --project DIR     the project; this folder unless given

Exit status: 0 done, 2 it could not run.
`;

const options: Options = { project: { type: "string" }, list: { type: "boolean" } };

export function drop(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "drop");
  const [id, ...more] = positionals;
  const isId = id !== undefined && more.length === 0 && /^[0-9a-f]{8}$/.test(id);
  if (values.list ? id !== undefined : !isId) {
    throw new Failure("name one fact by its id", "eight characters, as compaction drop --list and compaction explain print them");
  }
  const folder = requireFolder((values.project as string | undefined) ?? process.cwd());
  const { known, broken } = remembered(folder);
  if (id === undefined) {
    const nothing = broken.length > 0 ? "" : "nothing is pinned or remembered of this project\n";
    say(known.map((one) => `${one.id} ${one.what}: ${one.text}\n`).join("") || nothing);
    for (const what of broken) warn(`compaction: ${what}\n`);
    return broken.length > 0 ? EXIT.couldNotRun : EXIT.fine;
  }
  const dropped = inStateFolder(() => {
    const named = known.filter((one) => one.id === id);
    const found = named.length > 0 ? undefined : findRemembered((item) => factId(item) === id);
    store(folder, id);
    return found ? [{ text: onOneLine(found.evidence.quote) }] : named;
  });
  // It may be a fact of a session that was never compacted here.
  say(dropped.map(({ text }) => `dropped ${id} ${text}\n`).join("") || `noted ${id}: nothing remembered has this id yet\n`);
  return EXIT.fine;
}

const onOneLine = (text: string) => text.replace(/\s+/g, " ");

function remembered(folder: string) {
  const { choices, ...stored } = readChoices(folder);
  const standing = storedStanding(folder);
  const gone = new Set(choices.drops);
  const pins = choices.pins.map((text) => ({ id: pinId(text), what: "pin", text }));
  const rules = standing.rules.map(({ item }) => ({ id: factId(item), what: "rule", text: item.evidence.quote }));
  return {
    known: [...pins, ...rules.filter(({ id }) => !gone.has(id))].map((one) => ({ ...one, text: onOneLine(one.text) })),
    broken: [stored.broken, standing.broken].filter((what) => what !== undefined),
  };
}
