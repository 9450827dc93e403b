// Standing rules: finds the rules of a session that outlive it, and tells them to later sessions.

import { extractInSteps } from "../extract/pipeline.js";
import type { Steps } from "../extract/steps.js";
import { AHEAD_SESSIONS, SEGMENT_CHARACTERS, TYPED_SESSION_CHARACTERS } from "../limits.js";
import type { Item, Session } from "../model.js";
import { render } from "../render/render.js";
import type { AskedSignal } from "../rules/condition.js";
import { builtInRules, type LoadedRules } from "../rules/load-rules.js";
import { matchPhrase } from "../rules/phrase/match-phrase.js";
import type { Phrase } from "../rules/phrase/phrase.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { readMarkdown } from "../source/markdown/read-markdown.js";
import { splitSentences } from "../source/markdown/sentences.js";
import { isQuestion } from "../source/markdown/visible.js";
import { typedLength } from "../source/session/spoken.js";
import { factId, readChoices } from "../state/choices.js";
import { emptyExtraction } from "../state/memory.js";
import { forgetStanding, readStanding, rememberStanding, type StandingRule } from "../state/standing.js";
import { keepNewest } from "../text/remember.js";
import { toWords } from "../text/words.js";
import { neutral } from "./neutral.js";

/** The signals of the packs: a rule for later work, one that ends with its session or earlier, words of others, one's own. */
const OBLIGES: AskedSignal = "standing-rule";
const TEMPORARY: AskedSignal = "temporary";
const SHOWS: AskedSignal = "shows-text";
const OWN: AskedSignal = "own-words";
const OTHERS: AskedSignal = "others-words";

/** The mark of a list item. */
const POINT = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

/** Starts with a quotation mark: words of others within the user's own. */
const QUOTED = /^[\s"'“”‘«„>`(]*["“”«„`>]/;

/** @param loaded the rules of the project. It may come from anyone, so only its masks are used. */
export function createStandingRules(folder: string, loaded: Pick<LoadedRules, "rules" | "file">, stateFolder?: string) {
  let own: RuleSet | undefined;
  const builtIn = (): RuleSet => {
    own ??= loaded.file === undefined ? loaded.rules : { ...builtInRules().rules, redactions: loaded.rules.redactions };
    return own;
  };
  /** The rules each session was first told. If the start of a request changed, the provider's prompt cache would be lost. */
  const given = new Map<string, readonly StandingRule[]>();
  const holds = (name: string, text: string) => {
    const { match = [], unless = [] } = builtIn().signals.get(name) ?? {};
    const words = toWords(text);
    const fits = (phrase: Phrase) => matchPhrase(phrase, words) !== undefined;
    return match.some(fits) && !unless.some(fits);
  };

  const sentencesOf = (text: string) =>
    splitSentences(text, [], SEGMENT_CHARACTERS).flatMap(({ start, end }) => {
      const said = text.slice(start, end).replace(POINT, "").trim();
      return said === "" ? [] : [{ start, said }];
    });

  /** What the user typed in a message; nothing if a sentence may be about a text that the message shows. */
  function ownText(text: string): string {
    const typed = text.slice(0, typedLength(text));
    const shown = sentencesOf(typed).find(({ said }) => holds(SHOWS, said));
    // A lead-in points at what follows it. Other words may be about what comes before them.
    if (shown && !shown.said.endsWith(":")) return "";
    const own = typed.slice(0, shown?.start);
    const last = typed.length < text.length ? text.slice(text.trimEnd().lastIndexOf("\n\n") + 1) : "";
    const behind = typedLength(last) < last.length ? [] : sentencesOf(last);
    const others = [...sentencesOf(own), ...behind].map(({ said }) => (holds(OBLIGES, said) ? undefined : said));
    const ends = [others[0], others.at(-1)];
    const isSure = ends.every((said) => !said || holds(OWN, said)) && !others.some((said) => said && holds(OTHERS, said));
    return isSure ? own : "";
  }

  /** The session with only what the user typed: no answers, no tools, nothing pasted. */
  function typedSession({ messages, ...session }: Session): Session {
    let left = TYPED_SESSION_CHARACTERS;
    const typed = messages.toReversed().flatMap((message) => {
      if (message.role !== "user" || message.meta || message.summary || left <= 0) return [];
      const text = ownText(message.text);
      left -= text.length;
      return text.trim() === "" ? [] : [{ ...message, text, toolCalls: [] }];
    });
    return { ...session, messages: typed.reverse() };
  }

  const isRule = ({ kind, status, evidence: { quote } }: Item) =>
    (kind === "constraint" || kind === "decision") &&
    status === "active" &&
    !QUOTED.test(quote) &&
    !isQuestion(quote) &&
    holds(OBLIGES, quote) &&
    !holds(TEMPORARY, quote);

  /**
   * @param whole the messages are the whole session
   * @returns a function that stores the rules
   */
  function* remember(session: Session, whole = false): Steps<() => void> {
    if (!session.typed) return () => undefined;
    const { continuation, after } = yield* extractInSteps(typedSession(session), builtIn(), {
      statements: false,
      read: readMarkdown,
    });
    // "Use tabs in all files" is found as a decision, and is a rule too.
    const given = continuation.items.filter(isRule).map((item): Item => ({ ...item, kind: "constraint" }));
    return () => rememberStanding(folder, session, given, { whole, ...(after && { settle: after }) }, stateFolder);
  }

  function tell(sessionId: string): readonly StandingRule[] {
    const known = given.get(sessionId);
    if (known) return known;
    const told = readStanding(folder, stateFolder).filter(({ session }) => session !== sessionId);
    keepNewest(given, sessionId, told, AHEAD_SESSIONS);
    return told;
  }

  return {
    /** Finds the rules that the user typed in the session. */
    remember,
    /** @param known a session whose rules this one already knows */
    told(sessionId: string, known?: string): string | undefined {
      const drops = new Set(readChoices(folder, stateFolder).choices.drops);
      const items = tell(sessionId).flatMap(({ session, item }) => (session === known || drops.has(factId(item)) ? [] : [item]));
      if (items.length === 0) return undefined;
      const { continuation } = emptyExtraction(sessionId);
      const told = { continuation: { ...continuation, items: items.reverse() }, statements: [] };
      const { text, entries } = render(told, builtIn().templates.get("standing") as Template, builtIn());
      return entries === 0 ? undefined : neutral(text);
    },
    /** After a compaction the session starts again with a summary, so it is told the current rules. */
    renew: (sessionId: string) => void given.delete(sessionId),
    /** Deletes the rules of a deleted session. */
    forget(sessionId: string): void {
      given.delete(sessionId);
      forgetStanding(folder, sessionId, stateFolder);
    },
  };
}
