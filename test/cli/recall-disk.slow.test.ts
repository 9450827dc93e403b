// An index on a disk that is full. Needs a user who may mount a small one.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const home = mkdtempSync(join(tmpdir(), "compaction-disk-"));
const disk = join(home, "disk");
mkdirSync(disk);
const canMount = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).status === 0;
afterAll(() => {
  if (canMount) spawnSync("umount", [disk]);
  rmSync(home, { recursive: true, force: true });
});

const project = join(home, "shop");
const sessions = join(home, ".claude/projects/-shop");
for (const path of [join(project, ".git"), sessions]) mkdirSync(path, { recursive: true });

function write(session: string, text: string): void {
  const lines = Array.from({ length: 60 }, (_, number) => ({
    type: "user",
    uuid: `${session}-${number}`,
    sessionId: session,
    cwd: project,
    timestamp: "2026-11-02T10:00:00Z",
    message: { role: "user", content: number === 0 ? text : `Line ${number} of ${session} ${"says a lot ".repeat(20)}.` },
  }));
  writeFileSync(join(sessions, `${session}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function find(query: string) {
  const env = { PATH: "", NO_COLOR: "1", HOME: home, USERPROFILE: home, XDG_STATE_HOME: disk, BUN_BE_BUN: "1" };
  const args = [resolve("dist/cli/main.js"), "find", "--yes", "--most", "1", query];
  const { status, stdout, stderr } = spawnSync(RUNTIME, args, { cwd: project, encoding: "utf8", env });
  return { status, stdout, stderr };
}

test.skipIf(!canMount)("what is indexed still answers, the message says why, and with room the rest follows", () => {
  write("first", "Never rename the kestrel table.");
  expect(find("kestrel")).toMatchObject({ status: 0, stderr: "" });
  for (let session = 0; session < 30; session++) write(`s${session}`, `The heron${session} queue is never purged.`);
  for (let time = 0; time < 3; time++) {
    const { status, stdout, stderr } = find("kestrel");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("kestrel table") });
    expect(stderr).toMatch(/cannot be written[\s\S]*is the disk full/);
  }
  // Not a byte is left: the lock cannot be written.
  spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "rest")}`, "bs=1k", "count=2000"]);
  const { status, stderr } = find("kestrel");
  expect(status).toBe(2);
  expect(stderr).toMatch(/cannot be written[\s\S]*is the disk full/);
  expect(stderr).not.toContain("a bug");
  rmSync(join(disk, "rest"));
  spawnSync("mount", ["-o", "remount,size=50m", disk]);
  for (const session of [0, 15, 29]) expect(find(`heron${session}`)).toMatchObject({ status: 0, stderr: "" });
  expect(find("kestrel").stdout).toContain("kestrel table");
});
