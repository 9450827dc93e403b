// Where the work stands in a project with a workflow, through the compactions of agents that run commands and of pi (S3-38).
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PiContext } from "../../src/hosts/pi/api.js";
import extension from "../../src/pi.js";
import { runSpawned } from "../cli/run-command.js";

const TOLD = [
  "Stage tasks of kiro refunds, next: Do the next task: 2 — Book the fee.",
  "Gate: One task at a time; tick its box when its requirements are met, and stop for review.",
];
const HEADINGS = ["Stage-Aware Continuation", "Workflow-Aware Augmentation", "Transition Gate", "Artifact Status"];
const TALK = Array.from({ length: 30 }, (_, index) => [
  `Look at adapter ${index}. Never rename the export of partner ${index}.`,
  `We decided to keep adapter ${index}, because partner ${index} pays for it.`,
]).flat();

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-workflow-"));
  file = join(folder, "session.jsonl");
  const item = join(folder, ".kiro/specs/refunds");
  mkdirSync(item, { recursive: true });
  for (const name of ["requirements", "design"]) writeFileSync(join(item, `${name}.md`), "# Ready\n");
  writeFileSync(join(item, "tasks.md"), "- [x] 1. Read the ledger\n- [ ] 2. Book the fee\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const roleOf = (index: number) => (index % 2 === 0 ? "user" : "assistant");
const write = (...records: readonly object[]) => appendFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));

async function hook(host: string, event: object): Promise<string> {
  const input = JSON.stringify({ session_id: "s1", transcript_path: file, cwd: folder, ...event });
  const { stdout } = await runSpawned(["hook", host], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, input });
  return stdout;
}

test("Claude Code is given all headings before each of two compactions, and stage and gate behind them", async () => {
  for (const round of [1, 2]) {
    write(
      ...TALK.map((text, index) => {
        const content = index % 2 === 0 ? text : [{ type: "text", text }];
        return { type: roleOf(index), uuid: `u${round}-${index}`, sessionId: "s1", message: { role: roleOf(index), content } };
      }),
    );
    const before = await hook("claude-code", { hook_event_name: "PreCompact", trigger: "auto" });
    for (const title of HEADINGS) expect(before).toContain(`\n## ${title}\n`);
    const behind = await hook("claude-code", { hook_event_name: "SessionStart", source: "compact" });
    for (const line of TOLD) expect(behind).toContain(`Project: ${line}\n`);
  }
});

test("Codex is told stage and gate behind a summary that lost them", async () => {
  write({ type: "session_meta", payload: { id: "s1", cwd: folder } });
  for (const [index, text] of TALK.entries()) {
    const content = [{ type: index % 2 === 0 ? "input_text" : "output_text", text }];
    write({ type: "response_item", payload: { type: "message", role: roleOf(index), content } });
  }
  write({ type: "compacted", payload: { message: "We work on the refunds." } });
  const behind = await hook("codex", { hook_event_name: "SessionStart", source: "compact" });
  for (const line of TOLD) expect(behind).toContain(`- project: ${line}\n`);
});

test("pi's next request has stage and gate behind a summary that lost them", async () => {
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  write({ type: "session", version: 3, id: "s1", cwd: folder });
  for (const [index, text] of TALK.entries()) {
    const parentId = index === 0 ? null : `e${index - 1}`;
    write({ type: "message", id: `e${index}`, parentId, message: { role: roleOf(index), content: [{ type: "text", text }] } });
  }
  // biome-ignore lint/suspicious/noExplicitAny: pi passes other things to each handler.
  const handlers = new Map<string, (event: any, context: PiContext) => unknown>();
  extension({ on: (event, handler) => void handlers.set(event, handler), registerCommand: () => undefined }, async () => {
    throw new Error("no such package");
  });
  const context = { cwd: folder, sessionManager: { getSessionFile: () => file }, ui: { notify: () => undefined } };
  const messages = [{ role: "compactionSummary", summary: "We work on the refunds." }];
  const changed = await handlers.get("context")?.({ messages }, context as unknown as PiContext);
  for (const line of TOLD) expect(JSON.stringify(changed)).toContain(`- project: ${line}`);
});
