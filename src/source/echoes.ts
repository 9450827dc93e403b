// User turns that nobody typed, in whichever format: words of a host, and the model's own, handed back to it.
import { ECHO_CHARACTERS, ECHO_MESSAGES, HOST_TEXT_CHARACTERS } from "../limits.js";
import type { Message } from "../model.js";
import { oneLine } from "../one-line.js";

// Each is a whole message: what stands beside it somebody typed.
const HOSTS = [
  // A command that the host answered, with its answer.
  /^\/[a-z][\w:-]*(?: [^\n]*)?\n[ \t]*⎿[^\n]*(?:\n[ \t]+[^\n]*)*$/,
  /^Unknown (?:skill|(?:slash )?command): \S+$/,
  // Buttons.
  /^@agent Continue: "[^"\n]*"$/,
  /^Implement the plan as specified, it is attached for your reference\. Do NOT edit the plan file itself\.(?:\s+To-do's from the plan have already been created\.[^\n]*)?$/,
];

/** With what is no word of the user marked as such; the same list where there is no such thing. */
export function withEchoesMarked(messages: readonly Message[]): readonly Message[] {
  const fold = createFold();
  const echoes = new Set(
    messages.filter(
      (message, index) =>
        isTyped(message) &&
        (isHosts(message) || repeats(message, messages.slice(Math.max(0, index - ECHO_MESSAGES), index), fold)),
    ),
  );
  return echoes.size === 0 ? messages : messages.map((message) => (echoes.has(message) ? { ...message, meta: true } : message));
}

const isTyped = ({ role, meta, summary }: Message) => role === "user" && meta !== true && summary !== true;

function isHosts({ text }: Message): boolean {
  const typed = text.length > HOST_TEXT_CHARACTERS ? "" : text.trim();
  return HOSTS.some((pattern) => pattern.test(typed));
}

type Fold = (message: Message) => string;

/** Each text is folded once, and only where one beside it may be the same. */
function createFold(): Fold {
  const known = new Map<Message, string>();
  return (message) => {
    const text = known.get(message) ?? oneLine(message.text);
    known.set(message, text);
    return text;
  };
}

/** It says what the assistant said shortly before: hosts hand a plan over so, and people do not. */
function repeats(message: Message, before: readonly Message[], fold: Fold): boolean {
  if (message.text.length < ECHO_CHARACTERS) return false;
  const said = before.filter(({ role, text }) => role === "assistant" && text.length >= ECHO_CHARACTERS);
  return said.length > 0 && fold(message).length >= ECHO_CHARACTERS && said.some((one) => fold(one) === fold(message));
}
