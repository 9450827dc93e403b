// Validates the session that a program passes in and fills in missing parts, so that later stages can rely on them.
import type { Message, Role, Session, ToolCall } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";

/** A tool call as a program builds it: only the name is required. */
export type GivenToolCall = Partial<Omit<ToolCall, "name">> & { readonly name: string };

/** A message as a program builds it: only id, role and text are required. */
export type GivenMessage = Omit<Message, "toolCalls"> & { readonly toolCalls?: readonly GivenToolCall[] };

/** A session as a program builds it: only id and messages are required. */
export interface GivenSession extends Omit<Session, "format" | "messages"> {
  readonly format?: string;
  readonly messages: readonly GivenMessage[];
}

/** Fills in missing parts. Throws a TypeError that names the first required part that is missing or of the wrong type. */
export function completeSession(given: GivenSession): Session {
  const { id, messages, format } = given ?? {};
  demand("session.id", "a string", typeof id === "string");
  demand("session.messages", "an array", Array.isArray(messages));
  const complete = messages.map(completeMessage);
  const isComplete = format !== undefined && complete.every((message, index) => message === messages[index]);
  // Return the same object if possible: caches use messages and calls as keys.
  return isComplete ? (given as Session) : { ...given, format: format ?? "", messages: complete };
}

const ROLES: readonly Role[] = ["user", "assistant", "system", "tool"];

function completeMessage(message: GivenMessage, index: number): Message {
  const { id, text, role, toolCalls } = message ?? {};
  // Build names only for errors: a session may have many messages.
  const is = (name: string, what: string, right: boolean) => right || demand(`messages[${index}].${name}`, what, false);
  is("id", "a string", typeof id === "string");
  is("role", "user, assistant, system or tool", (ROLES as readonly unknown[]).includes(role));
  is("text", "a string", typeof text === "string");
  if (toolCalls === undefined) return { ...message, toolCalls: [] };
  is("toolCalls", "an array", Array.isArray(toolCalls));
  for (const [call, given] of toolCalls.entries()) {
    const { name, output = "" } = given ?? {};
    is(`toolCalls[${call}].name`, "a string", typeof name === "string");
    is(`toolCalls[${call}].output`, "a string", typeof output === "string");
  }
  if (toolCalls.every(isComplete)) return message as Message;
  return {
    ...message,
    toolCalls: toolCalls.map((call) => (isComplete(call) ? call : { input: undefined, ...call, output: call.output ?? "" })),
  };
}

const isComplete = (call: GivenToolCall): call is ToolCall => call.output !== undefined;

/** Throws a TypeError if the argument is not a rule set. */
export function checkRules(rules: RuleSet): void {
  if (Array.isArray(rules?.rules)) return;
  const loaded = Array.isArray((rules as unknown as { rules?: RuleSet } | undefined)?.rules?.rules);
  throw new TypeError(loaded ? "these are loaded rules: pass their .rules" : "not a rule set");
}

function demand(name: string, what: string, right: boolean): void {
  if (!right) throw new TypeError(`${name} must be ${what}`);
}
