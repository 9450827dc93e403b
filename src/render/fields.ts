// What a template may name of a line: cut to a length that leaves room for others, and in full where there is room.
import type { Item, Statement } from "../model.js";
import { oneLine } from "../one-line.js";
import { remember } from "../rules/remember.js";
import { toWords } from "../rules/words.js";
import { closeCut, plain, type Shorten } from "./shorten.js";
import { countTokens } from "./tokens.js";

export type Fields = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export interface Line {
  readonly fields: Fields;
  /** Nothing of it cut; only where something is. */
  readonly full?: Fields;
}

export interface Lines {
  readonly ofItem: (item: Item) => Line;
  readonly ofStatement: (one: Statement) => Line;
  readonly ofText: (text: string) => Line;
}

const made = new WeakMap<Shorten, Lines>();

/** Items and texts that are found again at the next compaction give the same lines. */
export function linesBy(shorten: Shorten): Lines {
  const before = made.get(shorten);
  if (before) return before;
  const ofItems = new WeakMap<Item, Line>();
  const shortOf = remember((text: string) => closeCut(shorten(text)));
  const cutOr = (text: string, toFields: (shown: string) => Fields): Line => {
    const short = shortOf(text);
    return { fields: toFields(short), ...(short !== text && { full: toFields(text) }) };
  };
  const lines: Lines = {
    ofItem(item) {
      const quote = toldBy(item);
      const line = ofItems.get(item) ?? cutOr(quote, (short) => itemFields(item, quote, short));
      ofItems.set(item, line);
      return line;
    },
    ofStatement(one) {
      const [text, answers] = [oneLine(one.text), oneLine(one.answers ?? "")];
      const [short, to] = [shortOf(text), shortOf(answers)];
      const isCut = short !== text || to !== answers;
      return { fields: statementFields(one, short, to), ...(isCut && { full: statementFields(one, text, answers) }) };
    },
    ofText: (text) => cutOr(text, (shown) => ({ text: shown })),
  };
  made.set(shorten, lines);
  return lines;
}

/** How many tokens a line takes more when nothing of it is cut: at least as many as any template makes of it. */
export function extraTokens({ fields, full }: Line): number {
  if (!full) return 0;
  const more = Object.keys(full).map((name) => {
    const [cut, whole] = [fields[name], full[name]];
    return typeof cut === "string" && typeof whole === "string" ? countTokens(whole) - countTokens(cut) : 0;
  });
  return Math.max(1, ...more);
}

/** "Make it 60 s" tells nothing without what it changed: then the words that were put together are shown, not the quote. */
const TOLD_SHARE = 0.5;
function toldBy({ text, evidence }: Item): string {
  const quote = oneLine(evidence.quote);
  return shareOf(`${text}\n${quote}`) < TOLD_SHARE ? oneLine(text) : quote;
}

/** How many words of all but the last line are in the last line. */
const shareOf = remember((both: string) => {
  const end = both.lastIndexOf("\n");
  const { folded } = toWords(both.slice(0, end));
  const said = new Set(toWords(both.slice(end + 1)).folded);
  return folded.length === 0 ? 1 : folded.filter((word) => said.has(word)).length / folded.length;
});

function itemFields({ text, fields, category, by, status, evidence }: Item, quote: string, short: string): Fields {
  return {
    ...(fields.reason !== undefined && { reason: fields.reason }),
    ...(fields.instead !== undefined && { instead: fields.instead }),
    fields,
    text: oneLine(text),
    by,
    status,
    source: evidence.source,
    quote,
    short,
    plain: plain(short),
    category: category ?? "",
  };
}

function statementFields(one: Statement, shown: string, answers: string): Fields {
  const box = one.task ? `[${one.task === "done" ? "x" : " "}] ` : "";
  return {
    text: box + shown,
    plain: box + plain(shown),
    answers: plain(answers),
    user: one.by === "user" ? "user" : "",
    by: one.by,
    kind: one.kinds[0] ?? "",
    source: one.source,
  };
}
