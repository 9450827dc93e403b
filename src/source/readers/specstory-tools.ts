// Converts a tool block of SpecStory's Markdown to a tool call.
import type { ToolCall } from "../../model.js";
import { defined, isFields, parseJson } from "../../text/json.js";
import { closes, type Fence, fenceOf, joined } from "./markdown-turns.js";

/** Longest text in which a file name or a status is searched; anything longer is data. */
const TOOL_LINE_CHARACTERS = 10_000;

/** Lines at the end of a command's report that may contain its status. */
const STATUS_LINES = 12;

// How hosts report the written file in a tool's answer.
const WRITTEN = [
  /^File created successfully at: (.+)$/,
  /^The file (.+?) has been (?:updated|created|overwritten)/,
  /^Successfully (?:modified|overwrote|created and wrote to new) file: (.+?)(?: \(\d+ replacements?\))?\.?$/,
  /^Successfully (?:wrote to|created|updated|edited) (?:file:? )?(.+)$/,
];

/** @param block the lines from the opening tag up to, but not including, the closing tag */
export function toSpecStoryCall(block: readonly string[]): ToolCall {
  const opening = block.slice(0, 3).join("\n").slice(0, TOOL_LINE_CHARACTERS);
  const summary = between(opening, "<summary>", "</summary>") ?? "";
  const type = between(opening, 'data-tool-type="', '"') ?? "";
  const name = between(opening, 'data-tool-name="', '"') ?? nameIn(summary);
  const body = bodyOf(block);
  const found = parts(body);
  const answer = (found.result ?? found.fences.at(-1)?.[0] ?? "").slice(0, TOOL_LINE_CHARACTERS);
  const status = statusOf(type, answer, body, found.fences);
  const todos = listedTodos(found.before, found.fences);
  return {
    name,
    input: defined({
      todos,
      ...said(summary, name),
      ...(listedInputs(body) ?? (type === "shell" ? shell : named)(found, answer)),
      ...(type === "read" && looked(summary)),
    }),
    // A refusal may contain the user's reason, so the call's input is left out.
    output: joined(REFUSAL.test(answer) ? (found.fences.at(-1) ?? []) : body),
    ...(status !== undefined && { status }),
  };
}

/** The oldest files say what was done, but do not name the tool. */
function nameIn(summary: string): string {
  if (summary.includes("Tool use:")) return between(summary, "**", "**") ?? "";
  const [, done = ""] = /^(Edit|Read) file: /.exec(summary) ?? [];
  return done.toLowerCase();
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
  return end < 0 ? undefined : text.slice(start + open.length, end);
}

/** The lines after the summary, which can end on the first, second or third line. */
function bodyOf(block: readonly string[]): readonly string[] {
  const last = block.slice(0, 3).findIndex((line) => line.includes("</summary>"));
  if (last < 0) return block.slice(1);
  const line = block[last] as string;
  return [line.slice(line.indexOf("</summary>") + "</summary>".length), ...block.slice(last + 1)];
}

interface Parts {
  /** The non-blank lines before the first fence. */
  readonly before: readonly string[];
  readonly fences: readonly (readonly string[])[];
  /** The text after "Result:" on the same or the next line, if the result is not in a fence. */
  readonly result?: string;
}

const RESULT = "Result:";

function parts(body: readonly string[]): Parts {
  const before: string[] = [];
  const fences: string[][] = [];
  let result: string | undefined;
  let open: Fence | undefined;
  for (const line of body) {
    const fence = line.startsWith(" ") ? undefined : fenceOf(line);
    if (open) {
      if (fence && closes(open, fence)) open = undefined;
      else fences.at(-1)?.push(line);
    } else if (fence) {
      open = fence;
      fences.push([]);
      // This fence contains the result.
      if (result === "") result = undefined;
    } else if (line.startsWith(RESULT)) result = line.slice(RESULT.length).trim();
    else if (result === "") result = line.trim();
    else if (fences.length === 0 && line.trim() !== "" && line.length <= TOOL_LINE_CHARACTERS) before.push(line.trim());
  }
  // The written text may contain fences, so the last line can seem to be inside one.
  const last = body.findLast((line) => line.trim() !== "");
  if (last?.startsWith(`${RESULT} `)) result = last.slice(RESULT.length).trim();
  return { before, fences, ...(result && { result }) };
}

type Fields = Readonly<Record<string, string | undefined>>;

/** The summary without the tool's name, and the file that it names. */
function said(summary: string, name: string): Fields {
  const rest = summary
    .replace("Tool use:", "")
    .replace(`**${name}**`, "")
    .replace(/^[\s•]+/, "")
    .trim();
  if (rest === "") return {};
  const path = /\bfile:? `?([^`•\n]+)/i.exec(rest)?.[1]?.trim() ?? "undefined";
  return { summary: rest, ...(path !== "undefined" && { path }) };
}

/** A reading tool may name its file as code after its title. */
function looked(summary: string): Fields {
  const path = /\*\* `([^`\n]+)`$/.exec(summary)?.[1];
  return path === undefined ? {} : { path };
}

const isCode = (line: string) => line.length > 2 && line.startsWith("`") && line.endsWith("`");

/** A command is code on its own line or, if it has several lines, a fence before that of the answer. */
function shell({ before, fences, result }: Parts): Fields {
  const code = before.find(isCode);
  const command = code?.slice(1, -1) ?? (fences.length > (result === undefined ? 1 : 0) ? fences[0]?.join("\n") : undefined);
  return defined({ description: before.find((line) => !isCode(line)), command });
}

/** Other tools name their input: a path as code, or words with code after each. */
function named({ before }: Parts, answer: string): Fields {
  const [first = ""] = before;
  const [, path] = /^Path: `([^`]+)`$/.exec(first) ?? [];
  if (path !== undefined) return { path: writtenIn(answer) ?? path };
  const pairs = [...first.matchAll(/(?:^|\s)([A-Za-z_]{1,30}) `([^`]+)`/g)];
  if (pairs.length > 0 && /^[A-Za-z_]+ `/.test(first)) return Object.fromEntries(pairs.map(([, key, value]) => [key, value]));
  if (isCode(first)) return { path: first.slice(1, -1) };
  return defined({ description: first || undefined, path: writtenIn(answer) });
}

const writtenIn = (answer: string) => WRITTEN.map((pattern) => pattern.exec(answer)?.[1]).find((path) => path !== undefined);

// Tool inputs that SpecStory lists: `- key: `value``, or `- key:` followed by a fence.

const INPUT_TITLE = "**Input:**";
const KEY = /^- ([A-Za-z_]{1,40}):(?: `(.*)`)?$/;

/** Undefined if the block has no such list. */
function listedInputs(body: readonly string[]): Fields | undefined {
  const title = body.findIndex((line) => line.trim() !== "");
  if (body[title]?.trim() !== INPUT_TITLE) return undefined;
  const inputs = new Map<string, string>();
  let key: string | undefined;
  let open: Fence | undefined;
  let start = 0;
  for (let index = title + 1; index < body.length; index++) {
    const line = (body[index] as string).trimEnd();
    const fence = line.startsWith(" ") ? undefined : fenceOf(line);
    const [, name, value] = KEY.exec(line) ?? [];
    // The written text may contain fences, so a key right after a closing fence ends it in any case.
    const ended = key === undefined && name !== undefined && fenceOf(body[index - 1] as string)?.bare === true;
    if (open && !ended) {
      if (!fence || !closes(open, fence)) continue;
      if (key !== undefined) inputs.set(key, body.slice(start, index).join("\n"));
      open = undefined;
      key = undefined;
    } else if (name !== undefined) {
      open = undefined;
      key = value === undefined ? name : undefined;
      if (value !== undefined) inputs.set(name, value);
    } else if (fence) {
      open = fence;
      start = index + 1;
    }
  }
  return Object.fromEntries(inputs);
}

// How hosts report a failed call, at the start of its answer. A program can print "Error:" and still succeed.
const FAILURE = /^(?:<tool_use_error>|(?:Error: )?Exit code [1-9])/;
const REFUSAL = /^The user doesn't want to proceed with this tool use/;
const ERROR = /^(?:Error\b|error:)/;
// How Gemini CLI reports that a file was not changed or could not be read.
const UNTOUCHED =
  /^(?:File path must be within one of the workspace directories|Failed to edit\b|A secondary check by an LLM determined that no changes)/;
const REJECTED = /^Command rejected\b/;

// Gemini CLI repeats the command, then prints its output and how it ended.
const REPORT = /^Command: /;
const EXIT = /^Exit Code: (\d+)\s*$/;

/** @param answer its first line */
function statusOf(type: string, answer: string, body: readonly string[], fences: Parts["fences"]): string | undefined {
  if (FAILURE.test(answer) || REFUSAL.test(answer)) return "error";
  if (type !== "shell") return ERROR.test(answer) || UNTOUCHED.test(answer) ? "error" : undefined;
  if (REJECTED.test(answer)) return "rejected";
  // Check all fences, because output with fences in it ends the first one early.
  if (!fences.some(([first = ""]) => REPORT.test(first))) return undefined;
  const last = body.slice(-STATUS_LINES).findLast((line) => EXIT.test(line));
  return last === undefined ? undefined : Number(EXIT.exec(last)?.[1]) === 0 ? "completed" : "error";
}

// The todo list in a tool block: boxes for most hosts, or Cursor's JSON answer.

const BOX = /^\s*[-*+] \[.\] \S/;
const ANSWER = '"finalTodos"';

/** SpecStory's escapes for marks of Markdown and HTML. Even inside JSON they can be replaced safely. */
const ENTITIES: Readonly<Record<string, string>> = { "#96": "`", "#39": "'", lt: "<", gt: ">", amp: "&" };
const asTyped = (text: string) => text.replace(/&(#96|#39|lt|gt|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** The lines with boxes, or the entries of the answer; undefined without a list. */
function listedTodos(before: readonly string[], fences: readonly (readonly string[])[]): unknown {
  const boxes = before.filter((line) => BOX.test(line));
  if (boxes.length > 0) return asTyped(boxes.join("\n"));
  const answer = fences.at(-1)?.join("\n");
  if (!answer?.includes(ANSWER)) return undefined;
  const given = parseJson(asTyped(answer));
  return isFields(given) ? given.finalTodos : undefined;
}
