// A tool block of SpecStory's Markdown → a tool call, as far as the block tells.
import { TOOL_LINE_CHARACTERS } from "../limits.js";
import type { ToolCall } from "../model.js";
import { listedInputs } from "./specstory-inputs.js";
import { REFUSAL, statusOf } from "./specstory-status.js";
import { listedTodos } from "./specstory-todos.js";
import { closes, type Fence, fenceOf, joined } from "./turns.js";

// How hosts say in a tool's answer which file it wrote.
const WRITTEN = [
  /^File created successfully at: (.+)$/,
  /^The file (.+?) has been (?:updated|created|overwritten)/,
  /^Successfully (?:modified|overwrote|created and wrote to new) file: (.+?)(?: \(\d+ replacements?\))?\.?$/,
  /^Successfully (?:wrote to|created|updated|edited) (?:file:? )?(.+)$/,
];

/** @param block the lines from the opening tag to the closing one, without the latter */
export function toCall(block: readonly string[]): ToolCall {
  const opening = block.slice(0, 3).join("\n").slice(0, TOOL_LINE_CHARACTERS);
  const summary = between(opening, "<summary>", "</summary>") ?? "";
  const type = between(opening, 'data-tool-type="', '"') ?? "";
  const name = between(opening, 'data-tool-name="', '"') ?? nameIn(summary);
  const body = bodyOf(block);
  const found = parts(body);
  const answer = (found.result ?? found.fences.at(-1)?.[0] ?? "").slice(0, TOOL_LINE_CHARACTERS);
  const status = statusOf(type, answer, { body, fences: found.fences });
  const todos = listedTodos(found.before, found.fences);
  return {
    name,
    input: Object.fromEntries<unknown>([
      ...(todos === undefined ? [] : [["todos", todos] as const]),
      ...said(summary, name),
      ...(listedInputs(body) ?? (type === "shell" ? shell : named)(found, answer)),
      ...(type === "read" ? looked(summary) : []),
    ]),
    // The user may say there why: what the call was given must not stand before it.
    output: joined(REFUSAL.test(answer) ? (found.fences.at(-1) ?? []) : body),
    ...(status !== undefined && { status }),
  };
}

/** The oldest files tell what was done and not by which tool. */
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

/** What stands behind the summary, which may end on the first, second or third line. */
function bodyOf(block: readonly string[]): readonly string[] {
  const last = block.slice(0, 3).findIndex((line) => line.includes("</summary>"));
  if (last < 0) return block.slice(1);
  const line = block[last] as string;
  return [line.slice(line.indexOf("</summary>") + "</summary>".length), ...block.slice(last + 1)];
}

interface Parts {
  /** The lines with text before the first fence. */
  readonly before: readonly string[];
  readonly fences: readonly (readonly string[])[];
  /** What follows the word on its line or on the next, where the result does not stand in a fence. */
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
      // The result stands here.
      if (result === "") result = undefined;
    } else if (line.startsWith(RESULT)) result = line.slice(RESULT.length).trim();
    else if (result === "") result = line.trim();
    else if (fences.length === 0 && line.trim() !== "" && line.length <= TOOL_LINE_CHARACTERS) before.push(line.trim());
  }
  // What was written may hold fences, so that the last line seems to stand in one.
  const last = body.findLast((line) => line.trim() !== "");
  if (last?.startsWith(`${RESULT} `)) result = last.slice(RESULT.length).trim();
  return { before, fences, ...(result && { result }) };
}

type Entries = readonly (readonly [string, string])[];
type Told = (parts: Parts, answer: string) => Entries;

/** The summary beyond the tool's name, and the file it may name. */
function said(summary: string, name: string): Entries {
  const rest = summary
    .replace("Tool use:", "")
    .replace(`**${name}**`, "")
    .replace(/^[\s•]+/, "")
    .trim();
  if (rest === "") return [];
  const [, path] = /\bfile:? `?([^`•\n]+)/i.exec(rest) ?? [];
  return path === undefined || path.trim() === "undefined"
    ? [["summary", rest]]
    : [
        ["summary", rest],
        ["path", path.trim()],
      ];
}

/** A tool that reads may name its file as code behind its title. */
function looked(summary: string): Entries {
  const [, path] = /\*\* `([^`\n]+)`$/.exec(summary) ?? [];
  return path === undefined ? [] : [["path", path]];
}

const isCode = (line: string) => line.length > 2 && line.startsWith("`") && line.endsWith("`");

/** A command stands as code of its own line, or, of several lines, in a fence before that of the answer. */
const shell: Told = ({ before, fences, result }) => {
  const code = before.find(isCode);
  const command = code?.slice(1, -1) ?? (fences.length > (result === undefined ? 1 : 0) ? fences[0]?.join("\n") : undefined);
  const description = before.find((line) => !isCode(line));
  return [
    ...(description === undefined ? [] : [["description", description] as const]),
    ...(command === undefined ? [] : [["command", command] as const]),
  ];
};

/** Other tools name what they were given: a path as code, or words with code behind each. */
const named: Told = ({ before }, answer) => {
  const [first = ""] = before;
  const [, path] = /^Path: `([^`]+)`$/.exec(first) ?? [];
  if (path !== undefined) return [["path", writtenIn(answer) ?? path]];
  const pairs = [...first.matchAll(/(?:^|\s)([A-Za-z_]{1,30}) `([^`]+)`/g)].map(
    ([, key, value]) => [key, value] as [string, string],
  );
  if (pairs.length > 0 && /^[A-Za-z_]+ `/.test(first)) return pairs;
  if (isCode(first)) return [["path", first.slice(1, -1)]];
  const written = writtenIn(answer);
  return [
    ...(first === "" ? [] : [["description", first] as const]),
    ...(written === undefined ? [] : [["path", written] as const]),
  ];
};

const writtenIn = (answer: string) => WRITTEN.map((pattern) => pattern.exec(answer)?.[1]).find((path) => path !== undefined);
