// The texts of tools, which a model may quote: what the agent wrote into a call, what came back, and what the host wrote.
import { wasUnrun } from "../extract/calls/call.js";
import type { Evidence, Message } from "../model.js";
import { redactValue } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { isSaid } from "../source/session/sources.js";
import { withoutHost } from "../source/session/spoken.js";
import { isDeep } from "../text/forms.js";

export interface ToolText extends Pick<Evidence, "tool" | "input"> {
  /** The message. */
  readonly id: string;
  readonly by: "tool";
  readonly text: string;
  /** The agent wrote it into a call that the user refused or stopped, or that never started. */
  readonly unrun: boolean;
  /** A part of the text, secrets masked. A mask is as long as its secret. */
  readonly masked: (start: number, end: number) => string;
}

type Mask = (text: string) => string;

export const textsOfTools = (message: Message, rules: RuleSet, mask: Mask): readonly ToolText[] => [
  ...textsOfCalls(message, rules, mask),
  ...textOfHost(message, mask),
];

/** Hosts write in the user's name, too: outputs of their commands, texts of hooks, reminders, summaries. */
function textOfHost(message: Message, mask: Mask): readonly ToolText[] {
  const { id, role, text } = message;
  const isWritten = role === "tool" || !isSaid(message) || (role === "user" && withoutHost(text) !== text);
  if (!isWritten) return [];
  const masked = (start: number, end: number) => maskedPart({ text }, "text", start, end, mask);
  return [{ id, by: "tool", text, unrun: false, masked }];
}

function textsOfCalls({ id, toolCalls }: Message, rules: RuleSet, mask: Mask): readonly ToolText[] {
  return toolCalls.flatMap((call, tool) => {
    const { input, output } = call;
    const isUnrun = wasUnrun(call, rules);
    /** @param keys where it is in the input */
    const textsIn = (parent: object, keys?: readonly string[]): readonly ToolText[] =>
      Object.entries(parent).flatMap(([key, text]: [string, unknown]): readonly ToolText[] => {
        const path = keys && [...keys, key];
        if (typeof text === "object" && text !== null) return textsIn(text, path);
        if (typeof text !== "string") return [];
        const masked = (start: number, end: number) => maskedPart(parent, key, start, end, mask);
        const place = { id, by: "tool" as const, tool, ...(path && { input: path.join(".") }) };
        return [{ ...place, text, unrun: isUnrun && path !== undefined, masked }];
      });
    const written = typeof input === "string" ? { "": input } : isDeep(input) ? {} : input;
    return [...textsIn({ output }), ...textsIn(written ?? {}, [])];
  });
}

/** Characters around a part, and of the texts beside it, that may show that something in it is a secret. */
const NEAR_CHARACTERS = 4_000;
const BESIDE_CHARACTERS = 200;

/** Masking a long text takes long, so only what is near is masked, together with the texts beside it. */
function maskedPart(parent: object, own: string, start: number, end: number, mask: Mask): string {
  const from = Math.max(0, start - NEAR_CHARACTERS);
  const beside = Object.entries(parent).map(([key, value]) => {
    const ends = key === own ? [from, end + NEAR_CHARACTERS] : [0, BESIDE_CHARACTERS];
    return [key, String(value).slice(...ends)] as const;
  });
  const near = Array.isArray(parent) ? beside.map(([, value]) => value) : Object.fromEntries(beside);
  const masked = Object.values(redactValue(near, mask) as Record<string, string>);
  return masked[Object.keys(parent).indexOf(own)]?.slice(start - from, end - from) ?? "";
}
