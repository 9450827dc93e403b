import { describe, expect, test } from "vitest";
import { builtInRules, extract, render } from "../../src/index.js";

const { rules } = builtInRules();
const brief = rules.templates.get("brief") as NonNullable<ReturnType<typeof rules.templates.get>>;

function linesOf(text: string): readonly string[] {
  const messages = [
    { id: "u", role: "user" as const, text: "What are we missing?", toolCalls: [] },
    { id: "a", role: "assistant" as const, text, toolCalls: [] },
  ];
  return render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 1_000 }).text.split("\n");
}

const table = (...rows: readonly string[]) => `Here is where we are.\n\n| Part | State |\n|---|---|\n${rows.join("\n")}\n`;

test("short cells are shown with their row: what is missing stays told", () => {
  const lines = linesOf(table("| Importer docs | ✅ |", "| Exporter docs | ❌ missing |", "| Release notes | ❌ missing |"));
  expect(lines).toEqual(
    expect.arrayContaining(["Importer docs | ✅", "Exporter docs | ❌ missing", "Release notes | ❌ missing"]),
  );
  expect(lines).not.toContain("❌ missing");
});

test("rows of two tables, and of two messages, are not mixed", () => {
  const lines = linesOf(`${table("| Importer docs | ✅ |")}\n${table("| Exporter docs | ❌ |")}`);
  expect(lines).toEqual(expect.arrayContaining(["Importer docs | ✅", "Exporter docs | ❌"]));
});

test("long cells stay in their row as well", () => {
  const long = "The importer reads the file line by line and writes what it finds to the queue";
  expect(linesOf(table(`| ${long} | The exporter waits until the queue is empty before it writes |`))).toContainEqual(
    expect.stringMatching(`^${long} \\| The exporter waits`),
  );
});

describe("what was so before a change", () => {
  const text = [
    "Done. What changed:",
    "",
    "| Setting | Before | After |",
    "|---|---|---|",
    "| Timeout | Keep the default of 30 s with three retries for `upload()` | Keep 90 s and always use one retry for `upload()` |",
    "| Pool | 4 | 12 |",
  ].join("\n");
  const messages = [
    { id: "u", role: "user" as const, text: "Please tune the client.", toolCalls: [] },
    { id: "a", role: "assistant" as const, text, toolCalls: [] },
  ];
  const extraction = extract({ id: "s", format: "neutral", messages }, rules);

  test("is no fact", () => {
    const { items } = extraction.continuation;
    expect(items.map((item) => item.text)).toContain("Keep 90 s and always use one retry for `upload()`");
    expect(items.filter((item) => item.text.includes("30 s"))).toEqual([]);
  });

  test.each(["brief", "structured", "repair", "injection"])("is never told as current: %s", (name) => {
    const { text } = render(extraction, rules.templates.get(name) as typeof brief, rules);
    expect(text).toMatch(/Timeout \| Before: Keep the default of 30 s .* \| After: Keep 90 s and always use one retry/);
    for (const line of text.split("\n").filter((one) => /30 s|\b4\b/.test(one))) expect(line).toContain("| Before: ");
    expect(text.match(/90 s/g)).toHaveLength(1);
  });
});

test("a short message of the user's is shown whole, a longer one by sentence", () => {
  const rest =
    "The exporter also waits until the queue is empty before it writes anything to the disk at all, and nobody knows how long that may take, not even those who wrote it.";
  const messages = [
    "Fix the importer.",
    "Done.",
    "Is fine. But log each row.",
    "Done.",
    `Now the exporter. ${rest}`,
    "Done.",
    "Thanks.",
  ].map((text, index) => ({
    id: `m${index}`,
    role: index % 2 ? ("assistant" as const) : ("user" as const),
    text,
    toolCalls: [],
  }));
  const lines = render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules).text.split("\n");
  expect(lines).toEqual(expect.arrayContaining(["> Is fine. But log each row.", `> ${rest}`]));
});

test("an option that is a heading is told when the user picked one", () => {
  const offer =
    "### Option 1: a counter in Redis\n\nIt is fast.\n\n### Option 2: a counter in memory\n\nIt is simple.\n\nWhich one?";
  const messages = ["Limit the rate of logins.", offer, "the second one is fine", "Done."].map((text, index) => ({
    id: `m${index}`,
    role: index % 2 ? ("assistant" as const) : ("user" as const),
    text,
    toolCalls: [],
  }));
  const briefOf = (said: typeof messages) =>
    render(extract({ id: "s", format: "neutral", messages: said }, rules), brief, rules).text;
  expect(briefOf(messages)).toContain("not chosen: Option 1: a counter in Redis\n");
  expect(briefOf(messages)).toContain("\nchosen: Option 2: a counter in memory\n");
  expect(briefOf(messages.slice(0, 2))).not.toContain("chosen");
});

test.each([
  ["A. Keep a counter in Redis.", "B. Keep a counter in memory."],
  ["A. Keep a counter in Redis", "B. Keep a counter in memory"],
  ["A) Keep a counter in Redis", "B) Keep a counter in memory"],
])("an option that the user picked looks different from the others: %s", (first, second) => {
  const offer = `There are two ways:\n\n${first}\n${second}\n\nWhich one do you want?`;
  const messages = ["Limit the rate of logins.", offer, "A. is fine, ensure we log", "Done."].map((text, index) => ({
    id: `m${index}`,
    role: index % 2 ? ("assistant" as const) : ("user" as const),
    text,
    toolCalls: [],
  }));
  const lines = render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules).text.split("\n");
  expect(lines).toEqual(expect.arrayContaining([`chosen: ${first}`, `not chosen: ${second}`]));
});
