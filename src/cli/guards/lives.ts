// The rules of the user in a session, wherever they come from, and what became of them.
import { guardSession } from "../../guards/guard-session.js";
import { guardSets } from "../../hosts/calls/prepare.js";
import { sessionContext } from "../../hosts/calls/prepared.js";
import type { Item, Session } from "../../model.js";
import type { Guard } from "../../rules/guard.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { factId, pinId, readChoices } from "../../state/choices.js";
import { readMemory } from "../../state/memory.js";
import { readHeard } from "../../state/spoken.js";
import { oneLine } from "../../text/forms.js";
import { sameText } from "../../text/words.js";
import { livesOf, type RuleLife, type UserRule } from "./rule-life.js";

/** @param items what was found in the session */
export function livesIn(session: Session, items: readonly Item[], loaded: LoadedRules, project: string): readonly RuleLife[] {
  const sets = guardSets(loaded, project);
  const guards = sets.flatMap((set) => set.guards);
  const { pins } = readChoices(project).choices;
  const ids = new Set(pins.map(pinId));
  const roles = new Map(session.messages.map(({ id, role }) => [id, role]));
  const typed = items.filter(
    ({ kind, evidence: { source, tool } }) => kind === "constraint" && tool === undefined && roles.get(source) === "user",
  );
  const pinned = pins.map((text): UserRule => {
    const guard = guards.find(({ id, of }) => !of && id === pinId(text));
    const said = typed.find(({ evidence }) => sameText(evidence.quote) === sameText(text))?.evidence.source;
    return { id: pinId(text), text, from: "pin", ...(said && { said }), ...(guard && { guard }) };
  });
  const isPinned = (quote: string) => pins.some((text) => sameText(text) === sameText(quote));
  const all: readonly UserRule[] = [
    ...typed
      .filter(({ evidence }) => !isPinned(evidence.quote))
      .map((item): UserRule => {
        return { id: factId(item), text: oneLine(item.evidence.quote), from: "typed", said: item.evidence.source };
      }),
    ...pinned,
    ...guards
      .filter(({ id, of }) => of || !ids.has(id))
      .map((guard): UserRule => ({ id: guard.id, text: guard.say, from: "pack", guard })),
  ];
  const met = guardSession(sets, session, sessionContext(project));
  const rulesOf = (guard: Guard) => sets.find((set) => set.guards.includes(guard))?.rules ?? loaded.rules;
  const { spoken } = readHeard(session.id);
  return livesOf(all, { session, rules: loaded.rules, rulesOf, met, spoken, block: readMemory(session.id).memory?.block });
}

export const toJson = ({ guard, ...life }: RuleLife) => ({ ...life, ...(guard && { guard: guard.id, does: guard.does }) });
