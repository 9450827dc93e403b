// Splits a plain command line, which most are: words, quotes, joins and redirections, and nothing that the shell replaces but
// patterns. The parser finds the same, but must be loaded first.

export interface ShellWord {
  readonly text: string;
  /** The shell replaces it: a variable, a substitution, a pattern. */
  readonly dynamic: boolean;
}

export interface SimpleCommand {
  /** Without leading assignments. */
  readonly words: readonly ShellWord[];
  /** The variables that it sets for later commands. */
  readonly sets: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  /** The here-document on its standard input. */
  readonly input?: string | undefined;
  /** It reads from a pipe. */
  readonly piped: boolean;
  /** What joins it to the next command; `;` ends a list. */
  readonly join: "|" | "&&" | "||" | "&" | ";";
}

const QUOTED = /'[^']*'|"(?:[^"$`\\]|\\[^"$`\\\n])*"/;
const WORD = `(?:[\\w@%+=:,./^~*?-]|${QUOTED.source})+`;
/** A join, a copied file descriptor, or a word with its redirection. */
const TOKEN = new RegExp(`[ \\t]*(?:(&&|\\|\\|?|;)|\\d*>&\\d(?![^ \\t;|&])|(?:\\d*(>>?|<)[ \\t]*)?(${WORD}))`, "gy");
const QUOTES = new RegExp(QUOTED, "g");
const ASSIGNMENT = /^\w+\+?=/;
/** A word that begins or ends a compound command. */
const RESERVED = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|time|coproc)$/;

/** Returns undefined for other lines. */
export function splitPlain(line: string): readonly SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  let words: ShellWord[] = [];
  let reads: ShellWord[] = [];
  let writes: ShellWord[] = [];
  let piped = false;
  let end = 0;
  for (const [token, join, redirection, word] of line.matchAll(TOKEN)) {
    end += token.length;
    if (words.length === 0 && (word === undefined || redirection !== undefined || RESERVED.test(word))) return undefined;
    if (word !== undefined) {
      if (ASSIGNMENT.test(word)) return undefined;
      const text = word.replace(QUOTES, (quoted) => quoted.slice(1, -1));
      const dynamic = /[*?]/.test(word.replace(QUOTES, ""));
      (redirection === undefined ? words : redirection === "<" ? reads : writes).push({ text, dynamic });
    } else if (join !== undefined) {
      commands.push({ words, sets: [], reads, writes, piped, join: join as SimpleCommand["join"] });
      [words, reads, writes, piped] = [[], [], [], join === "|"];
    }
  }
  if (/[^ \t\n]/.test(line.slice(end))) return undefined;
  if (words.length > 0) commands.push({ words, sets: [], reads, writes, piped, join: ";" });
  return commands.at(-1)?.join === ";" ? commands : undefined;
}
