// The command line: finds the subcommand, and turns errors into text and exit codes.
import { readFileSync } from "node:fs";
import { didYouMean } from "../text/did-you-mean.js";
import { type Arguments, parseArguments } from "./input/arguments.js";
import { CommandError, EXIT, print, redirect, type Streams, warn } from "./output/terminal.js";

/** Without an exit code, all went well. */
type Main = (given: Arguments) => number | undefined | Promise<number | undefined>;

/** The arguments and the purpose of each command, and its module, which exports its help and a function of its name. */
const COMMANDS: Readonly<Record<string, readonly [args: string, does: string, load: () => Promise<object>]>> = {
  run: ["SESSION...", "print what the next context needs", () => import("./run/run.js")],
  audit: ["SESSION", "check which facts a summary keeps, alters, contradicts or misses", () => import("./audit.js")],
  compact: [
    "SESSION",
    "write the summary that replaces the session, and store what the next one needs",
    () => import("./compact.js"),
  ],
  judge: ["SESSION", "ask a model which facts still hold, by copy and paste", () => import("./judge.js")],
  explain: ["SESSION", "show why something was found or not", () => import("./explain.js")],
  view: [
    "SESSION",
    "write a page that shows the session, its facts, the brief and what a compaction lost",
    () => import("./view.js"),
  ],
  play: ["[SESSION]", "edit the rules in the browser, and see at once what they find", () => import("./play/play.js")],
  validate: ["[FILE...]", "check configuration and rule packs", () => import("./validate.js")],
  test: ["[RULE...]", "run the examples beside the rules", () => import("./test.js")],
  init: ["", "write a first configuration and team pack", () => import("./init/init.js")],
  config: ["", "show the effective configuration, with the file and line of each value", () => import("./config.js")],
  docs: ["", "print the active rules as a Markdown reference", () => import("./docs.js")],
  pin: ["TEXT", "keep a text in every brief of the project", () => import("./pin.js")],
  drop: ["ID", "drop a fact of the project for good", () => import("./drop.js")],
  frames: ["[SESSION]", "show the frames of a session, with goals, states and summaries", () => import("./frames.js")],
  hook: ["AGENT", "answer the hooks that an agent runs around a compaction", () => import("./hook.js")],
  state: ["list", "list what is stored about projects and sessions", () => import("./state.js")],
  status: ["", "print what became of the facts in the last compaction", () => import("./status.js")],
  stats: ["", "the same for all compactions, by kind of fact", () => import("./stats.js")],
  find: ["QUERY", "search what was said, agreed and run in the sessions of the project", () => import("./recall/find.js")],
  show: ["PLACE", "print the messages around a place that find names", () => import("./recall/show.js")],
  decisions: ["", "list the decisions of the project, by date", () => import("./recall/decisions.js")],
  mcp: ["", "serve find, show and pin to an agent as tools", () => import("./recall/mcp.js")],
  doctor: ["", "check which agents are here and whether they are wired", () => import("./doctor.js")],
};

const HELP = `npx compaction-rules COMMAND [OPTION...]

Finds what must not be lost when a coding agent's context is compacted, by rules that you can edit.

${Object.entries(COMMANDS)
  .map(([name, [args, does]]) => `  ${`${name} ${args}`.padEnd(20)} ${does}\n`)
  .join("")}
  Without a command: show what the summaries of the sessions on this machine lost; options: --yes, --sample, --json.
  npx compaction-rules COMMAND --help prints more; --version prints the version.
`;

/** The exit code of a command that could not run. A hook that exits with 2 forbids the compaction. */
export const failureOf = ([name]: readonly string[]) => (name === "hook" ? EXIT.findings : EXIT.couldNotRun);

/** @param streams those of the process by default */
export async function runCommand(args: readonly string[], streams?: Streams): Promise<number> {
  if (streams) redirect(streams);
  try {
    return await answer(args);
  } catch (error) {
    warn(toText(error));
    return failureOf(args);
  }
}

async function answer(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") {
    print(`${JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version}\n`);
    return EXIT.fine;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    print(HELP);
    return EXIT.fine;
  }
  if (name === undefined || name.startsWith("-")) {
    const { first, help } = await import("./first/first.js");
    return first(parseArguments(args, help));
  }
  const [, , load] = (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || [];
  if (!load)
    throw new CommandError(`there is no command "${name}"`, didYouMean(name, Object.keys(COMMANDS)) ?? "--help lists them");
  const { help, [name]: main } = (await load()) as { readonly help: string } & Readonly<Record<string, unknown>>;
  if (!rest.includes("--help") && !rest.includes("-h")) return (await (main as Main)(parseArguments(rest, help))) ?? EXIT.fine;
  print(help);
  return EXIT.fine;
}

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
