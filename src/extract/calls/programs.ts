// Finds the programs of a command line by the `shell` table of the packs: their names, operands, and what they run.
import { COMMAND_DEPTH } from "../../limits.js";
import type { Program } from "../../rules/tool-set.js";
import { addTo } from "../../text/lists.js";
import { programName } from "../../text/paths.js";
import { rememberFor } from "../../text/remember.js";
import { type CommandLine, parseShell, type ShellWord, type SimpleCommand, type Step } from "./shell.js";

/** A command, and the program that it calls if a pack knows it. */
export type Command = SimpleCommand & { readonly call?: ProgramCall | undefined };

export interface ProgramCall {
  readonly program: Program;
  /** The name that matched, with its subcommand. */
  readonly name: string;
  readonly behind: readonly ShellWord[];
  /** What it runs, if it runs other programs, and in which folder. */
  readonly inner?: { readonly steps: readonly Step<Command>[]; readonly folder?: ShellWord | undefined };
}

/** @param depth how many programs run this line */
export function readCommands(line: string, programs: readonly Program[], depth = 0): CommandLine<Command> {
  const { steps, compound } = parseShell(line);
  const withCall = (step: Step<SimpleCommand>): Step<Command> =>
    "inside" in step ? { inside: step.inside.map(withCall) } : { ...step, call: toCall(step, programs, depth) };
  return { steps: steps.map(withCall), compound };
}

export function toCall(command: SimpleCommand, programs: readonly Program[], depth: number): ProgramCall | undefined {
  const { words, input } = command;
  const found = findProgram(words, programs);
  if (!found) return undefined;
  const { program, name, rest } = found;
  const behind = words.slice(1 + rest.length);
  const [folder] = behind;
  // Pipes, redirections and variables belong to the outer program.
  const running = (inner: readonly ShellWord[]): Command => {
    const step = { words: inner, sets: [], reads: [], writes: [], input, piped: false, join: ";" } as const;
    return { ...step, call: toCall(step, programs, depth + 1) };
  };
  switch (depth < COMMAND_DEPTH ? program.runs : undefined) {
    case "rest": {
      const { rest: words, line } = restOf(behind, program);
      const steps = line === undefined ? [running(words)] : readCommands(line, programs, depth + 1).steps;
      return { program, name, behind, inner: { steps } };
    }
    case "given": {
      const [line] = optionValues(behind, program.given, program.values);
      return { program, name, behind, inner: readCommands(line?.text ?? "", programs, depth + 1) };
    }
    case "behind":
      return { program, name, behind, inner: { steps: [running(behind.slice(behind.findIndex(isDashes) + 1))] } };
    case "there":
      return { program, name, behind, inner: { steps: [running([...words.slice(0, 1), ...behind.slice(1)])], folder } };
    case "operand":
      return { program, name, behind, inner: readCommands(operandsOf(behind, program)[0]?.text ?? "", programs, depth + 1) };
    case "input":
      // A here-document, unless a file is named.
      return {
        program,
        name,
        behind,
        ...(operandsOf(behind, program).length === 0 &&
          input !== undefined && { inner: readCommands(input, programs, depth + 1) }),
      };
    default:
      return { program, name, behind };
  }
}

const isDashes = ({ text }: ShellWord) => text === "--";

/** The words after the options of a program that runs another one, or the command line that an option gives. */
function restOf(behind: readonly ShellWord[], { values, given, skip }: Program): { rest: readonly ShellWord[]; line?: string } {
  let from = 0;
  for (let left = skip; ; from++, left--) {
    while (behind[from]?.text.startsWith("-") || /^\w+=/.test(behind[from]?.text ?? "")) {
      const [line] = optionValues(behind.slice(from, from + 2), given, values, 1);
      if (line)
        return {
          rest: [],
          line: [line, ...behind.slice(behind[from + 1] === line ? from + 2 : from + 1)].map(({ text }) => text).join(" "),
        };
      from += values.includes(behind[from]?.text ?? "") ? 2 : 1;
    }
    if (left === 0) return { rest: behind.slice(from) };
  }
}

/** The values of options: the next word, or the rest of the word. Several options of one letter may be one word, and the value of
 * the last one may follow it in that word.
 * @param values the other options that have a value
 * @param most how many words may be such options */
export function optionValues(
  words: readonly ShellWord[],
  options: readonly string[],
  values: readonly string[],
  most = words.length,
): readonly ShellWord[] {
  if (options.length === 0) return [];
  return words.slice(0, most).flatMap(({ text, dynamic }, index) => {
    const value = valueIn(text, options, values);
    if (value === undefined) return [];
    return value === "" ? (words[index + 1] ?? []) : { text: value, dynamic };
  });
}

/** What follows one of the options in a word; nothing if its value is the next word. Undefined if the word has none of them. */
function valueIn(text: string, options: readonly string[], values: readonly string[]): string | undefined {
  for (const option of options) {
    const attached = /^--/.test(option) ? `${option}=` : option;
    if (text === option || (attached.endsWith("=") && text.startsWith(attached))) return text.slice(attached.length);
  }
  for (let at = 1; /^-[A-Za-z]/.test(text) && /[A-Za-z]/.test(text.charAt(at)); at++) {
    const letter = `-${text.charAt(at)}`;
    if (options.includes(letter)) return text.slice(at + 1);
    if (values.includes(letter)) break;
  }
  return undefined;
}

interface Named {
  readonly program: Program;
  readonly name: string;
  /** The words of the name after the first. */
  readonly rest: readonly string[];
}

/** By the first word of each name. Indexed, because a long line asks for thousands. */
const byFirstWord = rememberFor((programs: readonly Program[]) => {
  const index = new Map<string, Named[]>();
  for (const program of programs)
    for (const name of program.names) {
      const [first = "", ...rest] = name.split(" ");
      addTo(index, programName(first), { program, name, rest });
    }
  return index;
});

function findProgram(words: readonly ShellWord[], programs: readonly Program[]): Named | undefined {
  const named = byFirstWord(programs).get(programName(words[0]?.text ?? ""));
  return named?.find(
    ({ program, rest }) => rest.every((part, index) => words[index + 1]?.text === part) && hasOptions(words, program),
  );
}

/** Do the options fit? Several one-letter options may be one word. */
function hasOptions(words: readonly ShellWord[], { with: needed, without }: Program): boolean {
  if (needed.length === 0 && without.length === 0) return true;
  const options = new Set(
    words.flatMap(({ text }) => {
      const isOption = text.startsWith("-") || needed.includes(text) || without.includes(text);
      return isOption ? [text.replace(/=.*$/, "")] : [];
    }),
  );
  const has = (option: string) =>
    options.has(option) ||
    (/^-\w$/.test(option) && [...options].some((given) => /^-\w/.test(given) && given.includes(option.slice(1))));
  return (needed.length === 0 || needed.some(has)) && !without.some(has);
}

/** Does the file or folder that an option names follow it? */
const takesNext = (text: string, { writes, fills, values }: Program) => valueIn(text, [...writes, ...fills], values) === "";

/** The words that are neither options nor values of options. */
export function operandsOf(words: readonly ShellWord[], program: Program): readonly ShellWord[] {
  const operands: ShellWord[] = [];
  let skipped = 0;
  let ended = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as ShellWord;
    const { text, dynamic } = word;
    // An option of a Windows command may begin with a slash, and one of dd ends with an equals sign.
    if (program.with.includes(text) || program.writes.some((option) => option.endsWith("=") && text.startsWith(option))) continue;
    // Skip an empty word: it is the suffix that `sed -i ''` needs on some systems.
    if (ended || !text.startsWith("-") || text === "-") {
      if (text !== "" || dynamic) operands.push(word);
    } else if (text === "--") ended = true;
    else if (program.given.includes(text)) {
      // An option gives the script or pattern, so it is not an operand.
      skipped = program.skip;
      index++;
    } else if (program.values.includes(text) || takesNext(text, program)) index++;
  }
  return skipped > 0 ? [...Array.from({ length: skipped }, () => ({ text: "", dynamic: true })), ...operands] : operands;
}
