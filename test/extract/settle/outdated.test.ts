import { expect, test } from "vitest";
import { builtInRules, extract, type Message, render } from "../../../src/index.js";

const { rules } = builtInRules();
const brief = rules.templates.get("brief") as NonNullable<ReturnType<typeof rules.templates.get>>;

/** What a brief says of a session in which the user says this, one message each, with other talk between. */
function briefOf(...texts: readonly string[]) {
  const said = [...texts, "Now look at the log of the importer and tell me what is in it."];
  const messages = said.flatMap((text, index): Message[] => [
    { id: `u${index}`, role: "user", text, toolCalls: [] },
    { id: `a${index}`, role: "assistant", text: "I had a look at it.", toolCalls: [] },
  ]);
  return render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 2_000 }).text;
}

const START = "We are moving the billing service to another cloud.";

test.each([
  ["The staging host runs on port 8080.", "The staging host now runs on port 9090."],
  ["Maria owns the billing service.", "As of today, Petra owns the billing service."],
  ["The review meeting is on Monday at 10.", "The review meeting moved to Tuesday at 11."],
  ["The deploy key is ABC-12.", "The deploy key is XYZ-98."],
  ["The rate limit of api/v2/users is 40 a minute.", "The rate limit of api/v2/users is 60 a minute."],
  // The same words with another number.
  ["A worker may use 512 MB of memory.", "A worker may use 768 MB of memory."],
  ["LIMIT: The report must fit on 3 pages.", "LIMIT: The report must fit on 2 pages."],
  ["The gateway waits 15 seconds for the printer.", "The gateway waits 25 seconds for the printer."],
  ["The proxy listens on slot 4 of the rack.", "The proxy listens on slot 7 of the rack."],
  ["The queue drains above 90 entries.", "The queue drains above 60 entries."],
  // Neither a label nor the old value is what a sentence is about.
  ["FACT: The audit is on 2027-05-05.", "The audit was postponed to 2027-06-10."],
  ["NOTE: The codename of the app is Heron-12.", "The app is now called Gannet-77."],
  ["POLICY: Reports are sent to Lena Voss.", "Starting today reports are sent to Tim Auer."],
  // The sentence that tells why does not stand in for what was said before.
  ["RULE: Never share the door code 4411.", "The door code was rotated. Never share the new door code 9023."],
])("the last word counts: %s %s", (before, after) => {
  const text = briefOf(START, before, after);
  for (const sentence of after.split(/\.(?: |$)/)) expect(text).toContain(sentence);
  expect(text).not.toContain(before.slice(0, -1));
});

test.each([
  ["The staging host listens on port 8080.", "The mail queue now listens on a socket."],
  ["Maria owns the billing service.", "As of today, tests run at night."],
  ["Issue ABC-12 is fixed.", "Issue XYZ-98 is open."],
  ["Step 2 of the plan is done.", "Step 3 of the plan is done."],
  ["The tests in chunk 3 fail on Windows.", "The tests in chunk 4 fail on Windows."],
  ["Chapter 4 of the manual needs 3 pictures.", "Chapter 5 of the manual needs 3 pictures."],
  ["A batch must contain 100 rows.", "A page must contain 250 rows."],
  ["FACT: The audit is on 2027-05-05.", "The party was postponed to 2027-06-10."],
  ["The deploy key is ABC-12.", "Is the deploy key XYZ-98?"],
  // A number in a name tells things apart.
  ["We decided to bump chart1 to version 4.", "We decided to bump chart2 to version 6."],
  ["The worker module1 is now on port 4000.", "The worker module2 is now on port 5000."],
  ["The rate limit of api/v1/users is 40 a minute.", "The rate limit of api/v2/users is 60 a minute."],
])("what is about something else stays: %s %s", (before, after) => {
  expect(briefOf(START, before, after)).toContain(before.slice(0, -1));
});

test("what an answer goes on to edit is not still there", () => {
  const stale = "The cause is that the `// TODO` comment is still present in `src/reader.ts`.";
  const edit = { name: "edit", input: { path: "src/reader.ts" }, output: "", status: "completed" };
  const said = (calls: Message["toolCalls"]) => {
    const messages: readonly Message[] = [
      { id: "1", role: "user", text: "Add the missing docs to src/reader.ts.", toolCalls: [] },
      { id: "2", role: "assistant", text: `You are correct. ${stale}\n\nHere is the corrected block.`, toolCalls: calls },
    ];
    return extract({ id: "s", format: "neutral", messages }, rules);
  };
  const found = (calls: Message["toolCalls"]) => said(calls).continuation.items.filter(({ kind }) => kind === "finding");
  const worth = (calls: Message["toolCalls"]) => said(calls).statements.find(({ text }) => text === stale)?.salience ?? 0;
  expect(found([])).toHaveLength(1);
  expect(found([edit])).toEqual([]);
  expect(worth([edit])).toBe(0);
  const template = rules.templates.get("brief");
  const brief = (calls: Message["toolCalls"]) => template && render(said(calls), template, rules, { tokens: 2_000 }).text;
  expect(brief([])).toContain("is still present");
  expect(brief([edit])).not.toContain("is still present");
});

/** The same, of what the assistant says. */
function toldOf(...texts: readonly string[]) {
  const messages = texts.flatMap((text, index): Message[] => [
    { id: `u${index}`, role: "user", text: `Go on with part ${index} of the importer.`, toolCalls: [] },
    { id: `a${index}`, role: "assistant", text, toolCalls: [] },
  ]);
  return render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 2_000 }).text;
}

test.each([
  ["PR #1558 remains MERGEABLE and waits for a review.", "PR #1558 has merged."],
  ["Bead `ab-6t2e` is in progress.", "I also closed `ab-6t2e`."],
  ["`ab-6t2e`: working on the parser", "`ab-6t2e`: done"],
  ["Bead: `av-6t2e` in `.beads`, now in_progress.", "Bead `av-6t2e` is closed."],
  ["Issue ABC-12 is open and assigned to Petra.", "I closed issue ABC-12 with the last commit."],
  ["The worker reports that task 7 is still running.", "Task 7 failed."],
])("the last state of an id counts: %s %s", (before, after) => {
  expect(toldOf(before)).toContain(before.replaceAll("`", "").slice(0, -1));
  expect(toldOf(before, after)).not.toContain(before.replaceAll("`", "").slice(0, -1));
  expect(toldOf(before, after)).toContain(after.replaceAll("`", "").slice(0, -1));
});

test("the state of one id says nothing about another, and neither does what may be", () => {
  const before = "PR #1558 is mergeable and waits for a review.";
  expect(toldOf(before, "PR #1559 has merged.")).toContain(before.slice(0, -1));
  expect(toldOf(before, "Tell me if PR #1558 should be merged.")).toContain(before.slice(0, -1));
});

test.each([
  "The problem is that `inStanza` stays true at the end marker. But the line is not added to `result`. So the logic is actually fine.",
  "The problem is that `inStanza` stays true at the end marker. But actually, looking more carefully at the output, it is `begin` that fails.",
])("what a message takes back itself is not told: %s", (text) => {
  expect(toldOf(text)).not.toContain("The problem is");
  expect(toldOf("The problem is that `inStanza` stays true at the end marker. The other test is fine.")).toContain(
    "The problem is",
  );
});
