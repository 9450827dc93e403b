// What an agent says between its steps stands in no brief, however much room there is.
import { expect, test } from "vitest";
import { builtInRules, extract, type Message, render } from "../../src/index.js";

const { rules } = builtInRules();
const brief = rules.templates.get("brief") as NonNullable<ReturnType<typeof rules.templates.get>>;

function briefOf(said: string, last = "The importer skips empty rows since the parser returns null for them.") {
  const messages: Message[] = [
    { id: "m1", role: "user", text: "Make the importer keep empty rows.", toolCalls: [] },
    { id: "m2", role: "assistant", text: said, toolCalls: [] },
    { id: "m3", role: "assistant", text: last, toolCalls: [] },
  ];
  return render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 1_000 }).text;
}

test.each([
  "Let me fix that:",
  "All done.",
  "Perfect!",
  "You're absolutely right!",
  "Now let's look at the tests.",
  "Great, now let me check the Base UI context menu API.",
  "Now let me run the tests to verify everything works.",
  "Let's proceed:",
  "I'll implement these changes step by step.",
  "I can see the issue.",
  "Now I have a clear picture of the codebase.",
  "Thank you for the detailed feedback.",
  "Here are the necessary changes:",
  "Here's a summary of what was done:",
  "Let me know if you need any further assistance!",
])("no brief says %s", (said) => {
  expect(briefOf(said)).not.toContain(said.slice(0, -1));
});

test.each([
  "Let me replace the reflow tests with public-seam equivalents.",
  "Let me use a file-existence helper pattern instead.",
  "Let me check the old folder and then remove it.",
  "I'll create a simple logger directly in the api project.",
  "Great, the nightly build passes with the patched linker.",
  "You're right that the cache is never cleared.",
  "Here are the two tables that lose rows: orders and items.",
  "Let me know if you want the audit log dropped as well.",
])("a brief with room says %s", (said) => {
  expect(briefOf(said)).toContain(said.slice(0, -1));
});

test("what is said between two steps is left out, unless it is likely to be missed", () => {
  const step = (id: string, text: string): Message => ({
    id,
    role: "assistant",
    text,
    toolCalls: [{ name: "Read", input: { file_path: `/repo/${id}.ts` }, output: "x", status: "completed" }],
  });
  const messages: Message[] = [
    { id: "m1", role: "user", text: "Make the importer keep empty rows.", toolCalls: [] },
    step("m2", "Conventions confirmed."),
    step("m3", "Now replace `skipRow` with `keepRow`."),
    step("m4", "Rows are lost because the parser returns null for `keepEmpty`."),
    { id: "m5", role: "assistant", text: "The importer skips rows since the parser returns null.", toolCalls: [] },
  ];
  const { text } = render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 1_000 });
  expect(text).not.toContain("Conventions confirmed");
  expect(text).not.toContain("Now replace");
  expect(text).toContain("returns null for keepEmpty");
});

test("what is said with calls is an answer if the user speaks next", () => {
  const edit = { name: "edit", input: { path: "rows.ts" }, output: "", status: "completed" };
  const said = (status: string): Message[] => [
    { id: "m1", role: "user", text: "Make the importer keep empty rows.", toolCalls: [] },
    { id: "m2", role: "assistant", text: "Now replace `skipRow` with `keepRow`.", toolCalls: [{ ...edit, status }] },
    { id: "m3", role: "user", text: "Now the exporter, please.", toolCalls: [] },
    { id: "m4", role: "assistant", text: "The exporter keeps them too.", toolCalls: [] },
  ];
  const briefAfter = (status: string) =>
    render(extract({ id: "s", format: "neutral", messages: said(status) }, rules), brief, rules, { tokens: 1_000 }).text;
  expect(briefAfter("completed")).toContain("Now replace skipRow");
  expect(briefAfter("cancelled")).not.toContain("Now replace skipRow");
});

test("an item that says nothing without the line above its list is shown with that line", () => {
  const list =
    "The new document has parts on:\n\n- Naming of old branches\n- Cleanup of stale folders\n- Limit: 40 branches per project";
  const messages: Message[] = [
    { id: "m1", role: "user", text: "Describe the branches.", toolCalls: [] },
    { id: "m2", role: "assistant", text: list, toolCalls: [] },
    { id: "m3", role: "user", text: "Where are the folders?", toolCalls: [] },
    { id: "m4", role: "assistant", text: "Below `var/branches`.", toolCalls: [] },
  ];
  const found = extract({ id: "s", format: "neutral", messages }, rules);
  for (const tokens of [200, 500, 1_000])
    expect(render(found, brief, rules, { tokens }).text).toContain("has parts on: Naming of old branches\n- Cleanup of stale");
});

test("what says little without the sentence before it is left out, unless it is likely to be missed", () => {
  const text = briefOf("Hooks see each commit of the repository. But a restore still wouldn't trigger one.");
  expect(text).toContain("Hooks see each commit");
  expect(text).not.toContain("But a restore");
  const cause = "So the root cause is that `loadRows()` reads the file twice.";
  expect(briefOf(cause)).toContain("So the root cause is that loadRows() reads");
});

test("the title of a nested list is told with its items", () => {
  const plan = "What I did:\n\n1. Row Parser\n   - It keeps empty rows now.\n2. Row Writer\n   - It pads each short row.";
  const text = briefOf("The importer is ported.", plan);
  expect(text).toContain("Row Parser: It keeps empty rows now.");
  expect(text).toContain("Row Writer: It pads each short row.");
});

test("a long prompt leaves room for what was said later", () => {
  const steps = Array.from({ length: 40 }, (_, index) => `The worker${index} must write report${index} to folder${index}.`);
  const later = Array.from({ length: 20 }, (_, index) => `Job${index} fails because queue${index} has no host${index}.`);
  const messages: Message[] = [
    { id: "m1", role: "user", text: `Set up the workers.\n\n${steps.join("\n\n")}`, toolCalls: [] },
    { id: "m2", role: "assistant", text: later.join("\n\n"), toolCalls: [] },
    { id: "m3", role: "user", text: "Go on.", toolCalls: [] },
    { id: "m4", role: "assistant", text: "All workers are up.", toolCalls: [] },
  ];
  const { text } = render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 500 });
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  expect(count(/^> The worker/gm)).toBeGreaterThan(5);
  expect(count(/^Job\d+ fails/gm)).toBeGreaterThan(5);
});

test("what comes next at the end of a session is told", () => {
  const last = "Now let me check the row counter of the exporter.";
  expect(briefOf("The parser returns null for empty rows.", last)).toContain(last.slice(0, -1));
});

test("fields of reports and lines of code that nothing later builds on give way to what was said", () => {
  const report = (name: string) => `Started.\n\n- Handle: \`${name}\`\n- Base: origin/main\n- Current status: \`working\``;
  const said = [
    "The importer keeps empty rows when `keepEmpty` is set.",
    "Line 32 is `const rows = input.split(SEPARATOR)`.",
    "The exporter writes `keepEmpty` into its header as well.",
  ].join("\n\n");
  const messages: Message[] = ["import-a", "import-b", "import-c"].flatMap((name, index): Message[] => [
    { id: `u${index}`, role: "user", text: `Start a worker for ${name}, please.`, toolCalls: [] },
    { id: `a${index}`, role: "assistant", text: `${report(name)}${index === 0 ? `\n\n${said}` : ""}`, toolCalls: [] },
  ]);
  messages.push({ id: "u9", role: "user", text: "Set keepEmpty in both.", toolCalls: [] });
  const text = render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 73 }).text;
  expect(text).toContain("The exporter writes keepEmpty into its header as well.");
  expect(text).not.toMatch(/Handle:|Base:|Current status:|Line 32/);
});
