// compaction rules: the life of each rule of the user in a session, or in all sessions of the project.
import { resolve } from "node:path";
import { projectHome } from "../../files/folders.js";
import { guardsOf } from "../../hosts/calls/prepare.js";
import { callContext } from "../../hosts/calls/prepared.js";
import type { Extraction, Session } from "../../model.js";
import { isOfProject } from "../../recall/listed.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { factId, pinId, readChoices } from "../../state/choices.js";
import { readMemory } from "../../state/memory.js";
import { readHeard } from "../../state/spoken.js";
import { oneLine } from "../../text/forms.js";
import { sameText } from "../../text/words.js";
import { listSessions } from "../first/agents-here.js";
import { type Arguments, oneSession } from "../input/arguments.js";
import { extractFrom, inputOf, listedInput } from "../input/open-session.js";
import { isOff, requireFolder, rulesFor } from "../input/project.js";
import { short } from "../output/lines.js";
import { CommandError, coloursOf, EXIT, printJson, say } from "../output/terminal.js";
import { newestIn } from "../run/handoff.js";
import { livesOf, type RuleLife, type UserRule } from "./rule-life.js";

export function rules({ values, flags, positionals }: Arguments): number {
  const project = resolve(requireFolder(values.project ?? process.cwd()));
  if (flags.all && positionals.length > 0) throw new CommandError("--all and a session cannot be used together");
  const loaded = rulesFor(project);
  if (isOff(loaded)) return EXIT.fine;
  const home = projectHome(project);
  const ofProject = () => listSessions().filter((one) => isOfProject(home, one));
  const inputs = flags.all
    ? ofProject().map(listedInput)
    : [positionals.length > 0 ? inputOf(oneSession(positionals)) : newestIn(project)];
  const sessions = inputs.map((input) => {
    const { session, extraction } = extractFrom(input, { loaded, project, format: values.format, typed: true }, () => {});
    return { session: session.id, path: input.shown, rules: livesIn(session, extraction, loaded, project) };
  });
  if (flags.json) printJson({ version: 1, sessions: sessions.map((one) => ({ ...one, rules: one.rules.map(toJson) })) });
  else for (const { path, rules: lives } of sessions) say(textOf(path, lives, flags.all === true));
  const isBroken = sessions.some((one) => one.rules.some(({ events }) => events.some(({ what }) => what === "broken")));
  return flags.strict && isBroken ? EXIT.findings : EXIT.fine;
}

function livesIn(session: Session, { continuation }: Extraction, loaded: LoadedRules, project: string): readonly RuleLife[] {
  const { guards } = guardsOf(loaded, project);
  const { pins } = readChoices(project).choices;
  const roles = new Map(session.messages.map(({ id, role }) => [id, role]));
  const typed = continuation.items.filter(
    ({ kind, evidence: { source, tool } }) => kind === "constraint" && tool === undefined && roles.get(source) === "user",
  );
  const pinned = pins.map((text): UserRule => {
    const guard = guards.find(({ id }) => id === pinId(text));
    const said = typed.find(({ evidence }) => sameText(evidence.quote) === sameText(text))?.evidence.source;
    return { id: pinId(text), text, from: "pin", ...(said && { said }), ...(guard && { guard }) };
  });
  const isPinned = (quote: string) => pins.some((text) => sameText(text) === sameText(quote));
  const all: readonly UserRule[] = [
    ...typed
      .filter(({ evidence }) => !isPinned(evidence.quote))
      .map((item): UserRule => {
        return { id: factId(item), text: oneLine(item.evidence.quote), from: "typed", said: item.evidence.source };
      }),
    ...pinned,
    ...loaded.guards.map((guard): UserRule => ({ id: guard.id, text: guard.say, from: "pack", guard })),
  ];
  const context = callContext(project, project, loaded.rules);
  const { spoken } = readHeard(session.id);
  return livesOf(all, { session, rules: loaded.rules, context, spoken, block: readMemory(session.id).memory?.block });
}

const toJson = ({ guard, ...life }: RuleLife) => ({ ...life, ...(guard && { guard: guard.id, does: guard.does }) });

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
