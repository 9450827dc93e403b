// The command line: finds the subcommand, and turns errors into text and exit codes.

import { readFileSync } from "node:fs";
import { withOwnProgram } from "../hosts/own-program.js";
import { didYouMean } from "../text/did-you-mean.js";
import { type Arguments, parseArguments } from "./input/arguments.js";
import { inOneLine } from "./output/lines.js";
import { CommandError, EXIT, print, redirect, type Streams, warn } from "./output/terminal.js";

/** Without an exit code, all went well. */
type Main = (given: Arguments) => number | undefined | Promise<number | undefined>;

/** The module of each command exports a function of its name. */
const COMMANDS: Readonly<Record<string, () => Promise<object>>> = {
  run: () => import("./run/run.js"),
  audit: () => import("./audit.js"),
  compact: () => import("./compact.js"),
  judge: () => import("./judge.js"),
  explain: () => import("./explain.js"),
  view: () => import("./view.js"),
  play: () => import("./play/play.js"),
  validate: () => import("./validate.js"),
  test: () => import("./test.js"),
  try: () => import("./try/try.js"),
  learn: () => import("./learn/learn.js"),
  init: () => import("./init/init.js"),
  config: () => import("./config.js"),
  docs: () => import("./docs.js"),
  handoff: () => import("./run/handoff.js"),
  pin: () => import("./pin.js"),
  drop: () => import("./drop.js"),
  wrong: () => import("./wrong.js"),
  guard: () => import("./guards/guard.js"),
  trust: () => import("./guards/trust.js"),
  rules: () => import("./guards/rules.js"),
  frames: () => import("./frames.js"),
  hook: () => import("./hook.js"),
  state: () => import("./state.js"),
  status: () => import("./status/status.js"),
  stats: () => import("./status/stats.js"),
  find: () => import("./recall/find.js"),
  show: () => import("./recall/show.js"),
  decisions: () => import("./recall/decisions.js"),
  mcp: () => import("./recall/mcp.js"),
  doctor: () => import("./doctor.js"),
};

/** A file below the package's folder: help is text for people, and declares the options. */
const packageFile = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const helpOf = (name: string) => packageFile(`rules/help/${name}.txt`);

/** The exit code of a command that could not run. A hook that exits with 2 forbids the compaction. */
export const failureCode = ([name]: readonly string[]) => (name === "hook" ? EXIT.findings : EXIT.couldNotRun);

/** Runs the command of this process, or its part of the work if it is a thread of `run` or `try`. */
export async function runProcess(args: readonly string[]): Promise<void> {
  if (args[0] === "run-worker") return void import("./run/run-worker.js");
  if (args[0] === "try-worker") return void import("./try/try-worker.js");
  // Until the command says otherwise.
  process.exitCode = failureCode(args);
  process.exitCode = await runCommand(args);
}

/** @param streams those of the process by default */
export async function runCommand(args: readonly string[], streams?: Streams): Promise<number> {
  if (streams) redirect(streams);
  try {
    return (await answer(args)) ?? EXIT.fine;
  } catch (error) {
    warn(toText(error));
    return failureCode(args);
  }
}

async function answer(args: readonly string[]): Promise<number | undefined> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") return print(`${JSON.parse(packageFile("package.json")).version}\n`);
  if (name === "--help" || name === "-h" || name === "help") return print(withOwnProgram(helpOf("overview")));
  if (name === undefined || name.startsWith("-")) {
    const { first } = await import("./first/first.js");
    return first(parseArguments(args, helpOf("first")));
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load)
    throw new CommandError(`there is no command "${name}"`, didYouMean(name, Object.keys(COMMANDS)) ?? "--help lists them");
  if (rest.includes("--help") || rest.includes("-h")) return print(withOwnProgram(helpOf(name)));
  const { [name]: main } = (await load()) as Readonly<Record<string, Main>>;
  return main?.(parseArguments(rest, helpOf(name)));
}

const GONE_HINT = "change to another folder, or use absolute paths and --project";

function toText(error: unknown): string {
  if (error instanceof CommandError)
    return `${inOneLine(`compaction: ${error.message}`)}\n${error.hint ? `${inOneLine(`  → ${error.hint}`)}\n` : ""}`;
  if ((error as NodeJS.ErrnoException)?.syscall === "uv_cwd")
    return toText(new CommandError("the current folder does not exist any more", GONE_HINT));
  return `compaction: a bug: ${(error as Error)?.stack ?? String(error)}\n  → please report it with the command you ran\n`;
}
