import { expect, test } from "vitest";
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

test("long cells stand by themselves", () => {
  const long = "The importer reads the file line by line and writes what it finds to the queue";
  expect(linesOf(table(`| ${long} | The exporter waits until the queue is empty before it writes |`))).toContain(long);
});

test("a short message of the user's is shown whole, a longer one by sentence", () => {
  const rest = "The exporter also waits until the queue is empty before it writes anything to the disk at all.";
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

test("an option that the user picked looks different from the others", () => {
  const offer = "There are two ways:\n\nA. Keep a counter in Redis.\nB. Keep a counter in memory.\n\nWhich one do you want?";
  const messages = ["Limit the rate of logins.", offer, "A. is fine, ensure we log", "Done."].map((text, index) => ({
    id: `m${index}`,
    role: index % 2 ? ("assistant" as const) : ("user" as const),
    text,
    toolCalls: [],
  }));
  const lines = render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules).text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining(["chosen: A. Keep a counter in Redis.", "not chosen: B. Keep a counter in memory."]),
  );
});
