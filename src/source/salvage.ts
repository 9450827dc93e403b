// A JSON document that breaks off: its beginning, closed behind the last list entry that is whole.
import { SALVAGE_DEPTH } from "../limits.js";

/** The document as far as it goes; undefined when not even one entry of a list is whole. */
export function salvage(text: string): unknown {
  const open: string[] = [];
  let whole: { readonly end: number; readonly open: string } | undefined;
  let inString = false;
  const mark = (end: number) => {
    if (open.at(-1) === "[") whole = { end, open: open.join("") };
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      open.push(character);
      if (open.length > SALVAGE_DEPTH) return undefined;
    } else if (character === ",") mark(at);
    else if (character === "}" || character === "]") {
      open.pop();
      mark(at + 1);
    }
  }
  if (!whole) return undefined;
  const closers = [...whole.open].reverse().map((opener) => (opener === "{" ? "}" : "]"));
  try {
    return JSON.parse(text.slice(0, whole.end) + closers.join(""));
  } catch {
    return undefined;
  }
}
