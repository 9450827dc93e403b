// compaction rules: the life of each rule of the user in a session, or in all sessions of the project.
import { resolve } from "node:path";
import { projectHome } from "../../files/folders.js";
import { isOfProject } from "../../recall/listed.js";
import { listSessions } from "../first/agents-here.js";
import { type Arguments, oneSession } from "../input/arguments.js";
import { extractFrom, inputOf, listedInput } from "../input/open-session.js";
import { isOff, requireFolder, rulesFor } from "../input/project.js";
import { short } from "../output/lines.js";
import { CommandError, coloursOf, EXIT, printJson, say } from "../output/terminal.js";
import { newestIn } from "../run/handoff.js";
import { livesIn, toJson } from "./lives.js";
import type { RuleLife } from "./rule-life.js";

export function rules({ values, flags, positionals }: Arguments): number {
  const project = resolve(requireFolder(values.project ?? process.cwd()));
  if (flags.all && positionals.length > 0) throw new CommandError("--all and a session cannot be used together");
  const loaded = rulesFor(project);
  if (isOff(loaded)) return EXIT.fine;
  const ofProject = () => listSessions().filter(isOfProject(projectHome(project)));
  const inputs = flags.all
    ? ofProject().map(listedInput)
    : [positionals.length > 0 ? inputOf(oneSession(positionals)) : newestIn(project)];
  const sessions = inputs.map((input) => {
    const { session, extraction } = extractFrom(input, { loaded, project, format: values.format, typed: true }, () => {});
    return { session: session.id, path: input.shown, rules: livesIn(session, extraction.continuation.items, loaded, project) };
  });
  if (flags.json) printJson({ version: 1, sessions: sessions.map((one) => ({ ...one, rules: one.rules.map(toJson) })) });
  else for (const { path, rules: lives } of sessions) say(textOf(path, lives, flags.all === true));
  const isBroken = sessions.some((one) => one.rules.some(({ events }) => events.some(({ what }) => what === "broken")));
  return flags.strict && isBroken ? EXIT.findings : EXIT.fine;
}

function textOf(path: string, lives: readonly RuleLife[], isOneOfMany: boolean): string {
  const { bold, dim, red, green } = coloursOf();
  const shown = { broken: red, lost: red, altered: red, carried: green, refused: green, told: green, allowed: dim };
  const blocks = lives
    .filter(({ events }) => !isOneOfMany || events.length > 0)
    .map(({ id, text, from, said, guard, events }) => {
      const head = `${bold(short(text))} ${dim([`${from} ${id}`, said, guard && `${guard.does}`].filter(Boolean).join(", "))}\n`;
      const lines = events.map(
        ({ what, at, call }) => `  ${shown[what](what.padEnd(8))} ${at}${call ? ` "${short(call)}"` : ""}\n`,
      );
      return head + lines.join("");
    });
  const none = isOneOfMany ? "" : "the user said no rule, and no guard is for this project\n";
  return blocks.length === 0 ? none : `${isOneOfMany ? `${path}\n` : ""}${blocks.join("")}`;
}
