// Masks the messages of a session, and the calls through which the user speaks.
import { LATE_CHARACTERS } from "../limits.js";
import type { Message, Session, ToolCall } from "../model.js";
import { redactValue } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { firstAndNewest, type Late, STAGES, type Steps } from "../steps.js";
import { mayReason } from "./calls/call.js";

/** Masks messages, and calls in which the user answers or explains a refusal. Other calls are masked when they are read. What is
 * not masked in time is left out. */
export function* redactSession(
  session: Session,
  { redactions, tools, refusals }: RuleSet,
  mask: (text: string) => string,
  unread: Set<string>,
  late?: Late,
): Steps<Session> {
  if (redactions.length === 0) return session;
  const tells = ({ name, output }: ToolCall) => tools.get(name)?.answers.length || mayReason(output, refusals);
  const masked = (message: Message): Message => {
    const text = mask(message.text);
    const answers = message.toolCalls.some(tells);
    if (text === message.text && !answers) return message;
    const toolCalls = message.toolCalls.map((call) =>
      tells(call) ? { ...call, input: redactValue(call.input, mask), output: mask(call.output) } : call,
    );
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
  return { ...session, messages };
}
