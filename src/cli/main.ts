#!/usr/bin/env node
// The command line: finds the subcommand, and turns errors into text and exit codes.
import { readFileSync } from "node:fs";
import { didYouMean } from "../text/did-you-mean.js";
import { CommandError, EXIT, print, warn } from "./output/terminal.js";

interface Command {
  readonly help: string;
  readonly main: (args: readonly string[]) => number | Promise<number>;
}

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: () => import("./run/run.js").then(({ help, run }) => ({ help, main: run })),
  audit: () => import("./audit.js").then(({ help, audit }) => ({ help, main: audit })),
  compact: () => import("./compact.js").then(({ help, compact }) => ({ help, main: compact })),
  judge: () => import("./judge.js").then(({ help, judge }) => ({ help, main: judge })),
  explain: () => import("./explain.js").then(({ help, explain }) => ({ help, main: explain })),
  view: () => import("./view.js").then(({ help, view }) => ({ help, main: view })),
  play: () => import("./play/play.js").then(({ help, play }) => ({ help, main: play })),
  validate: () => import("./validate.js").then(({ help, validate }) => ({ help, main: validate })),
  test: () => import("./test.js").then(({ help, test }) => ({ help, main: test })),
  init: () => import("./init/init.js").then(({ help, init }) => ({ help, main: init })),
  config: () => import("./config.js").then(({ help, config }) => ({ help, main: config })),
  docs: () => import("./docs.js").then(({ help, docs }) => ({ help, main: docs })),
  pin: () => import("./pin.js").then(({ help, pin }) => ({ help, main: pin })),
  drop: () => import("./drop.js").then(({ help, drop }) => ({ help, main: drop })),
  frames: () => import("./frames.js").then(({ help, frames }) => ({ help, main: frames })),
  hook: () => import("./hook.js").then(({ help, hook }) => ({ help, main: hook })),
  state: () => import("./state.js").then(({ help, state }) => ({ help, main: state })),
  status: () => import("./status.js").then(({ help, status }) => ({ help, main: status })),
  stats: () => import("./stats.js").then(({ help, stats }) => ({ help, main: stats })),
  find: () => import("./recall/find.js").then(({ help, find }) => ({ help, main: find })),
  show: () => import("./recall/show.js").then(({ help, show }) => ({ help, main: show })),
  decisions: () => import("./recall/decisions.js").then(({ help, decisions }) => ({ help, main: decisions })),
  mcp: () => import("./recall/mcp.js").then(({ help, mcp }) => ({ help, main: mcp })),
  doctor: () => import("./doctor.js").then(({ help, doctor }) => ({ help, main: doctor })),
};

/** Without a command. */
const FIRST = () => import("./first/first.js").then(({ help, first }) => ({ help, main: first }));

const HELP = `npx compaction-rules COMMAND [OPTION...]

Finds what must not be lost when a coding agent's context is compacted, by rules that you can edit.

  run SESSION...       print what the next context needs
  audit SESSION        check which facts a summary keeps, alters, contradicts or misses
  compact SESSION      write the summary that replaces the session, and store what the next one needs
  judge SESSION        ask a model which facts still hold, by copy and paste
  explain SESSION      show why something was found or not
  view SESSION         write a page that shows the session, its facts, the brief and what a compaction lost
  play [SESSION]       edit the rules in the browser, and see at once what they find
  validate [FILE...]   check configuration and rule packs
  test [RULE...]       run the examples beside the rules
  init                 write a first configuration and team pack
  config               show the effective configuration, with the file and line of each value
  docs                 print the active rules as a Markdown reference
  pin TEXT             keep a text in every brief of the project
  drop ID              drop a fact of the project for good
  frames [SESSION]     show the frames of a session, with goals, states and summaries
  hook AGENT           answer the hooks that an agent runs around a compaction
  state list           list what is stored about projects and sessions
  status               print what became of the facts in the last compaction
  stats                the same for all compactions, by kind of fact
  find QUERY           search what was said, agreed and run in the sessions of the project
  show PLACE           print the messages around a place that find names
  decisions            list the decisions of the project, by date
  mcp                  serve find, show and pin to an agent as tools
  doctor               check which agents are here and whether they are wired

  Without a command: show what the summaries of the sessions on this machine lost; options: --yes, --sample, --json.
  npx compaction-rules COMMAND --help prints more; --version prints the version.
`;

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") {
    print(`${JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version}\n`);
    return EXIT.fine;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    print(HELP);
    return EXIT.fine;
  }
  if (name === undefined || name.startsWith("-")) return (await FIRST()).main(args);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    throw new CommandError(`there is no command "${name}"`, didYouMean(name, Object.keys(COMMANDS)) ?? "--help lists them");
  }
  const command = await load();
  if (rest.includes("--help") || rest.includes("-h")) {
    print(command.help);
    return EXIT.fine;
  }
  return command.main(rest);
}

// Until the command says otherwise. A hook that exits with 2 forbids the compaction.
process.exitCode = process.argv[2] === "hook" ? EXIT.findings : EXIT.couldNotRun;
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => warn(toText(error)),
);

/** Absolute paths work without a current folder. */
const GONE = new CommandError(
  "the current folder does not exist any more",
  "change to another folder, or use absolute paths and --project",
);

function toText(error: unknown): string {
  if (error instanceof CommandError) return `compaction: ${error.message}\n${error.hint ? `  → ${error.hint}\n` : ""}`;
  if ((error as NodeJS.ErrnoException)?.syscall === "uv_cwd") return toText(GONE);
  return `compaction: a bug: ${(error as Error)?.stack ?? String(error)}\n  → please report it with the command you ran\n`;
}
