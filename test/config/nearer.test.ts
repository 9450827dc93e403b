// What a team says counts before what comes with the program.
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type LoadedRules, loadRules } from "../../src/index.js";
import { inProject } from "../project.js";

const loadedWith = (config: string, files: Readonly<Record<string, string>> = {}) =>
  inProject({ dirs: [".git"], files: { ".compactionrc": config, ...files } }, loadRules);

function filesOf(command: string, { rules }: LoadedRules) {
  const toolCalls = [{ name: "bash", input: { command }, output: "", status: "completed" as const }];
  const messages = [{ id: "m", role: "assistant" as const, text: "", toolCalls }];
  return extract({ id: "s", format: "test", messages }, rules).continuation.files;
}

describe("a program of the team's own entry", () => {
  test("counts before a built-in entry that names it, too", () => {
    const loaded = loadedWith("shell: { prettier: { program: [prettier], with: [--write], modified: all } }");
    expect(loaded.diagnostics).toEqual([]);
    expect(filesOf("prettier --write src/a.ts", loaded).modified).toEqual(["src/a.ts"]);
    expect(filesOf("prettier --write src/a.ts", builtInRules()).modified).toEqual([]);
    const copies = loadedWith("shell: { mycp: { program: [cp], read: all } }");
    expect(filesOf("cp a.ts b.ts", copies)).toMatchObject({ read: ["a.ts", "b.ts"], created: [] });
  });

  test("leaves the built-in entry to what it does not fit", () => {
    const loaded = loadedWith("shell: { mycp: { program: [cp], with: [--peek], read: all } }");
    expect(filesOf("cp a.ts b.ts", loaded)).toEqual(filesOf("cp a.ts b.ts", builtInRules()));
  });

  test("comes in the order of its pack, and a changed built-in entry stays at its place", () => {
    const two = "one: { program: [fmt], with: [-w], modified: all }, two: { program: [fmt], read: all }";
    const loaded = loadedWith(`shell: { ${two}, lint: { without: [--write] } }`);
    expect(filesOf("fmt -w a.ts", loaded)).toMatchObject({ modified: ["a.ts"] });
    expect(filesOf("fmt a.ts", loaded)).toMatchObject({ read: ["a.ts"], modified: [] });
  });
});

describe("a template", () => {
  const base = "compaction: 1\nname: t\ntemplates: { hand: { text: OLD, tokens: 7 }, far: { file: old.md } }\n";
  const textsOf = (templates: string) => {
    const files = { "t.yaml": base, "old.md": "OLD FILE", "new.md": "NEW FILE" };
    const config = `extends: [./t.yaml]\ntemplates: { ${templates} }`;
    const loaded = inProject({ files: { ".compactionrc": config, ...files } }, loadRules);
    expect(loaded.diagnostics).toEqual([]);
    return [...loaded.rules.templates.values()].map(({ text }) => text);
  };

  test("in a file replaces the text of an earlier pack, and the other way round", () => {
    expect(textsOf("hand: { file: new.md }")).toEqual(["NEW FILE", "OLD FILE"]);
    expect(textsOf("hand: new.md")).toEqual(["NEW FILE", "OLD FILE"]);
    expect(textsOf("far: { text: NEW }")).toEqual(["OLD", "NEW"]);
    expect(textsOf("far: { tokens: 9 }")).toEqual(["OLD", "OLD FILE"]);
  });
});

describe("a change of what is not there", () => {
  test.each([
    ["tools: { shel: { failed: [oops] } }", 'a new one needs names or refused; did you mean "shell"?'],
    ["shell: { px: { modified: all } }", "a new one needs program"],
    ["signals: { gueses: { unless: never } }", 'a new one needs match, regex or in; did you mean "guesses"?'],
    ["signals: { gueses: {} }", 'a new one needs match, regex or in; did you mean "guesses"?'],
    ["categories: { securty: { of: [decision] } }", 'a new one needs match or otherwise; did you mean "security"?'],
    ["templates: { breif: { tokens: 9 } }", 'a new one needs file or text; did you mean "brief"?'],
    ["sections: { decisons: { max: 3 } }", 'a new one needs title; did you mean "decisions"?'],
    ["workflows: { spc: { skip: [x] } }", 'a new one needs folder; did you mean "spec"?'],
    ["workflows: { ours: { artifacts: { a: a.md } } }", "a new one needs folder; one of: spec, bug, kiro, spec-kit"],
    ["workflows: { spec: { stages: { spec-desing: { say: { stage: x } } } } }", 'did you mean "spec-design"?'],
  ])("%s", (config, hint) => {
    expect(loadedWith(config).diagnostics).toMatchObject([{ code: "unknown-id", hint }]);
  });
});

test("accepts a new stage without a condition when notes may name it", () => {
  const stage = "stages: { rollout: { say: { goal: x } } }";
  expect(loadedWith(`workflows: { spec: { ${stage} } }`).diagnostics).toEqual([]);
  const unnamed = "own: { folder: 'docs/{name}', artifacts: { a: a.md }, stages: { one: {}, two: { say: { goal: x } } } }";
  expect(loadedWith(`workflows: { ${unnamed} }`).diagnostics).toMatchObject([
    { code: "never-holds", message: 'the stage "two" is never reached' },
  ]);
});

test("warns about keys that a redaction ignores, and masks anyway", () => {
  const loaded = loadedWith(
    "rules: { cust: { emit: redact, regex: 'CUST-\\d+', in: { role: assistant }, unless: public, length: { min: 3 } } }",
  );
  expect(loaded.diagnostics.map(({ code, message }) => `${code} ${message.split(" ")[0]}`)).toEqual([
    'unused-key "in"',
    'unused-key "unless"',
    'unused-key "length"',
  ]);
  const said = [{ id: "m", role: "user" as const, text: "We decided to keep CUST-77 public.", toolCalls: [] }];
  const { items } = extract({ id: "s", format: "test", messages: said }, loaded.rules).continuation;
  expect(JSON.stringify(items)).not.toContain("CUST-77");
});

test("leaves what a redaction calls plain when it is nothing else", () => {
  const { rules, diagnostics } = loadedWith(
    "rules: { badge: { emit: redact, regex: ['badge (?<text>[^ ,.]+)', 'badge (?<plain>none)'] } }",
  );
  expect(diagnostics).toEqual([]);
  const text = "We decided to keep badge 4711, badge none and badge nonesuch.";
  const said = [{ id: "m", role: "user" as const, text, toolCalls: [] }];
  const { items } = extract({ id: "s", format: "test", messages: said }, rules).continuation;
  expect(items.map((item) => item.text).join()).toContain("badge ████, badge none and badge ████████");
});
