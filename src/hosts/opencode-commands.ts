// OpenCode's commands /pin and /carry: how they are offered, and what is said when one is called.
import type { Keeper } from "./keeper.js";
import { neutral } from "./neutral.js";

export interface CommandConfig {
  command?: Record<string, { template: string; description?: string }>;
}

export interface CommandPart {
  type: string;
  text?: string;
  synthetic?: boolean;
  ignored?: boolean;
  metadata?: Record<string, unknown>;
}

const COMMANDS = ["pin", "carry"];
const NOT_PINNED = { empty: "command-pin-none", long: "command-pin-long", unstored: "command-pin-unstored" } as const;

/**
 * OpenCode puts what is typed behind a command into its template, or at its end where there is no place for it, and then
 * runs every !`command` and reads every @file in the whole. A place that no argument reaches keeps it out; the hook gets
 * it as it was typed. Nothing of a pack stands in the template either: what comes with a clone is not run.
 */
const templateOf = (name: string) => `/${name} $999999999`;

/** Adds the commands; those of the user's own name stay the user's own. Gives the names that are ours. */
export function offerCommands(config: CommandConfig, keeper: Keeper): ReadonlySet<string> {
  const free = COMMANDS.filter((name) => (config.command?.[name]?.template ?? templateOf(name)) === templateOf(name));
  const own = free.map((name) => [name, { template: templateOf(name), description: told(keeper, name).description }]);
  config.command = { ...config.command, ...Object.fromEntries(own) };
  return new Set(free);
}

export function answerPin(typed: string, keeper: Keeper): CommandPart[] {
  const { text, id, why = "empty" } = keeper.pin(unquoted(typed.trim()));
  if (id === undefined) return partsOf(`/pin ${text}`.trim(), keeper.plain(NOT_PINNED[why]));
  return partsOf(`/pin ${text} [${id}]`, `${told(keeper, "pin").text}\n\n[${id}] ${neutral(text)}`);
}

/** @param list what would be carried now */
export function answerCarry(list: string, keeper: Keeper): CommandPart[] {
  if (list === "") return partsOf("/carry", keeper.plain("command-carry-none"));
  return partsOf(`/carry\n\n${list}`, `${told(keeper, "carry").text}\n\n${list}`);
}

/**
 * What the user sees and the model does not, and the other way round. Neither is taken for the user's words when the
 * session is read: what is carried would come back as something the user said.
 */
const partsOf = (shown: string, said: string): CommandPart[] => [
  { type: "text", text: shown, ignored: true },
  { type: "text", text: said, synthetic: true },
];

/** The first line of a command's text describes it, the rest is what the model is told. */
function told(keeper: Keeper, name: string): { readonly description: string; readonly text: string } {
  const [description = "", ...rest] = keeper.plain(`command-${name}`).split("\n");
  return { description, text: rest.join("\n").trim() };
}

/** `opencode run --command pin "a text"` hands the text over in quotation marks, those inside of it escaped. */
function unquoted(text: string): string {
  const [, inner] = /^"((?:[^"]|(?<=\\)")*)"$/.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('\\"', '"').trim();
}
