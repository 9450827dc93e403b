// A team's store on a real server: what is found, by whom, and what never leaves a machine.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createMachine, type Machine, resultsOf } from "./machine.js";
import { findServer, type Server, startServer } from "./server.mjs";

let server: Server;
let ann: Machine;
let bob: Machine;
beforeAll(() => {
  server = startServer();
});
afterAll(() => server.remove());
beforeEach(() => {
  ann = createMachine(server.url);
  // The same repository, cloned in another way into a folder of another name.
  bob = createMachine(server.url, "https://bob:t0ken-of-bob@git.example.com/acme/shop", "shop-2");
});
afterEach(() => {
  for (const machine of [ann, bob]) machine.remove();
  psql("drop table if exists compaction_passages, compaction_files, compaction_sessions, compaction_plain, compaction_version");
});

const psql = (sql: string) => server.query(sql);
const count = (table: string) => Number(psql(`select count(*) from compaction_${table}`));

const talk = (machine: Machine) =>
  machine.write(
    "c",
    machine.record("c", "Which database should hold the events? Never touch the legacy folder."),
    machine.record("c", "We decided to use SQLite for events because it needs no server.", "assistant"),
    machine.record("c", "I run the integration tests now.", "assistant", [
      { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm run test:integration -- --bail" } },
    ]),
  );
const settings = (machine: Machine, text: string) => {
  const file = join(machine.home, ".config/compaction-rules/config.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const NO_STORE = { COMPACTION_RECALL_STORE: undefined };

describe("one machine writes, another reads", () => {
  test("find names who said it, where and on which machine", () => {
    talk(ann);
    expect(ann.find("SQLite events")[0]).toMatchObject({ kind: "decision", place: "c#m2", status: "active" });
    const [first] = bob.find("Why did we decide to use SQLite without a server?");
    expect(first).toMatchObject({ kind: "decision", place: "c#m2", from: expect.stringMatching(/.@./) });
    expect(bob.find("which command ran the integration tests", "--kind", "run")[0]?.text).toContain("test:integration");
    expect(bob.find("src/zeppelin.ts")).toEqual([]);
    expect(bob.run(["find", "SQLite", "server"]).stdout).toMatch(/^decision {2}assistant {2}2026-11-02 {2}c#m2 {2}\S+@\S+\n/);
  });

  test("decisions and show work without the session's file", () => {
    talk(ann);
    ann.find("events");
    expect(bob.run(["decisions"]).stdout).toContain("- We decided to use SQLite for events");
    const { stdout, status } = bob.run(["show", "c#m2"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/message +m1 by user[^\n]*\n> Which database/);
    expect(stdout).toContain("> We decided to use SQLite for events");
    expect(stdout).toMatch(/message +m3 by assistant[\s\S]*calls +Bash/);
    expect(ann.run(["show", "c#m2"]).stdout).toContain("We decided to use SQLite");
    expect(bob.run(["show", "nobody#m1"])).toMatchObject({ status: 2, stderr: expect.stringContaining("no known session") });
  });

  test("paths, names and words with marks are found by their parts", () => {
    ann.write("p", ann.record("p", "The fault is in src/cache/lru_store.ts, it's the `evict()` of L'Étage\u0000."));
    ann.find("fault");
    for (const words of ["lru_store", "src/cache/lru_store.ts", "evict", "étage"]) expect(bob.find(words), words).toHaveLength(1);
  });

  test("another project sees nothing of it, and one without a remote is known by its folder's name", () => {
    talk(ann);
    ann.find("events");
    const other = createMachine(server.url, "git@git.example.com:acme/other.git");
    const [here, there] = [createMachine(server.url, "", "notes"), createMachine(server.url, "", "notes")];
    expect(other.find("events")).toEqual([]);
    here.write("n", here.record("n", "Never rename the kestrel table."));
    expect(here.find("kestrel")).toHaveLength(1);
    expect(there.find("kestrel")).toHaveLength(1);
    for (const machine of [other, here, there]) machine.remove();
  });
});

describe("the same session on two machines", () => {
  test("is there once; the longer copy counts, and a copy that is gone does not remove it", () => {
    talk(ann);
    copyFileSync(ann.fileOf("c"), bob.fileOf("c"));
    writeFileSync(bob.fileOf("c"), readFileSync(bob.fileOf("c"), "utf8").replaceAll(ann.project, bob.project));
    ann.find("events");
    const before = count("passages");
    bob.find("events");
    expect([count("sessions"), count("files"), count("passages")]).toEqual([1, 2, before]);
    bob.append(
      "c",
      bob.record("c", "The zebra job must run at night, without exception, and it must say what it has done in the log."),
    );
    expect(bob.find("zebra")).toHaveLength(1);
    // A change of time makes the first machine read its shorter copy again.
    ann.append("c", "\n");
    expect(ann.find("zebra")).toHaveLength(1);
    rmSync(ann.fileOf("c"));
    expect(ann.find("zebra")).toHaveLength(1);
    rmSync(bob.fileOf("c"));
    expect(bob.find("zebra")).toEqual([]);
    expect([count("sessions"), count("files"), count("passages")]).toEqual([0, 0, 0]);
  });

  test("is replaced when it is read again, even if it is shorter now", () => {
    talk(ann);
    ann.find("events");
    ann.write("c", ann.record("c", "Only the zebra is left."));
    expect(ann.find("events")).toEqual([]);
    expect(ann.find("zebra")).toHaveLength(1);
    expect(count("sessions")).toBe(1);
  });
});

test("a session of another project is not sent, even if it mentions this one", () => {
  talk(ann);
  const other = join(ann.home, "private");
  mkdirSync(join(other, ".git"), { recursive: true });
  const said = ann
    .record("x", `Unlike in ${ann.project}, the zebra is mine.`)
    .replace(`"cwd":"${ann.project}"`, `"cwd":"${other}"`);
  ann.write("x", said);
  expect(ann.find("zebra")).toEqual([]);
  expect(psql("select string_agg(session, ',') from compaction_sessions")).toBe("c");
  // Not even its file is named, until its own project is searched.
  expect(psql("select count(*) from compaction_files")).toBe("1");
  expect(ann.find("zebra", "--project", other)).toHaveLength(1);
  expect(psql("select project from compaction_sessions where session = 'x'")).toBe("private");
  expect(ann.find("zebra")).toEqual([]);
});

test("five machines that start with an empty database at once make its tables once", async () => {
  const machines = Array.from({ length: 5 }, (_, number) => {
    const machine = createMachine(server.url);
    machine.write(`s${number}`, machine.record(`s${number}`, `Never rename the kestrel${number} table.`));
    return machine;
  });
  const all = await Promise.all(machines.map((machine, number) => resultsOf(machine.start(`kestrel${number}`))));
  for (const [number, results] of all.entries()) expect(results[0]?.text).toContain(`kestrel${number}`);
  expect(psql("select * from compaction_version")).toBe("1");
  psql("update compaction_version set version = 99");
  expect(ann.run(["find", "kestrel1"])).toMatchObject({ status: 2, stderr: expect.stringContaining("update compaction-rules") });
  for (const machine of machines) machine.remove();
});

describe("a server that cannot be used is told within seconds, without the password", () => {
  const cases: Readonly<Record<string, (url: string) => string>> = {
    "cannot be reached": (url) => `${url}/nowhere`,
    "refuses the login": (url) => url.replace("team:", "team:wrong-"),
    "has no such database": (url) => url.replace("/postgres?", "/nobody?"),
    "cannot be read|cannot be reached": (url) => url.replace("@/", "@[bad/"),
  };
  test.each(Object.entries(cases))("%s", (message, change) => {
    talk(ann);
    const began = Date.now();
    const { status, stdout, stderr } = ann.run(["find", "events"], { COMPACTION_RECALL_STORE: change(server.url) });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(message));
    expect(stderr).toContain("→");
    expect(stderr).not.toContain(server.password);
    expect(stderr).not.toContain("a bug");
    expect(Date.now() - began).toBeLessThan(8_000);
  });

  test("it holds a lock for too long", () => {
    talk(ann);
    ann.find("events");
    const holder = spawnSync(
      "sh",
      [
        "-c",
        `(${join(findServer() ?? "", "psql")} -X -q -c "begin; lock table compaction_sessions; select pg_sleep(14)" >/dev/null 2>&1 &) ; sleep 1`,
      ],
      {
        env: { ...process.env, ...server.environment },
      },
    );
    expect(holder.status).toBe(0);
    const began = Date.now();
    expect(ann.run(["find", "events"])).toMatchObject({ status: 2, stderr: expect.stringContaining("takes too long") });
    expect(Date.now() - began).toBeLessThan(13_000);
    expect(ann.find("events").length).toBeGreaterThan(0);
  });
});

describe("where the store is named", () => {
  test("the user's own settings name it, and agree by that", () => {
    talk(ann);
    settings(ann, `recall: { store: "${server.url}" }\n`);
    expect(ann.run(["find", "events"], NO_STORE).status).toBe(0);
    expect(count("sessions")).toBe(1);
    settings(ann, "recall: off\n");
    expect(ann.run(["find", "events"], NO_STORE)).toMatchObject({ status: 2, stderr: expect.stringContaining("switched off") });
    settings(ann, "recall: on\n");
    expect(ann.run(["find", "events"], NO_STORE).status).toBe(0);
  });

  test("a project cannot name it, and what it names is not contacted or shown", () => {
    talk(ann);
    const project = join(ann.project, ".compactionrc");
    writeFileSync(project, `recall: { store: "${server.url}" }\n`);
    for (const args of [["validate"], ["find", "events"], ["config"], ["validate", "--reporter", "json"]]) {
      const { status, stdout, stderr } = ann.run(args, NO_STORE);
      expect(status, args.join(" ")).toBe(args[0] === "validate" ? 1 : 2);
      expect(stdout + stderr).toContain("a project may not say where sessions are stored");
      expect(stdout + stderr).toContain("config.yaml");
      expect(stdout + stderr).not.toContain(server.password);
    }
    expect(psql("select to_regclass('compaction_sessions') is null")).toBe("t");
    writeFileSync(project, "recall: on\n");
    expect(ann.run(["find", "events"], NO_STORE)).toMatchObject({ status: 2, stderr: expect.stringContaining("recall is off") });
    writeFileSync(project, "recall: off\n");
    expect(ann.run(["find", "events"])).toMatchObject({ status: 2, stderr: expect.stringContaining("switched off") });
  });

  test("no output has its password", () => {
    talk(ann);
    settings(ann, `recall: { store: "${server.url}" }\n`);
    const shown = [
      ["config"],
      ["config", "--json"],
      ["config", "recall"],
      ["validate"],
      ["find", "events"],
      ["find", "--json", "events"],
      ["decisions"],
      ["show", "c#m1"],
      ["doctor"],
      ["state", "list"],
    ].map((args) => ann.run(args, NO_STORE));
    settings(ann, `recall: { stor: "${server.url}" }\n`);
    const faulty = [["config"], ["validate"], ["find", "events"]].map((args) => ann.run(args, NO_STORE));
    settings(ann, `recall: ${server.url}\n`);
    const misplaced = [["config"], ["validate", "--reporter", "github"]].map((args) => ann.run(args, NO_STORE));
    for (const { stdout, stderr } of [...shown, ...faulty, ...misplaced]) expect(stdout + stderr).not.toContain(server.password);
    expect(shown[0]?.stdout).toContain("postgres://team@/postgres");
  });
});

describe("what others write into the store", () => {
  const KEY = `ghp_${"0123456789abcdefghij".repeat(2)}`;

  test("names no file that is read: only sessions that an agent keeps here are", () => {
    talk(ann);
    ann.find("events");
    const own = join(ann.home, "private.jsonl");
    writeFileSync(own, ann.record("c", "My letter to the doctor."));
    psql(`update compaction_files set path = '${own}'`);
    const call = spawnSync(process.execPath, [resolve("dist/cli/main.js"), "mcp", "--call", "show"], {
      cwd: ann.project,
      encoding: "utf8",
      input: JSON.stringify({ place: "c#m1" }),
      env: { PATH: "", HOME: ann.home, COMPACTION_RECALL_STORE: server.url },
    });
    for (const stdout of [call.stdout, ann.run(["show", "c#m1"]).stdout]) {
      expect(stdout).toContain("> Which database");
      expect(stdout).not.toContain("doctor");
    }
  });

  test("is masked as what is read here", () => {
    talk(ann);
    ann.find("events");
    psql(
      `update compaction_passages set own = own || ' Token: ${KEY}', near = '${KEY} ' || near, reason = '${KEY}', by = '${KEY}'`,
    );
    for (const args of [["find", "SQLite"], ["find", "SQLite", "--json"], ["show", "c#m2"], ["decisions"]]) {
      const { stdout } = bob.run(args);
      expect(stdout).toContain("SQLite");
      expect(stdout).toContain("████");
      expect(stdout).not.toContain(KEY);
    }
  });
});

test("no secret is sent, not even one in the address of the repository", () => {
  const token = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
  bob.write("c", bob.record("c", `Use the token ${token} for the upload.`));
  expect(bob.find("token upload")[0]?.text).toContain("upload");
  const all = spawnSync(join(findServer() ?? "", "pg_dump"), ["--inserts"], {
    encoding: "utf8",
    env: { ...process.env, ...server.environment },
  }).stdout;
  expect(all).toContain("git.example.com/acme/shop");
  expect(all).not.toContain(token);
  expect(all).not.toContain("t0ken-of-bob");
});
