// OpenCode's commands /pin, /carry and /handoff: how they are registered and answered, and how typed arguments are marked.

import { pinText } from "../commands.js";
import { carry, handOver } from "../inject.js";
import { type Keeper, plainText } from "../keeper.js";
import { neutral } from "../neutral.js";
import type { OpenCodeContext } from "./context.js";
import { type CommandConfig, type CommandPart, markCommand, type TypedCommand } from "./messages.js";

const SHOWN = { carry, handoff: handOver } as const;
const COMMANDS = ["pin", ...Object.keys(SHOWN)];
const NOT_PINNED = {
  empty: "command-pin-none",
  long: "command-pin-long",
  call: "command-pin-call",
  unstored: "command-pin-unstored",
} as const;

/** OpenCode inserts the arguments of a command into its template, or appends them if there is no placeholder, and then runs every
 * !`command` and reads every @file in the result. A placeholder that no argument reaches keeps them out; the hook gets them as
 * typed. The template contains no text from a pack, so nothing that comes with a clone is run. */
const templateOf = (name: string) => `/${name} $999999999`;

/** Adds our commands and returns their names. A user's command with the same name stays as it is. */
export function offerCommands(config: CommandConfig, keeper: Keeper): ReadonlySet<string> {
  const free = COMMANDS.filter((name) => (config.command?.[name]?.template ?? templateOf(name)) === templateOf(name));
  const own = free.map((name) => [name, { template: templateOf(name), description: commandTexts(keeper, name).description }]);
  config.command = { ...config.command, ...Object.fromEntries(own) };
  return new Set(free);
}

/** @param parts what OpenCode sends in place of the command @param isOwn it is one of ours */
export async function onCommand(context: OpenCodeContext, typed: TypedCommand, parts: CommandPart[], isOwn: boolean) {
  const { caught, attempt, ifOn, inTime, keep, readSession } = context;
  const given = typed.arguments;
  const mark = ifOn(() => markCommand(parts, given));
  if (!isOwn) return attempt("command", mark);
  const shown = typed.command === "carry" || typed.command === "handoff" ? typed.command : undefined;
  const { session } = shown ? await readSession(typed.sessionID, shown) : {};
  await caught("command", async () => {
    const own = keep();
    const text = session && shown && (await inTime((late) => SHOWN[shown](own, session, { whole: true, late })));
    const answer = shown ? answerShown(shown, text ?? "", own) : await answerPin(given, own);
    // Change the list in place, because OpenCode keeps using it.
    parts.splice(0, parts.length, ...answer);
  });
}

async function answerPin(typed: string, keeper: Keeper): Promise<CommandPart[]> {
  const { text, id, guard = "", why = "empty" } = await pinText(keeper, unquoted(typed.trim()));
  if (id === undefined) return partsOf(`/pin ${text}`.trim(), plainText(keeper, NOT_PINNED[why]));
  return partsOf(`/pin ${text} [${id}]\n${guard}`.trim(), `${commandTexts(keeper, "pin").text}\n\n[${id}] ${neutral(text)}`);
}

/** @param text the facts that would be carried now, or what another agent needs */
function answerShown(name: keyof typeof SHOWN, text: string, keeper: Keeper): CommandPart[] {
  if (text === "") return partsOf(`/${name}`, plainText(keeper, `command-${name}-none`));
  return partsOf(`/${name}\n\n${text}`, `${commandTexts(keeper, name).text}\n\n${text}`);
}

/** The first part is shown only to the user, the second only to the model. Neither counts as the user's words when the session is
 * read; otherwise carried facts would come back as something that the user said. */
const partsOf = (shown: string, said: string): CommandPart[] => [
  { type: "text", text: shown, ignored: true },
  { type: "text", text: said, synthetic: true },
];

/** The first line of the template is the description, the rest goes to the model. */
function commandTexts(keeper: Keeper, name: string): { readonly description: string; readonly text: string } {
  const [description = "", ...rest] = plainText(keeper, `command-${name}`).split("\n");
  return { description, text: rest.join("\n").trim() };
}

/** `opencode run --command pin "a text"` passes the text in quotation marks, with inner quotation marks escaped. */
function unquoted(text: string): string {
  const [, inner] = /^"((?:[^"]|(?<=\\)")*)"$/.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('\\"', '"').trim();
}
