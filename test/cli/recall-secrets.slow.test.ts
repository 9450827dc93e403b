// Secrets of many forms in every place of a session: none is in the index, in an answer or in a message.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;

interface Fixture {
  readonly text: readonly string[];
  readonly plain: readonly string[];
}
// A middle dot breaks up what scanners of repositories look for.
const fixture: Fixture = parse(readFileSync("test/fixtures/secrets.yaml", "utf8").replaceAll("·", ""));
const bare = (text: string) => text.replaceAll(/[«»]/g, "");
const secretsIn = (text: string) => Array.from(text.matchAll(/«([^»]*)»/g), ([, secret = ""]) => secret);

let home: string;
let project: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-recall-"));
  project = join(home, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  const file = join(home, ".claude/projects/-shop/c.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  const record = (uuid: string, role: string, content: unknown) => ({
    type: role,
    uuid,
    sessionId: "c",
    cwd: project,
    timestamp: "2026-11-02T10:00:00Z",
    message: { role, content },
  });
  const records = fixture.text.flatMap((marked, index) => {
    const form = bare(marked);
    // In calls, a secret may stand where a long text is cut.
    const long = `${"x ".repeat(140)}${form}`;
    const calls = [{ command: form }, { content: form }, { content: long }, { note: form, path: `/srv/${form}` }];
    return [
      record(`u${index}`, "user", `Deploy number ${index}. We decided to use this:\n${form}\nfor staging.`),
      record(`a${index}`, "assistant", [
        { type: "text", text: form },
        ...calls.map((input, at) => ({ type: "tool_use", id: `t${index}-${at}`, name: at === 0 ? "Bash" : "Write", input })),
      ]),
      record(
        `r${index}`,
        "user",
        calls.map((_, at) => ({ type: "tool_result", tool_use_id: `t${index}-${at}`, content: at % 2 ? long : form })),
      ),
    ];
  });
  writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(...args: readonly string[]): string {
  const env = { PATH: "", NO_COLOR: "1", HOME: home, USERPROFILE: home, BUN_BE_BUN: "1" };
  const { stdout, stderr } = spawnSync(RUNTIME, [resolve("dist/cli/main.js"), ...args], {
    cwd: project,
    encoding: "utf8",
    env,
    maxBuffer: 1e9,
  });
  return stdout + stderr;
}

const AROUND = JSON.stringify(fixture).replaceAll(/«[^»]*»/g, "");
/** As it is or written as a string; half of a long one is one, too. */
function isSeen(secret: string, text: string): boolean {
  const half = Math.ceil(secret.length / 2);
  const halves = half < 8 ? [] : [secret.slice(0, half), secret.slice(half)].filter((one) => !AROUND.includes(one));
  return [secret, ...halves].some((one) => text.includes(one) || text.includes(JSON.stringify(one).slice(1, -1)));
}

test("of more than 200 forms, none is stored or shown", { timeout: 120_000 }, () => {
  expect(fixture.text.length).toBeGreaterThan(200);
  const shown = [
    run("find", "--yes", "--json", "--most", "5000", "deploy staging decided Bash Write srv"),
    run("find", "--most", "5000", "password token secret key export curl"),
    run("decisions", "--all"),
    run("decisions", "--all", "--format", "json"),
    run("show", "c#m1", "--around", "100000", "--json"),
    run("show", "c#m1", "--around", "100000"),
    run("show", "c#m99999"),
  ];
  for (const text of shown.slice(0, 6)) expect(text).toContain("█");
  const state = join(home, ".local/state/compaction-rules");
  const stored = readdirSync(state).map((name) => readFileSync(join(state, name), "utf8"));
  const all = [...shown, ...stored].join("\n");
  const seen = fixture.text.filter((form) => secretsIn(form).some((secret) => isSeen(secret, all)));
  // As everywhere: see test/cli/secrets.slow.test.ts.
  expect(seen).toEqual([]);
});
