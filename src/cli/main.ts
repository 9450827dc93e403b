#!/usr/bin/env node
// The command: finds the subcommand, and is the one place where errors become text and exit codes.
import { readFileSync } from "node:fs";
import { EXIT, Failure } from "./failure.js";
import { openStream, print, warn } from "./print.js";

interface Command {
  readonly help: string;
  readonly main: (args: readonly string[]) => number | Promise<number>;
}

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: () => import("./run.js").then(({ help, run }) => ({ help, main: run })),
  audit: () => import("./audit.js").then(({ help, audit }) => ({ help, main: audit })),
  compact: () => import("./compact.js").then(({ help, compact }) => ({ help, main: compact })),
  explain: () => import("./explain.js").then(({ help, explain }) => ({ help, main: explain })),
  validate: () => import("./validate.js").then(({ help, validate }) => ({ help, main: validate })),
  test: () => import("./test.js").then(({ help, test }) => ({ help, main: test })),
  init: () => import("./init.js").then(({ help, init }) => ({ help, main: init })),
  config: () => import("./config.js").then(({ help, config }) => ({ help, main: config })),
  docs: () => import("./docs.js").then(({ help, docs }) => ({ help, main: docs })),
  pin: () => import("./pin.js").then(({ help, pin }) => ({ help, main: pin })),
  drop: () => import("./drop.js").then(({ help, drop }) => ({ help, main: drop })),
  frames: () => import("./frames.js").then(({ help, frames }) => ({ help, main: frames })),
  hook: () => import("./hook.js").then(({ help, hook }) => ({ help, main: hook })),
  state: () => import("./state.js").then(({ help, state }) => ({ help, main: state })),
};

/** Those that are to start at once, and print without Node's stream. The others write to it as they like. */
const PRINTING: readonly string[] = ["run", "validate"];

const HELP = `compaction COMMAND [OPTION...]

Finds what must not be lost when a coding agent's context is compacted, by rules that you can edit.

  run SESSION...       print what the next context needs
  audit SESSION        say what of it a summary keeps, alters, contradicts or misses
  compact SESSION      write the summary that takes the session's place, and keep what the next one needs
  explain SESSION      say why something was found, or not
  validate [FILE...]   check configuration and rule packs
  test [RULE...]       run the examples beside the rules
  init                 write a first configuration and team pack
  config               say what holds here, and which file and line says so
  docs                 print the rules that hold here as a Markdown reference
  pin TEXT             keep a text in every brief of the project
  drop ID              drop a fact of the project for good
  frames [SESSION]     the frames of a session, with goals, states and summaries
  hook AGENT           what an agent's hooks around its compaction run
  state list           what is stored about projects and sessions

  compaction COMMAND --help tells more; --version prints the version.
`;

/** To an agent, a hook that exits with 2 forbids the compaction. */
const FAILED = process.argv[2] === "hook" ? EXIT.findings : EXIT.couldNotRun;

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") {
    await print(`${version()}\n`);
    return EXIT.fine;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    await print(HELP);
    return name === undefined ? EXIT.couldNotRun : EXIT.fine;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    const { didYouMean } = await import("../config/suggest.js");
    throw new Failure(`there is no command "${name}"`, didYouMean(name, Object.keys(COMMANDS)));
  }
  const command = await load();
  if (rest.includes("--help") || rest.includes("-h")) {
    await print(command.help);
    return EXIT.fine;
  }
  if (!PRINTING.includes(name)) openStream(FAILED);
  return command.main(rest);
}

function version(): string {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.exitCode = FAILED;
    warn(toText(error));
  },
);

/** Whoever names everything by absolute paths needs none. */
const GONE = new Failure(
  "the folder that you are in is not there any more",
  "go to another one, or name everything by absolute paths, with --project",
);

function toText(error: unknown): string {
  if (error instanceof Failure) return `compaction: ${error.message}\n${error.hint ? `  → ${error.hint}\n` : ""}`;
  if ((error as NodeJS.ErrnoException)?.syscall === "uv_cwd") return toText(GONE);
  return `compaction: a bug: ${(error as Error)?.stack ?? String(error)}\n  → please report it with the command you ran\n`;
}
