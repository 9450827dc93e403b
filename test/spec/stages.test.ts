// Points of seed 003 beside those of projects.yaml: what the hook does, how the continuation looks, and how it is extended.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openCodeHooks } from "../../src/hosts/opencode/opencode.js";
import { builtInRules, extract, loadRules, readWorkspace, render, type Template } from "../../src/index.js";
import { noSession } from "../project.js";

const { rules } = builtInRules();
let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-stages-"));
  folder = join(home, "project");
  mkdirSync(folder);
  vi.stubEnv("XDG_STATE_HOME", join(home, "state"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
const continuation = (loaded = rules) =>
  render(extract(noSession, loaded, readWorkspace(folder, loaded)), loaded.templates.get("continuation") as Template, loaded)
    .text;
const titles = (text: string) =>
  text.split("\n").flatMap((line) => (line.startsWith("## ") ? line.slice(3) : line === "---" ? line : []));

const BATCH = { ".codex/specs/kites/tasks.md": "## Batch 2 — Tail\n- [x] 1. Cut the cloth\n- [ ] 2. Tie the bows\n" };
const GENERIC = [
  "Stage-Aware Continuation",
  "Primary Objective",
  "Current Step",
  "Status",
  "Completed",
  "Remaining",
  "Decisions",
  "Active Files",
  "Blockers / Risks",
  "Next Action",
];

describe("the continuation", () => {
  test("S3-35, S3-36: of notes alone has the generic sections in their order, and says where there is nothing", () => {
    put({ "SESSION.md": "[Focus: kites]\n- Open Work: tie the bows\n" });
    const text = continuation();
    expect(titles(text)).toEqual(GENERIC);
    expect(text.split("\n").slice(0, 3)).toEqual([
      "## Stage-Aware Continuation",
      "",
      "Preserve the canonical workflow names exactly. Treat this as the authoritative resume brief for compaction continuity.",
    ]);
    expect(text).toContain("## Blockers / Risks\n\n- none recorded\n");
    expect(text).toContain("## Primary Objective\n\n- Tie the bows\n");
  });

  test("S3-35, S3-36: of a workflow has its sections behind a rule", () => {
    put(BATCH);
    const [, augmented = ""] = continuation().split("\n---\n");
    expect(titles(augmented).slice(0, 6)).toEqual([
      "Workflow-Aware Augmentation",
      "Workflow Type",
      "Canonical Workflow Stage",
      "Source Artifacts",
      "Current Artifact",
      "Artifact Status",
    ]);
    expect(augmented).toContain("The following sections apply because this session is part of a canonical workflow.");
    expect(augmented).toContain("## Canonical Workflow Stage\n\n- spec-execute\n");
    for (const title of ["Transition Gate", "Approved Decisions", "Dependencies / Preconditions", "Verification / Done Criteria"])
      expect(titles(augmented)).toContain(title);
  });

  test("S3-36: a bullet that is a decision is under Decisions only", () => {
    put({ "SESSION.md": "[Focus: kites]\n- Chose bamboo for the spars\n- Sewed the sail in `src/sail.ts`\n" });
    const text = continuation();
    expect(text).toContain("## Decisions\n\n- Chose bamboo for the spars\n");
    expect(text).toContain("## Completed\n\n- Sewed the sail in `src/sail.ts`\n");
    expect(text).toContain("## Active Files\n\n- none recorded\n");
  });

  test("S3-39: stages are rules, and a pack adds its own", () => {
    put({
      ...BATCH,
      ".compactionrc": "workflows: { spec: { stages: { spec-execute: { say: { gate: The kite flies. } } } } }\n",
    });
    expect(continuation(loadRules(folder).rules)).toContain("## Transition Gate\n\n- The kite flies.\n");
  });

  test("S3-40: thirty thousand blank lines and a hundred kilobytes of brackets are read", () => {
    put({ "SESSION.md": `- Open Work: tie the bows\n${"\n".repeat(30_000)}${"[Focus: ".repeat(12_000)}\n` });
    expect(continuation()).toContain("## Primary Objective\n\n- Tie the bows\n");
  });
});

describe("the hook", () => {
  const logs: { level: string; message: string }[] = [];
  async function inject(messages: () => Promise<unknown> = async () => ({ data: [] }), directory = folder) {
    logs.length = 0;
    const session = { messages, get: async ({ path }: { path: { id: string } }) => ({ data: { id: path.id } }) };
    const client = { session, app: { log: async ({ body }: { body: (typeof logs)[number] }) => logs.push(body) } };
    const hooks = openCodeHooks({ client: client as never, directory }, { deadline: 60_000 });
    const output: { context: string[]; prompt?: string } = { context: [] };
    await hooks["experimental.session.compacting"]({ sessionID: "ses_kite" }, output);
    return output;
  }

  test("S3-1, S3-3, S3-38: injects stage, step and open work in one text, and sets no prompt", async () => {
    put({ ...BATCH, "SESSION.md": "- Open Work: dye the cloth\n- Pending Tests: wind tunnel\n- Decided on bamboo\n" });
    const { context, prompt } = await inject();
    expect(context).toHaveLength(1);
    expect(prompt).toBeUndefined();
    for (const part of ["spec-execute", "2 — Tie the bows (Batch 2 — Tail)", "dye the cloth", "wind tunnel", "Decided on bamboo"])
      expect(context[0]).toContain(part);
  });

  test("S3-2: writes nothing into the project", async () => {
    put(BATCH);
    await inject();
    expect(readdirSync(folder, { recursive: true })).toEqual([
      ".codex",
      ".codex/specs",
      ".codex/specs/kites",
      ".codex/specs/kites/tasks.md",
    ]);
  });

  test("S3-5: reads the nearest folder with notes, up to that of the repository", async () => {
    put({ "SESSION.md": "- Open Work: dye the cloth\n", ".git/HEAD": "ref: refs/heads/main\n", "packages/tail/index.ts": "" });
    expect((await inject(undefined, join(folder, "packages", "tail"))).context[0]).toContain("dye the cloth");
  });

  test("S3-6: a failure to read the session is logged, and the notes are injected", async () => {
    put({ "SESSION.md": "- Open Work: dye the cloth\n" });
    expect((await inject(() => Promise.reject(new Error("gone")))).context[0]).toContain("dye the cloth");
    expect(logs.map(({ level }) => level)).toContain("error");
  });

  test("S3-6: notes from which no objective can be read are warned of", async () => {
    put({ "SESSION.md": "Hm.\n" });
    await inject();
    expect(logs).toContainEqual(
      expect.objectContaining({ level: "warn", message: expect.stringContaining("Primary Objective") }),
    );
  });

  test("S3-37: nothing at all is injected without notes and words", async () => {
    expect((await inject()).context).toEqual([]);
  });
});
