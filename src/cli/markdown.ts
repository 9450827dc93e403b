// Texts as they must stand in Markdown to be read as they are.

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** A code span: its fence is longer than any row of backticks inside. Line ends, which a span loses, are shown as ↵. */
export function code(text: string): string {
  const line = text.replace(LINE_END, "↵");
  if (line === "") return "";
  const fence = "`".repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  // A blank inside the fence on both sides is dropped again by every reader.
  const apart = /^`|`$|^ .* $/.test(line) ? " " : "";
  return fence + apart + line + apart + fence;
}

/** A code span in a cell of a table, where | ends the cell unless it is escaped. */
export function cellCode(text: string): string {
  // Readers disagree on a backslash in front of an escaped |, but not on HTML.
  if (/\\\|/.test(text)) return `<code>${text.replace(LINE_END, "↵").replace(/[&<>|\\`*_[\]~]/g, entity)}</code>`;
  return code(text).replaceAll("|", "\\|");
}

/** Markdown of an author in a cell. */
export function cellText(text: string): string {
  return text.replace(LINE_END, " ").replaceAll("|", "&#124;");
}

const entity = (character: string) => `&#${character.codePointAt(0)};`;
