// The common part of all host adapters: messages in, text out. It knows files, state and rules, but not the host's API.

import { withBlock } from "../audit/block.js";
import { renderOwnFirst } from "../audit/repair.js";
import { extract, extractInSteps } from "../extract/pipeline.js";
import { redactStart } from "../extract/redact.js";
import { atOnce, type Late, type Steps } from "../extract/steps.js";
import type { Learnt } from "../frames/change.js";
import { withJudged } from "../judge/judged.js";
import type { Offer } from "../judge/offer.js";
import { withoutAnswer } from "../judge/read-answer.js";
import { STORED_SUMMARY_CHARACTERS } from "../limits.js";
import type { Extraction, Notice, Session } from "../model.js";
import { render } from "../render/render.js";
import type { LoadedRules } from "../rules/load-rules.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { addTally } from "../state/history.js";
import { whenFree } from "../state/lock.js";
import { changeMemory, type Memory, type MessageIds, memoryName, toMemory, withMemory } from "../state/memory.js";
import { clearState, expireState, stateFolder as usualStateFolder } from "../state/state.js";
import { asCarried } from "./carried.js";
import { createFinder, type FindOptions, type FoundFacts, learntIn } from "./finder.js";
import type { Log } from "./guard.js";
import { loadOrFallBack, underOwnSentence, withOwnTemplates } from "./host-rules.js";
import { type Asked, answerOffer, offerFacts } from "./judging.js";
import { neutral } from "./neutral.js";
import { type Pinned, pinText } from "./pin-text.js";
import { createReceipts } from "./receipts.js";
import { createRepairer, kept, noteSession, type Round, toRound } from "./round.js";
import { createStandingRules } from "./standing-rules.js";

/** Tokens of the reminder after a compaction: agents accept ten thousand characters from a hook. */
const REMINDER_TOKENS = 1_400;

/** These notices are logged as warnings, because the user can fix the notes. */
const WARNED = ["notes-unread", "objective-unknown"];
const noticeLine = ({ code, message, source, count }: Notice) =>
  `${source === undefined ? "" : `${source}: `}${message} (${count}) [${code}]`;

/** A session that is being compacted. */
interface Compacting {
  /** The facts of its messages, and the ids of those messages. */
  readonly now: Extraction;
  readonly session: MessageIds;
  /** The facts together with the memory of earlier rounds. */
  readonly extraction: Extraction;
  /** What a model is asked to judge. */
  readonly asked?: Asked;
}

interface OfferOptions extends FindOptions {
  /** The model that gets the text writes the summary, so it can judge the facts. */
  readonly judged?: boolean;
}

interface RepairOptions extends Pick<FindOptions, "late"> {
  /** The template that shows the lost facts. */
  readonly template?: string;
}

export interface Keeper {
  readonly enabled: boolean;
  readonly rules: RuleSet;
  /** The settings of frames; undefined when they are off. */
  readonly frames: LoadedRules["frames"];
  readonly recall: LoadedRules["recall"];
  /** Reads a session only to fill the caches. */
  readonly readAhead: (session: Session) => Steps<void>;
  /** Stores the standing rules of a session, so that a session that is never compacted passes them on too. */
  readonly readRules: (session: Session) => Steps<void>;
  /** The text for the host's compaction prompt; undefined when there is nothing to say. */
  readonly inject: (session: Session, options?: Pick<OfferOptions, "late" | "whole" | "judged">) => Steps<string | undefined>;
  readonly begin: (session: Session, options?: OfferOptions) => Round;
  /** Returns the summary with the repair block after it. */
  readonly repair: (sessionId: string, summary: string, options?: RepairOptions) => Steps<string>;
  /** The text for the context after a compaction: what the summary lost, or all facts if the summary is not known. */
  readonly remind: (session: Session, summary?: string, options?: FindOptions) => Steps<string | undefined>;
  /** The standing rules of earlier sessions, except those of the session `known`, which this one has seen already. */
  readonly standing: (sessionId: string, known?: string) => string | undefined;
  /** The repair block for what a text lacks; all of it unless a text is given. */
  readonly block: (sessionId: string, text?: string) => string | undefined;
  /** One line about the compaction that was repaired last, for the user. */
  readonly receipt: (sessionId: string) => string | undefined;
  readonly record: (sessionId: string, summary: string) => void;
  /** Deletes everything about a session that the user deleted. */
  readonly forget: (sessionId: string) => void;
  /** Pins a text of the user, so that every compaction of the project keeps it. */
  readonly pin: (text: string) => Promise<Pinned>;
  /** The facts that a compaction would carry now. */
  readonly carry: (session: Session, options?: Pick<FindOptions, "late" | "whole">) => Steps<string>;
  readonly learnt: (session: Session, options?: Pick<FindOptions, "late">) => Steps<Learnt & { readonly goal?: string }>;
  /** The text of a template without slots. */
  readonly plain: (template: string) => string;
}

/**
 * @param host the agent's name, for the history
 * @param stateFolder chosen once, so that late writes go to the same place
 * @param loaded the rules of the folder, if they are already loaded
 */
export function createKeeper(
  folder: string,
  log: Log,
  host: string,
  stateFolder = usualStateFolder(),
  loaded?: LoadedRules,
): Keeper {
  const used = withOwnTemplates(loaded ?? loadOrFallBack(folder, log));
  const { rules, enabled, keepDays, frames, judge, recall } = used;
  const template = (id: string) => rules.templates.get(id) as Template;
  const { byHand, remembered, found, withoutMiddles } = createFinder(folder, rules, log, judge, stateFolder);
  const { masked, repairSafely, audited } = createRepairer(rules, log);
  const note = (session: Session, extraction: Extraction, round: number, last: string | undefined) => {
    const noted = (digest: string) => (before?: Memory) => before && { ...before, noted: digest };
    const written = (digest: string) => quietly(() => void changeMemory(session.id, noted(digest), stateFolder));
    noteSession(session, extraction, round, folder, used, log, { last, written });
  };
  const standing = createStandingRules(folder, used, stateFolder);
  const open = new Map<string, Compacting>();
  const keeping = keepDays === undefined ? {} : { keepDays };
  let hasRead = false;

  const unstored = (error: unknown) => log("warn", `what was found cannot be stored: ${(error as Error).message}`);

  /** Stores something. Retries while another process is storing; logs a failure. */
  const quietly = (work: () => void) => void whenFree(work).catch(unstored);

  function remember(session: Session, whole?: boolean): void {
    try {
      quietly(atOnce(standing.remember(session, whole)));
    } catch (error) {
      unstored(error);
    }
  }

  /** Merges into the memory as it is at the time of writing, not as it was when it was read. */
  function store(id: string, { now, session }: Pick<Compacting, "now" | "session">, more: (before?: Memory) => Partial<Memory>) {
    const next = (before?: Memory) =>
      toMemory(id, before?.round ?? 0, withMemory(now, before, session), { ...more(before), ...keeping });
    quietly(() => changeMemory(id, next, stateFolder));
  }

  /** After a restart, the session is known only from its stored state. */
  function compacting(sessionId: string): Compacting | undefined {
    const known = open.get(sessionId);
    if (known) return known;
    const memory = remembered(sessionId);
    if (!memory) return undefined;
    const { pins, isDropped } = byHand();
    const session = { id: sessionId, format: "", messages: [], ...(isDropped && { isDropped }) };
    const now = extract(session, rules, { pins });
    const extraction = withJudged(withMemory(now, memory, session), judge ? memory.judged : undefined, session);
    return { now, session, extraction };
  }

  /** @param offered the facts are offered, so only the rest is injected */
  function injectionOf(extraction: Extraction, offered: boolean, late?: Late): string | undefined {
    const injected = template(offered ? "judge-injection" : "injection");
    // The budget beside an offer is small, so the project's state comes on top of it, with a budget of its own.
    const state = offered && extraction.continuation.sections ? render(extraction, template("continuation"), rules).tokens : 0;
    const { text, entries, hidden } = renderOwnFirst(extraction, injected, rules, { late, tokens: injected.tokens + state });
    log("info", `${extraction.continuation.items.length} facts, ${entries} lines injected, ${hidden} not shown`);
    return entries === 0 ? undefined : neutral(underOwnSentence(offered ? "judge-injection" : "injection", text));
  }

  /** What the model is asked to judge, if it is asked. */
  function* offered(session: Session, given: FoundFacts, asked: boolean | undefined, named: boolean): Steps<Offer | undefined> {
    const offer = judge && asked ? yield* offerFacts(session, given, rules, named) : undefined;
    return offer && offer.candidates.length > 0 ? offer : undefined;
  }

  const { count, receipt } = createReceipts(host, (tally) => quietly(() => addTally(folder, tally, keepDays, stateFolder)));

  const answered = (answer: string, asked: Asked) => answerOffer(answer, asked, rules, log);

  const due: (() => void)[] = [];
  function writeDue(): void {
    for (const write of due.splice(0)) write();
  }

  return {
    enabled,
    rules,
    frames,
    recall,
    *readAhead(given) {
      const { session } = withoutMiddles(given);
      const extraction = yield* extractInSteps(session, rules, { statements: true });
      if (hasRead) return;
      hasRead = true;
      // Statements and rendering are slow the first time, and a real session warms up the engine better than a sample.
      void extraction.statements;
      yield;
      render(extraction, template("injection"), rules);
    },
    *readRules(session) {
      quietly(yield* standing.remember(session));
    },
    *inject(session, options = {}) {
      const given = yield* found(session, options);
      const { now, ids, extraction, memory, notices } = given;
      yield;
      const offer = yield* offered(session, given, options.judged && !options.late?.(), false);
      const known = { now, extraction, session: ids, ...(offer && { asked: { session, found: given, offer } }) };
      open.set(session.id, known);
      // The user waits for the text, not for the disk. Until it is written, everything is still in the session.
      due.push(() => {
        store(session.id, known, kept);
        remember(session, options.whole);
      });
      setImmediate(writeDue);
      note(session, extraction, (memory?.round ?? 0) + 1, memory?.noted);
      for (const notice of notices) log(WARNED.includes(notice.code) ? "warn" : "debug", noticeLine(notice));
      yield;
      const injection = injectionOf(extraction, offer !== undefined, options.late);
      return offer ? [injection ?? "", offer.text].join("\n\n").trim() : injection;
    },
    begin(session, options = {}) {
      const given = atOnce(found(session, options));
      const offer = atOnce(offered(session, given, options.judged, true));
      const injection = injectionOf(given.extraction, offer !== undefined);
      const own = { session, found: given, alone: options.alone === true, injection, ...(offer && { offer }) };
      return toRound(own, {
        answered,
        audited,
        masked,
        note,
        quietly,
        remember: () => remember(session, options.whole),
        count,
        keepDays,
        stateFolder,
      });
    },
    *repair(sessionId, summary, { template: how = "repair", late } = {}) {
      const known = compacting(sessionId);
      if (!known) return withoutAnswer(summary);
      const judged = known.asked && answered(summary, known.asked);
      yield;
      const { extraction } = judged ?? known;
      const { repaired, counts, tally } = yield* audited(extraction, judged?.text ?? withoutAnswer(summary), how, late);
      const { block } = repaired;
      yield;
      const stored = redactStart(repaired.summary, STORED_SUMMARY_CHARACTERS, masked);
      yield;
      store(sessionId, known, (before) => ({
        ...kept(before),
        ...judged?.merge(before),
        round: (before?.round ?? 0) + 1,
        verdicts: counts,
        block,
        summary: stored,
      }));
      count(sessionId, tally, judged?.counts);
      return repaired.summary;
    },
    *remind(session, summary, options) {
      const { extraction } = yield* found(session, options);
      if (summary !== undefined) {
        const { block } = yield* repairSafely(extraction, summary, "repair", options?.late);
        return block === "" ? undefined : withBlock("", block);
      }
      const { text, entries } = renderOwnFirst(extraction, template("brief"), rules, {
        tokens: REMINDER_TOKENS,
        late: options?.late,
      });
      return entries === 0
        ? undefined
        : withBlock("", neutral(underOwnSentence("reminder", `${template("reminder").text.trim()}\n\n${text}`)));
    },
    standing(sessionId, known) {
      writeDue();
      return standing.told(sessionId, known);
    },
    block(sessionId, text = "") {
      const known = compacting(sessionId);
      const { block } = known ? atOnce(repairSafely(known.extraction, text, "repair")) : { block: "" };
      return block === "" ? undefined : withBlock("", block);
    },
    receipt,
    pin: (text) => pinText(folder, text, rules.redactions, unstored, stateFolder),
    *carry(session, options) {
      const { extraction } = yield* found(session, options);
      yield;
      const { text, entries } = render(asCarried(extraction, session), template("carry"), rules, { late: options?.late });
      return entries === 0 ? "" : neutral(text);
    },
    // Only what was said in this session counts, not the project's notes.
    *learnt(session, options) {
      const { extraction, base } = yield* found(session, { ...options, alone: true });
      return learntIn(extraction.continuation, base.continuation, folder);
    },
    plain: (id) => template(id).text.trim(),
    record(sessionId, given) {
      const summary = redactStart(given, STORED_SUMMARY_CHARACTERS, masked);
      const recorded = (memory?: Memory) => (memory && memory.summary !== summary ? { ...memory, summary } : undefined);
      quietly(() => changeMemory(sessionId, recorded, stateFolder));
      quietly(() => void expireState(keepDays, stateFolder));
      open.delete(sessionId);
      standing.renew(sessionId);
    },
    forget(sessionId) {
      writeDue();
      open.delete(sessionId);
      quietly(() => standing.forget(sessionId));
      quietly(() => void clearState(memoryName(sessionId), stateFolder));
    },
  };
}
