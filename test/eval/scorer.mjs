// Measures what was found and what a brief holds against labelled windows. Written for `npm run eval` and the tests;
// the figures of ../shared/eval come from the scorer that is there.

/** Kinds that are one question to a reader: what was settled, one way or the other. */
const SETTLED = { rejection: "decision" };
const groupOf = (kind) => SETTLED[kind] ?? kind;
export const KINDS = ["decision", "constraint", "finding", "done", "remaining", "blocker", "question"];

const wordsOf = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[./-][\p{L}\p{N}_]+)*/gu) ?? []).filter(
    (word) => word.length > 2 || /\d/.test(word),
  );

/** Shares of the words of either text that the other has as well. */
function shares(one, other) {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length === 0 || b.length === 0) return { ofOne: 0, ofOther: 0, longer: 0 };
  const [inA, inB] = [new Set(a), new Set(b)];
  const part = (list, set) => list.filter((word) => set.has(word)).length / list.length;
  return { ofOne: part(a, inB), ofOther: part(b, inA), longer: a.length / b.length };
}

/** A text says a label when it has most of its words and not much else, or is a good part of it. */
export function says(text, label) {
  const { ofOne, ofOther, longer } = shares(text, label);
  return (ofOther >= 0.6 && longer <= 4) || (ofOne >= 0.8 && ofOther >= 0.34);
}

const spotsOf = (label) => [{ m: label.m, quote: label.quote }, ...(label.also ?? [])];

/** Found items of one window, each with whether it is right, and the labels, each with whether it was found. */
export function judgeItems(items, gold) {
  const found = items.filter(({ kind }) => KINDS.includes(groupOf(kind)));
  const fits = (item, label) =>
    groupOf(item.kind) === groupOf(label.kind) && spotsOf(label).some(({ m, quote }) => m === item.m && says(item.text, quote));
  return {
    items: found.map((item) => ({ ...item, group: groupOf(item.kind), right: gold.items.some((label) => fits(item, label)) })),
    labels: gold.items.map((label) => ({
      ...label,
      group: groupOf(label.kind),
      found: found.some((item) => fits(item, label)),
    })),
  };
}

/** Precision, recall and F1 for each kind and over all. */
export function tableOfKinds(judged) {
  const row = (items, labels) => {
    const right = items.filter(({ right }) => right).length;
    const found = labels.filter(({ found }) => found).length;
    const precision = items.length > 0 ? right / items.length : 0;
    const recall = labels.length > 0 ? found / labels.length : 0;
    const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
    return { precision, recall, f1, labels: labels.length, predicted: items.length };
  };
  const items = judged.flatMap((one) => one.items);
  const labels = judged.flatMap((one) => one.labels);
  const rows = KINDS.map((kind) => [
    kind,
    row(
      items.filter(({ group }) => group === kind),
      labels.filter(({ group }) => group === kind),
    ),
  ]);
  return Object.fromEntries([...rows, ["all", row(items, labels)]]);
}

/** What a brief keeps: probes by their strings, labels by a line that says them, and what was overturned. */
export function judgeBrief(text, gold) {
  const low = text.toLowerCase();
  const lines = text.split("\n").filter((line) => line.trim().length > 8);
  const holds = (label) => spotsOf(label).some(({ quote }) => lines.some((line) => says(line, quote)));
  const labels = gold.items.filter(({ superseded, weight }) => !superseded && weight >= 2);
  const old = gold.items.filter(({ superseded }) => superseded);
  const isKept = ({ any }) => any.some((all) => all.every((part) => low.includes(part.toLowerCase())));
  return {
    probes: gold.probes.length,
    kept: gold.probes.filter(isKept).length,
    labels: labels.length,
    held: labels.filter(holds).length,
    old: old.length,
    stale: old.filter(holds).length,
  };
}

export function sumUp(briefs) {
  const sum = (key) => briefs.reduce((total, one) => total + one[key], 0);
  return { kept: sum("kept") / sum("probes"), held: sum("held") / sum("labels"), stale: sum("stale") / Math.max(1, sum("old")) };
}

const sentencesOf = (text) => text.split(/(?<=[.!?])\s+|\n+/).filter((line) => line.trim() !== "");
const talkOf = (messages) => messages.filter(({ meta }) => !meta).map(({ text }) => text);
const CHARACTERS_PER_TOKEN = 4;

/** What a brief must beat. Each takes the messages and a number of tokens. */
export const BASELINES = {
  tail: (messages, tokens) =>
    talkOf(messages)
      .join("\n")
      .slice(-tokens * CHARACTERS_PER_TOKEN),
  "random sentences": (messages, tokens) => {
    const all = talkOf(messages).flatMap(sentencesOf);
    const taken = [];
    // The same numbers on every run.
    let state = 7;
    let room = tokens * CHARACTERS_PER_TOKEN;
    while (all.length > 0) {
      state = (state * 48_271) % 2_147_483_647;
      const [line] = all.splice(state % all.length, 1);
      room -= line.length + 1;
      if (room < 0) break;
      taken.push(line);
    }
    return taken.join("\n");
  },
  "frequent words": (messages, tokens) => {
    const counts = new Map();
    for (const word of talkOf(messages).flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const words = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
    return words.join(" ").slice(0, tokens * CHARACTERS_PER_TOKEN);
  },
  "five patterns": (messages, tokens) => {
    const lines = talkOf(messages).flatMap(sentencesOf);
    return lines
      .filter((line) => FIVE_PATTERNS.some((pattern) => pattern.test(line)))
      .join("\n")
      .slice(0, tokens * CHARACTERS_PER_TOKEN);
  },
};

/** The decision patterns of the compaction handler's description (S0-17). */
const FIVE_PATTERNS = [
  /(?:we|I)\s+(?:decided|chose|selected|picked)\s+(?:to\s+)?(.{10,150})/i,
  /(?:using|chose|selected)\s+(\w+)\s+(?:for|as|instead of)\s+(.{5,100})/i,
  /(?:because|since|the reason is)\s+(.{10,150})/i,
  /(?:approach|strategy|solution)[:\s]+(.{10,150})/i,
  /(?:we|I)\s+(?:won't|will not|shouldn't|decided against)\s+(.{10,100})/i,
];
