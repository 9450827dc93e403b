// Runs the command for tests: in this process, or in one of its own.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { runCommand } from "../../src/cli/commands.js";

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

export type Runner = (args: readonly string[], surroundings: Surroundings) => Outcome | Promise<Outcome>;

const MAIN = resolve("dist/cli/main.js");
/** Node, or another runtime that `npm run test:bun` names. */
const { COMPACTION_RUNTIME } = process.env;
/** The Bun inside OpenCode is asked to be Bun. Its cache of read files is none of the files that a command writes. */
const OF_RUNTIME = COMPACTION_RUNTIME === undefined ? {} : { BUN_BE_BUN: "1", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };

/** Signals, pipes, workers, exit codes and the built files are those that a user has. */
export const runSpawned: Runner = (args, { cwd, env, input = "" }) => {
  const options = { cwd, env: { ...env, ...OF_RUNTIME }, input, encoding: "utf8" } as const;
  const { stdout, stderr, status } = spawnSync(COMPACTION_RUNTIME ?? process.execPath, [MAIN, ...args], options);
  return { stdout, stderr, exit: status ?? -1 };
};

/** Takes a tenth of the time. The folder, the environment and standard input are those of the process while it runs. */
export const runInside: Runner = async (args, surroundings) => {
  if (COMPACTION_RUNTIME !== undefined) return runSpawned(args, surroundings);
  const { cwd, env, input = "" } = surroundings;
  const before = { cwd: process.cwd(), env: { ...process.env }, stdin: process.stdin };
  const written = { 1: "", 2: "" };
  const bytes = Buffer.from(input);
  let from = 0;
  const read = (chunk: Uint8Array) => {
    const length = bytes.copy(chunk, 0, from);
    from += length;
    return length;
  };
  const write = (handle: 1 | 2, text: string) => {
    written[handle] += text;
  };
  process.chdir(cwd);
  setEnvironment(env);
  Object.defineProperty(process, "stdin", { value: Readable.from(bytes.length > 0 ? [bytes] : []), configurable: true });
  try {
    const exit = await runCommand(args, { read, write });
    return { stdout: written[1], stderr: written[2], exit };
  } finally {
    Object.defineProperty(process, "stdin", { value: before.stdin, configurable: true });
    setEnvironment(before.env);
    process.chdir(before.cwd);
  }
};

/** Sets each variable of the process itself: the system reads some of them. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)));
}
