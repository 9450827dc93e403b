// A scenario is a readable file: the files that are there, the command, and what must come out.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Outcome, type Runner, runInside } from "./run-command.js";

export interface Scenario {
  readonly files: ReadonlyMap<string, string>;
  readonly command: readonly string[];
  readonly stdin: string;
  readonly expected: Outcome;
}

/** Parts begin with `== name`; `== file PATH` may stand several times, `== exit N` ends it. */
export function parseScenario(text: string): Scenario {
  const files = new Map<string, string>();
  const parts = new Map<string, string>();
  for (const part of text.split(/^== /m).slice(1)) {
    const [head = "", ...lines] = part.split("\n");
    const body = lines.join("\n");
    if (head.startsWith("file ")) files.set(head.slice(5), body);
    else if (head.startsWith("exit ")) parts.set("exit", head.slice(5));
    else parts.set(head, body);
  }
  const words = (parts.get("command") ?? "").trim().split(/\s+/);
  if (words[0] !== "compaction") throw new Error("a scenario runs compaction");
  return {
    files,
    command: words.slice(1),
    stdin: parts.get("stdin") ?? "",
    expected: { stdout: parts.get("stdout") ?? "", stderr: parts.get("stderr") ?? "", exit: Number(parts.get("exit")) },
  };
}

/** Runs the command in this process, which takes a tenth of the time, or in one of its own. */
export async function runScenario({ files, command, stdin }: Scenario, run: Runner = runInside): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "compaction-scenario-"));
  try {
    for (const [name, content] of files) {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    const { stdout, stderr, exit } = await run(command, {
      cwd: folder,
      input: stdin,
      env: { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, BUN_BE_BUN: "1" },
    });
    const clean = (text: string) => text.replaceAll(folder, "<folder>").replaceAll(resolve("."), "<package>");
    return { stdout: clean(stdout), stderr: clean(stderr), exit };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The scenario's text with what came out instead of what was expected. */
export function rewrite(file: string, outcome: Outcome): void {
  const text = readFileSync(file, "utf8");
  const kept = text.slice(0, text.search(/^== (stdout|exit)/m));
  writeFileSync(
    file,
    `${kept.trimEnd()}\n== stdout\n${outcome.stdout}${outcome.stderr ? `== stderr\n${outcome.stderr}` : ""}== exit ${outcome.exit}\n`,
  );
}
