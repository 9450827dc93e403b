// The rules of earlier sessions, for those that come after: which of a session's rules outlive it, and what is told of them.
import { factId, readChoices } from "../keep/choices.js";
import { emptyExtraction } from "../keep/empty.js";
import { keepNewest } from "../keep/newest.js";
import { forgetStanding, readStanding, rememberStanding, type StandingRule } from "../keep/standing.js";
import { AHEAD_SESSIONS } from "../limits.js";
import type { Extraction, Item, Session } from "../model.js";
import { render } from "../render/render.js";
import { matchPhrase } from "../rules/phrase-match.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { toWords } from "../rules/words.js";
import { neutral } from "./neutral.js";

/** The signal by which packs say what a rule looks like that ends with its session or before. */
const TEMPORARY = "temporary";

export function createStandingRules(folder: string, rules: RuleSet, stateFolder?: string) {
  /** What sessions were told first: a request that begins in another way is read anew by its provider, at its full price. */
  const given = new Map<string, readonly StandingRule[]>();
  const temporary = rules.signals.get(TEMPORARY)?.match ?? [];
  const lasts = ({ evidence }: Item) => {
    const words = toWords(evidence.quote);
    return !temporary.some((phrase) => matchPhrase(phrase, words));
  };

  function tell(sessionId: string): readonly StandingRule[] {
    const known = given.get(sessionId);
    if (known) return known;
    const told = readStanding(folder, stateFolder).filter(({ session }) => session !== sessionId);
    keepNewest(given, sessionId, told, AHEAD_SESSIONS);
    return told;
  }

  return {
    /** @param all what was found in the session, also before messages of it were gone */
    remember(session: Pick<Session, "id" | "messages">, { after }: Extraction, all: readonly Item[]): void {
      rememberStanding(folder, session, all.filter(lasts), after, stateFolder);
    },
    /** @param known a session whose rules it is told by others */
    told(sessionId: string, known?: string): string | undefined {
      const drops = new Set(readChoices(folder, stateFolder).choices.drops);
      const items = tell(sessionId).flatMap(({ session, item }) => (session === known || drops.has(factId(item)) ? [] : [item]));
      if (items.length === 0) return undefined;
      const { continuation } = emptyExtraction(sessionId);
      const told = { continuation: { ...continuation, items: items.reverse() }, statements: [] };
      const { text, entries } = render(told, rules.templates.get("standing") as Template, rules);
      return entries === 0 ? undefined : neutral(text);
    },
    /** The session begins anew with a summary: by now there may be other rules. */
    renew: (sessionId: string) => void given.delete(sessionId),
    /** The session is no more, and neither are the rules that were given in it. */
    forget(sessionId: string): void {
      given.delete(sessionId);
      forgetStanding(folder, sessionId, stateFolder);
    },
  };
}
