import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, loadRules, type Reason, readWorkspace } from "../../../src/index.js";
import { continueIn, inProject, linesOf, noSession, type ProjectInput } from "../../project.js";

const session = (text: string) => continueIn({ files: { "SESSION.md": text } });

/** Reads a project with its own .compactionrc. */
const continueWith = (input: ProjectInput, config: string) =>
  inProject({ ...input, files: { ".compactionrc": config, ...input.files } }, (folder) => {
    const loaded = loadRules(folder);
    expect(loaded.diagnostics).toEqual([]);
    return extract(noSession, loaded.rules, readWorkspace(folder, loaded.rules));
  });

describe("notes", () => {
  test.each([
    ["\r\n", "CRLF"],
    ["\r", "lone CR"],
  ])("line ends: %j", (end) => {
    const found = session(["[Focus: auth] 2026-02-02", "- did a", "Open Work: wire the cache", "Blockers: none."].join(end));
    expect(linesOf(found, "objective")).toEqual(["Wire the cache"]);
    expect(linesOf(found, "completed")).toEqual(["did a"]);
    expect(linesOf(found, "blockers")).toEqual([]);
  });

  test.each([
    ["Answer who pays the fee?", "Answer who pays the fee?"],
    ["Ship v2!", "Ship v2!"],
    ["Write the importer.", "Write the importer."],
    ['Name the page "about."', 'Name the page "about."'],
    ["Split the parser;", "Split the parser."],
    ["Split the parser", "Split the parser."],
  ])("a line about the task %j ends once", (task, said) => {
    const files = Object.fromEntries(["requirements", "design"].map((name) => [`.kiro/specs/fee/${name}.md`, `# ${name}\n`]));
    const found = continueIn({ files: { ...files, ".kiro/specs/fee/tasks.md": `- [ ] 1. ${task}\n` } });
    expect(linesOf(found, "step")[0]?.endsWith(` ${said}`), linesOf(found, "step")[0]).toBe(true);
  });

  test("a byte order mark hides nothing", () => {
    const found = session("\uFEFF[Focus: auth] 2026-02-02\n- did a");
    expect(linesOf(found, "status")).toEqual(["Active — working on auth."]);
  });

  test("code fences that look like headings, entries or fields are code", () => {
    const fenced =
      "[Focus: real] d\n\n```\n## Next Steps\n- fenced\n[Focus: fake] d\nOpen Work: fenced\n```\n\n~~~\nBlockers: fenced\n~~~\n";
    const found = session(fenced);
    expect(linesOf(found, "objective")).toEqual(["Continue work on: real."]);
    expect(linesOf(found, "blockers")).toEqual([]);
    expect(JSON.stringify(found.continuation.sections)).not.toContain("fenced");
  });

  test.each(["none", "none.", "None", "N/A", "n/a.", "nothing", "-"])("a field that says %j says nothing", (word) => {
    const found = session(`[Focus: x] d\n- Open Work: ${word}\n- Blockers: ${word}\n- Pending Tests: ${word}`);
    expect(linesOf(found, "objective")).toEqual(["Continue work on: x."]);
    expect(linesOf(found, "blockers")).toEqual([]);
    expect(linesOf(found, "status")).toEqual(["Active — working on x."]);
  });

  test.each(["Unblocked the pipeline", "The deploy is no longer blocked", "Not blocked by anything"])(
    "%j is no blocker",
    (line) => {
      expect(linesOf(session(`[Focus: x] d\n- ${line}`), "blockers")).toEqual([]);
    },
  );

  test.each(["BLOCKED: waiting for the key", "The deploy is blocked by the firewall", "Release is still blocked"])(
    "%j is one",
    (line) => {
      expect(linesOf(session(`[Focus: x] d\n- ${line}`), "blockers")).toEqual([line]);
    },
  );

  test("an old blocker below a newer entry is over", () => {
    const found = session("[Focus: new] 2026-02-02\n- n\n\n[Focus: old] 2026-01-01\n- o\n- Blockers: no access");
    expect(linesOf(found, "blockers")).toEqual([]);
    expect(linesOf(found, "status")).toEqual(["Active — working on new."]);
  });

  test("dates tell that a log is written downwards: an old blocker above a newer entry is over", () => {
    const found = session("[Focus: old] 2026-01-01\n- Blockers: no access\n\n[Focus: new] 2026-02-02\n- Open Work: go on");
    expect(linesOf(found, "blockers")).toEqual([]);
    expect(linesOf(found, "objective")).toEqual(["Go on"]);
    expect(linesOf(found, "status")).toEqual(["Active — working on new."]);
  });

  test("headings with dates or numbers are entries too, and a heading as high as they are ends the log", () => {
    const entries =
      "## 2026-01-01 — first\n- [ ] old box\n\n## 2026-01-05 — second\n- [ ] new box\n\n## Known Issues\n- the disk is full\n";
    const found = session(`# Log\n\n${entries}`);
    expect(linesOf(found, "objective")).toEqual(["Continue work on: second."]);
    expect(linesOf(found, "next")).toEqual(["new box"]);
    expect(linesOf(found, "blockers")).toEqual(["the disk is full"]);
  });

  test("other words for the same things", () => {
    const found = session(
      "# Parser\n\n## Current Focus\nMigrate the lexer.\n\n## Next Steps\n1. ~~old~~\n2. ✅ done\n3. port the tests\n\n## Decisions\n- one table\n\n## Risks\n- None yet\n- the API may change\n",
    );
    expect(linesOf(found, "objective")).toEqual(["Migrate the lexer."]);
    expect(linesOf(found, "next")).toEqual(["port the tests"]);
    expect(linesOf(found, "remaining")).toEqual(["port the tests"]);
    expect(linesOf(found, "decisions")).toEqual(["one table"]);
    expect(linesOf(found, "blockers")).toEqual(["the API may change"]);
  });

  test("a ledger: fields that introduce lists", () => {
    const found = session("Goal: ship it\nState:\n- Done:\n  - a\n- Now:\n  - wire b\n- Next:\n  - test c\n");
    expect(linesOf(found, "objective")).toEqual(["Ship it"]);
    expect(linesOf(found, "step")).toEqual(["Wire b"]);
    expect(linesOf(found, "next")).toEqual(["test c"]);
  });

  test("AGENTS.md holds rules, not state", () => {
    const found = continueIn({ files: { "AGENTS.md": "Open Work: never\n\n## Next Steps\n- never\n\nBlockers: never" } });
    expect(JSON.stringify(found.continuation.sections)).not.toContain("never");
  });

  test("other files by name", () => {
    const found = continueWith(
      { files: { "docs/HANDOFF.md": "Open Work: hand it over" } },
      "files: { handoff: docs/HANDOFF.md }\n",
    );
    expect(linesOf(found, "objective")).toEqual(["Hand it over"]);
  });

  test("older entries than there is room for are left out, and that is said", () => {
    const entry = (index: number) => `[Focus: f${index}] 2026-01-01\n- ${"word ".repeat(100)}\n\n`;
    const found = session(Array.from({ length: 400 }, (_, index) => entry(index)).join(""));
    expect(linesOf(found, "status")).toEqual(["Active — working on f0."]);
    expect(found.continuation.diagnostics.map(({ code }) => code)).toEqual(["notes-cut"]);
  });
});

describe("the folder", () => {
  const files = { "SESSION.md": "Open Work: wire the cache", "web/AGENTS.md": "- Always lint", "web/src/a.ts": "" };
  const { rules } = builtInRules();
  const readIn = (input: ProjectInput, below: string) =>
    inProject(input, (folder) => readWorkspace(join(folder, below), rules).files.map(({ path }) => path));

  test("notes are found from a subfolder of the repository", () => {
    expect(readIn({ files, dirs: [".git"] }, "web/src")).toEqual(["SESSION.md"]);
  });

  test("work folders are found from there too, and the nearest folder with either counts", () => {
    const spec = { "web/.codex/specs/login/tasks.md": "- [ ] 1. Write the form" };
    const items = inProject({ files: { ...files, ...spec }, dirs: [".git"] }, (folder) =>
      readWorkspace(join(folder, "web/src"), rules).items.map(({ folder: found }) => found),
    );
    expect(items).toEqual([".codex/specs/login"]);
  });

  test("never above the repository, and without one only in the folder itself", () => {
    expect(readIn({ files, dirs: ["web/.git"] }, "web/src")).toEqual([]);
    expect(readIn({ files }, "web")).toEqual(["AGENTS.md"]);
  });
});

describe("the built-in workflows", () => {
  test.each(["1", "12", "#2", "A"])("the last completed batch may be %j", (batch) => {
    const tasks = "## Batch 1\n- [x] 1. Read\n- [ ] 2. Write\n";
    const context = `Last completed batch: ${batch}\n`;
    const found = continueIn({
      files: { ".codex/specs/login/tasks.md": tasks, ".codex/specs/login/context.md": context },
    });
    expect(linesOf(found, "status")).toEqual([
      `login is in spec-execute; 1 task(s) complete and 1 task(s) remaining. Last completed batch: ${batch}.`,
    ]);
  });

  test("what is blocked is not completed", () => {
    const bug = continueIn({
      files: {
        ".codex/bugs/crash/report.md": "It crashes.",
        ".codex/bugs/crash/harness/progress.md": "- added a test\n- BLOCKED: no access to the logs\n",
      },
    });
    expect(linesOf(bug, "completed")).toEqual(["added a test"]);
    expect(linesOf(bug, "blockers")).toEqual(["BLOCKED: no access to the logs"]);
    const notes = session("[Focus: x] 2026-02-02\n- did a\n- BLOCKED: no key\n\n[Focus: y] 2026-02-01\n- BLOCKED: no disk");
    expect(linesOf(notes, "completed")).toEqual(["did a"]);
  });

  test.each(["BLOCKED — gateway down", "BLOCKED - gateway down", "Rollout is blocked by the freeze", "BLOCKED by the freeze"])(
    "a bug's blocker is told whole: %j",
    (line) => {
      const files = { ".codex/bugs/crash/report.md": "It crashes.", ".codex/bugs/crash/harness/progress.md": `- ${line}\n` };
      expect(linesOf(continueIn({ files }), "blockers")).toEqual([line]);
    },
  );

  test.each([
    ["bug-create", ["harness"]],
    ["bug-analyze", ["alternatives", "verify"]],
    ["bug-fix", ["gates", "regression"]],
    ["bug-verify", ["gates", "audit", "evidence"]],
  ])("%s asks for %j", (stage, words) => {
    const found = continueIn({ files: { "SESSION.md": `Now in ${stage}.`, ".codex/bugs/crash/report.md": "It crashes." } });
    const said = ["objective", "step", "gate", "done-when"].flatMap((id) => linesOf(found, id)).join("\n");
    for (const word of words) expect(said).toContain(word);
  });
});

describe("a workflow that a team makes up", () => {
  const pack = `compaction: 1
name: recipes
extends: [compaction:session]
workflows:
  recipe:
    folder: kitchen/{name}
    artifacts: { list: list.md, notes: notes.md }
    pick: ["cook {name}", newest]
    read:
      thing: { in: { file: list, node: task } }
      taste: { in: { file: notes }, match: "tastes {text}" }
    say:
      status: "{name}: {thing.done.count} of {thing.count}.[ It tastes {taste.last}.]"
      step: "{stage} with {artifact}"
      completed: ["{passed}", "{thing.done}"]
      next: ["Get {thing.open.first}.", "Eat {name}."]
    stages:
      shop: { edits: list, say: { objective: Buy what is on the list. }, passed: { completed: "\`{list.file}\` is bought." } }
      cook: { edits: notes, when: notes, say: { objective: "Cook {name:sentence}." } }
      serve: { edits: notes, when: { all: [notes, { none: { in: { file: list, task: open, node: task } } }, { in: { file: notes }, match: "ready" }] }, say: { objective: Serve it. } }
`;
  const cooking = (files: Readonly<Record<string, string>>, note = "") =>
    continueWith({ files: { "recipes.yaml": pack, "SESSION.md": note, ...files } }, "extends: [./recipes.yaml]\n");

  test("is continued without a line of code", () => {
    const found = cooking({ "kitchen/soup/list.md": "- [x] leek\n- [ ] salt", "kitchen/soup/notes.md": "It tastes bland." });
    expect(found.continuation.workflow).toMatchObject({
      type: "recipe",
      stage: "cook",
      item: "soup",
      artifact: "kitchen/soup/notes.md",
    });
    expect(linesOf(found, "objective")).toEqual(["Cook Soup."]);
    expect(linesOf(found, "status")).toEqual(["soup: 1 of 2. It tastes bland."]);
    expect(linesOf(found, "step")).toEqual(["cook with kitchen/soup/notes.md"]);
    expect(linesOf(found, "completed")).toEqual(["`list.md` is bought.", "leek"]);
    expect(linesOf(found, "next")).toEqual(["Get salt."]);
  });

  test("each stage is reached by its own signal", () => {
    const stageOf = (files: Readonly<Record<string, string>>) => cooking(files).continuation.workflow?.stage;
    expect(stageOf({ "kitchen/soup/list.md": "- [ ] salt" })).toBe("shop");
    expect(stageOf({ "kitchen/soup/notes.md": "# \n---\n" })).toBe("shop");
    expect(stageOf({ "kitchen/soup/list.md": "- [ ] salt", "kitchen/soup/notes.md": "ready" })).toBe("cook");
    expect(stageOf({ "kitchen/soup/list.md": "- [x] salt", "kitchen/soup/notes.md": "ready" })).toBe("serve");
  });

  test("the notes say which item is active", () => {
    const files = { "kitchen/soup/list.md": "- [ ] salt", "kitchen/pie/list.md": "- [ ] flour" };
    expect(cooking(files, "today we cook pie").continuation.workflow?.item).toBe("pie");
    expect(cooking(files, "today we cook soup").continuation.workflow?.item).toBe("soup");
    expect(cooking(files, "first cook pie, then cook soup").continuation.workflow?.item).toBe("soup");
  });

  test("a part of it is changed by a patch", () => {
    const files = { "kitchen/soup/list.md": "- [ ] salt", "recipes.yaml": pack };
    const patched = (more: string) => continueWith({ files }, `extends: [./recipes.yaml]\nworkflows: { recipe: ${more} }\n`);
    expect(linesOf(patched("{ stages: { shop: { say: { objective: Order it. } } } }"), "objective")).toEqual(["Order it."]);
    expect(patched("{ stages: { shop: off } }").continuation.workflow?.stage).toBe("cook");
    expect(patched("off").continuation.workflow).toBeUndefined();
  });
});

describe("why", () => {
  const tasks = (done: number, open: number) =>
    [...Array.from({ length: done }, () => "- [x] a"), ...Array.from({ length: open }, () => "- [ ] b")].join("\n");
  const whyOf = (input: ProjectInput) => continueIn(input).continuation.workflow?.why as { item: Reason; stage: Reason };

  test("the item: named, further, fuller, newer, or first by name", () => {
    const spec = (name: string, files: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(files).map(([file, text]) => [`.codex/specs/${name}/${file}`, text]));
    const item = (files: Readonly<Record<string, string>>, more: Partial<ProjectInput> = {}) => {
      const { workflow } = continueIn({ files, ...more }).continuation;
      return [workflow?.item, workflow?.why.item.by];
    };
    const a = spec("a", { "requirements.md": "r" });
    const b = spec("b", { "requirements.md": "r" });
    expect(item(a)).toEqual(["a", "only"]);
    expect(item({ ...a, ...b })).toEqual(["a", "name"]);
    expect(item({ ...a, ...b }, { mtimes: { ".codex/specs/b": 1_800_000_000_000 } })).toEqual(["b", "time"]);
    expect(item({ ...a, ...b, ...spec("b", { "harness/feature_list.json": "[1]" }) })).toEqual(["b", "artifacts"]);
    expect(item({ ...a, ...b, ...spec("b", { "design.md": "d" }) })).toEqual(["b", "stage"]);
    expect(item({ ...a, ...spec("b", { "tasks.md": tasks(2, 0) }) })).toEqual(["a", "stage"]);
    expect(item({ ...a, ...b, "SESSION.md": "work on b" })).toEqual(["b", "mention"]);
  });

  test("the stage, with the words that tell it at their place", () => {
    const text = "# Tasks\n\n- [ ] 1. Parse";
    expect(whyOf({ files: { ".codex/specs/a/tasks.md": text } }).stage).toEqual({
      by: "when",
      signal: "task",
      source: ".codex/specs/a/tasks.md",
      start: text.indexOf("1."),
      end: text.length,
      quote: "1. Parse",
    });
    const note = "[Focus: x] d\n- back to spec-design for a";
    expect(whyOf({ files: { "SESSION.md": note, ".codex/specs/a/tasks.md": text } }).stage).toMatchObject({
      by: "named",
      signal: "spec-design",
      source: "SESSION.md",
      quote: "back to spec-design for a",
    });
    expect(whyOf({ files: { ".codex/specs/a/requirements.md": "r" } }).stage).toEqual({ by: "first" });
  });

  test("a stage named in an older entry does not override a newer one", () => {
    const log = "[Focus: new] 2026-02-02\n- spec-tasks for a\n\n[Focus: old] 2026-01-01\n- spec-create for a";
    expect(continueIn({ files: { "SESSION.md": log, ".codex/specs/a/design.md": "d" } }).continuation.workflow?.stage).toBe(
      "spec-tasks",
    );
  });
});

describe("gaps", () => {
  const config = `sections:
  owner: { title: Owner, fields: [Owner], required: true, holds: note, examples: [{ text: x, emits: none }] }
  risks: { title: Risks, headings: ["^risks$"], holds: blocker, shape: "... (owner: {who:word})", say: "{risks}" }
`;
  const gapsOf = (text: string) => continueWith({ files: { "SESSION.md": text } }, config).continuation.gaps;

  test("a required section that is missing, or says that there is nothing", () => {
    expect(gapsOf("nothing here")).toEqual([{ section: "owner", problem: "missing", source: "SESSION.md" }]);
    expect(gapsOf("Owner: kim")).toEqual([]);
    expect(gapsOf("Owner: none")).toEqual([]);
  });

  test("an entry that does not look as it must, at its place", () => {
    const text = "Owner: kim\n\n## Risks\n- the disk (owner: kim)\n- the network\n";
    const start = text.indexOf("the network");
    expect(gapsOf(text)).toEqual([
      { section: "risks", problem: "malformed", source: "SESSION.md", start, end: start + 11, quote: "the network" },
    ]);
  });

  test("the section is said, behind those that are built in", () => {
    const found = continueWith({ files: { "SESSION.md": "Owner: kim\n\n## Risks\n- the disk (owner: kim)" } }, config);
    expect(linesOf(found, "risks")).toEqual(["the disk (owner: kim)"]);
    expect(found.continuation.sections?.map(({ id }) => id).at(-1)).toBe("risks");
  });
});

test("secrets are masked wherever a continuation may quote them", () => {
  const secret = `ghp_${"abcdefghijklmnopqrstuvwxyz0123456789"}`;
  const found = continueIn({
    files: {
      "SESSION.md": `[Focus: x] d\n- Open Work: rotate ${secret}\n- BLOCKED: ${secret}\n- spec-execute a ${secret}`,
      ".codex/specs/a/tasks.md": `- [ ] 1. use ${secret}`,
      ".codex/specs/a/context.md": `## Decisions Made\n- keep ${secret}`,
    },
  });
  expect(JSON.stringify(found)).not.toContain(secret.slice(0, 12));
  expect(linesOf(found, "remaining").join()).toContain("█");
});

const corpus = join(dirname(fileURLToPath(import.meta.url)), "../../../../shared/corpus");
const there = (() => {
  try {
    return readdirSync(corpus).length > 0;
  } catch {
    return false;
  }
})();

describe.skipIf(!there)("real projects (../shared/corpus)", () => {
  const notes = there ? readdirSync(join(corpus, "notes")) : [];
  test.each(notes)("%s gives every section", (name) => {
    const found = session(readFileSync(join(corpus, "notes", name), "utf8"));
    expect(found.continuation.sections?.filter(({ of }) => of !== "carried")).toHaveLength(9);
    const told = ["notes-cut", "objective-unknown"];
    expect(found.continuation.diagnostics.filter(({ code }) => !told.includes(code))).toEqual([]);
    for (const id of ["objective", "step", "status", "next"]) expect(linesOf(found, id)).toHaveLength(1);
  });

  test("Spec Kit: boxes are counted as they stand there", () => {
    const found = inReal("eitatech-gatomia-vscode", { touched: "specs/006-welcome-screen" });
    expect(found.continuation.workflow).toMatchObject({ type: "spec-kit", item: "006-welcome-screen", stage: "implement" });
    expect(linesOf(found, "status")).toEqual(["006-welcome-screen: 139 task(s) done, 21 open."]);
  });

  test("Kiro beside .codex/specs: the spec workflow is looked for first", () => {
    const touched = ".codex/specs/vite-vitest-migration";
    expect(inReal("atman-33-kiro-for-codex", { touched }).continuation.workflow).toMatchObject({
      type: "spec",
      item: "vite-vitest-migration",
    });
    const kiro = inReal("atman-33-kiro-for-codex", { touched, config: "workflows: { spec: off }\n" }).continuation.workflow;
    expect(kiro).toMatchObject({ type: "kiro", stage: "tasks" });
  });

  // A copy, whose times are given: those of the corpus are the times of its download.
  function inReal(name: string, { touched, config = "{}" }: { touched: string; config?: string }) {
    const root = join(corpus, "specs", name);
    const paths = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const files = Object.fromEntries(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
    const mtimes = { [touched]: 1_800_000_000_000 };
    return inProject({ files: { ...files, ".compactionrc": config }, mtimes }, (folder) => {
      const { rules } = loadRules(folder);
      return extract(noSession, rules, readWorkspace(folder, rules));
    });
  }
});
