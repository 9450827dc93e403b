// The lines about what calls and notes prove: files, commands, todos, commits, documents, and what the project's notes say.
import { openFailures } from "../extract/calls/failures.js";
import type { Continuation, DocumentLine, Failure, LastCall, Todo } from "../model.js";
import { oneLine } from "../text/forms.js";
import { type Add, type Entry, PLAIN_ENTRY } from "./entry.js";
import { type Fields, type LineBuilders, withFields } from "./fields.js";
import { commonFolder, topmost } from "./files.js";
import { plain, shorten } from "./shorten.js";
import type { ListName } from "./template-names.js";
import { estimateOf } from "./tokens.js";

/** Longest command in a brief: enough to recognise it. */
const COMMAND_CHARACTERS = 82;
const ERROR_CHARACTERS = 100;
/** Longest line of a document, and of the heading above it. */
const DOCUMENT_CHARACTERS = 200;
const HEADING_CHARACTERS = 40;
/** A shorter error ("1 failed") may be that of another failure. */
const TELLING_CHARACTERS = 30;
/** The folder in which a command runs, and where its output goes, say least. */
const withoutFrame = (command: string) => command.replace(/^cd \/\S+ && /, "").replace(/ (?:2>&1|\| ).*$/, "");

/** The recency of the entries of a list that begins with the newest. */
const recency = (index: number, of: number) => 1 - index / Math.max(1, of);

/** The files of the session, and what else the agent works with. */
export function addFiles(add: Add, continuation: Continuation): void {
  const { files, working } = continuation;
  const aside = new Set(files.aside);
  const worthMention = (paths: readonly string[]) => paths.filter((path) => !aside.has(path));
  const { read, created, modified, deleted } = files;
  const lists = {
    read,
    created: worthMention(created),
    modified: worthMention(modified),
    deleted: topmost(worthMention(deleted)),
  };
  const changed = [...lists.created, ...lists.modified].sort();
  const root = commonFolder(continuation);
  const short = (path: string) => onLine(path.startsWith(root) ? path.slice(root.length) : path);
  const lately = new Map((working?.files ?? []).map((path, index, all) => [path, recency(index, all.length)]));
  const addPath = (list: ListName, path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1) || path;
    add(list, () => ({
      ...PLAIN_ENTRY,
      tells: name,
      cost: estimateOf(name) + 2,
      when: lately.get(path) ?? 0,
      fact: list !== "used",
      fields: { text: harmless(path), short: short(path) },
    }));
  };
  for (const [list, paths] of Object.entries({ ...lists, changed })) for (const path of paths) addPath(list as ListName, path);
  if (!working) return;
  // A part of a path may be the name of a changed file.
  const isChanged = (path: string) => changed.some((one) => one === path || one.endsWith(`/${path}`));
  for (const path of working.files) if (!isChanged(path)) addPath("used", path);
  const { homes = {}, commands, references, names, skills } = working;
  for (const [list, words] of Object.entries({ commands, references, names, skills }))
    for (const [index, text] of words.entries())
      add(list as ListName, () => ({
        ...PLAIN_ENTRY,
        fact: false,
        tells: text,
        whole: words === commands,
        cost: estimateOf(text) + 2,
        when: recency(index, words.length),
        fields: { text, short: text, ...(words === names && { home: short(homes[text] ?? "") }) },
      }));
}

/** What a summary says instead of a fact, by the fact's kind and text. */
export type ToldOf = (kind: string, text: string) => string | undefined;

/** For a line that shows both: the record, and the summary that says otherwise. */
export const toldField = (told: string | undefined): Fields => (told ? { told: shorten(oneLine(told), COMMAND_CHARACTERS) } : {});

/** What the agent's calls prove besides files: what runs, commands, todos and commits. */
export function addCalls(
  add: Add,
  { session, working, errors, todos, commits = [] }: Continuation,
  line: LineBuilders,
  toldOf: ToldOf,
): void {
  const addText = (list: ListName, text: string, more: Partial<Entry> = {}) => {
    const shown = withFields(line.ofText(text), toldField(toldOf("todo", text)));
    add(list, () => ({
      ...PLAIN_ENTRY,
      tells: text,
      ...shown,
      fields: { ...shown.fields, plain: plain(String(shown.fields.text)) },
      ...(shown.fields.told && { must: true }),
      ...more,
    }));
  };
  if (session.branch) addText("branch", session.branch, { fact: false });
  for (const text of working?.running ?? []) addText("running", text);
  for (const text of working?.asked ?? []) addText("questions", text);
  const commands = (list: "failing" | "fixed" | "unrun", given: readonly Pick<Failure, "command" | "error" | "unsure">[]) => {
    const lines = given.map((one) => ({ ...one, line: oneLine(one.command.replace(/\\(?=\r?\n)/g, "")) }));
    // Long commands that differ only after the cut would give the same line twice.
    const once = [...new Map(lines.map((one) => [shorten(withoutFrame(one.line), COMMAND_CHARACTERS), one])).values()];
    for (const [index, { command, line: typed, error = "", unsure }] of once.entries()) {
      const text = shorten(typed);
      const bare = text.length > COMMAND_CHARACTERS ? withoutFrame(text) : text;
      const toldFields = toldField(toldOf("failure", command));
      const fields = {
        text,
        short: shorten(bare, COMMAND_CHARACTERS),
        error: shorten(oneLine(error), ERROR_CHARACTERS),
        unsure: unsure ? "yes" : "",
        ...toldFields,
      };
      const full = fields.short === bare ? undefined : { ...fields, short: bare };
      const when = recency(index, once.length);
      add(list, () => ({
        ...PLAIN_ENTRY,
        tells: `${fields.short} ${fields.error}`,
        whole: true,
        when,
        fields,
        ...(toldFields.told && { must: true }),
        ...(full && { full }),
      }));
    }
  };
  commands(
    "unrun",
    (working?.unrun ?? []).map((command) => ({ command })),
  );
  // Several commands may fail with the same error: the newest one is shown.
  const open = openFailures(errors);
  const failing = new Set(open.map(({ command }) => command));
  const keyOf = ({ command, error = "" }: Failure) => (error.length < TELLING_CHARACTERS ? command : error);
  commands("failing", [...new Map(open.map((one) => [keyOf(one), one])).values()].reverse());
  commands("fixed", errors.filter(({ resolved, command }) => resolved && !failing.has(command)).reverse());
  const lists: Readonly<Record<Todo["state"], ListName>> = { doing: "doing", open: "todos", done: "ticked" };
  for (const { text, state } of todos) addText(lists[state], text);
  for (const [index, { id, text, sent }] of [...commits].reverse().entries()) {
    const short = shorten(id === undefined ? text : `${id} ${text}`, COMMAND_CHARACTERS);
    const commit = sent === undefined ? short : `${short} (then ${shorten(sent, COMMAND_CHARACTERS)})`;
    // The newest one tells how far the work is, also where the summary has its words.
    const share = index === 0 && { share: "end" };
    const when = recency(index, commits.length);
    add("commits", () => ({ ...PLAIN_ENTRY, ...share, tells: commit, when, fields: { text: commit } }));
  }
}

export function addLastCalls(add: Add, lastCalls: readonly LastCall[]): void {
  for (const [index, { did, text, failed }] of lastCalls.entries()) {
    const short = shorten(did === "ran" ? withoutFrame(text) : harmless(text), COMMAND_CHARACTERS);
    const fields = { text, short, did, ran: did === "ran" ? "yes" : "", failed: failed ? "yes" : "" };
    add("lastCalls", () => ({
      ...PLAIN_ENTRY,
      share: "end",
      fact: false,
      tells: text,
      when: (index + 1) / lastCalls.length,
      fields,
    }));
  }
}

export function addDocuments(add: Add, documents: readonly DocumentLine[]): void {
  for (const { text, file, heading, when } of documents) {
    const shown = shorten(oneLine(text), DOCUMENT_CHARACTERS);
    const under = shorten(oneLine(heading), HEADING_CHARACTERS);
    const name = file.slice(file.lastIndexOf("/") + 1);
    add("documents", () => ({
      ...PLAIN_ENTRY,
      fact: false,
      tells: shown,
      when,
      fields: { text: shown, plain: plain(shown), under, file: name },
    }));
  }
}

/** @param single the sections of one line, which are where the work stands */
export function addNotes(add: Add, continuation: Continuation, line: LineBuilders, single: ReadonlySet<string>): void {
  const { sections = [], workflow } = continuation;
  for (const [place, { id, of, lines }] of sections.entries()) {
    if (of === "carried") {
      for (const text of lines.map(oneLine)) add("living", () => ({ ...PLAIN_ENTRY, tells: text, ...line.ofText(text) }));
      continue;
    }
    // Where the work stands stays longest, then the first line of each list. A section without lines is dropped first.
    for (const [index, text] of (lines.length > 0 ? lines : [""]).entries()) {
      const order = text === "" ? EMPTY_ORDER : single.has(id) ? 0 : 1 + index;
      const isShared = text !== "" || workflow !== undefined;
      add("state", () => ({
        ...PLAIN_ENTRY,
        fact: text !== "",
        tells: text,
        salience: (1 - place / 1_000) / (1 + order),
        share: isShared ? "state" : "none",
        ...(isShared && { rank: order * sections.length + place }),
        fields: { text: oneLine(text), section: id },
      }));
    }
  }
}

const EMPTY_ORDER = 1_000;

/** A path may contain anything. Escapes line breaks, so that it stays on its line. */
const onLine = (text: string) => text.replace(/[\r\n]+/g, "\\n");

/** Also escapes angle brackets, so that a path cannot end a list between tags. */
export const harmless = (text: string) => onLine(text).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
