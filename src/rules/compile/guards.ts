// Compiles guards to plain data. A guard that could fire on any call, or never, is reported and left out.
import { basename, relative, sep } from "node:path";
import { isBuiltIn, suggest } from "../../config/load-pack.js";
import type { PackEntry } from "../../config/pack.js";
import type { Path } from "../../config/parse-yaml.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { type Code, collectFindings, type Diagnostic, diagnostic } from "../../diagnostics.js";
import type { GuardedCallFile, GuardFile } from "../../generated/pack-file.js";
import { SAID_CODE_POINTS } from "../../limits.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { oneLine } from "../../text/forms.js";
import { neutralTags } from "../../text/neutral-tags.js";
import type { Guard, GuardedCommand, Touch } from "../guard.js";
import { masker } from "../redact/redact.js";
import type { RuleSet } from "../rule-set.js";
import type { Tool } from "../tool-set.js";

type GuardRules = Pick<RuleSet, "tools" | "redactions" | "signals">;

/** @param user the file of the user's own settings, and the rules that its guards use: no file of the project can change them */
export function compileGuards(
  packs: Resolved,
  rules: GuardRules,
  user?: { readonly file: string; readonly rules: () => GuardRules },
) {
  const { report, findings } = collectFindings();
  const guards = [...packs.guards.values()].flatMap((entry): Guard[] => {
    const { id, value } = entry;
    const of = originOf(entry, packs, user?.file);
    const used = of || !user ? rules : user.rules();
    const fault: Fault = (code, message, path, hint) => report(diagnostic(code, message, entry.at(["on", ...path]), hint));
    const on = value.on && compileCall(value.on, used, fault);
    for (const key of ["on", "then", "say"] as const)
      if (value[key] === undefined) report(diagnostic("missing-key", `the guard "${id}" needs ${key}`, entry.at()));
    for (const [index, name] of (value.unless ?? []).entries())
      if (!used.signals.has(name)) {
        const hint = () => suggest("signals", name, used.signals.keys(), packs.packs);
        report(() => diagnostic("unknown-signal", `there is no signal "${name}"`, entry.at(["unless", index]), hint()));
      }
    if (!on || !value.then || !value.say) return [];
    const masked = masker(used.redactions)(value.say);
    // A model reads it, and perhaps as the reason why its call is refused.
    const said = oneLine(of ? neutralTags(masked) : masked);
    const say = [...said].slice(0, SAID_CODE_POINTS).join("");
    return [{ id, ...on, does: value.then, say, unless: value.unless ?? USUAL[value.then], ...(of && { of }) }];
  });
  return { guards, diagnostics: findings as readonly Diagnostic[] };
}

/** Without `unless`. Nobody is asked about what the user already allowed. */
const USUAL = { tell: [], once: [], ask: ["user-allowed"], refuse: [] } as const;

/** The files that say what it does, unless all of them are built in or the user's own. */
function originOf(entry: PackEntry<GuardFile>, { packs }: Resolved, users: string | undefined): Guard["of"] {
  const all = (["on", "then", "say", "unless"] as const).map((key) => entry.from(key));
  const foreign = [...new Set(all.map((pack) => (isBuiltIn(pack) || pack.file === users ? "" : pack.file)))].filter(Boolean);
  if (foreign.length === 0) return undefined;
  const root = packs.at(-1)?.root ?? "";
  const names = foreign.map((file) => relative(root, file).split(sep).join("/") || basename(file));
  return { files: foreign, name: names.join(", ") };
}

export type Call = Omit<Guard, "id" | "does" | "say" | "unless" | "of">;

/** Has it a bracket without the other one? `app/[id]` is a name, and `{a,b}` is a choice. */
const isUnclosed = (path: string) =>
  ["[]", "{}"].some(([open = "", close = ""]) => {
    const [first, last] = [path.indexOf(close), path.lastIndexOf(open)];
    return last > path.lastIndexOf(close) || (first >= 0 && !path.slice(0, first).includes(open));
  });

type Fault = (code: Code, message: string, path: Path, hint: string | undefined) => void;

export function compileCall(on: GuardedCallFile, { tools }: Pick<RuleSet, "tools">, fault?: Fault): Call | undefined {
  const { tool = [], path = [], command = [], has = [], not = [] } = on;
  const commands = command.map(compileCommand);
  if (tool.length + path.length + command.length + has.length === 0 || commands.some(({ words }) => words.length === 0)) {
    fault?.("guard-empty", "the guard is for no call", [], "give on a tool, a path or a command that begins with a program");
    return undefined;
  }
  const odd = path.findIndex((one) => one.includes("\\") || /^!?$/.test(one) || one.split("/").includes("..") || isUnclosed(one));
  if (odd >= 0) {
    const hint = isUnclosed(path[odd] ?? "")
      ? "a bracket is not closed"
      : "write it from the folder of the project, with / between names";
    fault?.("guard-path", `"${path[odd]}" is no path of the project`, ["path", odd], hint);
    return undefined;
  }
  const named = tool.map((name, index) => {
    const known = toolNamed(name, tools);
    const ids = () => [...new Set([...tools.values()].map(({ id }) => id))];
    // Tools of servers have such names.
    if (!known && !/[*_.]/.test(name))
      fault?.("never-holds", `no pack knows the tool "${name}"`, ["tool", index], didYouMean(name, ids()));
    return { id: known?.id ?? name, touches: known ? touchesOf(known) : [] };
  });
  return {
    tools: named.map((one) => one.id),
    touches: [...new Set(named.flatMap(({ touches }) => touches))],
    paths: path,
    commands,
    has,
    not,
  };
}

/** By the id of its entry, or by its name. */
export const toolNamed = (name: string, tools: ReadonlyMap<string, Tool>): Tool | undefined =>
  [...tools.values()].find(({ id }) => id === name) ?? tools.get(name);

/** What is said of a change holds for a deletion too: the file is not as it was. */
const touchesOf = ({ effect }: Tool): readonly Touch[] =>
  effect === "read" ? ["read"] : effect === "deleted" ? ["delete"] : effect ? ["edit", "delete"] : [];

function compileCommand(command: string): GuardedCommand {
  const all = command.trim().split(/\s+/);
  // What comes at the end may be anything in any case.
  while (/^(?:\{.*\}|\.\.\.)$/.test(all.at(-1) ?? "")) all.pop();
  return { words: all.filter((word) => !word.startsWith("-")), options: all.filter((word) => word.startsWith("-")) };
}
