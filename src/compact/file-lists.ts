// The two lists of files after a summary. They come from tool calls, never from the model: copies that the model wrote are
// removed, and the lists are written once.

import type { FactVerdict } from "../audit/audit.js";
import { edgesOf } from "../audit/block.js";
import { INPUT_DEPTH, LINE_CHARACTERS, NAMING_CHARACTERS, TOKEN_CHARACTERS } from "../limits.js";
import type { Extraction, Session } from "../model.js";
import { harmless } from "../render/proven-entries.js";
import { type RenderOptions, render } from "../render/render.js";
import { countTokens } from "../render/tokens.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import type { ListedFiles } from "../state/compaction-state.js";
import { sameForm } from "../text/paths.js";

/** Characters that Claude Code accepts from a hook. The model sees only a preview of longer output. */
const HOOK_CHARACTERS = 10_000;

/** Characters for the file lists after a summary of any length: about forty paths. */
const LISTED_CHARACTERS = 1_800;

const TAGS = { read: "read-files", modified: "modified-files" } as const;
type List = keyof typeof TAGS;
const LISTS = Object.keys(TAGS) as List[];
/** The line after a shortened list. */
const MORE = /^… and \d+ more$/;
const TAG = new RegExp(`<(/?)(${Object.values(TAGS).join("|")})>`, "g");

/** Splits a summary into its prose and the paths in its lists. */
export function splitFileLists(summary: string): ListedFiles & { readonly prose: string } {
  const found: Record<List, string[]> = { read: [], modified: [] };
  const prose: string[] = [];
  let open: List | undefined;
  let from = 0;
  /** In the middle of a line, the text is about the tag. */
  const isAmid = (start: number, end: number) => {
    const { begins, ends } = edgesOf(summary, start, end);
    return !begins && !ends;
  };
  const endList = (text: string, closed: boolean) => {
    const lines = text.split("\n");
    // An unclosed list ends at the first line that is not a path. Text on the line of the tag is prose.
    const first = lines.findIndex((line, index) =>
      index === 0 ? line.trim() !== "" : !/^\s*\S+\s*$/.test(line) && !MORE.test(line.trim()),
    );
    const end = closed || first < 0 ? lines.length : first;
    if (open) found[open].push(...lines.slice(0, end).flatMap(pathOf));
    prose.push(lines.slice(end).join("\n"));
  };
  for (const { 0: tag, 1: slash, 2: name, index } of summary.matchAll(TAG)) {
    const list = LISTS.find((one) => TAGS[one] === name) as List;
    if (!(open && slash === "/") && isAmid(index, index + tag.length)) continue;
    const before = summary.slice(from, index);
    if (open) endList(before, slash === "/" && list === open);
    else prose.push(before);
    open = slash === "" ? list : undefined;
    from = index + tag.length;
  }
  if (open) endList(summary.slice(from), false);
  else prose.push(summary.slice(from));
  const text = prose.map((part) => part.trim()).filter((part) => part !== "");
  return { prose: text.join("\n\n"), read: found.read, modified: found.modified };
}

function pathOf(line: string): readonly string[] {
  if (MORE.test(line.trim())) return [];
  const path = line.trim().replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  return path === "" || path.length > LINE_CHARACTERS ? [] : [path];
}

/** Adds the lists after the prose, sorted, read files first. Empty lists are left out. `more` counts the files that are not shown. */
export function withFileLists(prose: string, given: ListedFiles, more: Partial<Record<List, number>> = {}): string {
  const nameOf = sameForm([...given.read, ...given.modified]);
  const changed = new Set(given.modified.map(nameOf));
  // What was modified was read, too: it is listed once.
  const files = { ...given, read: given.read.filter((path) => !changed.has(nameOf(path))) };
  const blocks = LISTS.flatMap((list) => {
    const rest = more[list] ?? 0;
    const lines = [...new Set([...files[list]].sort().map(harmless)), ...(rest > 0 ? [`… and ${rest} more`] : [])];
    return files[list].length === 0 ? [] : [`<${TAGS[list]}>\n${lines.join("\n")}\n</${TAGS[list]}>`];
  });
  return [prose, ...blocks].filter((part) => part !== "").join("\n\n");
}

// Which files are shown after a summary: the lists are stored whole, but only the most recently used files are shown.

/** All files if there is room after `beside` characters, otherwise the newest of each list.
 * @returns also, as `more`, the number of hidden files per list */
export function shownFiles(files: ListedFiles, session: Session, beside: number) {
  const room = Math.max(LISTED_CHARACTERS, HOOK_CHARACTERS - beside);
  if (withFileLists("", files).length <= room) return { ...files, more: { read: 0, modified: 0 } };
  const newest = newestFirst(session, [...files.read, ...files.modified]);
  // Modified files are more important than read ones.
  const modified = firstOf(newest, files.modified, files.read.length > 0 ? (room * 3) / 4 : room);
  const read = firstOf(newest, files.read, room - modified.join("\n").length - FRAME_CHARACTERS);
  const more = { read: files.read.length - read.length, modified: files.modified.length - modified.length };
  return { read, modified, more };
}

/** Shortens the lists of a summary that names all files. A file that is no longer named counts as missing. */
export function withShownFiles(summary: string, verdicts: readonly FactVerdict[], files: ListedFiles, session: Session) {
  const all = withFileLists("", files);
  const at = all === "" ? -1 : summary.lastIndexOf(all);
  if (at < 0) return { summary, verdicts };
  const { more, ...newest } = shownFiles(files, session, summary.length - all.length);
  if (more.read + more.modified === 0) return { summary, verdicts };
  const lists = withFileLists("", newest, more);
  const places = new Map([...lists.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => [line, at + index]));
  const placed = ({ where, ...fact }: FactVerdict): FactVerdict => {
    if (!where || where.start < at) return { ...fact, ...(where && { where }) };
    const path = harmless(fact.text);
    const start = places.get(path);
    if (start !== undefined) return { ...fact, where: { start, end: start + path.length } };
    return fact.kind === "file" ? { ...fact, verdict: "missing", why: "among the files that are only counted" } : fact;
  };
  return { summary: summary.slice(0, at) + lists + summary.slice(at + all.length), verdicts: verdicts.map(placed) };
}

/** Characters of the tags, the line that counts the rest, and the blank line before them. */
const FRAME_CHARACTERS = 70;

function firstOf(newest: readonly string[], list: readonly string[], room: number): readonly string[] {
  const own = new Set(list);
  let left = room - FRAME_CHARACTERS;
  const shown: string[] = [];
  for (const path of newest) {
    if (!own.has(path)) continue;
    left -= path.length + 1;
    if (left < 0) break;
    shown.push(path);
  }
  return shown;
}

/** Sorts paths by the last tool call that names them. Paths that no call names come last, in their order. */
function newestFirst({ messages, folder }: Session, paths: readonly string[]): readonly string[] {
  const left = new Map(
    paths.flatMap((path) => [[path, path], ...(folder === undefined ? [] : [[`${folder}/${path}`, path]])]) as [string, string][],
  );
  const found = new Set<string>();
  const look = (value: unknown, depth = INPUT_DEPTH): void => {
    if (typeof value === "string") {
      for (const word of value.slice(0, NAMING_CHARACTERS).split(/[\s"'`=,;:()]+/)) {
        const path = left.get(word);
        if (path !== undefined) found.add(path);
      }
      const whole = left.get(value);
      if (whole !== undefined) found.add(whole);
    } else if (typeof value === "object" && value !== null && depth > 0)
      for (const one of Object.values(value)) look(one, depth - 1);
  };
  for (const { toolCalls } of messages.toReversed()) for (const { input } of toolCalls.toReversed()) look(input);
  return [...found, ...paths.filter((path) => !found.has(path))];
}

// Renders the summary without a model, short enough that a hook's output can hold it with its lists and the repair block.

export function renderForHook(
  extraction: Extraction,
  files: ListedFiles,
  session: Session,
  rules: RuleSet,
  context: RenderOptions,
) {
  const template = rules.templates.get("structured") as Template;
  const { more, ...shown } = shownFiles(files, session, HOOK_CHARACTERS - LISTED_CHARACTERS);
  const lists = withFileLists("", shown, more);
  const { continuation } = extraction;
  const unlisted = { ...continuation.files, read: [], created: [], modified: [] };
  const bare = { ...extraction, continuation: { ...continuation, files: unlisted } };
  const textOf = (tokens: number) => render(bare, template, rules, { ...context, tokens }).text.trimEnd();
  let tokens = Math.max(1, template.tokens - countTokens(lists));
  let text = textOf(tokens);
  // A template with a larger budget is used as it is.
  if (template.tokens * TOKEN_CHARACTERS > HOOK_CHARACTERS) return text;
  const behind = (rules.templates.get("repair")?.tokens ?? 0) * TOKEN_CHARACTERS;
  const room = HOOK_CHARACTERS - lists.length - behind;
  while (text.length > room && tokens > LEAST_TOKENS) {
    tokens = Math.max(LEAST_TOKENS, Math.floor(tokens * Math.min(0.95, room / text.length)));
    text = textOf(tokens);
  }
  return text;
}

/** The smallest budget with which a summary still says something under each heading. */
const LEAST_TOKENS = 400;
