// A shell command line → the simple commands in it. No expansion: a word that the shell would change is marked.
import { COMMAND_LINE_CHARACTERS } from "../limits.js";

export interface Word {
  readonly text: string;
  /** The shell puts something else in its place: a variable, a substitution, a pattern. */
  readonly dynamic: boolean;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly reads: readonly Word[];
  readonly writes: readonly Word[];
  /** What a here-document gives it on standard input. */
  readonly input?: string;
  /** It stands behind a pipe. */
  readonly piped: boolean;
  /** The operators between it and the next command. */
  readonly join: string;
}

interface Draft {
  words: Word[];
  reads: Word[];
  writes: Word[];
  input?: string;
  piped: boolean;
  join: string;
}

const OPERATOR = /^(?:&&|\|\||;;|\|&|[;&|()\n])/;
const REDIRECTION = /^(?:\d*|&)(?:>>|>\||>|<<<|<<-?|<>|<)(?:&(?:\d+|-))?/;

export function parseShell(line: string): readonly SimpleCommand[] {
  if (line.length > COMMAND_LINE_CHARACTERS) return [];
  const commands: Draft[] = [];
  const awaited: { readonly draft: Draft; readonly end: string }[] = [];
  let draft: Draft = { words: [], reads: [], writes: [], piped: false, join: "" };
  let at = 0;
  const finish = (operator: string) => {
    if (draft.words.length + draft.reads.length + draft.writes.length > 0) commands.push(draft);
    const last = commands.at(-1);
    if (last) last.join += operator;
    draft = { words: [], reads: [], writes: [], piped: operator.startsWith("|") && operator !== "||", join: "" };
  };

  while (at < line.length) {
    const rest = line.slice(at, at + 12);
    const operator = OPERATOR.exec(rest)?.[0];
    if (operator !== undefined && !/^&>/.test(rest)) {
      at += operator.length;
      finish(operator);
      if (operator === "\n") at = readDocuments(line, at, awaited);
      continue;
    }
    const redirection = REDIRECTION.exec(rest)?.[0];
    if (redirection !== undefined) {
      at += redirection.length;
      if (/&(?:\d+|-)$/.test(redirection)) continue;
      while (line[at] === " " || line[at] === "\t") at++;
      const target = readWord(line, at);
      at = target.end;
      if (redirection.includes("<<<")) continue;
      if (redirection.includes("<<")) awaited.push({ draft, end: target.word.text });
      else if (redirection.includes(">")) draft.writes.push(target.word);
      else draft.reads.push(target.word);
      continue;
    }
    if (/\s/.test(line[at] as string)) at++;
    else if (line[at] === "#") while (at < line.length && line[at] !== "\n") at++;
    else if (line.startsWith("\\\n", at)) at += 2;
    else {
      const { word, end } = readWord(line, at);
      draft.words.push(word);
      at = Math.max(end, at + 1);
    }
  }
  finish("");
  return commands;
}

/** The here-documents that the line before asked for stand here, in order. */
function readDocuments(line: string, from: number, awaited: { readonly draft: Draft; readonly end: string }[]): number {
  let at = from;
  for (const { draft, end } of awaited.splice(0)) {
    const start = at;
    let input: string | undefined;
    while (at <= line.length && input === undefined) {
      const stop = line.indexOf("\n", at) < 0 ? line.length : line.indexOf("\n", at);
      if (line.slice(at, stop).trim() === end) input = line.slice(start, at);
      at = stop + 1;
      if (stop === line.length) break;
    }
    draft.input = input ?? line.slice(start);
  }
  return at;
}

function readWord(line: string, from: number): { readonly word: Word; readonly end: number } {
  let text = "";
  let dynamic = false;
  let at = from;
  while (at < line.length && !/[\s;&|()<>]/.test(line[at] as string)) {
    const mark = line[at] as string;
    if (mark === "\\") {
      text += line[at + 1] ?? "";
      at += 2;
    } else if (mark === "'") {
      const end = line.indexOf("'", at + 1);
      text += line.slice(at + 1, end < 0 ? line.length : end);
      at = end < 0 ? line.length : end + 1;
    } else if (mark === '"') {
      at++;
      while (at < line.length && line[at] !== '"') {
        if (line[at] === "\\" && /["\\$`\n]/.test(line[at + 1] ?? "")) at++;
        else if (line[at] === "$" || line[at] === "`") dynamic = true;
        text += line[at] ?? "";
        at++;
      }
      at++;
    } else if (mark === "$" && line[at + 1] === "(") {
      dynamic = true;
      at = closing(line, at + 1);
    } else if (mark === "`") {
      dynamic = true;
      const end = line.indexOf("`", at + 1);
      at = end < 0 ? line.length : end + 1;
    } else {
      if (/[$*?[\]{}]/.test(mark)) dynamic = true;
      text += mark;
      at++;
    }
  }
  return { word: { text, dynamic }, end: at };
}

/** Behind the parenthesis that closes the one at `from`. */
function closing(line: string, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === "(") depth++;
    else if (line[at] === ")" && --depth === 0) return at + 1;
  }
  return line.length;
}
