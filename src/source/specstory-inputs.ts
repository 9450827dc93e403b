// What a tool was given, where a block of SpecStory's Markdown lists it: `- key: `value``, or `- key:` and a fence.
import { closes, type Fence, fenceOf } from "./turns.js";

const TITLE = "**Input:**";
const KEY = /^- ([A-Za-z_]{1,40}):(?: `(.*)`)?$/;

/** Undefined where the block has no such list. */
export function listedInputs(body: readonly string[]): readonly (readonly [string, string])[] | undefined {
  const title = body.findIndex((line) => line.trim() !== "");
  if (body[title]?.trim() !== TITLE) return undefined;
  const inputs: [string, string][] = [];
  let key: string | undefined;
  let open: Fence | undefined;
  let start = 0;
  for (let index = title + 1; index < body.length; index++) {
    const line = (body[index] as string).trimEnd();
    const fence = line.startsWith(" ") ? undefined : fenceOf(line);
    const [, name, value] = KEY.exec(line) ?? [];
    // What was written may hold fences: a key right behind one ends it all the same.
    const ended = key === undefined && name !== undefined && fenceOf(body[index - 1] as string)?.bare === true;
    if (open && !ended) {
      if (!fence || !closes(open, fence)) continue;
      if (key !== undefined) inputs.push([key, body.slice(start, index).join("\n")]);
      open = undefined;
      key = undefined;
    } else if (name !== undefined) {
      open = undefined;
      key = value === undefined ? name : undefined;
      if (value !== undefined) inputs.push([name, value]);
    } else if (fence) {
      open = fence;
      start = index + 1;
    }
  }
  return inputs;
}
