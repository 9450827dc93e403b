// Runs the examples in the guards: they are the guards' documentation and tests.
import type { PackEntry } from "../config/pack.js";
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import type { GuardExampleFile, GuardFile } from "../generated/pack-file.js";
import type { Message } from "../model.js";
import { toolNamed } from "../rules/compile/guards.js";
import type { Guard } from "../rules/guard.js";
import { type LoadedRules, ownRules } from "../rules/load-rules.js";
import type { RuleSet } from "../rules/rule-set.js";
import { createAllowance } from "./allowed.js";
import { type CallContext, type GuardedCall, matchGuards } from "./match-guards.js";

export const GUARD_PREFIX = "guard:";

/** The same on every machine: no file is looked at. */
const PROJECT = "/project";

export const exampleContext = ({ tools, shell, scratch }: Pick<RuleSet, "tools" | "shell" | "scratch">): CallContext => ({
  ...{ tools, shell, scratch, project: PROJECT, folder: PROJECT },
  ...{ real: (path) => path, folds: false },
});

export function testGuards({ packs, guards, rules }: LoadedRules, only: readonly string[], coverage: boolean) {
  const diagnostics: Diagnostic[] = [];
  const covered: { readonly id: string; readonly fires: number; readonly still: number }[] = [];
  let examples = 0;
  for (const guard of guards) {
    const id = GUARD_PREFIX + guard.id;
    const entry = packs.guards.get(guard.id) as PackEntry<GuardFile> | undefined;
    if (!entry || (only.length > 0 && !only.includes(id))) continue;
    const given = entry.value.examples ?? [];
    for (const [index, example] of given.entries()) {
      examples++;
      const finding = tryExample(guard, example, guard.of ? rules : ownRules(), entry.at(["examples", index]));
      if (finding) diagnostics.push(finding);
    }
    const fires = given.filter((example) => example.fires).length;
    covered.push({ id, fires, still: given.length - fires });
    if (coverage && (fires === 0 || fires === given.length)) {
      const what = fires > 0 ? "keeps still" : "fires";
      diagnostics.push(diagnostic("example-coverage", `${id} has no example that ${what}`, entry.at(), "add one of each"));
    }
  }
  return { guards: covered.length, examples, coverage: covered, diagnostics };
}

function tryExample(guard: Guard, example: GuardExampleFile, rules: RuleSet, at: Position): Diagnostic | undefined {
  const { call, said, fires } = example;
  const { met, unread } = matchGuards([guard], toExampleCall(call, guard, rules), exampleContext(rules));
  const message: Message = { id: "example", role: "user", text: said ?? "", toolCalls: [] };
  const isAllowed = createAllowance({ messages: [message] }, rules, () => true);
  const open = met.filter((one) => !isAllowed(one));
  if (open.length > 0 === fires) return undefined;
  const shown = JSON.stringify(call);
  const id = GUARD_PREFIX + guard.id;
  if (!fires) return diagnostic("example-noisy", `${id} fires at ${shown}`, at, `it is for ${open[0]?.what}`);
  const why = unread ? "the call cannot be read" : met.length > 0 ? `the user allows it: "${said}"` : undefined;
  return diagnostic("example-missing", `${id} does not fire at ${shown}`, at, why);
}

/** A call as an agent makes it: its input has the keys that the packs know for the tool. */
export function toExampleCall(
  { tool, path, command }: GuardExampleFile["call"],
  guard: Pick<Guard, "tools">,
  { tools }: Pick<RuleSet, "tools">,
): GuardedCall {
  const all = [...tools.entries()];
  const fits = ([, one]: (typeof all)[number]) => (command !== undefined ? one.command.length > 0 : one.effect === "modified");
  const wanted = tool ?? (command === undefined ? guard.tools[0] : undefined);
  const known = wanted === undefined ? all.find(fits)?.[1] : toolNamed(wanted, tools);
  const name = known && all.find(([, one]) => one === known)?.[0];
  const [file = "path", line = "command"] = [known?.file[0], known?.command[0]];
  const input = { ...(path !== undefined && { [file]: path }), ...(command !== undefined && { [line]: command }) };
  return { tool: name ?? wanted ?? "", input };
}
