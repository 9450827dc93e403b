// aider's chat history: Markdown in which `#### ` is the user, `> ` aider itself, and the rest the model.
import type { ToolCall } from "../model.js";
import { oneLine } from "../one-line.js";
import { aiderLines, type Kind } from "./aider-lines.js";
import type { Content, ReadSession } from "./session.js";
import { isoTime, joined, type Turn, toLines, toSession } from "./turns.js";

const APPLIED = /^Applied edit to (.+)$/;
const COMMIT = /^Commit ([0-9a-f]{7,40}) (.*)$/;
const RESET = /^Commit `?([0-9a-f]{7,40})`? was reset\b/;
// Answers to aider's questions, and commands that are for aider and not for the model.
const MACHINE = /^[^\n]*\(Y\)es\/\(N\)o|^\/[a-z]/;
// Commands with which the user says something to the model.
const SAYING = /^\/(?:ask|architect|code|context)\s+(?=\S)/;
// Comments of the code that aider sends in the user's name; the user wrote the marked lines.
const WATCHED = "(marked with █)";

interface Draft {
  readonly user: boolean;
  readonly said: string[];
  readonly calls: ToolCall[];
  readonly time: string | undefined;
  /** Its commits that were taken back later. */
  readonly reset: Set<string>;
  readonly undone?: boolean;
}

export function readAider({ text, name }: Content): ReadSession | undefined {
  const lines = aiderLines(toLines(text));
  if (!lines) return undefined;
  const drafts: Draft[] = [];
  const committed = new Map<string, Draft>();
  let time: string | undefined;
  let before: Kind = "chat";
  // What was said last and by whom, unless a chat has just begun.
  let last: Draft | undefined;
  // The model's answer ends with aider's notes; what it says after them is another.
  let ended = false;
  const begin = (user: boolean) => {
    const draft: Draft = { user, said: [], calls: [], time, reset: new Set() };
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
      const [, reset = ""] = RESET.exec(noteOf(line)) ?? [];
      committed.get(reset)?.reset.add(reset);
      const call = toCall(line);
      if (call && (!last || last.user)) last = begin(false);
      if (call) last?.calls.push(call);
      const sha = call && shaOf(call);
      if (sha !== undefined && last) committed.set(sha, last);
      ended = true;
    } else if (kind === "text") {
      if (!last || last.user || ended) last = begin(false);
      last.said.push(line);
    } else if (last && !last.user && !ended) last.said.push("");
    before = kind;
  }
  return toSession(name, "aider", withoutCommands(withoutUndone(drafts).map(toTurn)));
}

/** Without the edits of commits that were reset, and without the answers of which no edit is left. */
function withoutUndone(drafts: readonly Draft[]): readonly Draft[] {
  const undone = new Set<Draft>();
  for (const [index, draft] of drafts.entries()) {
    if (draft.reset.size === 0) continue;
    const kept = standing(draft);
    draft.calls.length = 0;
    for (const call of kept) draft.calls.push(call);
    if (kept.some(({ name }) => name === "edit")) continue;
    undone.add(draft);
    // The plan that it carried out, which was handed over in the user's name.
    const [plan, handed] = drafts.slice(Math.max(0, index - 2), index);
    if (plan && handed?.user && !plan.user && oneLine(joined(plan.said)) === oneLine(joined(handed.said))) undone.add(plan);
  }
  return drafts.map((draft) => (undone.has(draft) ? { ...draft, undone: true } : draft));
}

/** aider commits what it edited right behind it. */
function standing({ calls, reset }: Draft): readonly ToolCall[] {
  const kept: ToolCall[] = [];
  let edits: ToolCall[] = [];
  for (const call of calls) {
    edits.push(call);
    const sha = shaOf(call);
    if (sha === undefined) continue;
    if (!reset.has(sha)) for (const one of edits) kept.push(one);
    edits = [];
  }
  return [...kept, ...edits];
}

const shaOf = ({ input }: ToolCall) => (input as { readonly sha?: string }).sha;

/** aider writes a command down, and then what it says to the model. */
function withoutCommands(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn, index) => {
    if (turn.role !== "user" || !SAYING.test(turn.text)) return turn;
    const { meta: _, ...said } = { ...turn, text: turn.text.replace(SAYING, "") };
    const next = turns[index + 1];
    return next?.role === "user" && oneLine(next.text) === oneLine(said.text) ? { ...said, text: "" } : said;
  });
}

function toTurn({ user, said, calls, time, undone }: Draft): Turn {
  const watched = user && said.slice(0, 3).some((line) => line.includes(WATCHED));
  const text = joined(watched ? said.filter((line) => line.startsWith("█")).map((line) => line.slice(1)) : said);
  return {
    role: user ? "user" : "assistant",
    text,
    toolCalls: calls,
    ...(time !== undefined && { time }),
    ...((undone || (user && MACHINE.test(text))) && { meta: true }),
  };
}

const noteOf = (line: string) => line.slice(0, 2_000).replace(/^> ?/, "").trim();

function toCall(line: string): ToolCall | undefined {
  const note = noteOf(line);
  if (RESET.test(note)) return undefined;
  const path = APPLIED.exec(note)?.[1];
  if (path !== undefined) return { name: "edit", input: { path }, output: "", status: "completed" };
  const [, sha, message] = COMMIT.exec(note) ?? [];
  return sha === undefined ? undefined : { name: "git_commit", input: { sha, message }, output: "", status: "completed" };
}
