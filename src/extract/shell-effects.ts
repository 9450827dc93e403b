// What the commands of a line do to files, by the `shell` table of the packs.
import { posix } from "node:path";
import { COMMAND_DEPTH, PATH_CHARACTERS } from "../limits.js";
import type { Program, Which } from "../rules/tool-set.js";
import { readInlineCode } from "./inline-code.js";
import { type FileEffect, readPatch } from "./patch.js";
import { parseShell, type SimpleCommand, type Word } from "./shell.js";

export interface ShellFacts {
  readonly effects: readonly FileEffect[];
  /** A failure of the line says nothing: its last program fails when it merely finds nothing. */
  readonly harmless: boolean;
}

// What is written there is gone, on any system.
const NOWHERE = /^(?:-|\/dev\/.*|nul:?)$/i;

/** @param given on standard input to the line as a whole */
export function readShell(line: string, programs: readonly Program[], depth = 0, given?: string): ShellFacts {
  const effects: FileEffect[] = [];
  // Undefined where nobody can tell.
  let folder: string | undefined = "";
  let harmless = false;
  const touch = (word: Word, effect: FileEffect["effect"]) => {
    const path = word.text;
    if (word.dynamic || path === "" || NOWHERE.test(path) || /[\n<>]/.test(path)) return;
    const whole = within(folder, path);
    if (whole !== undefined) effects.push({ path: whole, effect });
  };

  const variables = new Map<string, string>();
  const known = (word: Word) => substitute(word, variables);
  for (const command of parseShell(line)) {
    for (const word of command.reads) touch(known(word), "read");
    for (const word of command.writes) touch(known(word), "modified");
    const words = withoutAssignments(command.words).map(known);
    if (words.length === 0) for (const word of command.words) assign(known(word), variables);
    const program = findProgram(words, programs);
    harmless = program?.harmless === true;
    if (!program) continue;
    const operands = operandsOf(words.slice(nameLength(program, words)), program);
    if (program.folder) {
      const [target] = operands;
      if (target && !target.dynamic) folder = within(folder, target.text);
    }
    if (program.runs && depth < COMMAND_DEPTH) {
      const facts = readShell(innerLine(words, program), programs, depth + 1, command.input ?? given);
      for (const { path, effect } of facts.effects)
        if (path !== "") touch({ text: path, dynamic: false }, effect);
        // Of all changes, those that lie there may be none.
        else if (program.runs !== "there") effects.push({ path, effect });
      harmless = facts.harmless;
    }
    if (program.code)
      for (const text of codeOf(words, operands, program, command.input ?? given))
        for (const path of readInlineCode(text)) touch({ text: path, dynamic: false }, "modified");
    if (program.patch && command.input !== undefined)
      for (const { path, effect } of readPatch(command.input)) touch({ text: path, dynamic: false }, effect);
    applyHistory(operands, program, folder, effects);
    applyOperands(operands, program, command, touch);
  }
  return { effects, harmless };
}

/** The text that an option gives, or, where no file is named, what comes on standard input. */
function codeOf(words: readonly Word[], operands: readonly Word[], program: Program, input?: string): readonly string[] {
  const option = words.findIndex(({ text }) => program.with.includes(text));
  if (option > 0) return [words[option + 1]?.text ?? ""];
  const [first] = operands;
  return input !== undefined && (first === undefined || first.text === "-") ? [input] : [];
}

/** A path as it is from where the line began; undefined where it is not known, or too long for one. */
function within(folder: string | undefined, path: string): string | undefined {
  if (path.startsWith("/") || path.startsWith("~")) return path;
  return folder === undefined || folder.length + path.length > PATH_CHARACTERS ? undefined : posix.join(folder, path);
}

function applyHistory(
  operands: readonly Word[],
  { history, skip }: Program,
  folder: string | undefined,
  effects: FileEffect[],
): void {
  if (!history) return;
  if (history !== "reverts" || skip > 0) effects.push({ path: "", effect: history });
  else
    for (const { text, dynamic } of operands) {
      const path = text.startsWith("~") ? within(folder, `./${text}`) : within(folder, text);
      if (!dynamic && path !== undefined) effects.push({ path: path === "." ? "" : path, effect: history });
    }
}

function applyOperands(
  operands: readonly Word[],
  program: Program,
  command: SimpleCommand,
  touch: (word: Word, effect: FileEffect["effect"]) => void,
): void {
  const files = operands.slice(program.skip).filter((word) => !program.named || isNamed(word.text));
  // What only filters a pipe reads no file.
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

/** What is copied or moved into a folder keeps its name. */
const movedInto = (folder: Word, source: Word): Word => ({
  text: posix.join(folder.text, posix.basename(source.text)),
  dynamic: folder.dynamic || source.dynamic,
});

function isFolder(target: Word, sources: readonly Word[]): boolean {
  if (target.text.endsWith("/") || target.text === "." || target.text === ".." || sources.length > 1) return true;
  return sources.some(({ text, dynamic }) => dynamic || (isNamed(text) && !isNamed(target.text)));
}

function choose(words: readonly Word[], which: Which): readonly Word[] {
  if (which === "all") return words;
  if (which === "first") return words.slice(0, 1);
  if (which === "last") return words.length > 1 ? words.slice(-1) : [];
  return which === "but-last" ? words.slice(0, -1) : words.slice(1);
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

export function withoutAssignments(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !ASSIGNMENT.test(text));
  return first < 0 ? [] : words.slice(first);
}

function assign({ text, dynamic }: Word, variables: Map<string, string>): void {
  const [whole = "", name] = ASSIGNMENT.exec(text) ?? [];
  if (name === undefined || dynamic) return;
  // A value may be made of itself again and again, twice as long each time.
  if (text.length > PATH_CHARACTERS) variables.delete(name);
  else variables.set(name, text.slice(whole.length));
}

/** A word that only names variables set before on the same line is as good as written out. */
function substitute(word: Word, variables: ReadonlyMap<string, string>): Word {
  if (!word.dynamic || variables.size === 0 || word.text.length > PATH_CHARACTERS) return word;
  const text = word.text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced, bare) => variables.get(braced ?? bare) ?? whole);
  return { text, dynamic: /[$*?[\]{}`]/.test(text) };
}

/** A folder is searched, a file is read: a name with a dot or a slash-free capital is a file's. */
const isNamed = (path: string) => /(?:^|\/)(?:[^/]*\.[A-Za-z0-9_]+|[A-Z][A-Za-z]*file|LICENSE|README)$/.test(path);

const byFirstWord = new WeakMap<readonly Program[], ReadonlyMap<string, readonly Program[]>>();

/** The programs by the first word of their names: a long line asks for thousands. */
function namedSo(first: string, programs: readonly Program[]): readonly Program[] {
  let index = byFirstWord.get(programs);
  if (!index) {
    const made = new Map<string, Program[]>();
    for (const program of programs)
      for (const name of new Set(program.names.map((one) => one.split(" ", 1)[0] as string)))
        made.set(name, [...(made.get(name) ?? []), program]);
    byFirstWord.set(programs, made);
    index = made;
  }
  return index.get(first) ?? [];
}

export function findProgram(words: readonly Word[], programs: readonly Program[]): Program | undefined {
  return namedSo(posix.basename(words[0]?.text ?? ""), programs).find((program) => {
    if (nameLength(program, words) === 0) return false;
    const options = new Set(words.filter(({ text }) => text.startsWith("-")).map(({ text }) => text.replace(/=.*$/, "")));
    const has = (option: string) =>
      options.has(option) ||
      (/^-\w$/.test(option) &&
        [...options].some((given) => /^-\w+/.test(given) && !given.startsWith("--") && given.includes(option.slice(1))));
    return (program.with.length === 0 || program.with.some(has)) && !program.without.some(has);
  });
}

/** How many words the program's name takes; 0 when this is another program. */
export function nameLength({ names }: Program, words: readonly Word[]): number {
  const first = posix.basename(words[0]?.text ?? "");
  for (const name of names) {
    if (!name.startsWith(first)) continue;
    const parts = name.split(" ");
    if (first === parts[0] && parts.slice(1).every((part, index) => words[index + 1]?.text === part)) return parts.length;
  }
  return 0;
}

/** The words that are neither options nor their values. */
export function operandsOf(words: readonly Word[], program: Program): readonly Word[] {
  const operands: Word[] = [];
  let skipped = 0;
  let ended = false;
  for (let index = 0; index < words.length; index++) {
    const { text } = words[index] as Word;
    const word = words[index] as Word;
    // An empty word is the suffix that `sed -i \'\'` wants on some systems.
    if (ended || !text.startsWith("-") || text === "-") {
      if (text !== "" || word.dynamic) operands.push(word);
    } else if (text === "--") ended = true;
    else if (program.given.includes(text)) {
      // The script or pattern comes with an option, so it is no operand.
      skipped = program.skip;
      index++;
    } else if (program.values.includes(text)) index++;
  }
  return skipped > 0 ? [...Array.from({ length: skipped }, () => ({ text: "", dynamic: true })), ...operands] : operands;
}

/** The command line that a program runs. */
export function innerLine(words: readonly Word[], program: Program): string {
  if (program.runs === "rest") return quoted(restOf(words, program));
  const behind = words.slice(nameLength(program, words));
  if (program.runs === "there")
    return `cd ${quoted(behind.slice(0, 1))} && ${quoted([...words.slice(0, 1), ...behind.slice(1)])}`;
  return operandsOf(behind, program)[0]?.text ?? "";
}

/** Behind the name of a program that runs another one, and behind its own options. */
function restOf(words: readonly Word[], program: Program): readonly Word[] {
  let from = nameLength(program, words);
  while (words[from]?.text.startsWith("-") || /^\w+=/.test(words[from]?.text ?? ""))
    from += program.values.includes(words[from]?.text ?? "") ? 2 : 1;
  return words.slice(from + program.skip);
}

export const quoted = (words: readonly Word[]) =>
  words.map(({ text, dynamic }) => (dynamic ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");
