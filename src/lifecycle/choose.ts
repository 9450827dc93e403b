// A rule set by its name, with what a host's configuration and the environment change in it.
import type { Lifecycle } from "../rules/lifecycle-set.js";

/** The `compaction` key of OpenCode's configuration, as it is. */
export interface LifecycleSettings {
  readonly auto?: boolean;
  readonly prune?: boolean;
  readonly reserved?: number;
  readonly tail_turns?: number;
  readonly preserve_recent_tokens?: number;
}

export interface LifecycleChoice {
  readonly name?: string;
  readonly settings?: LifecycleSettings;
  /** Of the process, handed in: nothing here reads it. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_NAME = "classic";

export function chooseLifecycle(
  { lifecycle }: { readonly lifecycle: ReadonlyMap<string, Lifecycle> },
  { name = DEFAULT_NAME, settings = {}, environment = {} }: LifecycleChoice = {},
): Lifecycle | undefined {
  const rules = lifecycle.get(name);
  if (!rules) return undefined;
  const variable = (key: keyof Lifecycle["environment"]) => environment[rules.environment[key] ?? ""];
  const answer = Number(variable("answer"));
  const { reserved, tail_turns: turns, preserve_recent_tokens: tokens } = settings;
  return {
    ...rules,
    auto: !isSet(variable("auto")) && (settings.auto ?? rules.auto),
    prune: !isSet(variable("prune")) && (settings.prune ?? rules.prune),
    ...(Number.isSafeInteger(answer) && answer > 0 && { answer }),
    ...(reserved !== undefined && { reserved }),
    ...(rules.tail && {
      tail: { ...rules.tail, ...(turns !== undefined && { turns }), ...(tokens !== undefined && { tokens }) },
    }),
  };
}

const isSet = (value: string | undefined) => value === "1" || value?.toLowerCase() === "true";
