// The rules of earlier sessions, for those that come after: which of a session's rules outlive it, and what is told of them.
import { extractInSteps } from "../extract/extract.js";
import { factId, readChoices } from "../keep/choices.js";
import { emptyExtraction } from "../keep/empty.js";
import { keepNewest } from "../keep/newest.js";
import { forgetStanding, readStanding, rememberStanding, type StandingRule } from "../keep/standing.js";
import { AHEAD_SESSIONS, SEGMENT_CHARACTERS, TYPED_SESSION_CHARACTERS } from "../limits.js";
import type { Item, Session } from "../model.js";
import { render } from "../render/render.js";
import type { Phrase } from "../rules/phrase.js";
import { matchPhrase } from "../rules/phrase-match.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { toWords } from "../rules/words.js";
import { readMarkdown } from "../source/markdown.js";
import { splitSentences } from "../source/sentences.js";
import { typedLength } from "../source/typed.js";
import { isQuestion } from "../source/visible.js";
import { neutral } from "./neutral.js";

/** The signals by which packs say what obliges later work, what ends with its session or before, and what shows others' words. */
const OBLIGES = "standing-rule";
const TEMPORARY = "temporary";
const SHOWS = "shows-text";

/** Others' words, as they are marked in the middle of one's own. */
const QUOTED = /^[\s"'“”‘«„>`(]*["“”«„`>]/;

export function createStandingRules(folder: string, rules: RuleSet, stateFolder?: string) {
  /** What sessions were told first: a request that begins in another way is read anew by its provider, at its full price. */
  const given = new Map<string, readonly StandingRule[]>();
  const holds = (name: string, text: string) => {
    const { match = [], unless = [] } = rules.signals.get(name) ?? {};
    const words = toWords(text);
    const fits = (phrase: Phrase) => matchPhrase(phrase, words) !== undefined;
    return match.some(fits) && !unless.some(fits);
  };

  /** How far a message was typed, and shows nothing that others wrote. */
  function ownLength(text: string): number {
    const typed = text.slice(0, typedLength(text));
    const shown = splitSentences(typed, [], SEGMENT_CHARACTERS).find(({ start, end }) => holds(SHOWS, typed.slice(start, end)));
    return shown?.start ?? typed.length;
  }

  /** The session with nothing in it but what the user typed: no answers, no tools, nothing that was pasted. */
  function typedSession({ messages, ...session }: Session): Session {
    let left = TYPED_SESSION_CHARACTERS;
    const typed = messages.toReversed().flatMap((message) => {
      if (message.role !== "user" || message.meta || message.summary || left <= 0) return [];
      const text = message.text.slice(0, ownLength(message.text));
      left -= text.length;
      return text.trim() === "" ? [] : [{ ...message, text, toolCalls: [] }];
    });
    return { ...session, messages: typed.reverse() };
  }

  const isRule = ({ kind, status, evidence: { quote } }: Item) =>
    kind === "constraint" &&
    status === "active" &&
    !QUOTED.test(quote) &&
    !isQuestion(quote) &&
    holds(OBLIGES, quote) &&
    !holds(TEMPORARY, quote);

  /** @param whole its messages are all that there ever were */
  function* remember(session: Session, whole = false): Generator<void, void> {
    if (!session.typed) return;
    const { continuation, after } = yield* extractInSteps(typedSession(session), rules, {
      statements: false,
      read: readMarkdown,
    });
    rememberStanding(folder, session, continuation.items.filter(isRule), { whole, ...(after && { settle: after }) }, stateFolder);
  }

  function tell(sessionId: string): readonly StandingRule[] {
    const known = given.get(sessionId);
    if (known) return known;
    const told = readStanding(folder, stateFolder).filter(({ session }) => session !== sessionId);
    keepNewest(given, sessionId, told, AHEAD_SESSIONS);
    return told;
  }

  return {
    /** Remembers the rules that the user typed in the session. */
    remember,
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
