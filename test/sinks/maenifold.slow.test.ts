import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type SinkOutcome, writeNote, writeToSinks } from "../../src/sinks/index.js";
import { writeMemory } from "../../src/sinks/maenifold.js";
import { noteOf } from "./note.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-memory-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const note = noteOf("ses_0001abcdefgh");
const environment = { PATH: dirname(process.execPath) };
const SUCCESS = `console.log(JSON.stringify({ success: true, data: { uri: "memory://x" }, error: null }));`;

/** A program that stands in for the memory command. */
function program(code: string, { name = "bin/maenifold", mode = 0o755 } = {}): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!${process.execPath}\n${code}\n`);
  chmodSync(file, mode);
  return file;
}

const write = (command?: string, milliseconds = 10_000) =>
  writeMemory(note, command === undefined ? {} : { command }, { environment, milliseconds });

const failure = (level: string, message: string | RegExp) => ({ ok: false, level, message: expect.stringMatching(message) });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has collected yet is dead.
    return !/\) Z /.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "");
  } catch {
    return false;
  }
}

/** Bytes of buffers that somebody still holds. */
function held(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers;
}

async function expectDead(file: string): Promise<void> {
  const pid = Number(readFileSync(file, "utf8"));
  expect(pid).toBeGreaterThan(1);
  for (let tries = 0; isAlive(pid) && tries < 40; tries++) await new Promise((done) => setTimeout(done, 50));
  expect(isAlive(pid)).toBe(false);
}

describe("what the command is told", () => {
  test("the tool, the note as JSON, and to answer in JSON", async () => {
    const file = program(
      `require("fs").writeFileSync(${JSON.stringify(join(folder, "args"))}, JSON.stringify(process.argv.slice(2)));${SUCCESS}`,
    );
    expect(await write(file)).toEqual({ ok: true, uri: "memory://x" });
    const [tool, name, flag, payload, ...rest] = JSON.parse(readFileSync(join(folder, "args"), "utf8"));
    expect([tool, name, flag, rest]).toEqual(["--tool", "WriteMemory", "--payload", ["--json"]]);
    expect(JSON.parse(payload)).toEqual({
      title: "Compaction: demo 2026-01-28 abcdefgh-1",
      content: note.text,
      folder: "sessions/compaction/2026/01/28",
      tags: ["compaction", "session", "demo"],
    });
  });

  test("characters that a shell, an argument or an encoding would trip over", async () => {
    const file = program(`console.log(JSON.stringify({ success: true, data: { uri: JSON.parse(process.argv[5]).content } }));`);
    const text = "$(touch x) `id` \"'\\ \u0000 \uD800 %PATH% 😀\n--json\n";
    expect(await writeMemory({ text, store: { title: "t", tags: [] } }, { command: file }, { environment })).toEqual({
      ok: true,
      uri: text,
    });
  });

  test("nothing when it would be more than 100 KB, counted as bytes", async () => {
    const file = program(`require("fs").writeFileSync(${JSON.stringify(join(folder, "ran"))}, "");${SUCCESS}`);
    const send = (text: string) => writeMemory({ text, store: { title: "t", tags: [] } }, { command: file }, { environment });
    expect(await send("é".repeat(50_000))).toEqual(failure("warn", "100036 bytes"));
    expect(existsSync(join(folder, "ran"))).toBe(false);
    expect(await send("é".repeat(49_900))).toMatchObject({ ok: true });
  });

  test("nothing when there is nothing, or no title", async () => {
    expect(await writeMemory({ text: "\n", store: { title: "t", tags: [] } }, {})).toEqual(failure("debug", "nothing"));
    expect(await writeMemory({ text: "a" }, {})).toEqual(failure("warn", "title"));
  });
});

describe("what its answer means", () => {
  const refusal = `console.log(JSON.stringify({ success: false, data: null, error: { code: "VALIDATION_ERROR", message: "no\\n\\u001b[31mlink" } }));`;
  const cases: readonly [string, string, unknown][] = [
    ["success:false with exit 0 is a failure", refusal, failure("warn", /VALIDATION_ERROR: no \[31mlink$/)],
    ["success:true with exit 1 is a success", `${SUCCESS}process.exitCode = 1;`, { ok: true, uri: "memory://x" }],
    ["success:true without a uri", `console.log('{"success":true}')`, { ok: true }],
    ["success:'true' is none", `console.log('{"success":"true"}')`, failure("error", "JSON")],
    ["exit 1 and silence", "process.exit(1)", failure("error", "JSON: nothing")],
    ["exit 1 and a word on stderr", `console.error("no database"); process.exit(1)`, failure("error", "no database")],
    ["garbage", `process.stdout.write(Buffer.from([0xff, 0xfe, 0, 123, 27]))`, failure("error", "JSON")],
    ["plain text that says it was written", `console.log("Created memory FILE: memory://x")`, failure("error", "Created memory")],
    ["an answer that is cut off", `console.log('{"success": true, "da')`, failure("error", "JSON")],
    ["null", `console.log("null")`, failure("error", "JSON")],
    ["no reason", `console.log('{"success":false,"error":"odd"}')`, failure("warn", "no reason")],
    [
      "an answer among lines of a log",
      `console.log("[info] starting"); ${SUCCESS} console.log("[info] done")`,
      { ok: true, uri: "memory://x" },
    ],
    ["an answer over several lines", `console.log(JSON.stringify({ success: true }, null, 2))`, { ok: true }],
    ["death by a signal", `process.kill(process.pid, "SIGKILL")`, failure("error", "JSON")],
  ];
  test.each(cases)("%s", async (_, code, expected) => {
    expect(await write(program(code))).toEqual(expected);
  });

  test("is unknown when it prints 10 MB, which do not fill memory", async () => {
    const flood = `const flood = "x".repeat(1e6); const fs = require("fs");
      for (let i = 0; i < 10; i++) for (const pipe of [1, 2]) for (let at = 0; at < flood.length; ) {
        try { at += fs.writeSync(pipe, flood.slice(at)); } catch (error) { if (error.code !== "EAGAIN") throw error; }
      }`;
    const before = held();
    const outcome = await write(program(`${flood}${SUCCESS}`));
    expect(outcome).toEqual(failure("error", /great length: x{199}…$/));
    // Others in this process use memory too: half of what was printed tells whether it was kept. It is freed by a thread of its own.
    await vi.waitFor(() => expect(held() - before).toBeLessThan(10_000_000));
  });

  test("a child that it leaves behind with the pipes does not hold us up", async () => {
    const left = `const child = require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "inherit" });
      require("fs").writeFileSync(${JSON.stringify(join(folder, "pid"))}, String(child.pid)); child.unref(); ${SUCCESS}`;
    const begun = Date.now();
    expect(await write(program(left), 1_500)).toEqual({ ok: true, uri: "memory://x" });
    expect(Date.now() - begun).toBeLessThan(30_000);
    process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
  });
});

describe("what hangs is ended", () => {
  const hang = "setInterval(() => {}, 1000);";
  const tellPid = (file: string) => `require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));`;

  test("after 5 s unless told otherwise", async () => {
    const begun = Date.now();
    const file = join(folder, "pid");
    const command = program(`${tellPid(file)} ${hang}`);
    expect(await writeMemory(note, { command }, { environment })).toEqual(failure("error", "more than 5000 ms"));
    expect(Date.now() - begun).toBeGreaterThanOrEqual(5_000);
    expect(Date.now() - begun).toBeLessThan(6_500);
    await expectDead(file);
  });

  test("also when it ignores being asked", async () => {
    const file = join(folder, "pid");
    const command = program(`${tellPid(file)} process.on("SIGTERM", () => {}); ${hang}`);
    expect(await write(command, 1_500)).toEqual(failure("error", "1500 ms"));
    await expectDead(file);
  });

  test("after it has said that all is well, when it prints without end", async () => {
    const file = join(folder, "pid");
    const command = program(`${tellPid(file)} ${SUCCESS} setInterval(() => console.log("x".repeat(1e5)), 1);`);
    expect(await write(command, 1_000)).toEqual({ ok: true, uri: "memory://x" });
    await expectDead(file);
  });

  test("when the host ends before it", async () => {
    const file = join(folder, "pid");
    const command = program(`${tellPid(file)} ${hang}`);
    const host = `import { existsSync, statSync } from "node:fs"; import { writeMemory } from ${JSON.stringify(resolve("dist/sinks/maenifold.js"))};
      writeMemory({ text: "a", store: { title: "t", tags: [] } }, { command: ${JSON.stringify(command)} });
      setInterval(() => existsSync(${JSON.stringify(file)}) && statSync(${JSON.stringify(file)}).size > 0 && process.exit(0), 20);`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", host], { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["", ""]);
    await expectDead(file);
  });
});

describe("where the command is found", () => {
  const answering = (uri: string, name: string) =>
    program(`console.log(JSON.stringify({ success: true, data: { uri: "${uri}" } }));`, { name });
  const search = (variables: NodeJS.ProcessEnv, command?: string) =>
    writeMemory(note, command === undefined ? {} : { command }, { environment: variables });
  const uri = (outcome: SinkOutcome) => (outcome.ok ? outcome.uri : outcome.message);

  test("as configured, then in MAENIFOLD_ROOT, then on the PATH", async () => {
    const configured = answering("configured", "own/memory");
    answering("root", "root/bin/maenifold");
    answering("path", "path/maenifold");
    const variables = { MAENIFOLD_ROOT: join(folder, "root"), PATH: `::.:bin:${join(folder, "none")}:${join(folder, "path")}` };
    expect(uri(await search(variables, configured))).toBe("configured");
    expect(uri(await search(variables))).toBe("root");
    expect(uri(await search({ ...variables, MAENIFOLD_ROOT: join(folder, "root/bin/maenifold") }))).toBe("root");
    expect(uri(await search({ ...variables, MAENIFOLD_ROOT: join(folder, "data") }))).toBe("path");
    expect(uri(await search({ ...variables, MAENIFOLD_ROOT: "root" }))).toBe("path");
  });

  test("nowhere", async () => {
    expect(await search({})).toEqual(failure("warn", "neither in MAENIFOLD_ROOT nor on the PATH"));
    const there = answering("path", "path/maenifold");
    expect(await search({ PATH: dirname(there) }, join(folder, "gone"))).toEqual(failure("warn", "gone is not there"));
  });

  test("not among the programs of a project, which npm puts on the PATH", async () => {
    const path = dirname(answering("evil", "project/node_modules/.bin/maenifold"));
    expect(await search({ PATH: path })).toEqual(failure("warn", "neither in MAENIFOLD_ROOT nor on the PATH"));
  });

  test("through a link, under the name that it was found by", async () => {
    const real = program(SUCCESS, { name: "cellar/real" });
    mkdirSync(join(folder, "path"));
    symlinkSync(real, join(folder, "path/maenifold"));
    expect(await search({ PATH: join(folder, "path") })).toMatchObject({ ok: true });
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
    expect(await search({}, join(folder, "dangling"))).toEqual(failure("warn", "is not there"));
  });

  test("not when it is a folder, may not be executed, or is no program", async () => {
    mkdirSync(join(folder, "path/maenifold"), { recursive: true });
    const next = answering("next", "next/maenifold");
    expect(uri(await search({ PATH: `${join(folder, "path")}:${dirname(next)}` }))).toBe("next");
    expect(await search({}, join(folder, "path"))).toEqual(failure("warn", "not a file"));
    expect(await search({}, program(SUCCESS, { name: "flat", mode: 0o644 }))).toEqual(failure("warn", "may not be executed"));
    writeFileSync(join(folder, "lost"), "#!/no/such/interpreter\n", { mode: 0o755 });
    expect(await search({}, join(folder, "lost"))).toEqual(failure("warn", "cannot be started"));
    expect(await search({}, `${folder}/a\u0000b`)).toEqual(failure("warn", "cannot be looked at"));
  });
});

test("a sink that fails keeps nothing from the other, and none is used that is not configured", async () => {
  const outcomes = await writeToSinks(note, { notes: { folder }, maenifold: { command: join(folder, "gone") } });
  expect(outcomes).toMatchObject([
    { sink: "notes", ok: true },
    { sink: "maenifold", ok: false, level: "warn" },
  ]);
  expect(await writeToSinks(note, {})).toEqual([]);
  expect(await writeNote(note, { folder })).toMatchObject({ ok: true });
});
