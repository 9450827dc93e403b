// Hooks of a session file that is too long to be read while somebody waits.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let folder: string;
let transcript: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-long-"));
  transcript = join(folder, "session.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Say = (role: "user" | "assistant", text: string) => object;
let count = 0;
const claude: Say = (role, text) => ({
  ...{ type: role, uuid: `u${++count}`, sessionId: "long", cwd: folder, message: { role, content: [{ type: "text", text }] } },
  ...(count > 1 && { parentUuid: `u${count - 1}` }),
});
const codex: Say = (role, text) => {
  const content = [{ type: role === "user" ? "input_text" : "output_text", text }];
  return { type: "response_item", payload: { type: "message", id: `m${++count}`, role, content } };
};
const META = { type: "session_meta", payload: { id: "long", source: "cli" } };

const write = (...records: readonly object[]) =>
  appendFileSync(transcript, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
/** What agents write beside the messages. */
function pad(megabytes: number): void {
  const record = `${JSON.stringify({ type: "event_msg", payload: { type: "item", text: "x".repeat(10_000) } })}\n`;
  for (let left = megabytes; left > 0; left--) appendFileSync(transcript, record.repeat(100));
}

function hook(host: string, event: object) {
  const input = JSON.stringify({ session_id: "long", transcript_path: transcript, cwd: folder, ...event });
  const env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder };
  const { stdout, stderr } = spawnSync(process.execPath, [resolve("dist/cli/main.js"), "hook", host], {
    ...{ cwd: folder, input, encoding: "utf8", env },
  });
  return { stdout, stderr };
}
const START = { hook_event_name: "SessionStart", source: "compact" };
const END = { hook_event_name: "SessionEnd" };

describe.each([
  ["claude-code", claude],
  ["codex", codex],
] as const)("%s", (host, say) => {
  beforeEach(() => {
    if (host === "codex") write(META);
    write(say("user", "Build a CSV parser. Never touch the legacy folder."), say("assistant", "I start."));
  });

  test("its start and its end are read, and it is said how much is not", () => {
    pad(20);
    write(say("user", "Never rename the vendor columns."), say("assistant", "OK."));
    pad(20);
    write(say("user", "The port must be 4317."), say("assistant", "OK."));
    const { stdout, stderr } = hook(host, START);
    for (const said of ["Build a CSV parser", "Never touch the legacy folder.", "port must be 4317"])
      expect(stdout).toContain(said);
    expect(stdout).not.toContain("vendor columns");
    expect(stderr).toMatch(/is long; \d{8} bytes in its middle are not read/);
  });

  test("a rule that was read before is still told when it is in the middle", () => {
    write(say("user", "Never rename the vendor columns."), say("assistant", "OK."));
    hook(host, { hook_event_name: "PreCompact", trigger: "auto" });
    const [first, ...rest] = readFileSync(transcript, "utf8").split(/(?<=\n)/);
    rmSync(transcript);
    appendFileSync(transcript, first ?? "");
    pad(10);
    appendFileSync(transcript, rest.join(""));
    pad(20);
    write(say("user", "The port must be 4317."), say("assistant", "OK."));
    const { stdout } = hook(host, START);
    for (const said of ["Never rename the vendor columns.", "port must be 4317"]) expect(stdout).toContain(said);
  });

  test("the end of the session stores the newest rules, and does not forget those in the middle", () => {
    const rules = () => {
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /rules-[^/]*\.json$/.test(name));
      return files.map((name) => readFileSync(join(folder, name), "utf8")).join();
    };
    write(say("user", "In this repository, never rename the vendor columns."), say("assistant", "OK."));
    hook(host, END);
    expect(rules()).toContain("vendor columns");
    pad(10);
    write(say("user", "In all files, always use tabs."), say("assistant", "OK."));
    expect(hook(host, END).stderr).toContain("is long");
    expect(rules()).toContain("vendor columns");
    expect(rules()).toContain("always use tabs");
  });
});
