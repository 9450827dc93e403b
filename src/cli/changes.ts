// What changes from one text to another, as lines with their neighbours.
import type { Colours } from "./terminal.js";

const NEIGHBOURS = 2;

/** One run of lines is enough: an edit of ours is in one place. */
export function showChanges(before: string, after: string, { red, green, dim }: Colours): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `  ${mark} ${line}`.trimEnd());
  const shown = [
    ...marked(" ", now.slice(Math.max(0, head - NEIGHBOURS), head)).map(dim),
    ...marked("-", old.slice(head, old.length - tail)).map(red),
    ...marked("+", now.slice(head, now.length - tail)).map(green),
    ...marked(" ", now.slice(now.length - tail).slice(0, NEIGHBOURS)).map(dim),
  ];
  return shown.map((line) => `${line}\n`).join("");
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
