// Finds the programs of a command line by the `shell` table of the packs, and their operands.
import { posix } from "node:path";
import type { Program } from "../../rules/tool-set.js";
import { rememberFor } from "../../text/remember.js";

export interface ShellWord {
  readonly text: string;
  /** The shell replaces it: a variable, a substitution, a pattern. */
  readonly dynamic: boolean;
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
      const same = index.get(first);
      if (same) same.push({ program, name, rest });
      else index.set(first, [{ program, name, rest }]);
    }
  return index;
});

export function findProgram(words: readonly ShellWord[], programs: readonly Program[]): Named | undefined {
  const named = byFirstWord(programs).get(posix.basename(words[0]?.text ?? ""));
  return named?.find(
    ({ program, rest }) => rest.every((part, index) => words[index + 1]?.text === part) && hasOptions(words, program),
  );
}

/** Do the options fit? Several one-letter options may be one word. */
function hasOptions(words: readonly ShellWord[], { with: needed, without }: Program): boolean {
  if (needed.length === 0 && without.length === 0) return true;
  const options = new Set(words.flatMap(({ text }) => (text.startsWith("-") ? [text.replace(/=.*$/, "")] : [])));
  const has = (option: string) =>
    options.has(option) ||
    (/^-\w$/.test(option) && [...options].some((given) => /^-\w/.test(given) && given.includes(option.slice(1))));
  return (needed.length === 0 || needed.some(has)) && !without.some(has);
}

/** The words that are neither options nor values of options. */
export function operandsOf(words: readonly ShellWord[], program: Program): readonly ShellWord[] {
  const operands: ShellWord[] = [];
  let skipped = 0;
  let ended = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as ShellWord;
    const { text, dynamic } = word;
    // Skip an empty word: it is the suffix that `sed -i ''` needs on some systems.
    if (ended || !text.startsWith("-") || text === "-") {
      if (text !== "" || dynamic) operands.push(word);
    } else if (text === "--") ended = true;
    else if (program.given.includes(text)) {
      // An option gives the script or pattern, so it is not an operand.
      skipped = program.skip;
      index++;
    } else if (program.values.includes(text)) index++;
  }
  return skipped > 0 ? [...Array.from({ length: skipped }, () => UNKNOWN), ...operands] : operands;
}

export const UNKNOWN: ShellWord = { text: "", dynamic: true };
