// aider's chat history: Markdown in which `#### ` is the user, `> ` aider itself, and the rest the model.
import type { ToolCall } from "../model.js";
import type { Content, ReadSession } from "./session.js";
import { fenced, isoTime, joined, type Turn, toLines, toSession } from "./turns.js";

const CHAT = "# aider chat started at ";
const APPLIED = /^Applied edit to (.+)$/;
const COMMIT = /^Commit ([0-9a-f]{7,40}) (.*)$/;
// Answers to aider's questions, and commands that are for aider and not for the model.
const MACHINE = /^[^\n]*\(Y\)es\/\(N\)o|^\/(?!(?:ask|architect|code|context)\b)[a-z]/;
// Thinking stands between tags of its own or these lines.
const THINKING = /^(?:<(thinking-content-\w+)>|► \*\*THINKING\*\*)/;
const ANSWER = "► **ANSWER**";
// Comments of the code that aider sends in the user's name; the user wrote the marked lines.
const WATCHED = "(marked with █)";

type Kind = "chat" | "user" | "note" | "text" | "blank";

interface Draft {
  readonly user: boolean;
  readonly said: string[];
  readonly calls: ToolCall[];
  readonly time: string | undefined;
}

export function readAider({ text, name }: Content): ReadSession | undefined {
  const content = toLines(text);
  const inFence = fenced(content);
  if (!content.some((line, index) => line.startsWith(CHAT) && !inFence[index])) return undefined;
  const drafts: Draft[] = [];
  let time: string | undefined;
  let before: Kind = "chat";
  // What was said last and by whom, unless a chat has just begun.
  let last: Draft | undefined;
  // The model's answer ends with aider's notes; what it says after them is another.
  let ended = false;
  const begin = (user: boolean) => {
    const draft: Draft = { user, said: [], calls: [], time };
    drafts.push(draft);
    ended = false;
    return draft;
  };
  for (const { kind, line } of withKinds(content, inFence)) {
    if (kind === "chat") {
      time = isoTime(line);
      last = undefined;
    } else if (kind === "user") {
      if (!last || before !== "user") last = begin(true);
      last.said.push(line.slice("#### ".length).trimEnd());
    } else if (kind === "note") {
      const call = toCall(line);
      if (call && (!last || last.user)) last = begin(false);
      if (call) last?.calls.push(call);
      ended = true;
    } else if (kind === "text") {
      if (!last || last.user || ended) last = begin(false);
      last.said.push(line);
    } else if (last && !last.user && !ended) last.said.push("");
    before = kind;
  }
  return toSession(name, "aider", drafts.map(toTurn));
}

/**
 * aider ends its notes and the user's lines with two blanks, which tells them from quotations and headings of the
 * model. Where an editor took them away, all such lines outside of code count.
 */
function* withKinds(content: readonly string[], inFence: readonly boolean[]): Iterable<{ kind: Kind; line: string }> {
  const marked = content.some((line) => isOurs(line) && line.endsWith("  "));
  let before: Kind = "chat";
  let longNote = false;
  let thinking: string | undefined;
  for (const [index, line] of content.entries()) {
    const free = marked || !inFence[index];
    const ours = free && isOurs(line) && (!marked || line.endsWith("  "));
    let kind: Kind = line.trim() === "" ? "blank" : "text";
    if (ours) kind = line.startsWith(">") ? "note" : "user";
    else if (free && line.startsWith(CHAT)) kind = "chat";
    else if (marked && (longNote || (before === "note" && line.startsWith("> ")))) {
      // A note of several lines has its mark on the first and its blanks on the last.
      longNote = !line.endsWith("  ");
      continue;
    } else if (thinking !== undefined) {
      if (line.trim() === thinking) thinking = undefined;
      continue;
    } else {
      thinking = endOfThinking(line);
      if (thinking !== undefined) continue;
    }
    if (kind !== "text" && kind !== "blank") {
      longNote = false;
      thinking = undefined;
    }
    yield { kind, line };
    before = kind;
  }
}

const isOurs = (line: string) => line.startsWith("> ") || line === ">" || line.startsWith("#### ") || line === "####";

function endOfThinking(line: string): string | undefined {
  const match = THINKING.exec(line.slice(0, 200));
  if (!match) return undefined;
  return match[1] === undefined ? ANSWER : `</${match[1]}>`;
}

function toTurn({ user, said, calls, time }: Draft): Turn {
  const watched = user && said.slice(0, 3).some((line) => line.includes(WATCHED));
  const text = joined(watched ? said.filter((line) => line.startsWith("█")).map((line) => line.slice(1)) : said);
  return {
    role: user ? "user" : "assistant",
    text,
    toolCalls: calls,
    ...(time !== undefined && { time }),
    ...(user && MACHINE.test(text) && { meta: true }),
  };
}

function toCall(line: string): ToolCall | undefined {
  const note = line.slice(0, 2_000).replace(/^> ?/, "").trim();
  const path = APPLIED.exec(note)?.[1];
  if (path !== undefined) return { name: "edit", input: { path }, output: "", status: "completed" };
  const [, sha, message] = COMMIT.exec(note) ?? [];
  return sha === undefined ? undefined : { name: "git_commit", input: { sha, message }, output: "", status: "completed" };
}
