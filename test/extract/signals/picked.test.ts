import { expect, test } from "vitest";
import type { Trace } from "../../../src/extract/facts/to-item.js";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();

const user = (id: string, text: string): Message => ({ id, role: "user", text, toolCalls: [] });
const assistant = (id: string, text: string): Message => ({ id, role: "assistant", text, toolCalls: [] });

const numbered =
  "I see three ways.\n\n1. Keep the table and add an index.\n2. Drop the table for a view.\n3. Do nothing.\n\nWhich do you want?";
const called =
  "### Option A: Redis for sessions\n\nIt is fast.\n\n### Option B\n\nKeep SQLite, as today.\n\n1. It is there.\n2. It is small.\n\nWhich one do you prefer?";

const extracted = (offer: string, reply: string, trace?: (one: Trace) => void) =>
  extract(
    { id: "s", format: "neutral", messages: [assistant("offer", offer), user("reply", reply), assistant("end", "Ok.")] },
    rules,
    trace ? { trace } : {},
  ).continuation.items;

/** The choices found, as kind and text. */
const choices = (offer: string, reply: string) =>
  extracted(offer, reply)
    .filter(({ kind }) => kind === "decision" || kind === "rejection")
    .map(({ kind, text }) => `${kind}: ${text}`);

const second = ["rejection: Keep the table and add an index", "decision: Drop the table for a view", "rejection: Do nothing"];

test.each(["2", "2.", "2!", "ok, 2 please", "the second one", "Let's go with the second option.", "number 2", "I'd go with 2."])(
  "the option that the user takes is a decision in its own words, the others are ruled out: %s",
  (reply) => expect(choices(numbered, reply)).toEqual(second),
);

test("options by letter, one per line without a list, can be taken with more words behind", () => {
  const offer = "There are two ways:\n\nA. Keep a counter in Redis.\nB. Keep a counter in memory.\n\nWhich one do you want?";
  expect(choices(offer, "A. is fine, ensure we log")).toEqual([
    "decision: Keep a counter in Redis",
    "rejection: Keep a counter in memory",
  ]);
});

test("headings that call the options by a longer name stand before a list of something else", () => {
  const offer =
    "## The mismatch\n\n1. **Connection string:** another name\n2. **Database name:** another one\n\n## Fix option 1: Rename the variables\n\nIt is short.\n\n## Fix option 2: Read the old names\n\nI recommend option 1.";
  expect(choices(offer, "do option 1 for me")).toEqual(["decision: Rename the variables", "rejection: Read the old names"]);
});

test.each(["can you give me a short summary of option 2", "Please explain option 2.", "could you compare option 1 and 2"])(
  "asking about an option does not take it: %s",
  (reply) => expect(extracted(numbered, reply).filter(({ evidence }) => evidence.rule.startsWith("options"))).toEqual([]),
);

test("more than one may be taken", () => {
  expect(choices(numbered, "1 and 3")).toEqual([
    "decision: Keep the table and add an index",
    "rejection: Drop the table for a view",
    "decision: Do nothing",
  ]);
});

test.each([
  ["B please", ["rejection: Redis for sessions", "decision: Keep SQLite, as today"]],
  ["yes, option A", ["decision: Redis for sessions", "rejection: Keep SQLite, as today"]],
])("an option that is called so is known without its name, or by what stands under it: %s", (reply, expected) => {
  expect(choices(called, reply)).toEqual(expected);
});

test.each([
  [numbered, "one more thing"],
  [numbered, "a quick question"],
  [numbered, "What does option 2 cost?"],
  // Letters are not numbers.
  [numbered, "B"],
  [numbered, "7"],
  // A plan leaves no choice.
  ["I will do this.\n\n1. Read the file.\n2. Mend it.", "2"],
])("nothing is taken by what only looks like it: %s %s", (offer, reply) => {
  expect(extracted(offer, reply).filter(({ evidence }) => evidence.rule.startsWith("options:"))).toEqual([]);
});

const asked = "Two things first.\n\n1. Do you want to research the index first?\n2. Should I delete the table?";

test.each([
  [asked, "1 - yeah, 2 - definitely"],
  [asked, "1: yes, but leave the table for now"],
  [asked, "2"],
  ["1) Do you want to research the index first?\n2) Should I delete the table?", "1 - yeah, 2 - definitely"],
  // The question may come at the end of the entry.
  ["1. **Cache.** It has no bound. Should I set one?\n2. **Table** – it is unused. *Delete it?*\n\nTell me.", "1, yes."],
  ["1. Should I delete the table?\n2. Tell me the name of the index.", "1 - yes"],
])("questions are no alternatives, and to answer one rules out none: %s %s", (offer, reply) => {
  expect(extracted(offer, reply).filter(({ evidence }) => evidence.rule.startsWith("options:"))).toEqual([]);
});

test("an offer stays one beside the question for something else", () => {
  const offer = numbered.replace("Do nothing.", "Something else?");
  expect(choices(offer, "2")).toEqual(second.slice(0, 2));
});

test("it stands where it was offered, on the user's word, and explain tells so", () => {
  const traces: Trace[] = [];
  const items = extracted(numbered, "2", (one) => traces.push(one));
  const taken = items.find(({ kind }) => kind === "decision");
  expect(taken).toMatchObject({
    by: "user",
    status: "active",
    evidence: { source: "offer", quote: "Drop the table for a view." },
  });
  expect(taken?.also.map(({ source, quote }) => [source, quote])).toEqual([["reply", "2"]]);
  expect(traces.filter(({ rule }) => rule === "options:english").map(({ outcome, why }) => [outcome, why])).toEqual([
    ["fired", "passed-over, reply: 2"],
    ["fired", "picked, reply: 2"],
    ["fired", "passed-over, reply: 2"],
  ]);
});

test("words that say more than the name stand beside the option", () => {
  expect(choices(numbered, "Let's go with option 2, but we keep a backup of the table for a week.")).toContain(
    "decision: Drop the table for a view",
  );
  expect(choices(numbered, "Let's go with option 2, but we keep a backup of the table for a week.").length).toBe(4);
});

const later = (reply: string, between = "Going with the view.") =>
  extract(
    {
      id: "s",
      format: "neutral",
      messages: [assistant("offer", numbered), user("first", "2"), assistant("between", between), user("later", reply)],
    },
    rules,
  )
    .continuation.items.filter(({ kind }) => kind === "decision" || kind === "rejection")
    .map(({ kind, text, status }) => `${kind} ${status}: ${text}`);

test.each([
  ["1", "Done. How many workers shall the pool have?"],
  ["What would option 1 have cost?", "Going with the view."],
  ["7", "Going with the view."],
  ["Run it 1 more time.", "Going with the view."],
])("what only looks like it changes no pick: %s", (reply, between) => {
  expect(later(reply, between)).toEqual(expect.arrayContaining(second.map((one) => one.replace(":", " active:"))));
});

test.each(["1. yes 2. ok, 3. no, leave it", "1 - yes, 2 - no, 3 - yes", "1: fine\n2: not now\n3: fine", "1) yes 2) no"])(
  "answers to several entries are no choice between them: %s",
  (reply) => {
    const offer =
      "I propose this.\n\n1. Bound the cache.\n2. Drop the table.\n3. Write the log once.\n\nDo you want me to go on?";
    expect(extracted(offer, reply).filter(({ evidence }) => evidence.rule.startsWith("options:"))).toEqual([]);
  },
);

test("to answer several questions with the names of their options takes none of the last list", () => {
  const offer =
    "Where do we store it?\n\nA) SQLite\nB) Postgres\n\nWhat is the cache?\n\nA) Redis\nB) Memory\n\nPlease answer both.";
  expect(choices(offer, "1 question - option B\n2 question - option A")).toEqual([]);
});

test("an option may be taken in a list of what else is wanted", () => {
  expect(choices(numbered, "1. Go with option 2.\n2. The docs come later.").slice(0, 3)).toEqual(second);
});

test.each([
  ["The importer is done. What next?\n\n1) Write the tests\n2) Add a progress bar\n3) Update the docs", "1"],
  ["Done.\n\nWould you like me to:\n\n1. Write the tests\n2. Add a progress bar\n3. Update the docs", "let's go with option 1"],
  ["Next steps:\n\n1. Write the tests\n2. Add a progress bar\n\nWhich one should I do first?", "1"],
  ["These are left.\n\n1. Write the tests\n2. Add a progress bar\n\nWhich one would you like me to tackle first?", "1"],
])("who takes one thing to do next rules out none of the others: %s", (offer, reply) => {
  expect(choices(offer, reply)).toEqual(["decision: Write the tests"]);
});
