// What fuzzers make their cases of.
export const pick = (random, list) => list[Math.floor(random() * list.length)];
export const between = (random, least, most) => least + Math.floor(random() * (most - least + 1));
export const times = (random, least, most, make) => Array.from({ length: between(random, least, most) }, make);

const WORDS = [
  "we decided to use Redis",
  "instead of SQLite",
  "must never",
  "TODO",
  "because",
  "next step is",
  "café",
  "漢字",
  "e.g.",
];
const MARKS = [
  "*",
  "_",
  "**",
  "`",
  "```",
  "[",
  "]",
  "[[",
  "]]",
  "(",
  ")",
  "<",
  ">",
  "&amp;",
  "&",
  "\\",
  "#",
  "- ",
  "1. ",
  "> ",
  "|",
  "---",
  "===",
  "~",
  "!",
  "<!--",
  "-->",
  "<b>",
  "[a]: b",
  "- [ ] ",
  "\t",
  "    ",
  "\r\n",
  "\n",
  "\n\n",
  "\uFEFF",
  "\0",
  "\u200b",
  "\ud800",
];

/** Markdown as nobody writes it. */
export const markdown = (random, least = 1, most = 60) =>
  times(random, least, most, () =>
    random() < 0.5 ? pick(random, MARKS) : `${pick(random, WORDS)}${pick(random, [" ", ". ", "", "\n"])}`,
  ).join("");

const KEYS = [
  "id",
  "role",
  "text",
  "type",
  "message",
  "messages",
  "content",
  "parts",
  "info",
  "data",
  "payload",
  "output",
  "input",
  "state",
  "toolCalls",
  "name",
  "tool_use_id",
  "call_id",
  "uuid",
  "sessionId",
  "__proto__",
  "timestamp",
  "parentId",
];
const TEXTS = [
  "user",
  "assistant",
  "tool",
  "message",
  "text",
  "tool_use",
  "tool_result",
  "response_item",
  "function_call",
  "user.message",
  "session",
  "bash",
  "1",
  "",
];

/** Data that looks like that of some host. */
export function data(random, depth = 4) {
  const choice = random();
  if (depth === 0 || choice < 0.4) return pick(random, [null, true, 1, -0, 1e300, pick(random, TEXTS), markdown(random, 0, 8)]);
  if (choice < 0.55) return times(random, 0, 4, () => data(random, depth - 1));
  return Object.fromEntries(times(random, 0, 6, () => [pick(random, KEYS), data(random, depth - 1)]));
}
