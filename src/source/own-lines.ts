// Lines of a paragraph that stand by themselves, though Markdown takes them for one text with those around them.

/** People list things behind signs that Markdown does not know: "❌ no tabs", "• no tabs". */
const POINT = /^(?:\p{Extended_Pictographic}|[✓✗✘•●◦‣])\ufe0f? ?\S/u;

/** Expressions over all of Unicode are slow to start, and most lines begin with a letter of English. */
export const isPoint = (line: string): boolean => line.charCodeAt(0) > 0x7f && POINT.test(line);

// What people paste of programs, beside which they write: each is told by how its line begins.
const PRINTED = oneOf([
  // Compilers and linters: a file with a line and a column.
  /^\S{1,300}?(?::\d{1,7}:\d{1,5}|\(\d{1,7},\d{1,5}\)): /,
  // Traces.
  /^at (?:async |new )?\S{1,300} ?\(\S{1,300}:\d/,
  /^File "[^"]{1,300}", line \d/,
  /^Traceback \(most recent call last\)/,
  /^Uncaught (?:\(in promise\) )?\w{0,60}(?:Error|Exception): /,
  // Logs, and prompts of shells.
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d:\d\d:\d\d[\].,Z ]/,
  /^npm (?:ERR!|error|warn|WARN) /,
  /^(?:PS )?[A-Z]:\\[^>]{0,300}> ?/,
  /^[\w.-]{1,60}@[\w.-]{1,60}:[~/]\S{0,300}[$#] /,
  /^[➜❯] /,
  // The elements that Cursor's browser hands over.
  /^(?:DOM Path|React Component|HTML Element): /,
  /^Position: top=/,
]);

export const isPrinted = (line: string): boolean => PRINTED.test(line);

/** One expression for all of them is started once. */
function oneOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}
