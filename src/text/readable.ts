// Makes what a program printed readable on one line: the texts in its JSON, without frames, and only the beginning and the end.
import { oneLine } from "./forms.js";

/** Lines, corners and blocks with which programs draw frames. */
const FRAMES = /[\u2500-\u259F]+/g;

export function readable(text: string): string {
  const escaped = /^\s*[[{"]/.test(text) ? jsonTexts(text) : text;
  return oneLine(escaped.replace(/\\[nrt](?![\w\\])/g, " ").replace(FRAMES, " "));
}

/** The texts in JSON, or the text itself if it is something else. */
function jsonTexts(text: string): string {
  const texts: string[] = [];
  try {
    JSON.parse(text, (_, value) => (typeof value === "string" ? texts.push(value) : undefined));
  } catch {
    return text;
  }
  return texts.length > 0 ? texts.join(" ") : text;
}

/** Both ends of a long text, cut at words: programs sum up at the end. */
export function beginningAndEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/\s\S*$/, "");
  const tail = text.slice(-half).replace(/^\S*\s/, "");
  return `${head} … ${tail}`;
}
