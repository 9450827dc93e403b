// aider's chat history: Markdown in which `#### ` is the user, `> ` aider itself, and the rest the model.
import type { ToolCall } from "../model.js";
import { aiderLines, type Kind } from "./aider-lines.js";
import type { Content, ReadSession } from "./session.js";
import { isoTime, joined, type Turn, toLines, toSession } from "./turns.js";

const APPLIED = /^Applied edit to (.+)$/;
const COMMIT = /^Commit ([0-9a-f]{7,40}) (.*)$/;
// Answers to aider's questions, and commands that are for aider and not for the model.
const MACHINE = /^[^\n]*\(Y\)es\/\(N\)o|^\/(?!(?:ask|architect|code|context)\b)[a-z]/;
// Comments of the code that aider sends in the user's name; the user wrote the marked lines.
const WATCHED = "(marked with █)";

interface Draft {
  readonly user: boolean;
  readonly said: string[];
  readonly calls: ToolCall[];
  readonly time: string | undefined;
}

export function readAider({ text, name }: Content): ReadSession | undefined {
  const lines = aiderLines(toLines(text));
  if (!lines) return undefined;
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
  for (const { kind, line, goesOn } of lines) {
    if (kind === "chat") {
      time = isoTime(line);
      last = undefined;
    } else if (kind === "user") {
      if (!last || (before !== "user" && goesOn !== true)) last = begin(true);
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
