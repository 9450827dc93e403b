// A machine of the team: a home folder, a clone of the project and sessions of an agent.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Result {
  readonly text: string;
  readonly place: string;
  readonly kind: string;
  readonly from?: string;
  readonly status: string;
}

export type Machine = ReturnType<typeof createMachine>;

/** @param remote where the project was cloned from */
export function createMachine(store: string, remote = "git@git.example.com:acme/shop.git", folder = "shop") {
  const home = mkdtempSync(join(tmpdir(), "compaction-machine-"));
  const project = join(home, "work", folder);
  const sessions = join(home, ".claude/projects/-shop");
  for (const path of [join(project, ".git"), sessions]) mkdirSync(path, { recursive: true });
  if (remote !== "")
    writeFileSync(join(project, ".git/config"), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${remote}\n`);
  const env = { PATH: "", NO_COLOR: "1", HOME: home, USERPROFILE: home, COMPACTION_RECALL_STORE: store };
  const command = (args: readonly string[]) => [resolve("dist/cli/main.js"), ...args];
  const record = (session: string, text: string, role: "user" | "assistant" = "user", calls: readonly object[] = []) =>
    `${JSON.stringify({
      type: role,
      uuid: randomUUID(),
      sessionId: session,
      cwd: project,
      timestamp: "2026-11-02T10:00:00Z",
      message: { role, content: [{ type: "text", text }, ...calls] },
    })}\n`;
  const run = (args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, command(args), {
      cwd: project,
      encoding: "utf8",
      env: { ...env, ...more },
    });
    return { status, stdout, stderr };
  };
  return {
    home,
    project,
    record,
    fileOf: (session: string) => join(sessions, `${session}.jsonl`),
    write: (session: string, ...said: readonly string[]) => writeFileSync(join(sessions, `${session}.jsonl`), said.join("")),
    append: (session: string, ...said: readonly string[]) => appendFileSync(join(sessions, `${session}.jsonl`), said.join("")),
    run,
    find: (...args: readonly string[]): readonly Result[] => {
      const { stdout, stderr } = run(["find", "--json", ...args]);
      if (stdout === "") throw new Error(stderr);
      return JSON.parse(stdout).results;
    },
    start: (...args: readonly string[]) =>
      spawn(process.execPath, command(["find", "--json", ...args]), { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The results of a started command. */
export async function resultsOf(child: ChildProcess): Promise<readonly Result[]> {
  let out = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  await once(child, "close");
  if (out === "") throw new Error(errors);
  return JSON.parse(out).results;
}
