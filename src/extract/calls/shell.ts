// Parses a shell command line into its simple commands, in written order. Nothing is expanded: words that the shell would change
// are marked.

import type * as Shell from "unbash";
import { type Assignment, type Command, forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
import { COMMAND_DEPTH, COMMAND_LINE_CHARACTERS, COMMAND_SUBSTITUTIONS } from "../../limits.js";

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

/** A command, or commands with their own folder and variables: a subshell, a function, a substitution. */
export type Step<T> = T | { readonly inside: readonly Step<T>[] };

export interface CommandLine<T = SimpleCommand> {
  readonly steps: readonly Step<T>[];
  /** The line has more than simple commands, so it is unknown which of them ran. */
  readonly compound: boolean;
}

const NOTHING: CommandLine = { steps: [], compound: false };

// Hide these from the parser: it searches for the end of each one, so many of them are slow. What they expand to is unknown
// anyway.
const BRACE = "\uE000";
const BRACKET = "\uE001";
const hide = (line: string) => line.replace(/(?<!\$)\{(?=\S)/g, BRACE).replace(/(?<=\$)\[/g, BRACKET);
const reveal = (text: string) => text.replaceAll(BRACE, "{").replaceAll(BRACKET, "[");

/** Returns nothing for a line that does not parse: half of a line may mean the opposite. */
export function parseShell(line: string): CommandLine {
  if (line.length > COMMAND_LINE_CHARACTERS || countSubstitutions(line) > COMMAND_SUBSTITUTIONS) return NOTHING;
  try {
    return readScript(parse(hide(line)), /[(`]/.test(line), 0);
  } catch {
    // The line is nested too deeply for the stack.
    return NOTHING;
  }
}

const countSubstitutions = (line: string) => line.match(/<<|[$<>]\(/g)?.length ?? 0;

/** @param nests words may hold substitutions */
function readScript(script: Shell.ParsedScript, nests: boolean, depth: number): CommandLine {
  if (script.errors?.length) return NOTHING;
  let steps: Step<SimpleCommand>[] = [];
  let compound = false;

  function visitInside(node: SyntaxNode, join: SimpleCommand["join"], piped: boolean): void {
    forEachChild(node, (child) => visit(child, join, piped));
  }

  function visit(node: SyntaxNode, join: SimpleCommand["join"], piped: boolean): void {
    switch (node.type) {
      case "Statement":
        return visit(node.command, node.background ? "&" : ";", piped);
      case "AndOr":
        for (const [index, one] of node.commands.entries()) visit(one, node.operators[index] ?? join, piped);
        return;
      case "Pipeline":
        compound ||= node.prefixes.some(({ type }) => type === "Negation");
        for (const [index, one] of node.commands.entries())
          visit(one, index < node.operators.length ? "|" : join, piped || index > 0);
        return;
      case "Command":
        if (nests) visitInside(node, join, piped);
        steps.push({ ...toCommand(node), piped, join });
        return;
      case "Redirected":
        steps.push({ ...toCommand(node), piped, join });
        return visitInside(node, join, piped);
      case "Subshell":
      case "Function":
      case "Coproc": {
        compound = true;
        const around = steps;
        steps = [];
        visitInside(node, join, piped);
        around.push({ inside: steps });
        steps = around;
        return;
      }
      case "For":
      case "Select": {
        const [word, ...more] = node.wordlist ?? [];
        const value = word && more.length === 0 ? toWord(word) : UNKNOWN;
        steps.push({ ...toCommand({}), sets: [{ name: node.name.value, value }], piped, join });
        compound = true;
        return visitInside(node, join, piped);
      }
      case "CommandExpansion":
      case "ProcessSubstitution":
        if (node.script && depth < COMMAND_DEPTH) steps.push({ inside: readScript(node.script, nests, depth + 1).steps });
        return;
      case "Word":
        if (/[(`]/.test(node.text)) visitInside(node, join, piped);
        return;
      case "ParameterExpansion":
      case "ArithmeticExpansion":
      case "HereDocBody":
        return;
      default:
        compound ||= COMPOUND.has(node.type);
        return visitInside(node, join, piped);
    }
  }

  for (const statement of script.commands) visit(statement, ";", false);
  return { steps, compound };
}

const COMPOUND: ReadonlySet<SyntaxNode["type"]> = new Set(["If", "While", "Case", "ArithmeticFor", "BraceGroup"]);

function toCommand({
  name,
  prefix = [],
  args = [],
  redirects = [],
}: Partial<Pick<Command, "name" | "prefix" | "args" | "redirects">>): Omit<SimpleCommand, "piped" | "join"> {
  // Assignments before a program are for that program only.
  const sets = [...(name ? [] : prefix), ...args].filter((one): one is Assignment => one.type === "Assignment");
  const files = redirects.filter(isFile);
  const document = redirects.findLast((one) => one.type === "HereDoc");
  return {
    words: [...(name ? [name] : []), ...args].map((one) => (one.type === "Word" ? toWord(one) : literal(one.text))),
    sets: sets.map(({ name: variable, value, append, index }) => ({
      name: variable,
      value: value.type === "Word" && !append && !index ? toWord(value) : UNKNOWN,
    })),
    reads: files.filter(({ operator }) => operator === "<").map(({ target }) => toWord(target)),
    writes: files.filter(({ operator }) => operator.includes(">")).map(({ target }) => toWord(target)),
    input: document && reveal(document.body.text),
  };
}

const UNKNOWN: ShellWord = { text: "", dynamic: true };
const literal = (text: string): ShellWord => ({ text: reveal(text), dynamic: false });

/** Does it redirect to a file, not to an open file descriptor? */
const isFile = (one: Redirection): one is Shell.Redirect & { readonly target: Shell.Word } =>
  one.type === "Redirect" && one.target !== undefined && !(one.operator.endsWith("&") && /^(?:\d+|-)$/.test(one.target.value));

const toWord = ({ value, parts }: Shell.Word): ShellWord => ({
  text: reveal(value),
  dynamic: parts ? parts.some(isDynamic) : value.includes(BRACE) || value.includes(BRACKET),
});

function isDynamic(part: Shell.WordPart): boolean {
  switch (part.type) {
    case "Literal":
      return part.text.includes(BRACE) || part.text.includes(BRACKET);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return false;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.some(({ type, text }) => type !== "Literal" || text.includes(BRACKET));
    default:
      return true;
  }
}
