// Finds rules of a team that cannot do what their author expects: another rule always wins, or a built-in rule's guards remain.
import { isBuiltIn } from "../../config/load-pack.js";
import type { PackEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { type Diagnostic, diagnostic } from "../../diagnostics.js";
import type { RuleFile, SelectorFile } from "../../generated/pack-file.js";
import { DEFAULT_SCORE } from "../../rules/compile/compile-rules.js";
import { nodesOf } from "../../rules/condition.js";
import { TALK } from "../signals/condition.js";
import { BESIDE } from "./find-items.js";

/** Only rules that a team declares: a team's rule may take the words of a built-in one. */
export function rivalFindings({ rules }: Resolved): readonly Diagnostic[] {
  const own = [...rules.values()].filter((entry) => !isBuiltIn(entry.from("emit")));
  return own.flatMap((entry, order) => {
    const winner = own.find((other, place) => isBefore(other, entry, place < order) && isWithin(entry.value, other.value));
    const hint = () => `give it a higher score than ${winner?.id} has, other words, or a place in which only it looks`;
    return [
      ...keptGuards(entry),
      ...(winner ? [diagnostic("never-wins", `${winner.id} wins wherever ${entry.id} matches`, entry.at(), hint())] : []),
    ];
  });
}

const RESTRICTING = ["in", "signals", "not", "unless"] as const;

/** A new rule under the id of a built-in one inherits the keys that it does not set. */
function keptGuards(entry: PackEntry<RuleFile>): readonly Diagnostic[] {
  const kept = RESTRICTING.filter((key) => entry.value[key] !== undefined && isBuiltIn(entry.from(key)));
  if (kept.length === 0) return [];
  const message = `${entry.id} is the id of a built-in rule: this one keeps its ${kept.join(", ")}`;
  return [diagnostic("kept-guards", message, entry.at(), `use another id, or set ${kept.join(", ")} here`)];
}

type Ranked = Pick<PackEntry<RuleFile>, "value">;

function isBefore({ value: a }: Ranked, { value: b }: Ranked, isEarlier: boolean): boolean {
  if ([a, b].some(({ emit }) => emit === "redact" || BESIDE.some((kind) => kind === emit))) return false;
  const [first, second] = [a.score ?? DEFAULT_SCORE, b.score ?? DEFAULT_SCORE];
  return a !== b && (first > second || (first === second && isEarlier));
}

/** Does the outer rule match wherever the inner one does, by the same phrases and patterns? */
function isWithin(inner: RuleFile, outer: RuleFile): boolean {
  const [few, many] = [inner, outer].map(({ match = [], regex = [] }) => [...match, ...regex]) as [string[], string[]];
  return (
    few.length > 0 &&
    isPart(few, many) &&
    ["signals", "not", "unless", "nothing"].every((key) => isPart(listOf(outer, key), listOf(inner, key))) &&
    (outer.length?.min ?? 0) <= (inner.length?.min ?? 0) &&
    isInside(inner.in ?? {}, outer.in ?? {})
  );
}

const isPart = (part: readonly unknown[], whole: readonly unknown[]) => part.every((one) => whole.includes(one));
const listOf = (rule: RuleFile, key: string) => (rule[key as keyof RuleFile] ?? []) as readonly string[];

/** Without `role` and `node`, a rule looks at talk. */
function isInside(inner: SelectorFile, outer: SelectorFile): boolean {
  const withDefaults = (one: SelectorFile) => ({ role: SPEAKERS, ...one, node: nodesOf(one.node ?? [...TALK]) });
  const [few, many] = [inner, outer].map(withDefaults) as [SelectorFile, SelectorFile];
  return Object.entries(many).every(([key, allowed]) => {
    const asked = few[key as keyof SelectorFile];
    if (asked === undefined) return false;
    return Array.isArray(asked) && Array.isArray(allowed)
      ? isPart(asked, allowed)
      : JSON.stringify(asked) === JSON.stringify(allowed);
  });
}

const SPEAKERS = ["user", "assistant", "file"] as const;
