// Which guards a tool call meets. Calls are read as everywhere else: by the `tools` and `shell` tables of the packs.
import { join, posix, relative, resolve, sep } from "node:path";
import { effectsOf, type FileEffect, readScript } from "../extract/calls/effects.js";
import { temporaryIn } from "../extract/calls/file-lists.js";
import { firstText } from "../extract/calls/input-fields.js";
import { isPattern, type Line, lineReader, type RanProgram } from "../extract/calls/line.js";
import type { ShellWord } from "../extract/calls/shell.js";
import { GUARDED_FILES } from "../limits.js";
import type { Guard, GuardedCommand, Touch } from "../rules/guard.js";
import type { Program, Tool } from "../rules/tool-set.js";
import { isAbsolutePath, programName } from "../text/paths.js";
import { type Compared, fitsPath, fitsWord, holdsPath } from "./glob.js";

export type GuardedCall = { readonly tool: string; readonly input: unknown };

/** The keys of an entry in `tools` that are read here. */
export type ReadTool = Pick<Tool, "id" | "effect" | "file" | "to" | "list" | "patch" | "script" | "command">;

export interface CallContext {
  readonly tools: { readonly get: (name: string) => ReadTool | undefined };
  readonly shell: readonly Program[];
  /** Temporary folders, among others. */
  readonly scratch: readonly string[];
  /** The project, without links. */
  readonly project: string;
  /** The root of its repository, if the agent works for a folder below it. */
  readonly root?: string;
  readonly folder: string;
  readonly home?: string | undefined;
  /** The path without links, also of a file that is not there yet. */
  readonly real: (path: string) => string;
  /** The file system takes `A` and `a` for the same name. */
  readonly folds: boolean;
}

export interface Met {
  readonly guard: Guard;
  /** The file or the command that the guard is for, as the call names it. */
  readonly what: string;
  /** The guard is for whatever is done to a file, and the call only reads it. */
  readonly reads?: true;
}

export interface MatchedGuards {
  readonly met: readonly Met[];
  /** Some of the call cannot be read, so guards may be missing. */
  readonly unread: boolean;
}

export function matchGuards(guards: readonly Guard[], call: GuardedCall, context: CallContext): MatchedGuards {
  if (guards.length === 0) return { met: [], unread: false };
  const tool = context.tools.get(call.tool);
  const lines = tool ? linesOf(call, tool, context) : [];
  const own = tool ? effectsIn(call, tool) : [];
  const ran = lines.flatMap((line) => line.ran);
  const effects = [...own, ...ran.flatMap((program) => program.effects)];
  const names = namer(context);
  const isElsewhere = elsewhereOf(context);
  const touched = (paths: readonly string[], touches: readonly Touch[], all: readonly FileEffect[]) =>
    all.filter(({ path, effect, glob = false }) => {
      const touch = TOUCHES[effect];
      if (!touch || path === "" || (touches.length > 0 && !touches.includes(touch))) return false;
      return names.ofFile(path).some((file) => isGuarded(paths, file, { glob, gone: touch === "delete" }, names));
    });

  function meet({ tools, touches, paths, commands, has, not }: Guard): Omit<Met, "guard"> | undefined {
    const named = tools.length === 0 || tools.some((name) => name === tool?.id || fitsWord(name, call.tool));
    if (commands.length === 0 && has.length === 0 && not.length === 0) {
      if (paths.length === 0) return named ? { what: call.tool } : undefined;
      // An entry that edits is named for whatever edits; one that only runs programs is named for itself.
      const files = named || touches.length > 0 ? touched(paths, touches, effects) : [];
      const reads = touches.length === 0 && files.every(({ effect }) => effect === "read");
      return files[0] && { what: files[0].path, ...(reads && { reads }) };
    }
    if (!named) return undefined;
    const fits = (program: RanProgram) =>
      (paths.length > 0 || !isElsewhere(program)) &&
      (commands.length === 0 || commands.some((command) => fitsCommand(command, program.words))) &&
      (has.length === 0 || has.some((word) => hasWord(word, program.words))) &&
      !not.some((word) => hasWord(word, program.words)) &&
      (paths.length === 0 || touched(paths, touches, [...program.effects, ...operandsOf(program)]).length > 0);
    const program = ran.find(fits);
    return program && { what: program.words.map(({ text }) => text).join(" ") };
  }

  const met = guards.flatMap((guard): Met[] => {
    const how = meet(guard);
    return how === undefined ? [] : [{ guard, ...how }];
  });
  return { met, unread: lines.some(isUnread) || effects.length > GUARDED_FILES };
}

function linesOf({ input }: GuardedCall, tool: ReadTool, { shell }: CallContext): readonly Line[] {
  const given = firstText(input, tool.command);
  const all = given === undefined ? readScript(firstText(input, tool.script) ?? "", tool.command).commands : [given];
  return all.map(lineReader(shell));
}

function effectsIn({ tool: name, input }: GuardedCall, tool: ReadTool): readonly FileEffect[] {
  const script = readScript(firstText(input, tool.script) ?? "", tool.command);
  return [...effectsOf({ name, input, output: "" }, tool), ...script.effects];
}

/** A line that does not parse, or a program whose name only the shell knows. */
const isUnread = ({ command, ran }: Line) =>
  ran.some(({ words }) => words[0]?.dynamic === true) || (ran.length === 0 && /^\s*[^\s#]/.test(command));

const TOUCHES: Readonly<Partial<Record<FileEffect["effect"], Touch>>> = {
  read: "read",
  created: "edit",
  modified: "edit",
  reverts: "edit",
  deleted: "delete",
  moved: "delete",
};

// Files.

interface Names {
  /** What a file is called: as it is written and without links, from the project or its root if it is in it. */
  readonly ofFile: (path: string) => readonly string[];
  /** A pattern, and the same pattern if its folder is a link. */
  readonly ofPattern: (pattern: string) => readonly string[];
}

function namer({ project, root = project, folder, home, real, folds }: CallContext): Names {
  const roots = [...new Set([project, real(project), root, real(root)])];
  const known = new Map<string, readonly string[]>();
  const inProject = (whole: string) => {
    const inside = roots.map((from) => relative(from, whole)).filter((path) => !/^\.\.(?:[/\\]|$)/.test(path) && path !== whole);
    return (inside.length > 0 ? inside : [whole]).map((path) => path.split(sep).join("/"));
  };
  const namesOf = (from: string, path: string): readonly string[] => {
    const key = `${from}\n${path}`;
    const before = known.get(key);
    if (before || known.size >= GUARDED_FILES) return before ?? [];
    const whole = resolve(from, path.startsWith("~/") && home !== undefined ? join(home, path.slice(2)) : path);
    const names = [...new Set([whole, real(whole)].flatMap(inProject))];
    known.set(key, names);
    return names;
  };
  const folded = (names: readonly string[]) => (folds ? names.map((name) => name.toLowerCase()) : names);
  return {
    ofFile: (path) => folded(namesOf(folder, path)),
    ofPattern: (pattern) => {
      const [, start, rest = ""] = /^([^*?{]*[^*?{/])(\/.*)?$/.exec(pattern) ?? [];
      const isPath = start !== undefined && pattern.includes("/");
      return folded(isPath ? namesOf(project, start).map((name) => name + rest) : [pattern]);
    },
  };
}

/** The last pattern that fits counts; `!` takes a file out. */
function isGuarded(patterns: readonly string[], file: string, how: Compared, names: Names): boolean {
  const fits = (pattern: string) =>
    names.ofPattern(pattern).some((one) => fitsPath(one, file, how) || (how.gone && holdsPath(one, file, how)));
  return patterns.reduce((is, pattern) => (pattern.startsWith("!") ? is && !fits(pattern.slice(1)) : is || fits(pattern)), false);
}

const isWhole = (path: string) => path.startsWith("~") || isAbsolutePath(path);

/** What a program is given may be a file that it touches in a way that no pack knows. */
const operandsOf = ({ words, folder }: RanProgram): readonly FileEffect[] =>
  words.slice(1).flatMap(({ text, dynamic }) => {
    if (text === "" || text.startsWith("-") || (folder === undefined && !isWhole(text))) return [];
    if (dynamic && !isPattern(text)) return [];
    const path = isWhole(text) ? text : posix.join(folder ?? "", text);
    return [{ path, effect: "modified" as const, ...(dynamic && { glob: true as const }) }];
  });

// Command lines.

/** Does a program work in temporary folders only: it runs there, or names nothing but them? That is not the work of the project. */
function elsewhereOf({ project, folder, scratch }: CallContext): (program: RanProgram) => boolean {
  const isTemporary = temporaryIn(scratch, project);
  return ({ words, folder: at }) => {
    const named = words.slice(1).filter(({ text }) => !text.startsWith("-"));
    const runsThere = at !== undefined && isTemporary(resolve(folder, at));
    const isThere = ({ text, dynamic }: ShellWord) =>
      text.startsWith("/") && !dynamic ? isTemporary(text) : runsThere && /^[\w.*]/.test(text);
    return (runsThere || named.length > 0) && named.every(isThere);
  };
}

function fitsCommand({ words: wanted, options }: GuardedCommand, words: readonly ShellWord[]): boolean {
  const [name = "", ...rest] = wanted;
  const [program, ...behind] = words;
  if (
    !program ||
    program.dynamic ||
    ![posix.basename(program.text), programName(program.text)].some((one) => fitsWord(name, one))
  )
    return false;
  let at = 0;
  for (const word of rest) {
    // Options may stand before a subcommand, and one letter may have a value: `git -c a=b push`.
    while (behind[at]?.text.startsWith("-")) {
      const isShort = /^-\w$/.test(behind[at]?.text ?? "");
      at += isShort && behind[at + 1] && !isWord(word, behind[at + 1]) ? 2 : 1;
    }
    if (!isWord(word, behind[at])) return false;
    at++;
  }
  return options.every((option) => hasWord(option, behind));
}

const isWord = (wanted: string, word: ShellWord | undefined) =>
  word !== undefined && !word.dynamic && (/^\{.*\}$/.test(wanted) || fitsWord(wanted, word.text));

/** Is it one of the words? Options of one letter may be one word, and a long one may have a value. */
function hasWord(wanted: string, words: readonly ShellWord[]): boolean {
  const letters = /^-(\w+)$/.exec(wanted)?.[1];
  const given = words.filter(({ dynamic }) => !dynamic).map(({ text }) => text);
  if (given.some((text) => fitsWord(wanted, text) || (text.startsWith("--") && fitsWord(wanted, text.replace(/=.*$/s, "")))))
    return true;
  const all = given.flatMap((text) => /^-(\w+)$/.exec(text)?.[1] ?? []).join("");
  return letters !== undefined && [...letters].every((letter) => all.includes(letter));
}
