// A session with long texts cut in the middle, for a hook: its host does nothing else while a text is read.
import { CUT_SEARCH_CHARACTERS, HOOK_MESSAGE_CHARACTERS } from "../limits.js";
import type { Message, Notice, Session } from "../model.js";

interface Shortened {
  readonly session: Session;
  readonly notices: readonly Notice[];
}

/** The same object each time: what was found in a message is looked up by it. */
const known = new WeakMap<Message, Message>();

export function withoutMiddles(session: Session): Shortened {
  const notices: Notice[] = [];
  const messages = session.messages.map((message) => {
    const short = known.get(message) ?? shorten(message);
    const count = lengthOf(message) - lengthOf(short);
    if (count > 0)
      notices.push({ code: "message-cut", message: "too long for a hook: the middle is not read", source: message.id, count });
    return short;
  });
  return notices.length === 0 ? { session, notices } : { session: { ...session, messages }, notices };
}

function shorten(message: Message): Message {
  const { text, toolCalls } = message;
  if (![text, ...toolCalls.map(({ output }) => output)].some((one) => one.length > HOOK_MESSAGE_CHARACTERS)) return message;
  const calls = toolCalls.map((call) => ({ ...call, output: withoutMiddle(call.output) }));
  const short = { ...message, text: withoutMiddle(text), toolCalls: calls };
  known.set(message, short);
  return short;
}

const lengthOf = ({ text, toolCalls }: Message) => toolCalls.reduce((sum, { output }) => sum + output.length, text.length);

/** Cut at blanks: half of a secret would not be known as one. */
function withoutMiddle(text: string): string {
  if (text.length <= HOOK_MESSAGE_CHARACTERS) return text;
  const half = HOOK_MESSAGE_CHARACTERS / 2;
  const begin = text.slice(0, half);
  const end = text.slice(-half);
  const last = begin.slice(-CUT_SEARCH_CHARACTERS).search(/\s\S*$/);
  const first = end.slice(0, CUT_SEARCH_CHARACTERS).search(/\s/);
  return `${last < 0 ? begin : begin.slice(0, last - CUT_SEARCH_CHARACTERS)}\n\n${end.slice(Math.max(0, first))}`;
}
