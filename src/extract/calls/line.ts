// Reads a command line by the `shell` table of the packs: what it does to files, what it commits, and which programs it runs.
import { posix } from "node:path";
import { PATH_CHARACTERS } from "../../limits.js";
import type { Program, Which } from "../../rules/tool-set.js";
import { remember, rememberFor } from "../../text/remember.js";
import type { AskedCommit } from "./commits.js";
import { type FileEffect, readPatch } from "./patch.js";
import { operandsOf, type ShellWord } from "./programs.js";
import { type Runs, readRuns, typedCommands } from "./runs.js";
import { parseShell, type ShellStep, type SimpleCommand, toCall } from "./shell.js";

export interface Line {
  readonly command: string;
  readonly effects: readonly FileEffect[];
  readonly commits: readonly AskedCommit[];
  /** A failure of the line means nothing: its last program fails when it merely finds nothing. */
  readonly harmless: boolean;
  readonly runs: Runs;
  /** Its commands as they can be typed again. */
  readonly typed: readonly string[];
}

/** The state in which commands run. */
interface Scope {
  /** Undefined if it is unknown. */
  folder: string | undefined;
  readonly variables: Map<string, string>;
  /** Runs in another folder, where "all changes" does not mean the project's. */
  readonly elsewhere: boolean;
  readonly depth: number;
}

// Not files, on any system: standard output and devices.
const NOWHERE = /^(?:-|\/dev\/.*|nul:?)$/i;

// Cached, because command lines repeat.
export const lineReader = rememberFor((programs: readonly Program[]) => remember((line) => readLine(line, programs)));

function readLine(command: string, programs: readonly Program[]): Line {
  const parsed = parseShell(command, programs);
  const effects: FileEffect[] = [];
  const commits: AskedCommit[] = [];
  let harmless = false;

  function run(inside: readonly ShellStep[], scope: Scope): void {
    for (const step of inside) {
      if ("inside" in step) run(step.inside, { ...scope, variables: new Map(scope.variables) });
      else runCommand(step, scope);
    }
  }

  function runCommand(step: SimpleCommand, scope: Scope): void {
    const { folder, variables, elsewhere, depth } = scope;
    const known = (word: ShellWord) => substitute(word, variables);
    const touch = ({ text, dynamic }: ShellWord, effect: FileEffect["effect"]) => {
      if (dynamic || text === "" || NOWHERE.test(text) || /[\n<>]/.test(text)) return;
      const path = within(scope.folder, text);
      if (path !== undefined) effects.push({ path, effect });
    };
    for (const word of step.reads) touch(known(word), "read");
    for (const word of step.writes) touch(known(word), "modified");
    for (const { name, value } of step.sets) assign(name, known(value), variables);
    const words = variables.size > 0 ? step.words.map(known) : step.words;
    const call = words === step.words ? step.call : toCall(words, step.input, programs, depth);
    harmless = call?.program.harmless === true;
    if (!call) return;
    const { program, behind, inner } = call;
    const operands = operandsOf(behind, program);
    if (program.folder) {
      const [target] = operands;
      if (target && !target.dynamic) scope.folder = within(folder, target.text);
    }
    if (inner)
      run(inner.steps, {
        folder: inner.folder ? (inner.folder.dynamic ? undefined : within(scope.folder, inner.folder.text)) : scope.folder,
        variables: new Map(),
        elsewhere: elsewhere || inner.folder !== undefined,
        depth: depth + 1,
      });
    if (program.commits) commits.push(commitOf(words, program));
    if (program.patch && step.input !== undefined)
      for (const { path, effect } of readPatch(step.input)) touch({ text: path, dynamic: false }, effect);
    applyHistory(operands, program, scope, effects);
    applyOperands(operands, program, step, touch);
  }

  run(parsed.steps, { folder: "", variables: new Map(), elsewhere: false, depth: 0 });
  return { command, effects, commits, harmless, runs: readRuns(parsed), typed: typedCommands(parsed) };
}

function commitOf(words: readonly ShellWord[], { message, commits }: Program): AskedCommit {
  // "-am" ends with "-m".
  const isMessage = (word: string) =>
    message.some((option) => word === option || (/^-\w$/.test(option) && /^-\w+$/.test(word) && word.endsWith(option.slice(1))));
  const at = words.findIndex(({ text }) => isMessage(text));
  const value = at < 0 ? undefined : words[at + 1];
  const [text = ""] = value && !value.dynamic ? value.text.trim().split("\n") : [];
  return { replaces: commits === "replaces", ...(text !== "" && { text }) };
}

/** The path relative to where the line started; undefined if that is unknown, or the path is too long. */
function within(folder: string | undefined, path: string): string | undefined {
  if (path.startsWith("/") || path.startsWith("~")) return path;
  return folder === undefined || folder.length + path.length > PATH_CHARACTERS ? undefined : posix.join(folder, path);
}

function applyHistory(
  operands: readonly ShellWord[],
  { history, skip }: Program,
  { folder, elsewhere }: Scope,
  effects: FileEffect[],
): void {
  if (!history) return;
  const all = history !== "reverts" || skip > 0;
  const known = operands.filter(({ dynamic }) => !dynamic).map(({ text }) => text);
  const paths = all ? [""] : known.map((text) => within(folder, text.startsWith("~") ? `./${text}` : text));
  for (const path of paths) {
    if (path === undefined || (path === "" && elsewhere)) continue;
    effects.push({ path: path === "." ? "" : path, effect: history });
  }
}

function applyOperands(
  operands: readonly ShellWord[],
  program: Program,
  command: SimpleCommand,
  touch: (word: ShellWord, effect: FileEffect["effect"]) => void,
): void {
  const files = operands.slice(program.skip).filter((word) => !program.named || isNamed(word.text));
  // A program that only filters a pipe reads no file.
  if (files.length === 0 || (program.skip > 0 && operands.length <= program.skip && command.piped)) return;
  for (const effect of ["read", "deleted", "modified", "created"] as const) {
    const which = program[effect];
    if (!which) continue;
    for (const word of choose(files, which)) {
      const sources = files.slice(0, -1);
      const done = effect === "deleted" && program.created ? "moved" : effect;
      if (which !== "last" || !isFolder(word, sources)) touch(word, done);
      else for (const source of sources) touch(movedInto(word, source), done);
    }
  }
}

/** A file that is copied or moved into a folder keeps its name. */
const movedInto = (folder: ShellWord, source: ShellWord): ShellWord => ({
  text: posix.join(folder.text, posix.basename(source.text)),
  dynamic: folder.dynamic || source.dynamic,
});

function isFolder(target: ShellWord, sources: readonly ShellWord[]): boolean {
  if (target.text.endsWith("/") || target.text === "." || target.text === ".." || sources.length > 1) return true;
  return sources.some(({ text, dynamic }) => dynamic || (isNamed(text) && !isNamed(target.text)));
}

function choose(words: readonly ShellWord[], which: Which): readonly ShellWord[] {
  if (which === "all") return words;
  if (which === "first") return words.slice(0, 1);
  if (which === "last") return words.length > 1 ? words.slice(-1) : [];
  return which === "but-last" ? words.slice(0, -1) : words.slice(1);
}

function assign(name: string, { text, dynamic }: ShellWord, variables: Map<string, string>): void {
  // A variable may be built from itself repeatedly, twice as long each time.
  if (dynamic || text.length > PATH_CHARACTERS) variables.delete(name);
  else variables.set(name, text);
}

/** Replaces variables that were set earlier on the same line. */
function substitute(word: ShellWord, variables: ReadonlyMap<string, string>): ShellWord {
  if (!word.dynamic || variables.size === 0 || word.text.length > PATH_CHARACTERS) return word;
  const text = word.text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced, bare) => variables.get(braced ?? bare) ?? whole);
  return { text, dynamic: /[$*?[\]{}`]/.test(text) };
}

/** Does the path name a file, not a folder? It has an extension, or is named like Makefile, LICENSE or README. */
const isNamed = (path: string) => /(?:^|\/)(?:[^/]*\.[A-Za-z0-9_]+|[A-Z][A-Za-z]*file|LICENSE|README)$/.test(path);
