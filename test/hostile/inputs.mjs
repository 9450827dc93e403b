// Inputs that take a markdown parser down, by name, of about the given size in characters.
// The first ones are those that were measured; the others were found by looking for more.
const repeat = (text) => (size) => text.repeat(Math.ceil(size / text.length)).slice(0, size);

export const HOSTILE = {
  "nested list markers (- - -)": repeat("- "),
  "setext headings (a / ===)": repeat("a\n===\n"),
  "emphasis that never closes (*a_)": repeat("*a_ "),
  "nested quotes (>>>>)": repeat(">"),
  "strong inside words (a**b)": repeat("a**b"),
  "links that never close ([a](b)": repeat("[a](b"),
  "wiki links that never close ([[a)": repeat("[[a "),
  "opening brackets ([)": repeat("["),
  "nested emphasis (**a *b)": repeat("**a *b "),
  "backtick runs": (size) => Array.from({ length: Math.ceil(Math.sqrt(2 * size)) }, (_, index) => "`".repeat(index + 1)).join(" ").slice(0, size),
  "angle brackets (<a)": repeat("<a "),
  "entities (&a)": repeat("&a"),
  "images that never close (![a)": repeat("![a"),
  "deep indentation": (size) => {
    let text = "";
    for (let depth = 0; text.length < size; depth++) text += `${"  ".repeat(depth)}- a\n`;
    return text;
  },
  "one long table row": repeat("| a "),
  "underscores": repeat("_a"),
  "tildes": repeat("~a~b"),
  "quote and list by turns": repeat("> - "),
};

// Inputs that hurt what comes behind the parser: sentences, offsets, terms, concepts.
export const AWKWARD = {
  "stops without an end": (size) => `${"!".repeat(size)}x`,
  "stops and closers": (size) => `${"!".repeat(size / 2)}${")".repeat(size / 2)}x`,
  "short sentences": repeat("Hi. "),
  "short lines": repeat(" a.\n"),
  "short quotations": repeat("> a\n"),
  "short links": repeat("[[a]] "),
  "wide stops": repeat("我。"),
  "words and slashes": (size) => repeat(`${"a".repeat(1000)}${"/".repeat(990)}\n\n`)(size),
  "a script without blanks": repeat("我们决定"),
  "a long link": (size) => `[[a${"+".repeat(size)}x]]`,
  "headings": repeat("# a\n"),
  "table rows": repeat("|x|y|\n"),
  "tasks": repeat("- [ ] a b c\n"),
  "definitions": repeat("[a]: b\n"),
  "blanks in a line": (size) => `a${" ".repeat(size)}b`,
  "blank lines": repeat("\n"),
  "a cut document": repeat('{"a":['),
};

// Inputs found by looking for what takes readers and the parser long, at marks, blocks, guards and secrets.
export const FOUND = {
  "images in links": repeat("[![a](b)"),
  "links in links": repeat("[a [b](c) "),
  "code never closed": repeat("`a "),
  "ticks by twos and threes": repeat("``a```b "),
  "comments never closed": repeat("<!-- a "),
  "instructions never closed": repeat("<? a "),
  "data sections never closed": repeat("<![CDATA[ a "),
  "tags with attributes": repeat("<a b='c "),
  "tags on lines of their own, never closed": repeat("<task>\nUse it here.\n"),
  "closing tags with text behind them": repeat("<div> x\n</div> is\n"),
  "numbered entities": repeat("&#1"),
  "backslashes": repeat("\\"),
  "escaped stars": repeat("\\*a"),
  "fences that open": repeat("```a\n\n"),
  "fences of tildes in lists": repeat("- ~~~\n\n"),
  "fences in quotations": repeat("> ```\n\n"),
  "list items by turns": repeat("- a\n* b\n"),
  "ordered items": repeat("1) a\n2. b\n"),
  "empty items": repeat("-\n"),
  "items with code": repeat("-     a\n"),
  "lazy lines": repeat("> a\nb\n"),
  "definitions and references": repeat("[a]: b\n\n[a][b]\n\n"),
  "definitions with long names": (size) => `[${"a ".repeat(size / 2)}]: b`,
  "tables that grow": (size) => `${"|a".repeat(size / 4)}\n${"|-".repeat(size / 4)}`,
  "hard breaks": repeat("a  \n"),
  "headings with marks behind": repeat("# a #\n"),
  "a heading of blanks and marks": (size) => `# ${" #".repeat(size / 2)}a`,
  "wiki links with aliases": repeat("[[a|b"),
  "tabs": repeat("\t- a\n"),
  "carriage returns": repeat("a\r"),
  "words of secrets": repeat("token"),
  "words of secrets and blanks": repeat("password is "),
  "addresses": repeat("a://b:c"),
  "keys that never end": repeat("-----BEGIN A PRIVATE KEY----- "),
  "semicolons in brackets": repeat("(;a"),
  "phrases that nearly match": repeat("we decided to use "),
  "quotation marks": repeat("> > a\n\n"),
  "underlines of all sorts": repeat("a\n---\n"),
};
