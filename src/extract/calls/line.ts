// Reads a command line by the `shell` table of the packs: what it does to files, what it commits, and which programs it runs.
import { posix } from "node:path";
import { PATH_CHARACTERS } from "../../limits.js";
import type { Program, Which } from "../../rules/tool-set.js";
import { isAbsolutePath } from "../../text/paths.js";
import { remember, rememberFor } from "../../text/remember.js";
import type { AskedCommit } from "./commits.js";
import { type FileEffect, readPatch } from "./effects.js";
import { type Command, operandsOf, optionValues, readCommands, toCall } from "./programs.js";
import { type ProgramRun, readRuns, typedCommands } from "./runs.js";
import type { ShellWord, Step } from "./shell.js";

export interface Line {
  readonly command: string;
  readonly effects: readonly FileEffect[];
  readonly commits: readonly AskedCommit[];
  /** The commands that send commits elsewhere. */
  readonly sends: readonly string[];
  /** The branches that it switches to. */
  readonly switches: readonly AskedSwitch[];
  /** The folders in which it makes another working tree of the repository. */
  readonly worktrees: readonly string[];
  /** A failure of the line means nothing: its last program fails when it merely finds nothing. */
  readonly harmless: boolean;
  /** None if it is unknown which of its commands ran. */
  readonly runs: readonly ProgramRun[];
  /** Its commands as they can be typed again. */
  readonly typed: readonly string[];
  /** Every program on it, also those that another one runs. */
  readonly ran: readonly RanProgram[];
}

/** A command of a line that switches to a branch. */
export interface AskedSwitch {
  readonly branch: string;
  /** Where it runs, from where the line started; undefined if that is unknown. */
  readonly folder: string | undefined;
}

/** A program of a line, with the variables that the line sets filled in. */
export interface RanProgram {
  readonly words: readonly ShellWord[];
  /** Where it runs, from where the line starts. Undefined if that is unknown. */
  readonly folder: string | undefined;
  /** What it does to files, with the programs that it runs. A path may be a pattern here. */
  readonly effects: readonly FileEffect[];
}

interface Scope {
  /** Undefined if it is unknown. */
  folder: string | undefined;
  readonly variables: Map<string, string>;
  /** Runs in another folder, where "all changes" does not mean the project's. */
  readonly elsewhere: boolean;
  readonly depth: number;
}

// Not files, on any system: standard output and devices.
const NOWHERE = /^(?:-|\/dev\/(?!shm\/).*|nul:?)$/i;

// Cached, because command lines repeat.
export const lineReader = rememberFor((programs: readonly Program[]) => remember((line) => readLine(line, programs)));

function readLine(command: string, programs: readonly Program[]): Line {
  const { steps, compound } = readCommands(command, programs);
  const effects: FileEffect[] = [];
  const commits: AskedCommit[] = [];
  const sends: string[] = [];
  const switches: AskedSwitch[] = [];
  const worktrees: string[] = [];
  const ran: RanProgram[] = [];
  // Files that are found by a pattern, and folders in which files are written. They are in no list of files.
  const hidden: FileEffect[] = [];
  let harmless = false;

  function run(inside: readonly Step<Command>[], scope: Scope): void {
    for (const step of inside) {
      if ("inside" in step) run(step.inside, { ...scope, variables: new Map(scope.variables) });
      else {
        const [before, also] = [effects.length, hidden.length];
        const { folder } = scope;
        const words = runCommand(step, scope);
        const touched = [...effects.slice(before), ...hidden.slice(also)];
        // A redirection alone empties a file.
        if (words.length + touched.length > 0) ran.push({ words, folder, effects: touched });
      }
    }
  }

  function runCommand(step: Command, scope: Scope): readonly ShellWord[] {
    const { folder, variables, elsewhere, depth } = scope;
    const known = (word: ShellWord) => substitute(word, variables);
    const touch = ({ text, dynamic }: ShellWord, effect: FileEffect["effect"]) => {
      if ((dynamic && !isPattern(text)) || text === "" || NOWHERE.test(text) || /[\n<>]/.test(text)) return;
      const path = within(scope.folder, text);
      if (path === undefined) return;
      if (dynamic) hidden.push({ path, effect, glob: true });
      else effects.push({ path, effect });
    };
    for (const word of step.reads) touch(inFolder(known(word)), "read");
    for (const word of step.writes) touch(inFolder(known(word)), "modified");
    for (const { name, value } of step.sets) assign(name, known(value), variables);
    const words = step.words.some(({ dynamic }) => dynamic) ? step.words.map((word) => inFolder(known(word))) : step.words;
    const call = words === step.words ? step.call : toCall({ ...step, words }, programs, depth);
    harmless = call?.program.harmless === true;
    if (!call) return words;
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
    if (program.commits) commits.push(commitOf(words, program.commits, program.message, folder));
    const [first] = operands;
    if (program.branch && first && !first.dynamic) switches.push({ branch: first.text, folder });
    if (program.worktree && first && !first.dynamic) worktrees.push(...[within(folder, first.text) ?? []].flat());
    if (program.sends) sends.push(words.map(({ text }) => text).join(" "));
    if (program.patch && step.input !== undefined)
      for (const { path, effect } of readPatch(step.input)) touch({ text: path, dynamic: false }, effect);
    if (program.history)
      for (const path of historyPaths(operands, program, scope)) effects.push({ path, effect: program.history });
    const files = operands.slice(program.skip).filter(({ text }) => !program.named || isNamed(text));
    const sources = files.slice(0, -1);
    for (const effect of ["read", "deleted", "modified", "created", "made"] as const) {
      const which = program[effect];
      const done = effect === "deleted" && program.created ? "moved" : effect;
      for (const word of which ? choose(files, which) : []) {
        if (which !== "last" || !isFolder(word, sources)) touch(word, done);
        else for (const source of sources) touch(movedInto(word, source), done);
      }
    }
    const [into] = optionValues(behind, program.fills, program.values);
    const place = (word: ShellWord) => (into ? movedInto(into, word) : word);
    for (const word of optionValues(behind, program.writes, program.values))
      touch(into && !isAbsolutePath(word.text) ? joined(into, word) : word, "created");
    if (program.downloads) for (const word of operands) touch(place(nameOfAddress(word)), "created");
    const filled = into && !into.dynamic ? within(folder, into.text) : !into && program.here ? folder : undefined;
    if (filled !== undefined && !NOWHERE.test(filled)) hidden.push({ path: filled, effect: "modified" });
    return words;
  }

  run(steps, { folder: "", variables: new Map(), elsewhere: false, depth: 0 });
  const sure = compound ? [] : steps;
  return {
    command,
    effects,
    commits,
    sends,
    switches,
    worktrees,
    harmless,
    runs: readRuns(sure),
    typed: typedCommands(sure),
    ran,
  };
}

function commitOf(
  words: readonly ShellWord[],
  does: AskedCommit["does"],
  message: Program["message"],
  folder: string | undefined,
): AskedCommit {
  // "-am" ends with "-m".
  const isMessage = (word: string) =>
    message.some((option) => word === option || (/^-\w$/.test(option) && /^-\w+$/.test(word) && word.endsWith(option.slice(1))));
  const at = words.findIndex(({ text }) => isMessage(text));
  const value = at < 0 ? undefined : words[at + 1];
  const [text = ""] = value && !value.dynamic ? value.text.trim().split("\n") : [];
  return { does, folder, ...(text !== "" && { text }) };
}

/** The path relative to where the line started; undefined if that is unknown, or the path is too long. */
function within(folder: string | undefined, path: string): string | undefined {
  if (isAbsolutePath(path) || path.startsWith("~")) return path;
  return folder === undefined || folder.length + path.length > PATH_CHARACTERS ? undefined : posix.join(folder, path);
}

/** The paths whose earlier changes a program takes back, keeps or sets aside; empty for all paths. */
function historyPaths(operands: readonly ShellWord[], { history, skip }: Program, { folder, elsewhere }: Scope) {
  if (history !== "reverts" || skip > 0) return elsewhere ? [] : [""];
  return operands.flatMap(({ text, dynamic }) => {
    const path = dynamic ? undefined : within(folder, text.startsWith("~") ? `./${text}` : text);
    return path === undefined ? [] : [path === "." ? "" : path];
  });
}

/** A file that is copied or moved into a folder keeps its name. */
const movedInto = (folder: ShellWord, { text, dynamic }: ShellWord) => joined(folder, { text: posix.basename(text), dynamic });

const joined = (folder: ShellWord, { text, dynamic }: ShellWord): ShellWord => ({
  text: posix.join(folder.text, text),
  dynamic: folder.dynamic || dynamic,
});

/** The name under which the file of an address is saved. */
const nameOfAddress = ({ text, dynamic }: ShellWord): ShellWord => ({
  text: /^[a-z]+:\/\/[^/]+\/?$/i.test(text) ? "index.html" : posix.basename(text.replace(/[?#].*$/, "")),
  dynamic,
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
  if ((dynamic && !isPattern(text)) || text.length > PATH_CHARACTERS) variables.delete(name);
  else variables.set(name, text);
}

/** Files that the shell finds by their names, or names one by one (`{a,b}`). */
export const isPattern = (text: string) => text !== "" && !/[$`()]|\{\}/.test(text);

const IS_DYNAMIC = /[$*?[\]{}`]/;

/** Replaces variables that were set earlier on the same line. */
function substitute(word: ShellWord, variables: ReadonlyMap<string, string>): ShellWord {
  if (!word.dynamic || variables.size === 0 || word.text.length > PATH_CHARACTERS) return word;
  const text = word.text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced, bare) => variables.get(braced ?? bare) ?? whole);
  return { text, dynamic: IS_DYNAMIC.test(text) };
}

/** The folder that a command runs in may be written `$PWD`. */
function inFolder(word: ShellWord): ShellWord {
  const text = word.dynamic ? word.text.replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, ".") : word.text;
  return text === word.text ? word : { text, dynamic: IS_DYNAMIC.test(text) };
}

/** Does the path name a file, not a folder? It has an extension, or is named like Makefile, LICENSE or README. */
const isNamed = (path: string) => /(?:^|\/)(?:[^/]*\.[A-Za-z0-9_]+|[A-Z][A-Za-z]*file|LICENSE|README)$/.test(path);
