import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let home: string;
let project: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-try-test-"));
  project = join(home, "shop");
  write("sessions/one.json", session("Mina owns the till. The ledger belongs to Rashid. We decided to use NATS for PAY-142."));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const session = (text: string) => JSON.stringify({ id: "one", messages: [{ id: "m1", role: "assistant", text }] });

function write(name: string, text: string) {
  const file = join(project, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const run = (args: readonly string[]) =>
  runInside(["try", ...args, "--sessions", "sessions"], {
    cwd: project,
    env: { PATH: process.env.PATH, NO_COLOR: "1", HOME: home, USERPROFILE: home },
  });
const report = async (args: readonly string[] = []) => JSON.parse((await run([...args, "--json"])).stdout);

const pack = (rules: string) => `compaction: 1\nname: team\nrules:\n${rules}`;
const OWNS = '  owner: { emit: note, match: "{who:word} owns {text}" }\n';
const TICKET = '  ticket: { emit: constraint, match: "{text = ... PAY - {n:number} ...}" }\n';

describe("--against", () => {
  const git = (...args: readonly string[]) =>
    spawnSync("git", ["-C", project, "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { encoding: "utf8" });
  const commit = () => {
    git("add", "-A");
    expect(git("commit", "--quiet", "-m", "Rules").status).toBe(0);
  };

  test("lists what the packs of a revision find otherwise, with the packs that they extend", async () => {
    write(".compactionrc", "extends: [compaction:recommended, ./rules/team.yaml]\n");
    write("rules/team.yaml", "compaction: 1\nname: team\nextends: ./owners.yaml\n");
    write("rules/owners.yaml", pack(OWNS));
    git("init", "--quiet");
    commit();
    // The file that the revision extends is gone.
    rmSync(join(project, "rules/owners.yaml"));
    write("rules/team.yaml", pack('  owner: { emit: note, match: "{text} belongs to {who:word}" }\n'));
    const { rules, lost, gained, against } = await report(["--against", "HEAD"]);
    expect(against).toBe("HEAD");
    expect(rules).toMatchObject([{ id: "owner", matches: 1 }]);
    expect(lost).toMatchObject([{ rule: "owner", text: "the till", at: "m1" }]);
    expect(gained).toMatchObject([{ rule: "owner", text: "The ledger", at: "m1" }]);
    expect((await run(["--against", "HEAD"])).stdout).toContain("1 fact found with HEAD, and not now:");
  });

  test("a pack that the revision does not have gains all of its matches", async () => {
    git("init", "--quiet");
    commit();
    write("team.yaml", pack(TICKET));
    const { lost, gained } = await report(["team.yaml", "--against", "HEAD"]);
    expect(lost).toMatchObject([{ kind: "decision", instead: { rule: "ticket" } }]);
    expect(gained).toMatchObject([{ rule: "ticket" }]);
  });

  test.each(["nosuch", "--output=x"])("says that there is no revision %s", async (revision) => {
    write("team.yaml", pack(TICKET));
    git("init", "--quiet");
    commit();
    const { exit, stderr } = await run(["team.yaml", `--against=${revision}`]);
    expect(exit).toBe(2);
    expect(stderr).toContain(`git knows no revision "${revision}"`);
  });
});

describe("what is known of a session", () => {
  const stored = () => join(home, ".local/state/compaction-rules/try.json");

  test("is used again while the session and the packs are the same, and only then", async () => {
    write("team.yaml", pack(OWNS));
    const first = await report(["team.yaml"]);
    expect(first.rules).toMatchObject([{ matches: 1 }]);
    // Whoever reads it again finds what was put there.
    writeFileSync(stored(), readFileSync(stored(), "utf8").replaceAll("the till", "the TILL"));
    expect((await report(["team.yaml"])).rules[0].places).toMatchObject([{ text: "the TILL" }]);
    write("sessions/one.json", session("Mina owns the shop."));
    expect((await report(["team.yaml"])).rules[0].places).toMatchObject([{ text: "the shop" }]);
    write("team.yaml", pack('  owner: { emit: finding, match: "{who:word} owns {text}" }\n'));
    expect((await report(["team.yaml"])).rules).toMatchObject([{ kind: "finding", places: [{ text: "the shop" }] }]);
  });

  test("is stored only for the user, and is not needed", async () => {
    write("team.yaml", pack(OWNS));
    const first = await run(["team.yaml"]);
    expect(statSync(stored()).mode & 0o077).toBe(0);
    for (const damaged of ["{", '{"version":1,"sessions":[1]}']) {
      writeFileSync(stored(), damaged);
      expect(await run(["team.yaml"]), damaged).toEqual(first);
    }
  });
});

test("--since takes a day, or a number of days", async () => {
  write("team.yaml", pack(OWNS));
  write("sessions/two.json", session("Rashid owns the ledger."));
  utimesSync(join(project, "sessions/two.json"), new Date("2026-01-02"), new Date("2026-01-02"));
  expect((await report(["team.yaml", "--since", "2026-01-01"])).sessions).toBe(2);
  expect((await report(["team.yaml", "--since", "2026-01-03"])).sessions).toBe(1);
  expect((await report(["team.yaml", "--since", "9d"])).sessions).toBe(1);
  expect((await run(["team.yaml", "--since", "soon"])).exit).toBe(2);
});

test("secrets are masked, also in calls", async () => {
  const key = `sk-ant-${"a1B2".repeat(12)}`;
  const call = { name: "Bash", input: { command: `deploy --key ${key}` }, output: "" };
  const message = { id: "m1", role: "assistant", text: `Mina owns ${key}.`, toolCalls: [call] };
  write("sessions/one.json", JSON.stringify({ id: "one", messages: [message] }));
  write("team.yaml", `${pack(OWNS)}guards:\n  deploy: { on: { command: deploy }, then: tell, say: Ask first. }\n`);
  const { stdout } = await run(["team.yaml", "--json"]);
  expect(JSON.parse(stdout).rules).toMatchObject([{ matches: 1 }, { id: "guard:deploy", matches: 1 }]);
  expect(stdout).not.toContain(key);
});
