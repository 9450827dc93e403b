import { describe, expect, test } from "vitest";
import { builtInRules, type Continuation, extract, type RuleSet, type WorkItem } from "../../src/index.js";
import { noSession } from "../project.js";

const { rules } = builtInRules();

function continued(text: string, items: readonly WorkItem[] = [], ruleSet: RuleSet = rules): Continuation {
  return extract(noSession, ruleSet, { files: [{ path: "SESSION.md", name: "session", text }], items }).continuation;
}

function spec(name: string, artifacts: Readonly<Record<string, string>>): WorkItem {
  const folder = `.codex/specs/${name}`;
  const files = Object.entries(artifacts);
  return {
    workflow: "spec",
    name,
    folder,
    artifacts: files.map(([id, text]) => ({ path: `${folder}/${id}.md`, name: id, text, modified: 0 })),
  };
}

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
const milliseconds = (work: () => unknown) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

describe("time grows with the text", () => {
  test.each([
    ["comments that nothing closes", "<!--\n", 256_000],
    ["paths in code", "`a.b` ", 64_000],
    ["a folder's name", "x ", 64_000],
    ["a folder's path", ".codex/specs/x ", 64_000],
  ])("%s", (_, unit, characters) => {
    const items = [spec("x", { design: "x" }), other];
    const time = (length: number) => milliseconds(() => continued(unit.repeat(length / unit.length), items));
    time(characters / 4);
    const half = Math.min(time(characters / 2), time(characters / 2));
    expect(Math.min(time(characters), time(characters))).toBeLessThan(GROWTH * half + 150);
  });

  test("tasks that are said one by one", () => {
    const time = (count: number) => milliseconds(() => continued("", [spec("x", { tasks: "- [ ] a\n".repeat(count) })]));
    time(500);
    const half = time(4000);
    expect(time(8000)).toBeLessThan(GROWTH * half + 150);
  });
});
