// Finds the programs of a command line by the `shell` table of the packs: their names, operands, and what they run.

import { posix } from "node:path";
import type { Program } from "../../rules/tool-set.js";
import { rememberFor } from "../../text/remember.js";
import { parseShell, type ShellStep, type ShellWord, type SimpleCommand } from "./shell.js";

/** The programs by the first word of their names. Indexed, because a long line asks for thousands. */
const byFirstWord = rememberFor((programs: readonly Program[]) => {
  const index = new Map<string, Program[]>();
  for (const program of programs)
    for (const name of new Set(program.names.map((one) => one.split(" ", 1)[0] as string)))
      index.set(name, [...(index.get(name) ?? []), program]);
  return index;
});

export function findProgram(words: readonly ShellWord[], programs: readonly Program[]): Program | undefined {
  const named = byFirstWord(programs).get(posix.basename(words[0]?.text ?? ""));
  return named?.find((program) => {
    if (nameLength(program, words) === 0) return false;
    const options = new Set(words.filter(({ text }) => text.startsWith("-")).map(({ text }) => text.replace(/=.*$/, "")));
    const has = (option: string) =>
      options.has(option) ||
      (/^-\w$/.test(option) &&
        [...options].some((given) => /^-\w+/.test(given) && !given.startsWith("--") && given.includes(option.slice(1))));
    return (program.with.length === 0 || program.with.some(has)) && !program.without.some(has);
  });
}

/** How many words the program's name has; 0 if this is another program. */
export function nameLength({ names }: Program, words: readonly ShellWord[]): number {
  const first = posix.basename(words[0]?.text ?? "");
  for (const name of names) {
    if (!name.startsWith(first)) continue;
    const parts = name.split(" ");
    if (first === parts[0] && parts.slice(1).every((part, index) => words[index + 1]?.text === part)) return parts.length;
  }
  return 0;
}

/** The words that are neither options nor values of options. */
export function operandsOf(words: readonly ShellWord[], program: Program): readonly ShellWord[] {
  const operands: ShellWord[] = [];
  let skipped = 0;
  let ended = false;
  for (let index = 0; index < words.length; index++) {
    const { text } = words[index] as ShellWord;
    const word = words[index] as ShellWord;
    // Skip an empty word: it is the suffix that `sed -i ''` needs on some systems.
    if (ended || !text.startsWith("-") || text === "-") {
      if (text !== "" || word.dynamic) operands.push(word);
    } else if (text === "--") ended = true;
    else if (program.given.includes(text)) {
      // An option gives the script or pattern, so it is not an operand.
      skipped = program.skip;
      index++;
    } else if (program.values.includes(text)) index++;
  }
  return skipped > 0 ? [...Array.from({ length: skipped }, () => ({ text: "", dynamic: true })), ...operands] : operands;
}

/** What a program runs, if it runs other programs. */
export interface Inner {
  readonly steps: readonly ShellStep[];
  /** The folder in which they run. */
  readonly folder?: ShellWord;
}

export function innerOf(command: SimpleCommand, words: readonly ShellWord[], program: Program): Inner {
  // Pipes, redirections and variables belong to the outer program.
  const alone = { sets: [], reads: [], writes: [], piped: false, join: ";" } as const;
  const running = (inner: readonly ShellWord[]): ShellStep => ({ ...command, ...alone, words: inner });
  if (program.runs === "rest") return { steps: [running(restOf(words, program))] };
  const behind = words.slice(nameLength(program, words));
  const [folder] = behind;
  if (program.runs === "there")
    return { steps: [running([...words.slice(0, 1), ...behind.slice(1)])], ...(folder && { folder }) };
  return { steps: parseShell(operandsOf(behind, program)[0]?.text ?? "").steps };
}

/** The words after the name and options of a program that runs another one. */
function restOf(words: readonly ShellWord[], program: Program): readonly ShellWord[] {
  let from = nameLength(program, words);
  while (words[from]?.text.startsWith("-") || /^\w+=/.test(words[from]?.text ?? ""))
    from += program.values.includes(words[from]?.text ?? "") ? 2 : 1;
  return words.slice(from + program.skip);
}

export const quoteWords = (words: readonly ShellWord[]) =>
  words.map(({ text, dynamic }) => (dynamic ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");
