// The guard of a pin, as a person writes it: `edit:src/legacy/**`, `command:git push --force`.
import type { GuardedCallFile, GuardFile } from "../generated/pack-file.js";
import { compileCall, toolNamed } from "../rules/compile/guards.js";
import { redact } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";

export const THEN = ["tell", "once", "ask", "refuse"] as const satisfies readonly GuardFile["then"][];
export type Then = (typeof THEN)[number];
export const USUAL_THEN: Then = "once";

const COMMAND = "command";

/** Undefined if it is for no call, or holds a secret: it is stored and shown as it is, and with a mask it would be for no call. */
export function parseOn(text: string, rules: Pick<RuleSet, "tools" | "redactions">): GuardedCallFile | undefined {
  if (redact(text, rules.redactions) !== text) return undefined;
  const [, tool = "", what = ""] = /^([^:\s]+):\s*(\S.*)$/.exec(text.trim()) ?? [];
  const known = toolNamed(tool, rules.tools);
  if (what === "" || (tool !== COMMAND && !known)) return undefined;
  const on = tool === COMMAND || known?.command.length ? { command: [what] } : { tool: [tool], path: [what] };
  return compileCall(on, rules) && on;
}

export const shownOn = ({ tool = [], path = [], command = [] }: GuardedCallFile): string =>
  command.length > 0 ? `${COMMAND}:${command[0]}` : `${tool[0] ?? ""}:${path[0] ?? ""}`;

const ON = / --on(?:=| )(?:'([^']*)'|"([^"]*)"|(\S+))/;
const AND_THEN = / --then(?:=| )(\w+)/;

/** What the user types behind a command of an agent: the text, and the options at its end. */
export function splitTyped(typed: string): { readonly text: string; readonly on?: string; readonly then?: string } {
  const [, single, double, bare] = ON.exec(` ${typed}`) ?? [];
  const on = single ?? double ?? bare;
  const then = AND_THEN.exec(` ${typed}`)?.[1];
  const text = ` ${typed}`.replace(ON, "").replace(AND_THEN, "").trim();
  return { text, ...(on !== undefined && { on }), ...(then !== undefined && { then }) };
}

// Proposals: the paths and commands that stand in a rule. A person accepts them.

/** @param kindOf what is there in the project under a path */
export function proposeOn(
  text: string,
  { shell }: Pick<RuleSet, "shell">,
  kindOf: (path: string) => "file" | "folder" | undefined,
): readonly string[] {
  const programs = new Set(shell.flatMap(({ names }) => names));
  const first = new Set([...programs].map((name) => name.split(" ")[0]));
  const pathOf = (word: string): string | undefined => {
    const path = word.replace(/^\.\//, "").replace(/\/+$/, "");
    if (path === "" || /^\w+:|^[-/~]|\.\./.test(path)) return undefined;
    const kind = kindOf(path);
    if (kind === "folder" || (kind === undefined && /\/$/.test(word))) return `${path}/**`;
    return kind === "file" || /[*]/.test(path) || (path.includes("/") && /^[\w.@/-]+$/.test(path)) ? path : undefined;
  };
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.trim());
  const words = text
    .replace(/`[^`]+`/g, " ; ")
    .split(/\s+/)
    .map((word) => word.replace(/^["'(]+|["'),.;:!?]+$/g, ""));
  const found = new Set<string>();
  for (const code of spans) {
    const path = /\s/.test(code) ? undefined : pathOf(code);
    if (path !== undefined) found.add(`edit:${path}`);
    else if (first.has(code.split(/\s+/)[0])) found.add(`${COMMAND}:${code}`);
  }
  for (const [index, word] of words.entries()) {
    const two = `${word} ${words[index + 1] ?? ""}`;
    if (programs.has(two)) {
      let end = index + 2;
      while (words[end]?.startsWith("-")) end++;
      found.add(`${COMMAND}:${words.slice(index, end).join(" ")}`);
    } else if (word.length > 2) {
      const path = pathOf(word);
      if (path !== undefined) found.add(`edit:${path}`);
    }
  }
  return [...found];
}
