// Separates what a person typed from what a host added to the same message.
import type { Message } from "../../model.js";
import { oneLine } from "../../text/forms.js";
import { asList, asText, isFields, type JsonFields } from "../../text/json.js";
import { groupBy } from "../../text/lists.js";
import { isPrinted } from "../markdown/visible.js";

/** Characters at the start of a message in which standing rules are searched; longer messages are mostly pasted. */
const TYPED_CHARACTERS = 4_000;

type Spoken = { readonly text: string; readonly meta: boolean };

/** Returns the typed texts only. If there are none, returns the machine's texts and marks them. */
export function spokenOf(texts: readonly string[], isMachine: (text: string, index: number) => boolean): Spoken {
  const typed = texts.filter((text, index) => text.trim() !== "" && !isMachine(text, index));
  const shown = typed.length > 0 ? typed : texts.filter((text) => text.trim() !== "");
  return { text: shown.join("\n"), meta: typed.length === 0 };
}

/** Removes the text from the first `open` to the last `close`, because the text between may contain the tags too. */
export function without(text: string, open: string, close: string): string {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.lastIndexOf(close);
  return end < start + open.length ? text : `${text.slice(0, start)}${text.slice(end + close.length)}`.trim();
}

/** With this text, hosts start a session that continues after a summary. */
export const CONTINUED = "This session is being continued from a previous conversation";

// Tags of hosts have several words in their names; HTML tags do not.
const OPENING = /^[ \t]*<([a-z][a-z0-9]*(?:[_-][a-z0-9]+)+)(?:\s[^<>]*)?>/;
/** Tags around text that the user typed. */
const TYPED = /^(?:user|human|my|task|feature|bug|problem|question|requirements?|acceptance|code|example|error)[_-]/;
const NOT_TYPED = /^(?:user[_-](?:instructions|shell[_-]command|action|info|rules)|task[_-]notification)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Tags around text that the user pasted. */
const PASTED = /^(?:pasted|clipboard)[_-]/;

/** Replaces what a host added with empty lines of the same length: blocks outside of code whose opening tag starts a line and
 * whose closing tag ends one. What the user pasted becomes a raw block, which no rule reads. */
export function withoutHost(text: string): string {
  if (text.trimStart().startsWith(CONTINUED)) return emptied(text);
  if (!/^[ \t]*<[a-z][a-z0-9]*[_-]/m.test(text)) return text;
  const kept: string[] = [];
  let from = 0;
  let at = 0;
  let fence = "";
  const closings = closingsIn(text);
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next + 1;
    const line = text.slice(at, end);
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence !== "" ? mark.startsWith(fence) : mark !== "") fence = fence === "" ? mark : "";
    const close = fence === "" && mark === "" ? endOfBlock(text, at, line, closings) : at;
    if (close > at) {
      const block = text.slice(at, close);
      const tag = OPENING.exec(block)?.[1] ?? "";
      kept.push(text.slice(from, at), PASTED.test(tag) ? rawBlock(block, tag) : emptied(block));
      from = close;
    }
    at = close > at ? close : end;
  }
  return kept.join("") + text.slice(from);
}

const emptied = (text: string) => "\n".repeat(text.length);

/** Replaces the tags around a block with those of a raw block. The block has the same length. */
function rawBlock(block: string, tag: string): string {
  const start = block.indexOf(">") + 1;
  const end = block.lastIndexOf(`</${tag}>`);
  const inside = block.slice(start, end).replace(/<\/(?=pre)/gi, "  ");
  return `${"<pre>".padEnd(start)}${inside}${"</pre>".padEnd(block.length - end)}`;
}

/** Where each tag is closed, the first place last. Searched once, because a text may open thousands and close none. */
function closingsIn(text: string): ReadonlyMap<string, number[]> {
  const closings = [...text.matchAll(/<\/([a-z][a-z0-9]*(?:[_-][a-z0-9]+)+)>/g)].reverse();
  const byTag = groupBy(closings, ([, tag = ""]) => tag);
  return new Map([...byTag].map(([tag, own]) => [tag, own.map(({ index }) => index)]));
}

/** The end of the block that this line opens; the start of the line if it opens none. */
function endOfBlock(text: string, at: number, line: string, closings: ReadonlyMap<string, number[]>): number {
  const [open = "", tag = ""] = OPENING.exec(line) ?? [];
  if (tag === "" || (TYPED.test(tag) && !NOT_TYPED.test(tag))) return at;
  const places = closings.get(tag) ?? [];
  while ((places.at(-1) ?? text.length) < at + open.length) places.pop();
  const found = places.at(-1) ?? -1;
  const end = found + `</${tag}>`.length;
  // If the closing tag is in the middle of a line, the user is writing about the tag.
  return found >= 0 && /^[ \t]*(?:\r?\n|$|<)/.test(text.slice(end, end + 80)) ? end : at;
}

// How far a message contains only typed text. Pasted text can contain anything, even text that looks like its end, so nothing
// after the first line that shows something counts as typed.

// Lines by their form: tags, fences, quotes, headings, tables, rules, code, data, diffs, terminal marks.
const SHOWN =
  /^(?:\s{0,12}(?:<[/!?a-z]|`{3}|~{3}|>|#{1,6}\s|\||[{}[\]]|"[^"\n]{1,80}"\s?:|(?:[-=*_]\s?){3,}$|@@|diff --git|\+\+\+ |\/\/|\/\*|[⏺⎿│┃╭╰●▶]|-----BEGIN)| {4,}(?![-*+•\d])|\t+(?![-*+•\d]))/i;
/** A tag inside a line, but not `Map<string>`. */
const TAG = /(?:^|[^\w$])<[/!?a-z]/i;
/** "Label: text", as in mails, tickets and transcripts. Two or more such lines are not prose. */
const LABEL = /^\s{0,3}(?:\*\*)?[A-Z][\w .-]{0,24}(?:\*\*)?:(?:\*\*)?\s/;

/** The offset of the first thing that may not have been typed. */
export function typedLength(text: string): number {
  const end = Math.min(text.length, TYPED_CHARACTERS);
  let at = 0;
  let label: number | undefined;
  while (at < end) {
    const next = text.indexOf("\n", at);
    const line = text.slice(at, next < 0 ? text.length : next);
    const tag = TAG.exec(line);
    if (SHOWN.test(line) || isPrinted(line.trim())) return at;
    if (tag) return at + tag.index;
    if (LABEL.test(line)) {
      if (label !== undefined) return label;
      label = at;
    } else if (line.trim() !== "") label = undefined;
    at += line.length + 1;
  }
  return end;
}

// User messages that nobody typed, in any format: a host's own words, and the model's words that are passed back to it.

/** Longest message that can be a host's own words; none of the known ones is longer. */
const HOST_TEXT_CHARACTERS = 2_000;

/** Shortest message that can be an echo of the assistant; people do repeat shorter ones. */
const ECHO_CHARACTERS = 80;

/** How many earlier messages are compared with a user's message: a host passes on what was said last. */
const ECHO_MESSAGES = 4;

// Each pattern matches a whole message; if there is more in it, somebody typed that.
const HOSTS = [
  // A command that the host answered, with its answer.
  /^\/[a-z][\w:-]*(?: [^\n]*)?\n[ \t]*⎿[^\n]*(?:\n[ \t]+[^\n]*)*$/,
  /^Unknown (?:skill|(?:slash )?command): \S+$/,
  // Buttons.
  /^@agent Continue: "[^"\n]*"$/,
  /^Implement the plan as specified, it is attached for your reference\. Do NOT edit the plan file itself\.(?:\s+To-do's from the plan have already been created\.[^\n]*)?$/,
];

/** With these texts, hosts record that the user stopped the agent. */
const STOPPED = /^\s*(?:\[Request interrupted by user|<turn_aborted>)/;

/** The user's messages after which the user stopped the agent before it said or did anything. */
export function interruptedIn(messages: readonly Message[]): ReadonlySet<string> {
  const interrupted = new Set<string>();
  let waiting: string | undefined;
  for (const message of messages) {
    if (isTyped(message)) waiting = message.id;
    else if (message.role === "user" && waiting !== undefined && STOPPED.test(message.text)) interrupted.add(waiting);
    else if (message.text.trim() !== "" || message.toolCalls.length > 0) waiting = undefined;
  }
  return interrupted;
}

/** Marks user messages that the user did not write; returns the same list if there are none. */
export function withEchoesMarked(messages: readonly Message[]): readonly Message[] {
  const echoes = new Set(
    messages.filter(
      (message, index) =>
        isTyped(message) && (isHosts(message) || repeats(message, messages.slice(Math.max(0, index - ECHO_MESSAGES), index))),
    ),
  );
  return echoes.size === 0 ? messages : messages.map((message) => (echoes.has(message) ? { ...message, meta: true } : message));
}

const isTyped = ({ role, meta, summary }: Message) => role === "user" && meta !== true && summary !== true;

function isHosts({ text }: Message): boolean {
  const typed = text.length > HOST_TEXT_CHARACTERS ? "" : text.trim();
  return HOSTS.some((pattern) => pattern.test(typed));
}

/** Does it repeat what the assistant said shortly before? Hosts pass on a plan like this; people do not. */
function repeats(message: Message, before: readonly Message[]): boolean {
  if (message.text.length < ECHO_CHARACTERS) return false;
  const line = oneLine(message.text);
  return line.length >= ECHO_CHARACTERS && before.some(({ role, text }) => role === "assistant" && oneLine(text) === line);
}

// Separates accepted plans. Claude Code and Codex store a plan that the user accepted as the user's message, but the model wrote
// it.

/** Longest name of a plan; a longer line is part of the plan. */
const PLAN_NAME_CHARACTERS = 200;

// What the host adds after the plan.
const BEHIND = /\n\s*If you need specific details from before exiting plan mode\b/;

/** Splits a record into the plan, as the assistant's, and the user's request to carry it out, with the plan's name. */
export function withPlanApart(record: JsonFields): readonly JsonFields[] {
  const { planContent, message, ...rest } = record;
  const text = isFields(message) ? textOf(message.content) : undefined;
  // The field may be cut off, so it only shows where the plan starts.
  const name = firstLine(asText(planContent) ?? "");
  const start = name === "" || text === undefined ? -1 : `\n${text}`.indexOf(`\n${name}`);
  if (record.type !== "user" || text === undefined || start < 0) return [record];
  const end = start + (BEHIND.exec(text.slice(start))?.index ?? text.length);
  const id = asText(record.uuid);
  const request = requestFor(text.slice(0, start), name);
  return [
    { ...rest, type: "assistant", ...(id !== undefined && { uuid: `${id}#plan` }), message: { content: text.slice(start, end) } },
    { ...rest, message: { ...(message as JsonFields), content: request } },
  ];
}

// What Codex adds before the plan.
const BEFORE = /^\s*PLEASE IMPLEMENT THIS PLAN:/;

/** Does the same for a text of Codex. */
export function planApart(text: string): { readonly plan: string; readonly request: string } | undefined {
  const [before] = BEFORE.exec(text) ?? [];
  const plan = before === undefined ? "" : text.slice(before.length).trim();
  return before === undefined || plan === "" ? undefined : { plan, request: requestFor(before, firstLine(plan)) };
}

const requestFor = (before: string, name: string) => `${before.trimEnd()} ${name.replace(/^#+\s*/, "")}`.trim();

function textOf(content: unknown): string | undefined {
  const [block, ...more] = asList(content);
  return asText(content) ?? (more.length === 0 && isFields(block) ? asText(block.text) : undefined);
}

const firstLine = (text: string) => text.trimStart().slice(0, PLAN_NAME_CHARACTERS).split("\n", 1)[0]?.trimEnd() ?? "";
