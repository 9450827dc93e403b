// Reads conversations in plain Markdown: `**User:**`, `## Assistant`, `[User]:`, `User:`.
import type { Role } from "../../model.js";
import { groupBy } from "../../text/lists.js";
import type { Content, ReadSession } from "../session/reader.js";
import { fenced, isoTime, joined, type SpokenTurn, toLines, turnsToSession } from "./markdown-turns.js";

const SPEAKER_CHARACTERS = 120;

const SPEAKERS: Readonly<Record<Role, readonly string[]>> = {
  user: ["user", "human", "you", "me", "you said"],
  assistant: ["assistant", "ai", "agent", "bot", "claude", "chatgpt", "chatgpt said", "gpt", "gemini", "copilot"],
  system: ["system"],
  tool: ["tool"],
};
const ROLES = Object.keys(SPEAKERS) as readonly Role[];

// Each captures the name, a label such as a time, and the text on the same line.
const LABEL = String.raw`(?: ?[([]([^()[\]]*)[)\]])?`;
const SHAPES: Readonly<Record<string, RegExp>> = {
  bracket: /^\[([A-Za-z ]+)\]():[ \t]*(.*)$/,
  heading: new RegExp(String.raw`^#{1,6} +(?:[^\w\s#]+ +)?\**([A-Za-z ]+?)\**:?\**${LABEL}:?\**[ \t#]*()$`),
  bold: new RegExp(String.raw`^\*\*(?:[^\w\s*]+ +)?([A-Za-z ]+?)${LABEL}(?::\*\*|\*\*:|\*\*$)[ \t]*(.*)$`),
  plain: /^([A-Za-z ]+)():(?:[ \t]+(.*)|)$/,
};

interface Head {
  readonly line: number;
  /** All heads of a conversation have the same form: a shape, and for headings also the level. */
  readonly form: string;
  readonly level: number;
  readonly role: Role;
  readonly label: string;
  readonly rest: string;
}

export const HEADS_HINT =
  'a conversation has lines such as "**User:**", "## User", "[User]:" or "User:", and the like for "Assistant"; --format conversation takes any of them for heads, --format text takes the whole for one text';

export function readConversation({ text, parsed, name, named }: Content): ReadSession | undefined {
  if (parsed.values.length > 0) return undefined;
  const content = toLines(text);
  const inFence = fenced(content);
  const free = content.map((line, index) => (inFence[index] ? "" : line));
  const heads = pickForm(free.flatMap(headsOf), free, named === true);
  if (!heads) return undefined;
  const opening = joined(content.slice(0, heads[0]?.line));
  const turns = heads.map(({ line, role, label, rest }, index): SpokenTurn => {
    const text = joined([rest, ...content.slice(line + 1, heads[index + 1]?.line)]);
    return { role, text, time: isoTime(label) };
  });
  return turnsToSession(name, "conversation", [{ role: "system", text: opening, meta: true }, ...turns]);
}

function headsOf(text: string, line: number): readonly Head[] {
  const start = text.slice(0, SPEAKER_CHARACTERS);
  for (const [shape, pattern] of Object.entries(SHAPES)) {
    const [, word = "", label = "", rest = ""] = pattern.exec(start) ?? [];
    const role = ROLES.find((one) => SPEAKERS[one].includes(word.trim().toLowerCase()));
    if (role === undefined) continue;
    const level = levelOf(text);
    return [{ line, form: `${shape}${level}`, level, role, label, rest: text.slice(start.length - rest.length) }];
  }
  return [];
}

const levelOf = (line: string) => /^(#{1,6})[ \t]/.exec(line.slice(0, 8))?.[1]?.length ?? 0;

/** The heads of the first form that makes a conversation; heads of other forms are part of the text. If the format is known to be
 * a conversation, the most frequent form. */
function pickForm(heads: readonly Head[], content: readonly string[], known: boolean): readonly Head[] | undefined {
  const levels = content.map(levelOf);
  const forms = [...groupBy(heads, ({ form }) => form).values()];
  const begin = content.findIndex((line) => line.trim() !== "");
  const sure = forms.find((same) => isConversation(same, levels, begin));
  return sure ?? (known ? forms.sort((a, b) => b.length - a.length)[0] : undefined);
}

/** A document can have sections named "User" and "Assistant". In a conversation, the heads are at the top level, below at most
 * one title, and other sections at that level are allowed only if both speak more than once. */
function isConversation(heads: readonly Head[], levels: readonly number[], begin: number): boolean {
  const [first] = heads;
  const turns = Math.min(...(["user", "assistant"] as const).map((role) => heads.filter((head) => head.role === role).length));
  if (!first || turns < 1) return false;
  // A word before a colon can be anything. Unless both speak twice, the text must start with it and return to it.
  const isPlain = first.form.startsWith("plain");
  if (isPlain && turns < 2 && (first.line !== begin || heads.length < 3)) return false;
  const { level } = first;
  const isAbove = (other: number) => other > 0 && (level === 0 || other < level);
  if (levels.slice(0, first.line).filter(isAbove).length > 1) return false;
  if (level === 0 || turns > 1) return true;
  const own = new Set(heads.map(({ line }) => line));
  return !levels.some((other, line) => !own.has(line) && (other === level || (line > first.line && isAbove(other))));
}
