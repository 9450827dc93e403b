// Tells what of a user's message was typed from what was pasted into it, by how many of its lines are sentences.
import { type Item, placeKey, type Statement } from "../model.js";

/** Most statements of a short message: it often does without a full stop. */
const SHORT_MESSAGE = 2;
/** With more lines than this, a message that is mostly no sentences has something pasted in it. */
const TYPED_LINES = 20;
const SENTENCE_END = /[.!?…。！？][\p{Pe}\p{Pf}"'*_]*$/u;

const isSentence = ({ node, text }: Statement) => node === "sentence" && SENTENCE_END.test(text);

/** How many lines a message of the user's has, how many of them are sentences, and the first one. */
type Lines = { all: number; sentences: number; readonly first: Statement };

export type LineCounts = ReadonlyMap<string, Lines>;

/** Counts the lines of each message of the user's, whatever is shown of it. */
export function countLines(statements: readonly Statement[]): LineCounts {
  const counts = new Map<string, Lines>();
  for (const one of statements) {
    if (one.by !== "user") continue;
    const lines = counts.get(one.source) ?? { all: 0, sentences: 0, first: one };
    lines.all++;
    if (isSentence(one)) lines.sentences++;
    counts.set(one.source, lines);
  }
  return counts;
}

const isMostlyOther = ({ all, sentences }: Lines) => sentences * 2 < all;

/** Marks the lines behind the first of a long message as pasted if most are no sentences: a log, a table, a list of findings. */
export function withPasted(statements: readonly Statement[], counts: LineCounts): readonly Statement[] {
  return statements.map((one) => {
    const lines = one.by === "user" && !one.pasted ? counts.get(one.source) : undefined;
    const isTyped = !lines || lines.all <= TYPED_LINES || !isMostlyOther(lines) || placeKey(lines.first) === placeKey(one);
    return isTyped ? one : { ...one, pasted: true };
  });
}

/** Leaves out the facts of lines that are pasted, and neither a sentence nor an item of a list. */
export function withoutPasted(items: readonly Item[], statements: readonly Statement[]): readonly Item[] {
  const pasted = new Set(
    statements.flatMap((one) =>
      one.pasted && one.by === "user" && !isSentence(one) && one.node !== "item" && one.node !== "task" ? [placeKey(one)] : [],
    ),
  );
  return pasted.size === 0 ? items : items.filter(({ evidence }) => !pasted.has(placeKey(evidence)));
}

/** Of a longer message of the user's, leaves only its sentences, and nothing if it is mostly something else. */
export function withoutFragments(statements: readonly Statement[], counts: LineCounts): readonly Statement[] {
  return statements.filter((one) => {
    const lines = one.by === "user" ? counts.get(one.source) : undefined;
    if (!lines || lines.all <= SHORT_MESSAGE) return true;
    // What was asked for last is told in any case.
    if (one.places.has("last-request")) return lines.sentences === 0 || isSentence(one);
    return isSentence(one) && !isMostlyOther(lines);
  });
}
