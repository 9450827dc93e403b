// The lines about what calls and notes prove: files, commands, todos, commits, and what the project's notes say.
import { openFailures } from "../extract/calls/failures.js";
import type { FactPlace } from "../extract/place.js";
import type { Continuation, Failure, Statement, Todo } from "../model.js";
import { oneLine } from "../text/forms.js";
import type { Fields, Line, linesBy } from "./fields.js";
import { byMention, commonFolder, topmost } from "./files.js";
import type { ListName } from "./shape.js";
import { plain, shorten } from "./shorten.js";
import { estimateOf } from "./tokens.js";
import { chooseWorking } from "./working.js";
import {
  LIVING_TOKENS,
  LIVING_WORTH,
  provenWorth,
  READ_WORTH,
  RUNNING_WORTH,
  stateWorth,
  TICKED_WORTH,
  TOKENS_PER_CHANGE,
  WORKING_WORTH,
} from "./worth.js";

/** Longest command in a brief: enough to recognise it. */
const COMMAND_CHARACTERS = 82;
const ERROR_CHARACTERS = 100;
/** A shorter error ("1 failed") may be that of another failure. */
const TELLING_CHARACTERS = 30;
/** The folder in which a command runs, and where its output goes, say least. */
const withoutFrame = (command: string) => command.replace(/^cd \/\S+ && /, "").replace(/ (?:2>&1|\| ).*$/, "");

/** One line that a template may show. If room is short, the lines with the highest worth stay. */
export interface Entry extends Line {
  readonly list: ListName;
  readonly worth: number;
  /** It is a fact, so it counts as hidden when it is not shown. */
  readonly fact: boolean;
  /** Where it was said, if it was. */
  readonly place?: FactPlace;
}

/** Adds an entry. What is in it is only asked for if its list is shown. */
export type Add = (list: ListName, toEntry: () => Omit<Entry, "list">) => void;

type Lines = ReturnType<typeof linesBy>;

/** The files of the session, and the working set. */
export function addFiles(add: Add, continuation: Continuation, standing: readonly Statement[], tokens: number): void {
  const { files, working } = continuation;
  const aside = new Set(files.aside);
  const told = (paths: readonly string[]) => paths.filter((path) => !aside.has(path));
  const { read, created, modified, deleted } = files;
  const lists = { read, created: told(created), modified: told(modified), deleted: topmost(told(deleted)) };
  const changed = [...lists.created, ...lists.modified].sort();
  const root = commonFolder(continuation);
  const place = new Map(byMention([...changed, ...lists.deleted], standing).map((path, index) => [path, index]));
  const short = (path: string) => onLine(path.startsWith(root) ? path.slice(root.length) : path);
  const known = new Set(changed);
  // Changed files have a list of their own. Those that were used lately come first there.
  const isUsed = new Set(working?.files.filter((path) => known.has(path)).slice(0, Math.floor(tokens / TOKENS_PER_CHANGE)));
  for (const [list, paths] of Object.entries({ ...lists, changed })) {
    for (const path of paths)
      add(list as ListName, () => ({
        worth:
          list === "read"
            ? READ_WORTH
            : Math.max(
                isUsed.has(path) ? WORKING_WORTH : 0,
                provenWorth("changed", place.get(path) ?? 0, path.slice(path.lastIndexOf("/") + 1)),
              ),
        fact: true,
        fields: { text: harmless(path), short: short(path) },
      }));
  }
  // A part of a path may be the name of a changed file.
  const isKnown = (path: string) => known.has(path) || changed.some((one) => one.endsWith(`/${path}`));
  const others = working && { ...working, files: working.files.filter((path) => !isKnown(path)) };
  for (const [index, { of, text }] of (others ? chooseWorking(others, tokens, short) : []).entries()) {
    const home = (of === "names" && working?.homes?.[text]) || "";
    const fields: Fields =
      of === "files" ? { text: harmless(text), short: short(text) } : { text, short: text, home: short(home) };
    add(of === "files" ? "used" : of, () => ({ worth: WORKING_WORTH - index / 10_000, fact: false, fields }));
  }
}

/** What the agent's calls prove besides files: what runs, commands, todos and commits. */
export function addCalls(add: Add, { working, errors, todos, commits = [] }: Continuation, line: Lines): void {
  for (const text of working?.running ?? []) add("running", () => ({ worth: RUNNING_WORTH, fact: true, ...line.ofText(text) }));
  for (const [index, text] of (working?.asked ?? []).entries()) {
    const shown = line.ofText(text);
    const fields = { ...shown.fields, plain: plain(String(shown.fields.text)) };
    add("questions", () => ({ worth: provenWorth("questions", index, text), fact: true, ...shown, fields }));
  }
  const commands = (list: "failing" | "fixed" | "unrun", given: readonly Pick<Failure, "command" | "error">[]) => {
    const lines = given.map(({ command, error = "" }) => ({ line: oneLine(command.replace(/\\(?=\r?\n)/g, "")), error }));
    // Long commands that differ only after the cut would give the same line twice.
    const once = [...new Map(lines.map((one) => [shorten(one.line, COMMAND_CHARACTERS), one])).values()];
    for (const [index, { line, error }] of once.entries()) {
      const text = shorten(line);
      const bare = text.length > COMMAND_CHARACTERS ? withoutFrame(text) : text;
      const fields = { text, short: shorten(bare, COMMAND_CHARACTERS), error: shorten(oneLine(error), ERROR_CHARACTERS) };
      const full = fields.short === bare ? undefined : { ...fields, short: bare };
      add(list, () => ({ worth: provenWorth(list, index, fields.short), fact: true, fields, ...(full && { full }) }));
    }
  };
  commands(
    "unrun",
    (working?.unrun ?? []).map((command) => ({ command })),
  );
  // Several commands may fail with the same error: the newest one is told.
  const open = openFailures(errors);
  const failing = new Set(open.map(({ command }) => command));
  const keyOf = ({ command, error = "" }: Failure) => (error.length < TELLING_CHARACTERS ? command : error);
  commands("failing", [...new Map(open.map((one) => [keyOf(one), one])).values()].reverse());
  commands("fixed", errors.filter(({ resolved, command }) => resolved && !failing.has(command)).reverse());
  const listed = (wanted: Todo["state"]) => todos.filter(({ state }) => state === wanted).map(({ text }) => text);
  for (const [list, state] of [["doing", "doing"] as const, ["todos", "open"] as const])
    for (const [index, text] of listed(state).entries()) {
      const short = shorten(text, COMMAND_CHARACTERS);
      add(list, () => ({ worth: provenWorth(list, index, short), fact: true, ...line.ofText(text) }));
    }
  for (const text of listed("done")) add("ticked", () => ({ worth: TICKED_WORTH, fact: true, ...line.ofText(text) }));
  for (const [index, { id, text, sent }] of [...commits].reverse().entries()) {
    const made = shorten(id === undefined ? text : `${id} ${text}`, COMMAND_CHARACTERS);
    const told = sent === undefined ? made : `${made} (then ${shorten(sent, COMMAND_CHARACTERS)})`;
    add("commits", () => ({ worth: provenWorth("commits", index, told), fact: true, fields: { text: told } }));
  }
}

/** What the project's notes say. */
export function addNotes(add: Add, { sections = [] }: Continuation, line: Lines): void {
  let livingTokens = LIVING_TOKENS;
  for (const [place, { id, of, lines }] of sections.entries()) {
    if (of === "carried") {
      for (const text of lines.map(oneLine)) {
        const tokens = estimateOf(text);
        if (tokens > livingTokens) continue;
        livingTokens -= tokens;
        add("living", () => ({ worth: LIVING_WORTH, fact: true, ...line.ofText(text) }));
      }
      continue;
    }
    // A section without lines is dropped first.
    if (lines.length === 0) add("state", () => ({ worth: -place, fact: false, fields: { text: "", section: id } }));
    for (const [index, text] of lines.entries()) {
      const worth = stateWorth(index, place, of === "workflow");
      add("state", () => ({ worth, fact: true, fields: { text: oneLine(text), section: id } }));
    }
  }
}

/** A path may contain anything. Escapes line breaks, so that it stays on its line. */
const onLine = (text: string) => text.replace(/[\r\n]+/g, "\\n");

/** Also escapes angle brackets, so that a path cannot end a list between tags. */
export const harmless = (text: string) => onLine(text).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
