import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Continuation,
  type Diagnostic,
  loadRulesFrom,
  type RuleSet,
  readWorkspace,
  type WorkItem,
} from "../../../src/index.js";
import { inProject } from "../../project.js";
import { continued, spec } from "./work-items.js";

function withPack(body: string): { readonly rules: RuleSet; readonly diagnostics: readonly Diagnostic[] } {
  const text = `compaction: 1\nname: t\nextends: [compaction:recommended]\n${body}`;
  return inProject({ files: { "t.yaml": text } }, (folder) => loadRulesFrom(join(folder, "t.yaml")));
}

describe("packs that change a workflow", () => {
  const patched = (body: string, text = "", items = [spec("x", { design: "x" })]) => {
    const { rules: ruleSet, diagnostics } = withPack(body);
    expect(diagnostics).toEqual([]);
    return continued(text, items, ruleSet);
  };
  const linesOf = ({ sections = [] }: Continuation, id: string) => sections.find((section) => section.id === id)?.lines;

  test("the text of a stage", () => {
    const found = patched("workflows: { spec: { stages: { spec-design: { say: { gate: Ask Ada. } } } } }\n");
    expect(linesOf(found, "gate")).toEqual(["Ask Ada."]);
    expect(linesOf(found, "objective")?.[0]).toMatch(/^Write a design/);
  });

  test("a stage or the workflow is switched off", () => {
    expect(patched("workflows: { spec: { stages: { spec-design: off } } }\n").workflow?.stage).toBe("spec-create");
    expect(patched("workflows: { spec: off }\n").workflow).toBeUndefined();
  });

  test("a section is switched off, and what a stage says of it may still be named", () => {
    const found = patched("sections: { step: off, gate: off }\n");
    expect(linesOf(found, "step")).toBeUndefined();
    expect(linesOf(found, "next")?.[0]).toMatch(/^Finish `design.md`/);
  });

  test("a stage is put behind a built-in one, and another behind that", () => {
    const audit = "audit: { after: review, when: audit, say: { gate: Ask Eve. } }";
    const review = "review: { after: spec-design, edits: review, when: review, say: { gate: Ask Ada. } }";
    const body = `workflows: { spec: { artifacts: { review: review.md, audit: audit.md }, stages: { ${audit}, ${review} } } }\n`;
    const files = { design: "x", review: "x" };
    const at = (more: object) => {
      const found = patched(body, "", [spec("x", { ...files, ...more })]);
      return { stage: found.workflow?.stage, gate: linesOf(found, "gate") };
    };
    expect(at({})).toEqual({ stage: "review", gate: ["Ask Ada."] });
    expect(at({ audit: "x" })).toEqual({ stage: "audit", gate: ["Ask Eve."] });
    expect(at({ audit: "x", tasks: "- [ ] 1. a" }).stage).toBe("spec-execute");
  });

  test.each([
    ["spec-desing", 'there is no stage "spec-desing"'],
    ["own", `"own" comes after itself`],
  ])("a stage behind %s is reported", (after, message) => {
    const { diagnostics } = withPack(`workflows: { spec: { stages: { own: { after: ${after}, when: tasks } } } }\n`);
    expect(diagnostics).toMatchObject([{ code: "unknown-id", message, at: { line: 4 } }]);
  });

  test("names that every object has", () => {
    const stages = '__proto__: { when: __proto__, say: { gate: "{task.constructor.name}", step: "{name}" } }';
    const body = `workflows: { spec: { artifacts: { __proto__: p.md }, stages: { ${stages} } } }\n`;
    const found = patched(body, "", [spec("x", { tasks: "- [ ] 1. a" })].map(withProto));
    expect(found.workflow?.stage).toBe("__proto__");
    expect(linesOf(found, "gate")).toEqual([]);
  });

  test("a stage that names itself says nothing", () => {
    const found = patched('workflows: { spec: { stages: { spec-create: { passed: { completed: "{passed}" } } } } }\n');
    expect(linesOf(found, "completed")).toEqual([]);
  });
});

/** In a literal `__proto__` is no key. */
const withProto = (item: WorkItem): WorkItem => ({
  ...item,
  artifacts: [...item.artifacts, { path: `${item.folder}/p.md`, name: "__proto__", text: "x", modified: 0 }],
});

describe("one fault, one finding, at its place", () => {
  const stages = "stages: { one: { edits: a } }";
  const workflow = (more: string) => `workflows:\n  w: { folder: "w/{name}", artifacts: { a: a.md }, ${more} }\n`;
  const when = (condition: string) => workflow(`stages: { one: {}, two: { when: ${condition} } }`);
  test.each([
    ["phrase-syntax", "(a", 'sections:\n  s: { title: S, holds: note, headings: ["^(a"] }\n'],
    ["unknown-file", "sesion", "sections:\n  s: { title: S, holds: note, headings: [a], file: sesion }\n"],
    ["missing-key", "required", "sections:\n  s: { title: S, say: x, required: true }\n"],
    ["unknown-id", "x: {}", "read:\n  x: {}\n"],
    ["unknown-id", "h:", "files:\n  h: { state: false }\n"],
    ["phrase-syntax", "(x", workflow(`pick: ["{name} (x"], ${stages}`)],
    ["phrase-syntax", "(x", workflow(`pick: ["(x"], ${stages}`)],
    ["phrase-syntax", "(z", when('{ match: "(z" }')],
    ["unknown-file", "zz", when("{ in: { file: zz } }")],
    ["unknown-file", "zz", when("{ all: [a, zz] }")],
    ["unknown-key", "al:", when("{ al: [a] }")],
    ["rule-empty", "{}", `${when("{}").replace("one: {}", "one: { edits: a }")}`],
    ["workflow-folder", '"**', workflow(stages).replace("w/{name}", "**/{name}")],
    ["workflow-folder", '"a/..', workflow(stages).replace("w/{name}", "a/../w/{name}")],
    ["file-reach", "../", workflow(stages).replace("a.md", "../../b.md")],
    ["unknown-id", "spec-dsign", "workflows:\n  spec: { stages: { spec-dsign: off } }\n"],
  ])("%s at %s", (code, at, body) => {
    const lines = `\n\n\n${body}`.split("\n");
    const { diagnostics } = withPack(body);
    expect(diagnostics.map((finding) => finding.code)).toEqual([code]);
    const [{ at: place } = {}] = diagnostics;
    expect(lines[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1)).toMatch(
      new RegExp(`^${at.replace(/[^\w]/g, "\\$&")}`),
    );
  });

  test("a folder may be written with ./ and a slash at its end", () => {
    const { rules: ruleSet, diagnostics } = withPack(workflow(stages).replace("w/{name}", "./w/{name}/"));
    expect(diagnostics).toEqual([]);
    expect(ruleSet.workflows.find(({ id }) => id === "w")?.folder).toBe("w/{name}");
  });
});

describe("gaps", () => {
  const { rules: ruleSet } = withPack(
    'sections:\n  s: { title: S, holds: remaining, headings: ["^Next$"], fields: [Next], required: true, shape: "^{id:word}-{n:number} ..." }\n',
  );
  test.each([
    ["", ["missing"]],
    ["## Next\n- ABC-1 do it\n- do that", ["malformed"]],
    ["Next: ABC-1 do it", []],
    ["Next: none", []],
    ["## Next\n- [x] ABC-1 do it", []],
    ["## Next\r\n\r\n- do that\r\n", ["malformed"]],
  ])("%j", (text, problems) => {
    const { gaps = [] } = continued(text, [], ruleSet);
    expect(gaps.map(({ problem }) => problem)).toEqual(problems);
    for (const { start, end, quote } of gaps) if (quote !== undefined) expect(text.slice(start, end)).toBe(quote);
  });
});

test("folders that lead back up have an end, and of many items the last are read", () => {
  inProject({ files: { "w/a/a.md": "x" } }, (folder) => {
    for (const name of ["l1", "l2", "l3"]) symlinkSync(".", join(folder, name));
    for (let index = 1; index <= 510; index++)
      mkdirSync(join(folder, "many", String(index).padStart(4, "0")), { recursive: true });
    const workflow = { skip: [], requires: [], artifacts: new Map() };
    const { items } = readWorkspace(folder, {
      files: [],
      workflows: [
        { ...workflow, id: "loop", folder: "*/*/*/*/*/*/*/*/*/{name}" },
        { ...workflow, id: "many", folder: "many/{name}" },
      ],
    });
    expect(items.at(-1)?.name).toBe("0510");
  });
});

test("a broken link beside work items does not hide them", () => {
  inProject({ files: { "w/a/a.md": "x" } }, (folder) => {
    symlinkSync("nowhere", join(folder, "w", "broken"));
    const workflow = { id: "w", folder: "w/{name}", skip: [], requires: [], artifacts: new Map() };
    expect(readWorkspace(folder, { files: [], workflows: [workflow] }).items.map(({ name }) => name)).toEqual(["a"]);
  });
});
