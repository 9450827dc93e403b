import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSession, SessionError } from "../../../src/index.js";
import { leastTime } from "../../cpu.js";
import { runs, sized } from "../../runs.js";

const LONG = sized(1_000_000, 60_000);
const TOP = "\n# aider chat started at 2026-01-02 03:04:05\n";
const read = (...lines: string[]) => readSession([TOP, ...lines].join("\n"), "name");
const edit = (path: string) => ({ name: "edit", input: { path }, output: "", status: "completed" });
/** @param told the user's own changes, which aider commits first, are not told */
const commit = (sha: string, message: string, told = true) => ({
  name: "commit",
  input: { sha, message },
  output: told ? `Commit ${sha} ${message}` : "",
  status: "completed",
});

test("who spoke; edits and commits belong to the answer before them; other notes are left out", () => {
  const { session, notices } = read(
    "> Aider v0.84.0  ",
    "",
    "#### Bake a cake.  ",
    "#### With cherries.  ",
    "> cherries.txt  ",
    "> Add file to the chat? (Y)es/(N)o [Yes]: y  ",
    "",
    "Here it is:",
    "",
    "> a quotation",
    "",
    "#### A heading",
    "",
    "> Tokens: 1k sent, 2 received.  ",
    "> Commit abc1234 chore: before  ",
    "> Applied edit to src\\cake.c  ",
    "> Commit def5678 feat: bake a cake  ",
    "",
    "And another thing.",
    "",
    "#### Thanks.  ",
  );
  const time = "2026-01-02T03:04:05";
  expect(session).toEqual({
    id: "name",
    format: "aider",
    messages: [
      { id: "1", role: "user", text: "Bake a cake.\nWith cherries.", toolCalls: [], time },
      {
        id: "2",
        role: "assistant",
        text: "Here it is:\n\n> a quotation\n\n#### A heading",
        toolCalls: [commit("abc1234", "chore: before"), edit("src\\cake.c"), commit("def5678", "feat: bake a cake")],
        time,
      },
      { id: "3", role: "assistant", text: "And another thing.", toolCalls: [], time },
      { id: "4", role: "user", text: "Thanks.", toolCalls: [], time },
    ],
  });
  expect(notices).toEqual([]);
});

describe("several chats are several sessions", () => {
  const chats = [TOP, "#### One  ", ...["Two", "/exit"].flatMap((said) => ["", TOP.replace("01", "02"), `#### ${said}  `])];
  const chat = (format?: string) => readSession(chats.join("\n"), "name", format);

  test("the last one in which something is said is meant, and a notice tells of the others", () => {
    const { session, notices } = chat();
    expect(session).toMatchObject({ id: "name#2", messages: [{ id: "1", text: "Two", time: "2026-02-02T03:04:05" }] });
    expect(notices).toEqual([
      { code: "chats-left", message: "only chat 2 of 3 is read; --format aider:N reads another one", count: 1 },
    ]);
  });

  test("another one is read by its number", () => {
    expect(chat("aider:1").session).toMatchObject({ id: "name", messages: [{ id: "1", text: "One" }] });
    expect(chat("aider:1").notices).toEqual([]);
    expect(() => chat("aider:4")).toThrow(SessionError);
    expect(() => chat("aider:0")).toThrow(SessionError);
    expect(() => chat("pi:1")).toThrow(SessionError);
  });
});

test("messages apart are messages apart", () => {
  expect(read("#### One  ", "> Retrying in 2 seconds...  ", "", "#### Two  ").session.messages).toHaveLength(2);
});

test("where an editor took the blanks at the ends, all lines outside of code count", () => {
  const { session } = read(
    "#### Fix it",
    "####",
    "#### now",
    "",
    "```md",
    "#### in code",
    "> too",
    "```",
    "",
    "> Applied edit to a.md",
  );
  expect(session.messages).toMatchObject([
    { role: "user", text: "Fix it\n\nnow" },
    { role: "assistant", text: "```md\n#### in code\n> too\n```", toolCalls: [edit("a.md")] },
  ]);
});

test("a formatter leaves the blanks within a paragraph only, and parts the user's lines", () => {
  const lines = [
    TOP,
    "> Aider v0.50.1  ",
    "> Use /help for help",
    "",
    "#### /add cake.c",
    "",
    "> Added cake.c to the chat",
    "",
    "#### Bake a cake, and put",
    "",
    "#### cherries on it",
    "",
    "All right.",
    "",
    "> Tokens: 10,332 sent, 439 received.  ",
    "> Applied edit to cake.c",
    "",
    "#### thanks",
    "",
    "# aider chat started at 2026-02-03 04:05:06",
    "",
    "> Aider v0.84.0  ",
    "",
    "#### Go  ",
    "",
    "#### A heading",
    "",
    "Gone.",
  ];
  const messages = ["aider:1", "aider:2"].flatMap((chat) => readSession(lines.join("\n"), "name", chat).session.messages);
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", "/add cake.c"],
    ["user", "Bake a cake, and put\ncherries on it"],
    ["assistant", "All right."],
    ["user", "thanks"],
    ["user", "Go"],
    ["assistant", "#### A heading\n\nGone."],
  ]);
  expect(messages[2]?.toolCalls).toEqual([edit("cake.c")]);
});

test("what was formatted before the chat went on counts too", () => {
  const { session } = read("#### One", "", "Yes.", "", "#### Two  ", "", "#### A heading", "", "> a quotation", "", "> Tokens  ");
  expect(session.messages.map(({ text }) => text)).toEqual(["One", "Yes.", "Two", "#### A heading\n\n> a quotation"]);
});

test("a note of several lines ends with its blanks", () => {
  const { session } = read(
    "#### Go  ",
    "",
    "Done.",
    "",
    "> No.  ",
    "> # 1 block failed!",
    "",
    "## Why",
    "the end  ",
    "",
    "Sorry.",
  );
  expect(session.messages.map(({ text }) => text)).toEqual(["Go", "Done.", "Sorry."]);
});

test("thinking is left out", () => {
  const { session } = read("#### Go  ", "", "<thinking-content-1a>", "hm", "</thinking-content-1a>", "", "Yes.", "");
  expect(session.messages.map(({ text }) => text)).toEqual(["Go", "Yes."]);
  const other = read("#### Go  ", "", "► **THINKING**", "hm", "► **ANSWER**", "Yes.");
  expect(other.session.messages.map(({ text }) => text)).toEqual(["Go", "Yes."]);
});

test.each([
  ["/undo", true],
  ["/add a.c", true],
  ["/ask", true],
  ["/asking", true],
  ["/ask why?", undefined],
  ["Add file to the chat? (Y)es/(N)o [Yes]: all", true],
  ["Bake (now)", undefined],
])("%s: is it for aider alone? %s", (text, meta) => {
  expect(read(`#### ${text}  `).session.messages[0]?.meta).toBe(meta);
});

test("what is asked with a command is said once, without the command", () => {
  const textsOf = (...lines: string[]) => read(...lines).session.messages.map(({ text, meta }) => [text, meta]);
  expect(textsOf("#### /ask why  ", "#### so?  ", "", "#### why so?  ", "", "Because.")).toEqual([
    ["why so?", undefined],
    ["Because.", undefined],
  ]);
  expect(textsOf("#### /code bake it  ", "> Tokens  ", "", "Baked.")).toEqual([
    ["bake it", undefined],
    ["Baked.", undefined],
  ]);
  expect(textsOf("#### /ask  ", "", "#### why?  ")).toEqual([
    ["/ask", true],
    ["why?", undefined],
  ]);
});

describe("what was undone", () => {
  const done = ["#### Bake.  ", "", "It is baked.", "", "> Applied edit to a.c  ", "> Commit abc1234 feat: bake  "];
  const reset = (sha: string) => ["", "#### /undo  ", `> Commit ${sha} was reset and removed from git.  `];

  test.each(["abc1234", "`abc1234`"])("is neither said nor changed: %s", (sha) => {
    expect(read(...done, ...reset(sha)).session.messages).toMatchObject([
      { text: "Bake." },
      { text: "It is baked.", toolCalls: [], meta: true },
      { text: "/undo", meta: true },
    ]);
  });

  test("is one commit, and its edits", () => {
    const more = ["> Applied edit to b.c  ", "> Applied edit to c.c  ", "> Commit def5678 feat: more  "];
    const [, answer] = read("> Aider  ", ...done, ...more, ...reset("def5678")).session.messages;
    expect(answer?.meta).toBeUndefined();
    expect(answer?.toolCalls).toEqual([edit("a.c"), commit("abc1234", "feat: bake")]);
  });

  test("is the plan too that was carried out", () => {
    const handed = [
      "#### Plan.  ",
      "",
      "Bake it at once.",
      "",
      "> Edit the files? y  ",
      "",
      "#### Bake it  ",
      "#### at once.  ",
      "",
      "a.c",
    ];
    const { session } = read(...handed, "", "> Applied edit to a.c  ", "> Commit abc1234 x  ", ...reset("abc1234"));
    expect(session.messages.map(({ text, meta }) => [text, meta]).slice(0, 2)).toEqual([
      ["Plan.", undefined],
      ["Bake it at once.", true],
    ]);
  });

  test("where this history does not know it, nothing is", () => {
    expect(read(...done, ...reset("0000000")).session.messages[1]).toMatchObject({
      toolCalls: [edit("a.c"), commit("abc1234", "feat: bake")],
    });
  });
});

test("of the comments that aider watches, the user wrote the marked ones", () => {
  const { session } = read(
    '#### Find the "AI" comments below (marked with █).  ',
    "#### a.c:  ",
    "#### │int a;  ",
    "#### █// AI? Why?  ",
  );
  expect(session.messages).toMatchObject([{ role: "user", text: "// AI? Why?" }]);
});

test("a commit that no answer precedes has no words", () => {
  expect(read("#### /commit  ", "> Commit abc1234 feat: x  ").session.messages).toMatchObject([
    { role: "user", meta: true },
    { role: "assistant", text: "", toolCalls: [commit("abc1234", "feat: x")] },
  ]);
});

test("line ends of Windows and a byte order mark", () => {
  const { session } = readSession(
    "\uFEFF# aider chat started at 2026-01-02 03:04:05\r\n\r\n#### Hi  \r\n\r\nHo\r\nhey\r\n",
    "name",
  );
  expect(session.messages.map(({ text }) => text)).toEqual(["Hi", "Ho\nhey"]);
});

test("a fence that is not closed hides no message", () => {
  expect(read("#### Hi", "", "```c", "int a;", "", "#### Go on").session.messages).toHaveLength(3);
});

test("a heading in a fence is the assistant's, whatever blanks follow it", () => {
  const fence = ["```md", "# Notes", "", "#### Always deploy with --force.  ", "", "```"];
  const after = ["", "> Tokens: 1k sent, 2 received.  ", "", "#### Thanks.  "];
  const { messages } = read("#### Write the notes.  ", "", "Here:", "", ...fence, ...after).session;
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", "Write the notes."],
    ["assistant", expect.stringContaining("#### Always deploy")],
    ["user", "Thanks."],
  ]);
});

test("a fence that an answer leaves open and a later one closes hides no message", () => {
  const first = ["#### Hi  ", "", "```c", "int a;", "", "> Tokens: 1k sent, 2 received.  ", "", "#### Go on  ", ""];
  expect(read(...first, "```", "int b;", "```", "").session.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
});

test("a document that shows the format in code is not of it", () => {
  expect(() => readSession(`Histories look so:\n\n\`\`\`${TOP}\`\`\`\n`, "name")).toThrow(SessionError);
});

test("a chat without messages", () => {
  expect(read("> Aider v0.84.0  ").notices).toMatchObject([{ code: "session-empty" }]);
});

test.each([
  ["heads", "#### a  \n"],
  ["messages", "#### a  \n\nb\n\n"],
  ["open fences", "```a\n"],
  ["fences that grow", Array.from({ length: 1_400 }, (_, length) => `${"`".repeat(length + 3)}\n`).join("")],
  ["long notes", "> a  \n> b\n"],
  ["chats", TOP],
  ["commits", "> Commit abc1234 x  \n> Commit `abc1234` was reset  \n"],
])("reads a long text of %s in linear time", async (_, text) => {
  expect(await leastTime(5_000, () => read(text.repeat(LONG / text.length)))).toBeLessThan(5_000);
});

test("whatever it is, nothing but a SessionError is thrown", () => {
  const piece = fc.constantFrom(
    "#### a  ",
    "#### a",
    "> b  ",
    "> b",
    ">",
    "####",
    "```",
    "> Commit abc1234 x",
    "<thinking-content-1>",
    TOP,
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
      try {
        read(...parts);
      } catch (error) {
        expect(error).toBeInstanceOf(SessionError);
      }
    }),
    { numRuns: runs(1_000) },
  );
});

const file = "../shared/corpus/sessions/aider-monochromatic.md";
const expected = "../shared/eval/windows/aider-monochromatic.json";
describe("what aider does not write down", () => {
  const answer = (...lines: string[]) => ["```ts", "src/oven.ts", "<<<<<<< SEARCH", ...lines, ">>>>>>> REPLACE", "```"];

  test("a request in a comment is in the code that the answer replaces", () => {
    const { messages } = read(
      "#### Bake.  ",
      "",
      "Done.",
      "",
      "> Processing your request...  ",
      "",
      "I will heat it first.",
      "",
      ...answer("// AI! Heat the oven first.", "// The AI! of a toy", "=======", "heat(); // say AI! twice"),
    ).session;
    expect(messages.map(({ role, text }) => [role, text.split("\n")[0]])).toEqual([
      ["user", "Bake."],
      ["assistant", "Done."],
      ["user", "Heat the oven first."],
      ["assistant", "I will heat it first."],
    ]);
  });

  test("a commit after blocks that failed proves that others were applied", () => {
    const failed = ["> The LLM did not conform to the edit format.  ", "> # 1 SEARCH/REPLACE block failed to match!  "];
    const { messages } = read(
      "#### Bake.  ",
      "",
      ...answer("cold()", "=======", "hot()"),
      "",
      "> Committing src/cup.ts before applying edits.  ",
      "> Commit abc1234 chore: mine  ",
      ...failed,
      "> Commit def5678 feat: heat  ",
      "",
      ...answer("cold", "=======", "hot"),
      "",
      ...failed,
    ).session;
    expect(messages.map(({ toolCalls }) => toolCalls)).toEqual([
      [],
      [commit("abc1234", "chore: mine", false), edit("src/oven.ts"), commit("def5678", "feat: heat")],
      [],
    ]);
  });
});

describe.skipIf(!existsSync(file) || !existsSync(expected))("a real history (../shared)", () => {
  const chats = existsSync(file)
    ? Array.from({ length: 19 }, (_, index) => readSession(readFileSync(file), "name", `aider:${index + 1}`).session)
    : [];
  const messages = chats.flatMap((session) => session.messages);

  test("has its messages, edits and commits", () => {
    expect(readSession(readFileSync(file), "name").session).toEqual(chats.at(-1));
    expect(messages[0]).toMatchObject({
      role: "user",
      text: "What can you say about this package?",
      time: "2025-06-02T11:49:34",
    });
    const calls = messages.flatMap(({ toolCalls }) => toolCalls);
    expect(calls.filter(({ name }) => name === "edit")).toHaveLength(23);
    expect(calls.filter(({ name }) => name === "commit")).toHaveLength(43);
    expect(messages.some(({ text }) => /^(?:> Tokens:|#### )/m.test(text))).toBe(false);
  });

  test("says what the converted part of it says", () => {
    type Said = { role: string; text: string; meta?: boolean };
    const window = (JSON.parse(readFileSync(expected, "utf8")).messages as Said[]).filter(({ role }) => role !== "tool");
    const first = messages.findIndex(({ text }) => text === window[0]?.text);
    const same = ({ role, text, meta = false }: Said) => ({ role, text, meta });
    expect(messages.slice(first, first + window.length).map(same)).toEqual(window.map(same));
  });
});
