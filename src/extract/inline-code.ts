// The files that a few lines of Python or JavaScript write, where the lines name them.
import { posix } from "node:path";
import { CODE_CHARACTERS } from "../limits.js";

// What does not end goes to the end: nothing is looked at twice.
const TEXT = [
  `"""(?:\\\\[^]|[^\\\\])*?(?:"""|$)`,
  `'''(?:\\\\[^]|[^\\\\])*?(?:'''|$)`,
  `"(?:\\\\[^]|[^"\\\\\\n])*"?`,
  `'(?:\\\\[^]|[^'\\\\\\n])*'?`,
  `\`(?:\\\\[^]|[^\`\\\\])*\`?`,
].join("|");
const COMMENT = `(?<![^\\s;{}()])(?:#|//)[^\\n]*|/\\*[^]*?(?:\\*/|$)`;
const PARTS = new RegExp(`((?<!\\w)[rbuf]{1,2})?(${TEXT})|${COMMENT}`, "gi");

// Texts are numbered before these are looked for, so that no text is taken for code.
const NAME = "[A-Za-z_$][\\w$]*";
const ATOM = `(?:"\\d+"|${NAME})`;
const TERM = `(?:(?:pathlib\\.)?Path\\(\\s*${ATOM}\\s*\\)|${ATOM})`;
// Few folders are joined by hand; without a bound each of many would be begun with.
const PATH = `${TERM}(?:\\s*/\\s*${TERM}){0,8}`;
const START = "(?<![\\w.$)\\]])";
const DEEDS = new RegExp(
  [
    `${START}(?:io\\.|codecs\\.)?open\\(\\s*(?<opened>${PATH})\\s*,\\s*(?:mode\\s*=\\s*)?"(?<mode>\\d+)"`,
    `(?<![\\w$])(?:write|append)File(?:Sync)?\\(\\s*(?<given>${PATH})\\s*,`,
    `(?:os|process)\\.chdir\\(\\s*(?<folder>${PATH})\\s*\\)`,
    `\\bfor(?:[ \\t]*\\([ \\t]*|[ \\t]+)(?:(?:const|let|var)[ \\t]+)?(?<each>${NAME}(?:[ \\t]*,[ \\t]*${NAME}){0,8})[ \\t]+(?:in|of)\\b`,
    `\\b(?:def|function)\\s+${NAME}\\s*\\((?<parameters>[^()]*)\\)`,
    `${START}(?<name>${NAME})[ \\t]*(?::[ \\t]*[\\w.]+[ \\t]*)?(?:[-+*/%|&]=|=(?![=>])[ \\t]*)(?:(?<value>${PATH})(?=[ \\t\\r]*(?:[\\n;]|$)))?`,
    `${START}(?:\\(\\s*(?<grouped>${PATH})\\s*\\)|(?<alone>${PATH}))\\.(?:write_(?:text|bytes)\\(|open\\(\\s*(?:mode\\s*=\\s*)?"(?<manner>\\d+)")`,
  ].join("|"),
  "g",
);
const WRITES = /^(?=.*[wax+])[rwaxbt+]{1,4}$/;

export function readInlineCode(code: string): readonly string[] {
  const texts: (string | undefined)[] = [];
  const plain = code
    .slice(0, CODE_CHARACTERS)
    .replace(PARTS, (_, prefix: string | undefined, text: string | undefined) =>
      text === undefined ? "" : `"${texts.push(literal(text, prefix ?? "")) - 1}"`,
    );
  const written: string[] = [];
  const variables = new Map<string, string>();
  let folder = "";
  const pathOf = (expression: string) => {
    const atoms = [...expression.matchAll(/"(\d+)"|(?<![\w$])(?!Path\b|pathlib\b)[A-Za-z_$][\w$]*/g)];
    const parts = atoms.map(([name, index]) => (index === undefined ? variables.get(name) : texts[Number(index)]));
    return parts.some((part) => part === undefined || part === "") ? undefined : (parts as string[]).reduce(within);
  };
  for (const { groups = {} } of plain.matchAll(DEEDS)) {
    const { opened, mode, given, name, value, grouped, alone, manner } = groups;
    for (const bound of (groups.each ?? groups.parameters ?? "").match(/[\w$]+/g) ?? []) variables.delete(bound);
    if (name !== undefined) {
      const path = value === undefined ? undefined : pathOf(value);
      if (path === undefined) variables.delete(name);
      else variables.set(name, path);
    }
    if (groups.folder !== undefined) folder = within(folder, pathOf(groups.folder) ?? "");
    const target = opened ?? given ?? grouped ?? alone;
    const how = mode ?? manner;
    const path =
      target !== undefined && (how === undefined || WRITES.test(texts[Number(how)] ?? "")) ? pathOf(target) : undefined;
    if (path !== undefined) written.push(within(folder, path));
  }
  return written;
}

/** Undefined where something is put into the text when it runs: by the program, or by the shell before. */
function literal(text: string, prefix: string): string | undefined {
  const inside = text.slice(1, -1);
  if (/[${}*?`\n]/.test(inside) || /^["']|["']$/.test(inside)) return undefined;
  if (/r/i.test(prefix)) return inside;
  // A sign that is not written as itself, a tab for one, is in no name.
  return /\\[^\\'"/]/.test(inside.replaceAll("\\\\", "")) ? undefined : inside.replace(/\\([\s\S])/g, "$1");
}

const within = (folder: string, path: string) =>
  folder === "" || /^(?:[/~]|[A-Za-z]:)/.test(path) ? path : posix.join(folder, path);
