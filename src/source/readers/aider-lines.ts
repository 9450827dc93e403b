// Splits aider's history into lines and finds out who wrote each of them.
import { fenced } from "./markdown-turns.js";

const CHAT = "# aider chat started at ";
// Thinking is between its own tags, or between these lines.
const THINKING = /^(?:<(thinking-content-\w+)>|► \*\*THINKING\*\*)/;
const ANSWER = "► **ANSWER**";

export type LineKind = "chat" | "user" | "note" | "text" | "blank";

export interface AiderLine {
  readonly kind: LineKind;
  readonly line: string;
  /** It continues the user's previous line, possibly in spite of lines between them. */
  readonly goesOn: boolean;
}

export const isChat = (line: string) => line.startsWith(CHAT);

/** The lines, without thinking and continued notes. */
export function* linesOf(content: readonly string[], inFence: readonly boolean[]): Iterable<AiderLine> {
  const marked = content.some((line) => isOurs(line) && isMarked(line));
  let start = 0;
  for (const [index, line] of content.entries()) {
    if (index === start || !isChat(line) || (inFence[index] && !marked)) continue;
    yield* chatLines(content.slice(start, index));
    start = index;
  }
  yield* chatLines(content.slice(start));
}

function* chatLines(chat: readonly string[]): Iterable<AiderLine> {
  const inFence = fenced(chat);
  const { users, notes, apart } = marksOf(chat);
  let before: LineKind = "chat";
  let longNote = false;
  let thinking: string | undefined;
  // The user's last line may continue.
  let asking = false;
  // A note ends the answer, so that a fence around it was never closed in the answer.
  let noted = false;
  for (const [index, line] of chat.entries()) {
    const isUser = isUsers(line);
    const marked = index >= (isUser ? users : notes);
    if (!inFence[index]) noted = false;
    const isShown = inFence[index] && !(marked && (noted || !isUser));
    const ours = isOurs(line) && !isShown && (!marked || isMarked(line));
    if (ours && !isUser) noted = true;
    let kind: LineKind = line.trim() === "" ? "blank" : "text";
    if (index === 0 && isChat(line)) kind = "chat";
    else if (ours) kind = isUser ? "user" : "note";
    else if (index >= notes && (longNote || (before === "note" && line.startsWith("> ")))) {
      // A note of several lines has its mark on the first line and its trailing blanks on the last.
      longNote = !isMarked(line);
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
    const isCommand = kind === "user" && /^#### +\//.test(line);
    yield { kind, line, goesOn: before === "user" || (apart && asking && kind === "user" && !isCommand) };
    if (kind !== "blank") asking = kind === "user" && !isCommand;
    before = kind;
  }
}

/** aider ends its notes and the user's lines with two blanks; quotes and headings of the model do not end like this. Editors
 * remove all trailing blanks. Formatters keep only those within a paragraph and separate headings by blank lines. Then all such
 * lines outside of code count. The user speaks first, so the first line with blanks decides for all later lines.
 * @returns the lines from which on the user's lines and aider's notes end with two blanks, and whether a formatter put blank
 * lines between the lines of one message */
function marksOf(chat: readonly string[]) {
  const user = chat.findIndex(isUsers);
  const marked = chat.findIndex((line) => isUsers(line) && isMarked(line));
  const users = marked < 0 ? chat.length : marked;
  const last = chat.filter((line, index) => isNote(line) && !isNote(chat[index + 1] ?? ""));
  const within = chat.filter((line, index) => isNote(line) && isNote(chat[index + 1] ?? ""));
  // If the user's lines do not show it, the last lines of notes do.
  const noted = marked < 0 && last.filter(isMarked).length * 2 > last.length;
  const touching = chat.some((line, index) => isUsers(line) && isUsers(chat[index + 1] ?? ""));
  const apart = marked < 0 && !noted && within.some(isMarked) && !touching;
  return { users, notes: noted || users === user ? 0 : users, apart };
}

const isUsers = (line: string) => line.startsWith("#### ") || line === "####";
const isNote = (line: string) => line.startsWith("> ") || line === ">";
const isOurs = (line: string) => isUsers(line) || isNote(line);
const isMarked = (line: string) => line.endsWith("  ");

function endOfThinking(line: string): string | undefined {
  const [mark, tag] = THINKING.exec(line.slice(0, 200)) ?? [];
  return mark && (tag === undefined ? ANSWER : `</${tag}>`);
}
