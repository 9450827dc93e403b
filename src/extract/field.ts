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
  for (const mark of text) {
    if (mark === opener) depth++;
    else if (mark === closer) depth--;
  }
  return depth < 0;
}

/** Cuts by code point, never inside a surrogate pair. */
export function cut(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  const points = [...text];
  return points.length <= codePoints ? text : points.slice(0, codePoints).join("").trimEnd();
}
