// The fields of a line that a template can use: cut to leave room for other lines, and in full if there is room.
import type { Item, Statement } from "../model.js";
import { CUES_PREFIX } from "../rules/compile/signals.js";
import { oneLine } from "../text/forms.js";
import { remember, rememberFor } from "../text/remember.js";
import { toWords } from "../text/words.js";
import { closeCut, plain, type Shorten } from "./shorten.js";
import { countTokens } from "./tokens.js";

export type Fields = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export interface LineFields {
  readonly fields: Fields;
  /** The fields without cuts, if anything is cut. */
  readonly full?: Fields;
}

/** @param most longest text in characters, if it may be longer than others */
export interface LineBuilders {
  readonly ofItem: (item: Item, most?: number) => LineFields;
  readonly ofStatement: (one: Statement, most?: number) => LineFields;
  readonly ofText: (text: string) => LineFields;
}

/** The line builders for a shortener. Caches lines, because the next compaction asks for the same ones. */
export const linesBy = rememberFor((shorten: Shorten): LineBuilders => {
  const shortOf = remember((text: string) => closeCut(shorten(text)));
  const cutTo = (text: string, most?: number) => (most === undefined ? shortOf(text) : closeCut(shorten(text, most)));
  const cutOr = (text: string, toFields: (shown: string) => Fields, most?: number): LineFields => {
    const short = cutTo(text, most);
    return { fields: toFields(short), ...(short !== text && { full: toFields(text) }) };
  };
  const ofItem = (item: Item, most?: number) => {
    const quote = wordsOf(item);
    return cutOr(quote, (short) => itemFields(item, quote, short), most);
  };
  const ofShortItem = rememberFor((item: Item) => ofItem(item));
  return {
    ofItem: (item, most) => (most === undefined ? ofShortItem(item) : ofItem(item, most)),
    ofStatement(one, most) {
      const [text, answers] = [unticked(oneLine(one.text)), oneLine(one.answers ?? "")];
      const [short, to, after] = [cutTo(text, most), shortOf(answers), shortOf(oneLine(one.after ?? ""))];
      const isCut = short !== text || to !== answers;
      return {
        fields: statementFields(one, short, to, after),
        ...(isCut && { full: statementFields(one, text, answers, after) }),
      };
    },
    ofText: (text) => cutOr(text, (shown) => ({ text: shown })),
  };
});

export function withFields({ fields, full }: LineFields, more: Fields): LineFields {
  return { fields: { ...fields, ...more }, ...(full && { full: { ...full, ...more } }) };
}

/** How many more tokens the full line takes. An upper bound for any template. */
export function extraTokens({ fields, full }: LineFields): number {
  if (!full) return 0;
  const more = Object.keys(full).map((name) => {
    const [cut, whole] = [fields[name], full[name]];
    return typeof cut === "string" && typeof whole === "string" ? countTokens(whole) - countTokens(cut) : 0;
  });
  return Math.max(1, ...more);
}

/** If a quote has a smaller share of the fact's words, the text is shown: "Make it 60 s" means nothing without its context. */
const QUOTE_SHARE = 0.5;
function wordsOf({ text, evidence }: Item): string {
  const quote = oneLine(unescaped(evidence.quote.replace(/\n\s*[-*+]\s/g, " ")));
  return shareOf(`${text}\n${quote}`) < QUOTE_SHARE ? oneLine(text) : quote;
}

/** Removes the escapes of Markdown, which a reader does not see. In code, there are none. */
const unescaped = (text: string) =>
  text.replace(/(`+)[^`][\s\S]*?\1|\\([!-/:-@[-`{-~])|\\(?=[\r\n])/g, (whole, code, mark = "") =>
    code ? unticked(whole) : mark,
  );

/** Agents escape backticks inside code, where Markdown shows the backslash. */
const unticked = (text: string) => text.replaceAll("\\`", "`");

/** The share of words of all lines but the last that the last line has. */
const shareOf = remember((both: string) => {
  const end = both.lastIndexOf("\n");
  const { folded } = toWords(both.slice(0, end));
  const said = new Set(toWords(both.slice(end + 1)).folded);
  return folded.length === 0 ? 1 : folded.filter((word) => said.has(word)).length / folded.length;
});

function itemFields({ text, fields, category, by, status, evidence, judged }: Item, quote: string, short: string): Fields {
  return {
    ...(fields.reason !== undefined && { reason: fields.reason }),
    ...(fields.instead !== undefined && { instead: fields.instead }),
    fields,
    text: unticked(oneLine(text)),
    by,
    status,
    source: evidence.source,
    quote,
    short,
    plain: plain(short),
    category: category ?? "",
    sure: evidence.rule.startsWith(CUES_PREFIX) && !judged?.marked ? "" : "yes",
  };
}

function statementFields(one: Statement, shown: string, answers: string, after: string): Fields {
  const box = one.task ? `[${one.task === "done" ? "x" : " "}] ` : "";
  return {
    text: box + shown,
    plain: box + plain(shown),
    answers: plain(answers),
    answered: one.settled ? "yes" : "",
    pasted: one.pasted ? "yes" : "",
    interrupted: one.places.has("interrupted") ? "yes" : "",
    after: plain(after),
    proposed: one.proposed === "open" ? "yes" : "",
    ordered: one.proposed === "ordered" ? "yes" : "",
    user: one.by === "user" ? "user" : "",
    by: one.by,
    kind: one.kinds[0] ?? "",
    source: one.source,
    lead: one.under ?? "",
    request: one.request?.source ?? "",
    ofPasted: one.request?.pasted ? "yes" : "",
    ofLast: one.request?.last ? "yes" : "",
  };
}
