// Runs of one mark inside of a paragraph: where they end, which ticks close code, and what * and _ do.

const PUNCTUATION = /[\p{P}\p{S}]/u;

export function runEnd(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end++;
  return end;
}

/**
 * Tells where a run of exactly so many ticks ends, the next from a place on; below 0 when there is none up to `close`.
 * It is asked from left to right.
 */
export function createTicks(text: string, close: number): (from: number, length: number) => number {
  let ticks: ReadonlyMap<number, number[]> | undefined;
  return (from, length) => {
    ticks ??= runsOfTicks(text, from, close);
    const ends = ticks.get(length) ?? [];
    // What lies behind is done with.
    while (ends.length > 0 && (ends.at(-1) as number) - length < from) ends.pop();
    return ends.at(-1) ?? -1;
  };
}

/** Where runs of ticks end, by their length, the last first. */
function runsOfTicks(text: string, from: number, close: number): ReadonlyMap<number, number[]> {
  const ends = new Map<number, number[]>();
  for (let at = text.indexOf("`", from); at >= 0 && at < close; at = text.indexOf("`", at)) {
    const end = runEnd(text, at);
    const same = ends.get(end - at);
    if (same) same.push(end);
    else ends.set(end - at, [end]);
    at = end;
  }
  for (const same of ends.values()) same.reverse();
  return ends;
}

/** What a run of * or _ does, where only one answer is possible. */
export function roleOf(text: string, start: number, end: number): "opens" | "closes" | "either" | "none" | "unclear" {
  const previous = text[start - 1];
  const next = text[end];
  if (previous === "*" || previous === "_" || next === "*" || next === "_") return "unclear";
  const before = sortOf(previous);
  const after = sortOf(next);
  const opens = after === "letter" || (after === "mark" && before !== "letter");
  const closes = before === "letter" || (before === "mark" && after !== "letter");
  if (opens && closes) return text[start] === "_" && before === "letter" && after === "letter" ? "none" : "either";
  return opens ? "opens" : closes ? "closes" : "none";
}

function sortOf(character: string | undefined): "blank" | "mark" | "letter" {
  if (character === undefined || /\s/.test(character)) return "blank";
  return PUNCTUATION.test(character) ? "mark" : "letter";
}
