// The life of a rule in a session: said where, lost in which compaction, carried back where, and what became of the calls that its
// guard is for.
import { audit } from "../../audit/audit.js";
import { blankBlocks } from "../../audit/block.js";
import { keptBy, ownSummaries } from "../../audit/own-summaries.js";
import { wasUnrun } from "../../extract/calls/call.js";
import { createAllowance } from "../../guards/allowed.js";
import type { MetCall } from "../../guards/guard-session.js";
import type { Session } from "../../model.js";
import { type Guard, guardKey, type Spoken } from "../../rules/guard.js";
import { redact } from "../../rules/redact/redact.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { sameText } from "../../text/words.js";

export interface UserRule {
  readonly id: string;
  readonly text: string;
  readonly from: "typed" | "pin" | "pack";
  /** The message that says it; a pin and a pack count for the whole session. */
  readonly said?: string;
  readonly guard?: Guard;
}

export interface RuleEvent {
  readonly what: "lost" | "altered" | "carried" | "told" | "refused" | "allowed" | "broken";
  /** The message, with the number of its call. */
  readonly at: string;
  readonly call?: string;
}

export type RuleLife = UserRule & { readonly events: readonly RuleEvent[] };

interface Lived {
  readonly session: Session;
  readonly rules: RuleSet;
  /** Those that decide about a guard: what the user allowed is read by them. */
  readonly rulesOf: (guard: Guard) => RuleSet;
  /** The calls that guards are for. */
  readonly met: readonly MetCall[];
  /** How often each guard spoke in the session. */
  readonly spoken: Spoken;
  /** What was added behind the last summary. */
  readonly block?: string | undefined;
}

export function livesOf(all: readonly UserRule[], lived: Lived): readonly RuleLife[] {
  const { session } = lived;
  const order = new Map(session.messages.map(({ id }, index) => [id, index]));
  const indexOf = ({ at }: RuleEvent) => order.get(at.replace(/#\d+$/, "")) ?? 0;
  return all.map((rule) => {
    const from = order.get(rule.said ?? "") ?? -1;
    const called = lived.met.filter(({ guard, source }) => guard === rule.guard && (order.get(source) ?? 0) > from);
    const events = [...(rule.from === "pack" ? [] : compactions(rule, from, lived)), ...callsOf(called, lived, order)];
    return { ...rule, events: events.sort((a, b) => indexOf(a) - indexOf(b)) };
  });
}

/** What each summary made of the rule, and where our block told it again. */
function compactions({ text, said }: UserRule, from: number, { session, rules, block = "" }: Lived): readonly RuleEvent[] {
  const tells = (one: string) => sameText(one).includes(sameText(text));
  const summaries = ownSummaries(session);
  return summaries.flatMap(({ message, before }, number): readonly RuleEvent[] => {
    const { id: at, text: summary } = message;
    const begin = before.messages.length;
    const start = before.messages[from]?.text.indexOf(text) ?? -1;
    if (begin <= from || keptBy(message)({ source: said ?? "", start, end: start + text.length })) return [];
    const [found] = audit([{ kind: "constraint", text }], blankBlocks(summary), { rules }).verdicts;
    if (!found || found.verdict === "kept" || found.verdict === "unsure") return [];
    const end = summaries[number + 1]?.before.messages.length;
    const isBlock = (one: string) => blankBlocks(one) !== one && tells(one);
    const carrierId = session.messages.slice(begin, end).find((one) => isBlock(one.text))?.id;
    const carried = carrierId ?? (end === undefined && tells(block) ? at : undefined);
    return [
      { what: found.verdict === "missing" ? "lost" : "altered", at },
      ...(carried === undefined ? [] : [{ what: "carried" as const, at: carried }]),
    ];
  });
}

function callsOf(met: readonly MetCall[], { session, rules, rulesOf, spoken }: Lived, order: ReadonlyMap<string, number>) {
  const isRefused = ({ call, guard }: MetCall) => call.output.includes(guard.say) || wasUnrun(call, rules);
  const spokenByGuard = (met[0] && spoken[guardKey(met[0].guard)]) ?? {};
  // The user was asked as often as nobody refused.
  let agreed = (spokenByGuard.ask ?? 0) - met.filter(isRefused).length;
  let heard = false;
  return met.flatMap((one): readonly RuleEvent[] => {
    const event = { at: `${one.source}#${one.tool}`, call: redact(one.what, rules.redactions) };
    if (one.guard.does !== "tell" && isRefused(one)) {
      heard = true;
      return [{ what: "refused", ...event }];
    }
    const before = { ...session, messages: session.messages.slice(0, (order.get(one.source) ?? 0) + 1) };
    const isAllowed = agreed-- > 0 || createAllowance(before, rulesOf(one.guard), () => heard)(one);
    const isTold = !heard && spokenByGuard.tell !== undefined;
    heard ||= isTold;
    return [...(isTold ? [{ what: "told" as const, ...event }] : []), { what: isAllowed ? "allowed" : "broken", ...event }];
  });
}
