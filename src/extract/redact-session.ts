// Masks a session: all of it for those who show it, and for the extraction its head, its messages and the calls through which the
// user speaks.
import { LATE_CHARACTERS } from "../limits.js";
import type { Message, Session, ToolCall } from "../model.js";
import { redactValue } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { firstAndNewest, type Late, STAGES, type Steps } from "../steps.js";
import { mayReason } from "./calls/call.js";

type Mask = (text: string) => string;

/** Every text of the fields, so that a field that is added is masked too. By their ids, parts of a session are known. */
const maskFields = <T extends object>(fields: T, mask: Mask): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" && name !== "id" ? mask(value) : value]),
  ) as T;

export const maskCall = (call: ToolCall, mask: Mask): ToolCall => ({
  ...maskFields(call, mask),
  input: redactValue(call.input, mask),
});

export const maskMessage = (message: Message, mask: Mask): Message => ({
  ...maskFields(message, mask),
  toolCalls: message.toolCalls.map((call) => maskCall(call, mask)),
});

/** The session for those who show it. The extraction leaves out most calls. */
export const maskSession = (session: Session, mask: Mask): Session => ({
  ...maskFields(session, mask),
  messages: session.messages.map((message) => maskMessage(message, mask)),
});

/** Masks messages, and calls in which the user answers or explains a refusal. Other calls are masked when they are read. What is
 * not masked in time is left out. */
export function* redactSession(
  session: Session,
  { redactions, tools, refusals }: RuleSet,
  mask: Mask,
  unread: Set<string>,
  late?: Late,
): Steps<Session> {
  if (redactions.length === 0) return session;
  const tells = ({ name, output }: ToolCall) => tools.get(name)?.answers.length || mayReason(output, refusals);
  const masked = (message: Message): Message => {
    const text = mask(message.text);
    const answers = message.toolCalls.some(tells);
    if (text === message.text && !answers) return message;
    const toolCalls = message.toolCalls.map((call) => (tells(call) ? maskCall(call, mask) : call));
    return { ...message, text, toolCalls };
  };
  const messages = [...session.messages];
  const places = [...messages.keys()];
  let left = LATE_CHARACTERS;
  for (const place of late ? firstAndNewest(places) : places) {
    yield;
    const message = messages[place] as Message;
    if (left <= 0 && late?.(STAGES.mask)) {
      unread.add(message.id);
      messages[place] = { ...message, text: "", toolCalls: [] };
    } else messages[place] = masked(message);
    left -= message.text.length;
  }
  return { ...maskFields(session, mask), messages };
}
