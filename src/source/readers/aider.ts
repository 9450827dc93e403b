// Reads aider's chat history: Markdown in which `#### ` is the user, `> ` is aider itself, and the rest is the model.
import type { ToolCall } from "../../model.js";
import { oneLine } from "../../text/forms.js";
import type { Content, ReadSession } from "../session/reader.js";
import { type AiderLine, isChat, type LineKind, linesOf } from "./aider-lines.js";
import { fenced, isoTime, joined, type SpokenTurn, toLines, turnsToSession } from "./markdown-turns.js";

const APPLIED = /^Applied edit to (.+)$/;
// Not in the model's answer: the user's own changes, and a note after which a commit proves that some edits were applied.
const COMMITTING = /^Committing .+ before applying edits/;
const PARTLY = /^The LLM did not conform to the edit format/;
// The user asked in a comment of the code, which ends up in the part that the model replaces.
const COMMENTED = /^Processing your request/;
const COMMENT = /^█?\s*(?:#|\/\/|--|;)+\s*(?:AI[!?]?\s+(\S.*)|(\S.*?)\s+AI[!?]?)\s*$/i;
const COMMIT = /^Commit ([0-9a-f]{7,40}) (.*)$/;
const RESET = /^Commit `?([0-9a-f]{7,40})`? was reset\b/;
// Answers to aider's questions, and commands for aider that do not reach the model.
const MACHINE = /^[^\n]*\(Y\)es\/\(N\)o|^\/[a-z]/;
// Commands with which the user talks to the model.
const SAYING = /^\/(?:ask|architect|code|context)\s+(?=\S)/;
// Code comments that aider sends in the user's name; the user wrote only the marked lines.
const WATCHED = "(marked with █)";

interface ChatTurn {
  /** The number of its chat, from 1. */
  readonly chat: number;
  readonly user: boolean;
  readonly said: string[];
  readonly calls: ToolCall[];
  readonly time: string | undefined;
  /** Its commits that were reset later. */
  readonly reset: Set<string>;
  readonly undone?: boolean;
  /** What the user said is in the code that the next answer replaces. */
  readonly commented?: boolean;
}

/** Each chat is a session. The last one in which something is said is meant, unless the user asks for another one. */
export function readAider({ text, name, chat }: Content): ReadSession | undefined {
  const content = toLines(text);
  const inFence = fenced(content);
  if (!content.some((line, index) => isChat(line) && !inFence[index])) return undefined;
  // On Windows, aider writes its paths with backslashes, and the model does not.
  const slash = /^> Applied edit to \S*\\/m.test(text) ? "\\" : "/";
  const { drafts, chats } = toDrafts(linesOf(content, inFence), (path) => path.replaceAll("/", slash));
  if (chat !== undefined && chat > chats) return undefined;
  const all = withComments(withoutUndone(drafts)).map((draft) => ({ chat: draft.chat, turn: toTurn(draft) }));
  const held = new Set(all.flatMap((one) => (one.turn.meta ? [] : [one.chat])));
  const wanted = chat ?? [...held].at(-1) ?? 1;
  const turns = withoutCommands(all.flatMap((one) => (one.chat === wanted ? [one.turn] : [])));
  const others = chat === undefined ? held.size - 1 : 0;
  const message = `only chat ${wanted} of ${chats} is read; --format aider:N reads another one`;
  const notices = others > 0 ? [{ code: "chats-left", message, count: others }] : [];
  return turnsToSession(wanted === 1 ? name : `${name}#${wanted}`, "aider", turns, notices);
}

function toDrafts(lines: Iterable<AiderLine>, slashed: (path: string) => string) {
  const drafts: ChatTurn[] = [];
  const committed = new Map<string, ChatTurn>();
  let [chats, time]: [number, string | undefined] = [0, undefined];
  // The current speaker's message; undefined right after a chat starts.
  let last: ChatTurn | undefined;
  // aider's notes end the model's answer; text after them is a new answer.
  let ended = false;
  // The next commit is of the user's own changes.
  let isOwn = false;
  // Some edits of the answer failed; a commit then proves the others, once.
  let partly: "no" | "failed" | "proven" = "no";
  const begin = (user: boolean, commented = false) => {
    last = { chat: chats, user, said: [], calls: [], time, reset: new Set(), commented };
    drafts.push(last);
    [ended, partly] = [false, "no"];
    return last;
  };
  const addCall = (call: ToolCall) => {
    const draft = last && !last.user ? last : begin(false);
    const sha = shaOf(call);
    if (sha !== undefined && partly === "failed" && !isOwn) {
      for (const path of replacedFiles(draft.said)) draft.calls.push(toEdit(slashed(path)));
      partly = "proven";
    }
    draft.calls.push(call);
    if (sha !== undefined) committed.set(sha, draft);
  };
  const read: Readonly<Record<LineKind, (line: string, goesOn: boolean) => void>> = {
    chat: (line) => {
      chats++;
      time = isoTime(line);
      last = undefined;
    },
    user: (line, goesOn) => (last && goesOn ? last : begin(true)).said.push(line.slice("#### ".length).trimEnd()),
    text: (line) => (last && !last.user && !ended ? last : begin(false)).said.push(line),
    blank: () => last && !last.user && !ended && last.said.push(""),
    note: (line) => {
      const note = line.slice(0, 2_000).replace(/^> ?/, "").trim();
      const [, reset = ""] = RESET.exec(note) ?? [];
      if (COMMENTED.test(note)) begin(true, true);
      committed.get(reset)?.reset.add(reset);
      const call = reset === "" ? toCall(note, isOwn) : undefined;
      if (call) addCall(call);
      if (partly === "no" && PARTLY.test(note)) partly = "failed";
      isOwn = COMMITTING.test(note);
      ended = true;
    },
  };
  for (const { kind, line, goesOn } of lines) read[kind](line, goesOn);
  return { drafts, chats };
}

/** Removes the edits of reset commits, and marks answers without any edit left as undone. */
function withoutUndone(drafts: readonly ChatTurn[]): readonly ChatTurn[] {
  const left = drafts.map((draft) => (draft.reset.size === 0 ? draft : { ...draft, calls: standing(draft) }));
  const undone = new Set<ChatTurn>();
  for (const [index, draft] of left.entries()) {
    if (draft.reset.size === 0 || draft.calls.some(({ name }) => name === "edit")) continue;
    undone.add(draft);
    // Also mark the plan for the edits, which aider passed on in the user's name.
    const [plan, handed] = left.slice(Math.max(0, index - 2), index);
    if (plan && handed?.user && !plan.user && oneLine(joined(plan.said)) === oneLine(joined(handed.said))) undone.add(plan);
  }
  return left.map((draft) => (undone.has(draft) ? { ...draft, undone: true } : draft));
}

/** The files of the answer's blocks: each block has its file in the line above. */
function replacedFiles(said: readonly string[]): readonly string[] {
  const isPath = (line: string) => line.trim() !== "" && !line.startsWith("```");
  const above = said.flatMap((line, index) => (SEARCH.test(said[index + 1] ?? "") && isPath(line) ? [line.trim()] : []));
  return [...new Set(above)];
}
const SEARCH = /^<{5,9} SEARCH\s*$/;
const DIVIDER = /^={5,9}\s*$/;

/** Fills in what the user asked for in comments. */
const withComments = (drafts: readonly ChatTurn[]): readonly ChatTurn[] =>
  drafts.map((draft, index) => (draft.commented ? { ...draft, said: commentsIn(drafts[index + 1]?.said ?? []) } : draft));

function commentsIn(said: readonly string[]): string[] {
  let isOld = false;
  return said.flatMap((line) => {
    isOld = SEARCH.test(line) || (isOld && !DIVIDER.test(line));
    const [, behind, before] = (isOld && COMMENT.exec(line.slice(0, 500))) || [];
    return behind ?? before ?? [];
  });
}

/** aider commits its edits right after making them, so a commit covers the edits before it. */
function standing({ calls, reset }: ChatTurn): ToolCall[] {
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

/** Removes the command names. aider writes the command and then repeats its text, so the first copy is emptied. */
const withoutCommands = (turns: readonly SpokenTurn[]): readonly SpokenTurn[] =>
  turns.map((turn, index) => {
    if (turn.role !== "user" || !SAYING.test(turn.text)) return turn;
    const { meta: _, ...said } = { ...turn, text: turn.text.replace(SAYING, "") };
    const next = turns[index + 1];
    return next?.role === "user" && oneLine(next.text) === oneLine(said.text) ? { ...said, text: "" } : said;
  });

function toTurn({ user, said, calls, time, undone }: ChatTurn): SpokenTurn {
  const watched = user && said.slice(0, 3).some((line) => line.includes(WATCHED));
  const text = joined(watched ? said.filter((line) => line.startsWith("█")).map((line) => line.slice(1)) : said);
  return { role: user ? "user" : "assistant", text, toolCalls: calls, time, meta: undone || (user && MACHINE.test(text)) };
}

const toEdit = (path: string): ToolCall => ({ name: "edit", input: { path }, output: "", status: "completed" });

/** @param isOwn a commit of the user's own changes, which is not told as the session's */
function toCall(note: string, isOwn: boolean): ToolCall | undefined {
  const path = APPLIED.exec(note)?.[1];
  if (path !== undefined) return toEdit(path);
  const [, sha, message] = COMMIT.exec(note) ?? [];
  if (sha === undefined) return undefined;
  return { name: "commit", input: { sha, message }, output: isOwn ? "" : note, status: "completed" };
}
