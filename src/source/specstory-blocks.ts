// Where the heads and blocks of SpecStory's Markdown begin and end.
import { SPECSTORY_HEAD_CHARACTERS } from "../limits.js";
import { closes, type Fence, fenceOf } from "./turns.js";

const HEAD = /^_\*\*(User|Human|Agent|Assistant)( - sidechain)?(?: \((.*)\))?\*\*_$/;
const BRACKETED = /(?:^|\) \()sidechain$/;

export interface Head {
  readonly user: boolean;
  readonly sidechain: boolean;
  /** The model and the time. */
  readonly label: string;
}

export function headOf(line: string): Head | undefined {
  if (!line.startsWith("_**") || line.length > SPECSTORY_HEAD_CHARACTERS) return undefined;
  const [, who, dashed, last = ""] = HEAD.exec(line.trimEnd()) ?? [];
  if (who === undefined) return undefined;
  // Older files have it in brackets of its own.
  const label = last.replace(BRACKETED, "");
  return { user: who === "User" || who === "Human", sidechain: dashed !== undefined || label !== last, label };
}

/** Older files have the details without the tag around them, and the oldest ones do not say whose they are. */
export function isTool(content: readonly string[], index: number, oldest: boolean): boolean {
  const line = content[index] as string;
  if (line.startsWith("<tool-use ") || (oldest && line.startsWith("<details>"))) return true;
  return (
    line.startsWith("<details>") && /<summary>Tool use:/.test(`${line.slice(0, 200)}${content[index + 1]?.slice(0, 200) ?? ""}`)
  );
}

/** The answer of a tool may hold such blocks and heads itself, so only what stands outside of its fences ends it. */
export function endOfTool(content: readonly string[], start: number): { end: number; closed: boolean } {
  const close = (content[start] as string).startsWith("<tool-use ") ? "</tool-use>" : "</details>";
  let open: Fence | undefined;
  for (let end = start; end < content.length; end++) {
    const line = content[end] as string;
    const fence = line.startsWith(" ") ? undefined : fenceOf(line);
    // Fences inside of an answer are escaped; one right before the end is the answer's own, whatever came before.
    const free = open === undefined || fenceOf(content[end - 1] ?? "")?.bare === true;
    if (free && line.includes(close)) return { end, closed: true };
    if (open === undefined && end > start && headOf(line)) return { end, closed: false };
    if (open) open = fence && closes(open, fence) ? undefined : open;
    else open = fence;
  }
  return { end: content.length, closed: false };
}

export const beforeClose = (line: string) => [line.replace(/<\/(?:details|tool-use)>.*$/, "")];

/** Thinking ends with its tag, or, where that is missing, with the turn. */
export function endOfThinking(content: readonly string[], start: number): { end: number; rest: string } {
  for (let end = start; end < content.length; end++) {
    const line = content[end] as string;
    const at = line.indexOf("</think>");
    if (at >= 0) return { end: end + 1, rest: line.slice(at + "</think>".length).trim() };
    if (headOf(line)) return { end, rest: "" };
  }
  return { end: content.length, rest: "" };
}

/** A line, or a whole fence: what stands in one is shown and is no block. A fence that the turn does not close is a line. */
export function endOfText(content: readonly string[], start: number, lost: Set<string>): number {
  const open = fenceOf(content[start] as string);
  if (!open || lost.has(open.mark)) return start + 1;
  for (let end = start + 1; end < content.length; end++) {
    const line = content[end] as string;
    if (headOf(line)) break;
    const fence = fenceOf(line);
    if (fence && closes(open, fence)) return end + 1;
  }
  lost.add(open.mark);
  return start + 1;
}
