// Inputs that take a markdown parser down, by name, of about the given size in characters.
// The first ones are those that were measured; the others were found by looking for more.
const repeat = (text) => (size) => text.repeat(Math.ceil(size / text.length)).slice(0, size);

const pieces = (size, make) => {
  const made = [];
  for (let length = 0; length < size; length += JSON.stringify(made.at(-1)).length) made.push(make(made.length));
  return made;
};
const lines = (size, make) => pieces(size, make).join("").slice(0, size);

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
  "tags of a host, never closed": repeat("<a-b>\n"),
  "tags of a host of many names, never closed": (size) => lines(size, (index) => `<a-b${index}>\n`),
  "tags of a host, closed amid a line": repeat("<a-b>\nx </a-b> y\n"),
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

const says = (make) => (size) => pieces(size, (index) => ({ role: "user", text: make(index) }));
const call = (call) => ({ role: "assistant", text: "", toolCalls: [{ output: "", status: "completed", ...call }] });
const calls = (make) => (size) => [{ role: "user", text: "Do it." }, ...pieces(size, (index) => call(make(index)))];
const runs = (make) => calls((index) => ({ name: "Bash", input: { command: make(index) } }));
const fails = (make) =>
  calls((index) => ({ name: "Bash", input: { command: make(index) }, status: "error", output: `Exit code 1\n${index}` }));
const oneCommand = (make, status = "completed") => (size) => [
  { role: "user", text: "Do it." },
  call({ name: "Bash", input: { command: lines(size, make) }, status }),
];

/** Half of it names files of one folder, and the rest does something to the folder. */
const movedOn = (make, begin = "touch") => (size) => [
  { role: "user", text: "Do it." },
  call({ name: "Bash", input: { command: `${begin}${lines(size / 2, (index) => ` d0/f${index}`)}` } }),
  call({ name: "Bash", input: { command: lines(size / 2, make).replace(/;[^;]*$/, "") } }),
];

// Whole conversations: what is compared with each other, and what tools were given.
export const SESSIONS = {
  "similar rules in one message": (size) => [
    { role: "user", text: lines(size, (index) => `Never use thing${index} for part${index % 7}. `) },
  ],
  "similar rules": says((index) => `Never use module ${index} for the tests.`),
  "rules that are taken back": says((index) => (index % 2 ? "Forget what I said." : `Always use pnpm in package ${index}.`)),
  "rules that are changed": says((index) =>
    index % 2 ? `Actually, use npm in package ${index} instead.` : `Always use pnpm in package ${index}.`,
  ),
  "new values": says((index) => `Change of plan: the limit is ${index} seconds now.`),
  "a last request of ticks": (size) => [{ role: "user", text: "`".repeat(size) }],
  "a last request of fences": (size) => [{ role: "user", text: `${repeat("``` ~~~ ")(size)}\n` }],
  "a last request of closing tags": (size) => [{ role: "user", text: repeat("</pre> ")(size) }],
  "a chain of cd": oneCommand(() => "cd a && "),
  "a chain of cd and writes": oneCommand(() => "cd a && touch b.txt && "),
  "a variable that doubles": oneCommand((index) => (index === 0 ? "A=aaaaaaaa; " : "A=$A$A; ")),
  "a chain of jobs": oneCommand((index) => `npm test f${index}.ts ; `, "error"),
  "a long pipe": oneCommand(() => "cat a | ", "error"),
  "files that are removed": oneCommand((index) => `touch f${index} ; rm f${index} ; `),
  "folders that are removed": runs((index) => (index % 2 ? `rm -rf d${index - 1}` : `touch d${index}/f`)),
  "folders that are moved on and on": movedOn((index) => `mv d${index} d${index + 1} ; `),
  "folders that git moves on and on": movedOn((index) => `git mv d${index} d${index + 1} ; `),
  "folders that are moved on, written to and committed": movedOn(
    (index) => `git mv d${index} d${index + 1} ; touch d${index + 1}/x ; git commit -m x ; `,
  ),
  "folders that are moved to and fro": movedOn((index) => (index % 2 ? "mv d1 d0 ; " : "mv d0 d1 ; ")),
  "folders that are moved into each other": movedOn((index) => (index % 2 ? "mv p d0 ; " : "mv d0 p/q ; ")),
  "folders that are moved to others": movedOn((index) => `touch d${index + 1}/z ; mv d${index} d${index + 1} ; `),
  "folders that are removed and made again": movedOn(() => "rm -rf d0 ; mkdir d0 ; touch d0/a ; "),
  "folders that are removed and taken back": movedOn(() => "git commit -m x ; rm -rf d0 ; git checkout -- d0/ ; "),
  "changes that are stashed and restored": movedOn(() => "git stash ; git stash pop ; ", "sed -i s/a/b/"),
  "folders that are copied": movedOn((index) => `cp -r d${index} d${index + 1} ; mv d${index}/* d${index + 1} ; `),
  "changes that are taken back": runs((index) => (index % 2 ? `git checkout -- f${index}` : `touch f${index}`)),
  "failures of one job": fails((index) => `pytest tests/t${index}.py`),
  "failures in many folders": fails((index) => `cd p${index} && npm test -- f${index}.ts`),
  "runs of one job": runs((index) => `pytest tests/t${index}.py`),
  "lists of tasks": calls((index) => ({ name: "TodoWrite", input: { todos: [{ content: `Part ${index}`, status: "pending" }] } })),
};
