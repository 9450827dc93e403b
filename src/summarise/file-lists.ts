// The two lists of files behind a summary. They come from tool calls, never from the model: what it copied or broke of
// them is taken out, and they are written anew, once.

import type { ListedFiles } from "../keep/compaction-state.js";
import { LINE_CHARACTERS } from "../limits.js";
import { harmless } from "../render/entries.js";

const TAGS = { read: "read-files", modified: "modified-files" } as const;
type List = keyof typeof TAGS;
const LISTS = Object.keys(TAGS) as List[];
/** The line behind a list of which not all is shown. */
const MORE = /^… and \d+ more$/;
const TAG = new RegExp(`<(/?)(${Object.values(TAGS).join("|")})>`, "g");

/** A summary without its lists, and what they hold. */
export function splitFileLists(summary: string): ListedFiles & { readonly prose: string } {
  const found: Record<List, string[]> = { read: [], modified: [] };
  const prose: string[] = [];
  let open: List | undefined;
  let from = 0;
  const isAmid = lineOf(summary);
  const take = (text: string, closed: boolean) => {
    const lines = text.split("\n");
    // A list that nobody closed ends where a line is no path; what goes on behind the tag is prose.
    const first = lines.findIndex((line, index) =>
      index === 0 ? line.trim() !== "" : !/^\s*\S+\s*$/.test(line) && !MORE.test(line.trim()),
    );
    const end = closed || first < 0 ? lines.length : first;
    if (open) found[open].push(...lines.slice(0, end).flatMap(pathOf));
    prose.push(lines.slice(end).join("\n"));
  };
  for (const { 0: tag, 1: slash, 2: name, index } of summary.matchAll(TAG)) {
    const list = LISTS.find((one) => TAGS[one] === name) as List;
    if (!(open && slash === "/") && isAmid(index, index + tag.length)) continue;
    const before = summary.slice(from, index);
    if (open) take(before, slash === "/" && list === open);
    else prose.push(before);
    open = slash === "" ? list : undefined;
    from = index + tag.length;
  }
  if (open) take(summary.slice(from), false);
  else prose.push(summary.slice(from));
  const text = prose.map((part) => part.trim()).filter((part) => part !== "");
  return { prose: text.join("\n\n"), read: found.read, modified: found.modified };
}

/** Does a span stand amid a line? Then somebody speaks of the tag. Spans are asked for one behind the other. */
function lineOf(text: string): (start: number, end: number) => boolean {
  const blanks = /[ \t\r]*/y;
  const behind = (at: number) => {
    blanks.lastIndex = at;
    blanks.exec(text);
    return blanks.lastIndex;
  };
  let first = behind(0);
  let next = text.indexOf("\n");
  return (start, end) => {
    while (next >= 0 && next < start) {
      first = behind(next + 1);
      next = text.indexOf("\n", next + 1);
    }
    const after = behind(end);
    return first < start && after < text.length && text[after] !== "\n";
  };
}

function pathOf(line: string): readonly string[] {
  if (MORE.test(line.trim())) return [];
  const path = line.trim().replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  return path === "" || path.length > LINE_CHARACTERS ? [] : [path];
}

/** The prose with the lists behind it, those that were only read first; an empty list is left out. `more` are not shown. */
export function withFileLists(prose: string, files: ListedFiles, more: Partial<Record<List, number>> = {}): string {
  const blocks = LISTS.flatMap((list) => {
    const rest = more[list] ?? 0;
    const lines = [...new Set(files[list].map(harmless)), ...(rest > 0 ? [`… and ${rest} more`] : [])];
    return lines.length === 0 ? [] : [`<${TAGS[list]}>\n${lines.join("\n")}\n</${TAGS[list]}>`];
  });
  return [prose, ...blocks].filter((part) => part !== "").join("\n\n");
}
