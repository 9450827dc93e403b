// Chooses which statements and facts of a session a template may show, before any budget.

import { type Extraction, type Item, placeKey, type Statement } from "../model.js";
import type { Template } from "../rules/rule-set.js";
import { joinMessages, joinRows, standingStatements, withoutFallen, withoutOldSentences } from "./statements.js";

type Said = { readonly items: readonly Item[]; readonly statements: readonly Statement[] };

/** @param inOrder the template shows the statements in their order, so short messages are shown whole */
export function chooseSaid(extraction: Extraction, { recent, once }: Template, inOrder: boolean): Said {
  const { continuation, statements: all } = extraction;
  const standing = standingStatements(extraction);
  const isRecent = recent !== undefined;
  const newest = isRecent ? withoutOldSentences(standing, recent) : standing;
  const counts = countLines(all);
  const said = withPasted(newest, counts);
  const rows = joinRows(once ? withoutFragments(said, counts) : said);
  // What was left before a commit may be done.
  const beforeCommit = all.filter(({ places }) => isRecent && places.has("before-commit"));
  // Without statements, nothing tells which facts are old.
  const items = all.length > 0 ? withoutFallen(continuation.items, newest, beforeCommit) : continuation.items;
  return { items: withoutPasted(items, said), statements: inOrder ? joinMessages(rows, continuation.items) : rows };
}

// Tells what of a user's message was typed from what was pasted into it, by how many of its lines are sentences.

/** Most statements of a short message: it often does without a full stop. */
const SHORT_MESSAGE = 2;
/** With more lines than this, a message that is mostly no sentences has something pasted in it. */
const TYPED_LINES = 20;
const SENTENCE_END = /[.!?…。！？][\p{Pe}\p{Pf}"'*_]*$/u;

const isSentence = ({ node, text }: Statement) => node === "sentence" && SENTENCE_END.test(text);

/** How many lines a message of the user's has, how many of them are sentences, and the first one. */
type Lines = { all: number; sentences: number; readonly first: Statement };

type LineCounts = ReadonlyMap<string, Lines>;

function countLines(statements: readonly Statement[]): LineCounts {
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
function withPasted(statements: readonly Statement[], counts: LineCounts): readonly Statement[] {
  return statements.map((one) => {
    const lines = one.by === "user" && !one.pasted ? counts.get(one.source) : undefined;
    const isTyped = !lines || lines.all <= TYPED_LINES || !isMostlyOther(lines) || placeKey(lines.first) === placeKey(one);
    return isTyped ? one : { ...one, pasted: true };
  });
}

/** Leaves out the facts of lines that are pasted, and neither a sentence nor an item of a list. */
function withoutPasted(items: readonly Item[], statements: readonly Statement[]): readonly Item[] {
  const pasted = new Set(
    statements.flatMap((one) =>
      one.pasted && one.by === "user" && !isSentence(one) && one.node !== "item" && one.node !== "task" ? [placeKey(one)] : [],
    ),
  );
  return pasted.size === 0 ? items : items.filter(({ evidence }) => !pasted.has(placeKey(evidence)));
}

/** Of a longer message of the user's, leaves only its sentences, and nothing if it is mostly something else. */
function withoutFragments(statements: readonly Statement[], counts: LineCounts): readonly Statement[] {
  return statements.filter((one) => {
    const lines = one.by === "user" ? counts.get(one.source) : undefined;
    if (!lines || lines.all <= SHORT_MESSAGE) return true;
    // What was asked for last is told in any case.
    if (one.places.has("last-request")) return lines.sentences === 0 || isSentence(one);
    return isSentence(one) && !isMostlyOther(lines);
  });
}
