// Where the entries of a log begin and end.

export interface Head {
  readonly start: number;
  readonly end: number;
  /** YYYY-MM-DD, where the line has a date. */
  readonly date?: string;
  /** The first number beside the date. */
  readonly number?: number;
}

/** What begins an entry stands at the beginning of its line. */
const HEAD_CHARACTERS = 200;
const HEADING = /^ {0,3}(#{1,6})[ \t]+/;
const DATE = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;

/** Entries are of one kind: those of the most frequent level count, of two the deeper one. */
export function entryHeads(text: string, isEntry: (line: string) => boolean): readonly Head[] {
  const heads = candidates(text, isEntry, undefined);
  const counts = new Map<number, number>();
  for (const { level } of heads) counts.set(level, (counts.get(level) ?? 0) + 1);
  if (counts.size < 2) return heads;
  const [[level] = [0]] = [...counts].sort(([a, many], [b, few]) => few - many || b - a);
  return candidates(text, isEntry, level);
}

/** `isEntry` is asked for lines outside of code and comments; of a heading's marks it sees one `#`. */
function candidates(text: string, isEntry: (line: string) => boolean, only: number | undefined) {
  const heads: (Head & { end: number; level: number })[] = [];
  for (const { start, end } of openLines(text)) {
    const line = text.slice(start, Math.min(end, start + HEAD_CHARACTERS));
    const level = HEADING.exec(line)?.[1]?.length ?? 0;
    const last = heads.at(-1);
    const closes = last !== undefined && level > 0 && level <= last.level && last.end === text.length;
    if ((only ?? level) === level && isEntry(line.replace(HEADING, "# ").replace(/[*_]{2,}/g, ""))) {
      if (last && last.end === text.length) last.end = start;
      const [, year, month = "", day = ""] = DATE.exec(line) ?? [];
      const date = year && `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
      const number = /(?<![\d.])\d{1,6}(?![\d.])/.exec(line.replace(DATE, ""))?.[0];
      heads.push({ start, end: text.length, level, ...(date && { date }), ...(number && { number: Number(number) }) });
      // A heading that is no entry, as high as the entries, ends the log.
    } else if (closes) last.end = start;
  }
  return heads;
}

/** The lines that are neither blank, nor indented, nor in a fence or a comment. */
function* openLines(text: string): Iterable<{ readonly start: number; readonly end: number }> {
  let fence = "";
  // Where the last looked-for comment ends; behind the last end no comment is looked for again.
  let close = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const first = text[start] as string;
    const mark = first === "`" || first === "~" ? /^(`{3,}|~{3,})/.exec(text.slice(start, start + 20))?.[0] : undefined;
    if (fence !== "") {
      if (mark?.startsWith(fence)) fence = "";
    } else if (mark) fence = mark;
    else if (first === "<" && text.startsWith("<!--", start)) {
      if (close >= 0 && close < start) close = text.indexOf("-->", start);
      if (close > end) {
        start = close + 3;
        continue;
      }
    } else if (/\S/.test(first)) yield { start, end };
    start = end + 1;
  }
}
