// compaction rules: the life of each rule of the user in a session, or in all sessions of the project.
import { resolve } from "node:path";
import { ownProgram } from "../../hosts/own-program.js";
import { type Arguments, oneSession } from "../input/arguments.js";
import { inputOf } from "../input/open-session.js";
import { isOff, requireFolder, rulesFor } from "../input/project.js";
import { short } from "../output/lines.js";
import { CommandError, coloursOf, EXIT, printJson, say } from "../output/terminal.js";
import { newestIn } from "../run/handoff.js";
import { livesOfInput, projectInputs, toJson } from "./lives.js";
import type { RuleLife } from "./rule-life.js";

export function rules({ values, flags, positionals }: Arguments): number {
  const project = resolve(requireFolder(values.project ?? process.cwd()));
  if (flags.all && positionals.length > 0) throw new CommandError("--all and a session cannot be used together");
  const loaded = rulesFor(project);
  if (isOff(loaded)) return EXIT.fine;
  const inputs = flags.all
    ? projectInputs(project)
    : [positionals.length > 0 ? inputOf(oneSession(positionals)) : newestIn(project)];
  const sessions = inputs.map((input) => livesOfInput(input, loaded, project, values.format));
  if (flags.json)
    printJson({ version: 1, sessions: sessions.map(({ unkept: _, ...one }) => ({ ...one, rules: one.rules.map(toJson) })) });
  else for (const { path, rules: lives } of sessions) say(textOf(path, lives, flags.all === true));
  const [{ unkept = 0 } = {}] = sessions;
  if (!flags.json && !flags.all && unkept > 0) say(unkeptText(unkept));
  const isBroken = sessions.some((one) => one.rules.some(({ events }) => events.some(({ what }) => what === "broken")));
  return flags.strict && isBroken ? EXIT.findings : EXIT.fine;
}

const unkeptText = (count: number) => `
Later sessions are not told ${count} of these rules. A rule is kept when the session is compacted or ends: if its message holds
only rules, or if the agent wrote or ran something for it. It is not if it is for this task only, or may be about a text that
the message shows. Keep one: ${ownProgram()} pin TEXT
`;

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
