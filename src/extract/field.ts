// What a slot took, made fit to stand by itself.

const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", "”": "“", "»": "«" };

/** One final stop is dropped, and closing marks that were opened outside. What was a question is still to be read as one. */
export function tidyClause(text: string): string {
  let result = withinQuotation(text.trim());
  let stopped = false;
  for (;;) {
    const last = result.at(-1) ?? "";
    if (isLoose(result, last) || /[,:]/.test(last)) result = result.slice(0, -1).trimEnd();
    else if (!stopped && /[.!。！]/.test(last) && !result.endsWith("...")) {
      result = result.slice(0, -1).trimEnd();
      stopped = true;
    } else return result;
  }
}

/** A quotation that ends inside the clause began before it: what follows is no longer part of what was said. */
function withinQuotation(text: string): string {
  const marks = text.match(/"/g)?.length ?? 0;
  return marks % 2 === 1 && text.search(/"(?!\w)/) > 0 ? text.slice(0, text.indexOf('"')) : text;
}

/** A word or path without ticks, quotes and the marks of the sentence around it. */
export function tidyWord(text: string): string {
  return text.replace(/^[`"'(]+/, "").replace(/[.,;:!?`"')]+$/, "");
}

function isLoose(text: string, closer: string): boolean {
  if (closer === '"') return (text.match(/"/g)?.length ?? 0) % 2 === 1;
  const opener = CLOSERS[closer];
  if (opener === undefined) return false;
  let depth = 0;
  let loose = false;
  for (const mark of text) {
    if (mark === opener) depth++;
    // "b) the other one (if need be)": what nothing opened before closes nothing either.
    else if (mark === closer) {
      loose = depth === 0;
      if (!loose) depth--;
    }
  }
  return loose;
}

const CUT = " …";

/** Cuts at the end of a word and says so: half a word may be another one. What has no words is cut as it is. */
export function cutAtWord(text: string, codePoints: number): string {
  const hard = cut(text, codePoints);
  if (hard === text) return text;
  const head = cut(text, codePoints - CUT.length);
  const end = text[head.length] === " " ? head.length : head.lastIndexOf(" ");
  return end > head.length / 2 ? head.slice(0, end).replace(/[\s,;:—–-]+$/, "") + CUT : hard;
}

/** Cuts by code point, never inside a surrogate pair. */
export function cut(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  const points = [...text];
  return points.length <= codePoints ? text : points.slice(0, codePoints).join("").trimEnd();
}
