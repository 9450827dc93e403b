// docs/scale.md as it is written, on 5,000 sessions, with a worker that is killed half way.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findServer, type Server, startServer } from "./server.mjs";

const SESSIONS = 5_000;
const blocks = Array.from(
  readFileSync("docs/scale.md", "utf8").matchAll(/^```(\w+)(?: title="([^"]+)")?\n([\s\S]*?)^```/gm),
  ([, language, title, text = ""]) => ({ language, title, text }),
);
const [prepareAndMap = "", load = "", check = ""] = blocks.filter(({ language }) => language === "text").map(({ text }) => text);
const [prepare, map] = [prepareAndMap.split("\n").slice(0, 2).join("\n"), prepareAndMap.split("\n").slice(2).join("\n")];
// Without GNU parallel, the page's other way.
const hasParallel = spawnSync("parallel", ["--version"]).status === 0;
const mapping = hasParallel ? map : "ls batches/* | xargs -P 2 -n 1 sh map.sh";

let folder: string;
let server: Server;
beforeAll(() => {
  server = startServer();
  folder = mkdtempSync(join(tmpdir(), "compaction-scale-"));
  mkdirSync(join(folder, "bin"));
  const program = `#!/bin/sh\nshift\nexec ${process.execPath} ${resolve("dist/cli/main.js")} "$@"\n`;
  writeFileSync(join(folder, "bin/npx"), program, { mode: 0o755 });
  writeFileSync(join(folder, "hosts.txt"), "2/:\n");
  for (const { title, text } of blocks) if (title) writeFileSync(join(folder, title), text);
  for (let number = 0; number < SESSIONS; number++) {
    const place = join(folder, "sessions", `day ${number % 20}`);
    if (number < 20) mkdirSync(place, { recursive: true });
    const messages = [
      { id: "1", role: "user", text: `Add a cache to importer ${number}.` },
      {
        id: "2",
        role: "assistant",
        text: `We decided to use Redis ${number} for the "cache" in C:\\new, because it's fast.\u0000`,
      },
    ];
    writeFileSync(join(place, `${number}.json`), JSON.stringify({ id: `s${number}`, messages }));
  }
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  server.remove();
}, 60_000);

const env = () => ({
  ...process.env,
  ...server.environment,
  PATH: `${join(folder, "bin")}:${findServer()}:${process.env.PATH}`,
  HOME: folder,
});

function shell(script: string): string {
  const { stdout, stderr, status } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    env: env(),
  });
  if (status !== 0) throw new Error(`${script}\n${stderr}`);
  return stdout.trim();
}
const done = () => readdirSync(join(folder, "results")).filter((name) => name.endsWith(".jsonl")).length;

test(`every session once, by ${hasParallel ? "parallel" : "xargs"}, although a worker is killed`, {
  timeout: 240_000,
}, async () => {
  shell(prepare);
  const batches = readdirSync(join(folder, "batches")).length;
  expect(batches).toBe(SESSIONS / 250);
  const work = spawn("bash", ["-c", mapping], { cwd: folder, env: env(), stdio: "ignore" });
  const closed = once(work, "close");
  while (done() < batches / 2) await new Promise((wait) => setTimeout(wait, 50));
  // One of the processes that read sessions; between two batches there may be none for a moment.
  let worker: string | undefined;
  while (!worker && done() < batches) {
    worker = readdirSync("/proc").find((id) => /^\d+$/.test(id) && isWorker(id));
    if (!worker) await new Promise((wait) => setTimeout(wait, 10));
  }
  expect(worker).toBeDefined();
  process.kill(Number(worker), "SIGKILL");
  const [status] = await closed;
  expect(status).not.toBe(0);
  expect(done()).toBe(batches - 1);
  shell(load);
  expect(Number(shell('psql -X -A -t -c "select count(*) from session_results"'))).toBe(SESSIONS - 250);
  shell(mapping);
  shell(load);
  shell(load);
  expect(shell(check).split("\n")).toEqual([String(SESSIONS), String(SESSIONS)]);
  expect(shell('psql -X -A -t -c "select count(distinct session) from session_results"')).toBe(String(SESSIONS));
  expect(shell("psql -X -A -t -f decisions.sql")).toMatch(/^s\d+\|use Redis \d+ for the "cache"/);
});

function isWorker(id: string): boolean {
  try {
    const words = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
    return words[1] === resolve("dist/cli/main.js") && readFileSync(`/proc/${id}/environ`, "utf8").includes(`HOME=${folder}\0`);
  } catch {
    return false;
  }
}
