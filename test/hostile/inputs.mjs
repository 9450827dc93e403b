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
