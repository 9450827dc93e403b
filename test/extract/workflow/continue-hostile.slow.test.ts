import { describe, expect, test } from "vitest";
import { builtInRules } from "../../../src/index.js";
import { cpuTime } from "../../cpu.js";
import { continued, spec } from "./work-items.js";

const { rules } = builtInRules();

const other = spec("other", { tasks: "- [ ] 1. a" });

describe("names of folders", () => {
  test.each(["a(b", "x|y", "[z]", "a b", "..x", "a.*b", "...", "$", "a$", "a$&b", "(x)?", "{stage}", "<x>", "é", "constructor"])(
    "%s is found as it is",
    (name) => {
      const { workflow } = continued(`- look at .codex/specs/${name}/tasks.md first`, [spec(name, { design: "x" }), other]);
      expect(workflow).toMatchObject({ item: name, why: { item: { by: "mention", signal: ".codex/specs/{name}" } } });
    },
  );

  test("a stage's name may hold marks of phrases", () => {
    const [workflow] = rules.workflows.filter(({ id }) => id === "spec");
    if (!workflow) throw new Error("no spec");
    const stages = workflow.stages.map((stage, index) => (index === 0 ? { ...stage, id: "a(b" } : stage));
    const { workflow: state } = continued("run /a(b x now", [spec("x", { design: "x" }), other], {
      ...rules,
      workflows: [{ ...workflow, stages }],
    });
    expect(state).toMatchObject({ item: "x", stage: "a(b" });
  });
});

describe("the stage that is named last", () => {
  test("in one line", () => {
    const { workflow } = continued("- moved from spec-design to spec-tasks", [spec("x", { design: "x" })]);
    expect(workflow?.stage).toBe("spec-tasks");
    expect(Object.keys(workflow?.why.stage ?? {}).sort()).toEqual(["by", "end", "quote", "signal", "source", "start"]);
  });
});

/** At most this often the time of a half: a quarter would be found, noise would not. */
const GROWTH = 3.2;

describe("time grows with the text", () => {
  test.each([
    ["comments that nothing closes", "<!--\n", 256_000],
    ["paths in code", "`a.b` ", 64_000],
    ["a folder's name", "x ", 64_000],
    ["a folder's path", ".codex/specs/x ", 64_000],
  ])("%s", (_, unit, characters) => {
    const items = [spec("x", { design: "x" }), other];
    const time = (length: number) => cpuTime(() => continued(unit.repeat(length / unit.length), items));
    time(characters / 4);
    const half = Math.min(time(characters / 2), time(characters / 2));
    expect(Math.min(time(characters), time(characters))).toBeLessThan(GROWTH * half + 150);
  });

  test("tasks that are said one by one", () => {
    const time = (count: number) => cpuTime(() => continued("", [spec("x", { tasks: "- [ ] a\n".repeat(count) })]));
    time(500);
    const half = time(4000);
    expect(time(8000)).toBeLessThan(GROWTH * half + 150);
  });
});

describe("secrets", () => {
  const token = `ghp_${"abcdefghijklmnopqrstuvwxyz0123456789".slice(0, 36)}`;

  test("in a folder's name", () => {
    const found = continued(`see .codex/specs/a-${token}`, [spec(`a-${token}`, { tasks: "- [ ] 1. a" }), other]);
    expect(found.workflow?.item).toBe(`a-${"█".repeat(token.length)}`);
    expect(JSON.stringify(found)).not.toContain("ghp_");
  });

  test.each([8, 12, 16, 20])("at the end of what is read (%i)", (kept) => {
    const filling = "- word word\n".repeat(6000).slice(0, 64_000 - kept - 13);
    expect(JSON.stringify(continued(`${filling}\n- Blockers: ${token} is gone`))).not.toContain("ghp_");
  });
});

test("what is read ends with a whole character", () => {
  for (const blanks of [0, 1]) {
    const text = `Blockers: ${"x".repeat(62_990 + blanks)}${"🙂".repeat(600)}`;
    expect(JSON.stringify(continued(text))).not.toMatch(/\\ud8[0-9a-f]{2}/);
  }
});

describe("notes in usual words", () => {
  const linesOf = (text: string, id: string) => continued(text).sections?.find((section) => section.id === id)?.lines;

  test.each([
    "None currently",
    "none (CI is green)",
    "No known blockers.",
    "nothing blocking",
    "none at this time.",
    "[]",
    "N/A",
  ])("Blockers: %s", (value) => {
    expect(linesOf(`Blockers: ${value}\n`, "blockers")).toEqual([]);
  });

  test.each(["Blocked: no", "Blocked on: nothing.", "- Nothing is blocked", "## Blockers\n\nNo blockers right now."])(
    "%s is no blocker",
    (text) => expect(linesOf(text, "blockers")).toEqual([]),
  );

  test.each([
    ["## Blockers\n- No access to staging", "No access to staging"],
    ["Blockers: no access to prod", "Blockers: no access to prod"],
    ["## Blockers\n\nThe vendor has not sent the key.", "The vendor has not sent the key."],
  ])("%s is one", (text, blocker) => expect(linesOf(text, "blockers")).toEqual([blocker]));

  test("a paragraph may say what comes next, and the title of a part is no work", () => {
    const text = "## Next Steps\n\nFinish the importer.\n";
    expect(linesOf(text, "next")).toEqual(["Finish the importer."]);
    expect(linesOf("## Blockers\n- None\n", "objective")).toEqual(["Resume the work that the notes describe last."]);
  });

  test("a log in a fence has entries too", () => {
    const log = "[Focus: old] 2025-05-01\n- Open Work: B\n- Blockers: C\n\n[Focus: new] 2025-05-02\n- Open Work: A\n";
    const text = `\`\`\`markdown\n${log}\`\`\`\n`;
    expect(linesOf(text, "next")).toEqual(["A"]);
    expect(linesOf(text, "blockers")).toEqual([]);
  });
});
