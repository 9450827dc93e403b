// What a program hands over is looked at once, at the door: further in, everybody relies on it.
import type { Session } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";

/** Throws a TypeError that names the first part that is missing or of another type. */
export function checkSession(session: Session): void {
  const { id, messages } = session ?? {};
  demand("session.id", "text", typeof id === "string");
  demand("session.messages", "list", Array.isArray(messages));
  for (const [index, message] of messages.entries()) {
    const { id, text, role, toolCalls } = message ?? {};
    // Names are made only for what is wrong: a session may have many messages.
    const is = (name: string, what: What, right: boolean) => right || demand(`messages[${index}].${name}`, what, false);
    is("id", "text", typeof id === "string");
    is("role", "text", typeof role === "string");
    is("text", "text", typeof text === "string");
    is("toolCalls", "list", Array.isArray(toolCalls));
    for (const [call, given] of toolCalls.entries()) {
      const { name, output } = given ?? {};
      is(`toolCalls[${call}].name`, "text", typeof name === "string");
      is(`toolCalls[${call}].output`, "text", typeof output === "string");
    }
  }
}

export function checkRules(rules: RuleSet): void {
  if (Array.isArray(rules?.rules)) return;
  const loaded = Array.isArray((rules as unknown as { rules?: RuleSet } | undefined)?.rules?.rules);
  throw new TypeError(loaded ? "these are loaded rules: what is wanted is .rules of them" : "these are no rules");
}

type What = "text" | "list";

function demand(name: string, what: What, right: boolean): void {
  if (right) return;
  const hint = name.includes("toolCalls") ? "; readSession fills in what may be missing" : "";
  throw new TypeError(`${name} is no ${what}${hint}`);
}
