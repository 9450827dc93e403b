// Standing rules: finds the rules of a session that outlive it, and tells them to later sessions.

import { extractInSteps } from "../extract/pipeline.js";
import { addedBy } from "../extract/signals/deeds.js";
import { ownWordsBy, sentencesOf, withoutQuotations } from "../extract/signals/own-words.js";
import { AHEAD_SESSIONS, TYPED_SEARCH_CHARACTERS, TYPED_SESSION_CHARACTERS } from "../limits.js";
import type { Evidence, Item, Message, Session } from "../model.js";
import { render } from "../render/render.js";
import type { AskedSignal } from "../rules/condition.js";
import { type LoadedRules, ownRules } from "../rules/load-rules.js";
import { masker } from "../rules/redact/redact.js";
import type { Template } from "../rules/rule-set.js";
import { isQuestion } from "../source/markdown/visible.js";
import { typedLength } from "../source/session/spoken.js";
import { factId, readChoices } from "../state/choices.js";
import { emptyExtraction } from "../state/memory.js";
import { forgetStanding, readStanding, rememberStanding, type StandingRule } from "../state/standing.js";
import type { Steps } from "../steps.js";
import { keepNewest, rememberEach } from "../text/remember.js";
import { neutral } from "./neutral.js";

// Signals of the packs.
const OBLIGES: AskedSignal = "standing-rule";
const TEMPORARY: AskedSignal = "temporary";

/** The stop before a sentence of one word, which goes with the one before it: "Tabs, not spaces. Always." */
const BEFORE_WORD = /[.!](?=\s+\p{L}+(?:[.!]|$))/gu;

/** Starts with a quotation mark: words of others within the user's own. */
const QUOTED = /^[\s"'“”‘«„>`(]*["“”«„`>]/;

/** Puts the stops back that joined sentences lost. The rest of the quote stays, because secrets are masked in it. */
const asSaid = (evidence: Evidence, text = ""): Evidence => ({
  ...evidence,
  quote: evidence.quote.replace(/,/g, (comma, at: number) => /[.!]/.exec(text.charAt(evidence.start + at))?.[0] ?? comma),
});

/** @param loaded the rules of the project. It may come from anyone, so only its masks are used, and only on what is stored. */
export function createStandingRules(folder: string, loaded: Pick<LoadedRules, "rules">, stateFolder?: string) {
  /** The rules each session was first told. If the start of a request changed, the provider's prompt cache would be lost. */
  const given = new Map<string, readonly StandingRule[]>();
  const holds = (name: string, text: string) => ownWordsBy(ownRules()).holds(name, text);
  const obliges = (said: string) => holds(OBLIGES, withoutQuotations(said));

  /** The newest messages with only what the user typed: no answers, no tools, nothing pasted. All that were searched are in `searched`. */
  function* typedMessages(messages: readonly Message[], searched: Set<string>): Steps<readonly Message[]> {
    let left = TYPED_SESSION_CHARACTERS;
    let search = TYPED_SEARCH_CHARACTERS;
    let done: string[] = [];
    let isAnswer = false;
    const typed: Message[] = [];
    for (const message of messages.toReversed()) {
      if (left <= 0 || search <= 0) break;
      searched.add(message.id);
      if (message.role !== "user" || message.meta || message.summary) {
        if (!isAnswer) done = [];
        isAnswer = true;
        for (const call of message.toolCalls) done.push(...addedBy(call, ownRules()));
        continue;
      }
      yield;
      isAnswer = false;
      search -= typedLength(message.text);
      const text = ownWordsBy(ownRules()).ownText(message.text.replace(BEFORE_WORD, ","), obliges, done);
      left -= text.length;
      if (text.trim() !== "") typed.push({ ...message, text, toolCalls: [] });
    }
    return typed.reverse();
  }

  const isRule = ({ kind, status, evidence: { quote } }: Item) =>
    (kind === "constraint" || kind === "decision" || kind === "rejection") &&
    status === "active" &&
    !QUOTED.test(quote) &&
    !isQuestion(quote) &&
    sentencesOf(quote).some(({ said }) => obliges(said)) &&
    !holds(TEMPORARY, quote);

  /** @param whole the messages are the whole session @returns a function that stores the rules */
  function* remember(session: Session, whole = false): Steps<() => void> {
    if (!session.typed) return () => undefined;
    const searched = new Set<string>();
    const typed = { ...session, messages: yield* typedMessages(session.messages, searched) };
    const { continuation, after } = yield* extractInSteps(typed, ownRules(), { statements: false });
    // "Use tabs in all files" is found as a decision, and is a rule too.
    const texts = new Map(session.messages.map(({ id, text }) => [id, text]));
    const given = continuation.items
      .filter(isRule)
      .map((item): Item => ({ ...item, kind: "constraint", evidence: asSaid(item.evidence, texts.get(item.evidence.source)) }))
      .map(withMasksOf(texts));
    return () => rememberStanding(folder, session, given, { whole, searched, ...(after && { settle: after }) }, stateFolder);
  }

  /** Masks what the project's own masks find. They do not decide what is a rule: a mask could hide "for this task". */
  function withMasksOf(texts: ReadonlyMap<string, string>): (item: Item) => Item {
    const mask = masker(loaded.rules.redactions);
    // A message may be long and hold many rules.
    const textOf = rememberEach((source: string) => mask(texts.get(source) ?? ""));
    const masked = (one: Evidence): Evidence => {
      return { ...one, quote: texts.has(one.source) ? textOf(one.source).slice(one.start, one.end) : mask(one.quote) };
    };
    return (item) => {
      const evidence = masked(item.evidence);
      if (evidence.quote === item.evidence.quote) return item;
      return { ...item, text: evidence.quote, fields: {}, evidence, also: item.also.map(masked) };
    };
  }

  function tell(sessionId: string): readonly StandingRule[] {
    const known = given.get(sessionId);
    if (known) return known;
    const earlierRules = readStanding(folder, stateFolder).filter(({ session }) => session !== sessionId);
    keepNewest(given, sessionId, earlierRules, AHEAD_SESSIONS);
    return earlierRules;
  }

  return {
    remember,
    /** @param known a session whose rules this one already knows */
    textFor(sessionId: string, known?: string): string | undefined {
      const drops = new Set(readChoices(folder, stateFolder).choices.drops);
      const items = tell(sessionId).flatMap(({ session, item }) => (session === known || drops.has(factId(item)) ? [] : [item]));
      if (items.length === 0) return undefined;
      const { continuation } = emptyExtraction(sessionId);
      const extraction = { continuation: { ...continuation, items: items.reverse() }, statements: [] };
      const { text, entries } = render(extraction, ownRules().templates.get("standing") as Template, ownRules());
      return entries === 0 ? undefined : neutral(text);
    },
    /** After a compaction the session starts again with a summary, so it is told the current rules. */
    renew: (sessionId: string) => void given.delete(sessionId),
    forget(sessionId: string): void {
      given.delete(sessionId);
      forgetStanding(folder, sessionId, stateFolder);
    },
  };
}
