// What every host's adapter needs: messages in, text out. Files, state and rules are at hand; the host's own API is not.
import { recaller } from "../extract/as-before.js";
import { extract, extractInSteps } from "../extract/extract.js";
import { matcherFor } from "../extract/matcher.js";
import { redact } from "../extract/redact.js";
import { atOnce, type Steps } from "../extract/steps.js";
import { withBlock } from "../keep/block.js";
import { factId, fitsPin, pin, pinId } from "../keep/choices.js";
import { findsStores } from "../keep/finds-stores.js";
import { changeMemory, type Memory, type MessageIds, memoryName, toMemory, withMemory } from "../keep/memory.js";
import { renderOwnFirst } from "../keep/own-first.js";
import { clearState, expireState } from "../keep/state.js";
import { REMINDER_TOKENS, STORED_SUMMARY_CHARACTERS } from "../limits.js";
import type { Extraction, Session } from "../model.js";
import { render } from "../render/render.js";
import type { LoadedRules } from "../rules/load.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { loadOrFallBack } from "./fall-back.js";
import { createFinder, type FindOptions } from "./finder.js";
import { hostStores } from "./host-stores.js";
import { kept } from "./kept.js";
import { type Learnt, learntIn } from "./learnt.js";
import type { Log } from "./log.js";
import { createMender } from "./mender.js";
import { neutral } from "./neutral.js";
import { noteSession } from "./note-session.js";
import { withOwnTemplates } from "./own-templates.js";
import { type Round, toRound } from "./round.js";
import { withoutMiddles } from "./shortened.js";
import { createStandingRules } from "./standing-rules.js";
import { warmUp } from "./warm-up.js";

/** A session that is being compacted. */
interface Compacting {
  /** What was found in its messages, and their names. */
  readonly now: Extraction;
  readonly session: MessageIds;
  /** The same with what is remembered. */
  readonly extraction: Extraction;
}

type InjectOptions = Pick<FindOptions, "late" | "whole">;

interface MendOptions extends Pick<FindOptions, "late"> {
  /** It says what was lost. */
  readonly template?: string;
}

/** A text of the user's, masked, with its id if it is stored, else why it is not. */
interface Pinned {
  readonly text: string;
  readonly id?: string;
  readonly why?: "empty" | "long" | "unstored";
}

export interface Keeper {
  readonly enabled: boolean;
  readonly rules: RuleSet;
  /** How frames are configured; undefined when they are off. */
  readonly frames: LoadedRules["frames"];
  /** Does what takes long the first times, a part of it in each round. */
  readonly warm: (round: number) => Steps<void>;
  /** The session with messages that were read before as the objects they were: they are known by them, and held once. */
  readonly recall: (session: Session) => Session;
  /** Reads a session for nothing but to have read it. */
  readonly readAhead: (session: Session) => Steps<void>;
  /** The same for the rules that the user gave in it: a session that is never compacted passes them on, too. */
  readonly readRules: (session: Session) => Steps<void>;
  /** What the host's compaction is given; undefined when there is nothing. */
  readonly inject: (session: Session, options?: InjectOptions) => Steps<string | undefined>;
  readonly begin: (session: Session, options?: FindOptions) => Round;
  /** The summary, with what it lost behind it. */
  readonly mend: (sessionId: string, summary: string, options?: MendOptions) => Steps<string>;
  /** What a context behind a compaction should know: what the summary lost, or all where the summary is not known. */
  readonly remind: (session: Session, summary?: string, options?: FindOptions) => Steps<string | undefined>;
  /** What a session should know that was not said in it: the rules of the sessions before it, but for one whose rules it knows. */
  readonly standing: (sessionId: string, known?: string) => string | undefined;
  /** What the last round put behind the summary. */
  readonly block: (sessionId: string) => string | undefined;
  readonly record: (sessionId: string, summary: string) => void;
  /** The user deleted the session: nothing of it is kept. */
  readonly forget: (sessionId: string) => void;
  /** Keeps a text of the user's in every compaction of the project. */
  readonly pin: (text: string) => Pinned;
  /** What would be carried now. */
  readonly carry: (session: Session, options?: Pick<FindOptions, "late" | "whole">) => Steps<string>;
  readonly learnt: (session: Session, options?: Pick<FindOptions, "late">) => Steps<Learnt>;
  /** The text of a template that needs nothing filled in. */
  readonly plain: (template: string) => string;
}

/**
 * @param loaded the rules of the folder, where they are at hand
 * @param once for one compaction: nobody comes back to what was found
 */
export function createKeeper(folder: string, log: Log, stateFolder?: string, loaded?: LoadedRules, once = false): Keeper {
  const used = withOwnTemplates(loaded ?? loadOrFallBack(folder, log));
  const { rules, enabled, keepDays, frames } = used;
  const template = (id: string) => rules.templates.get(id) as Template;
  const stores = findsStores(used);
  const storing = stores && (once ? { ahead: stores, waited: stores } : hostStores(stores));
  const { byHand, remembered, found } = createFinder(folder, rules, log, stateFolder, storing?.waited);
  const { masked, mend, audited } = createMender(rules, log);
  const note = (session: Session, extraction: Extraction, round: number, last: string | undefined) => {
    const noted = (digest: string) => (before?: Memory) => before && { ...before, noted: digest };
    const written = (digest: string) => quietly(() => void changeMemory(session.id, noted(digest), stateFolder));
    noteSession(session, extraction, round, folder, used, log, { last, written });
  };
  const standing = createStandingRules(folder, rules, stateFolder);
  const open = new Map<string, Compacting>();
  const keeping = keepDays === undefined ? {} : { keepDays };
  let hasRead = false;

  function quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      log("warn", `what was found cannot be stored: ${(error as Error).message}`);
    }
  }

  function remember(session: Session, whole?: boolean): void {
    for (const _ of standing.remember(session, whole));
  }

  /** Adds to what is remembered as it is by now, not as it was when it was read. */
  function store(id: string, { now, session }: Pick<Compacting, "now" | "session">, more: (before?: Memory) => Partial<Memory>) {
    const next = (before?: Memory) =>
      toMemory(id, before?.round ?? 0, withMemory(now, before, session), { ...more(before), ...keeping });
    quietly(() => changeMemory(id, next, stateFolder));
  }

  /** After a restart the session is known from its state alone. */
  function compacting(sessionId: string): Compacting | undefined {
    const known = open.get(sessionId);
    if (known) return known;
    const memory = remembered(sessionId);
    if (!memory) return undefined;
    const { pins, isDropped } = byHand();
    const session = { id: sessionId, format: "", messages: [], ...(isDropped && { isDropped }) };
    const now = extract(session, rules, { pins });
    return { now, session, extraction: withMemory(now, memory, session) };
  }

  function injectionOf(extraction: Extraction): string | undefined {
    const { text, entries, hidden } = renderOwnFirst(extraction, template("injection"), rules);
    log("info", `${extraction.continuation.items.length} facts, ${entries} lines injected, ${hidden} not shown`);
    return entries === 0 ? undefined : neutral(text);
  }

  const due: (() => void)[] = [];
  function writeDue(): void {
    for (const write of due.splice(0)) write();
  }

  return {
    enabled,
    rules,
    frames,
    warm: (round) => warmUp(rules, round),
    recall: (session) => ({ ...session, messages: session.messages.map(recaller(matcherFor(rules))) }),
    *readAhead(given) {
      const { session } = withoutMiddles(given);
      const extraction = yield* extractInSteps(session, rules, { stores: storing?.ahead, statements: true });
      if (hasRead) return;
      hasRead = true;
      // What a text is put together with is slow the first time, too, and a real session tells the engine more than a sample.
      void extraction.statements;
      yield;
      render(extraction, template("injection"), rules);
    },
    *readRules(session) {
      yield* standing.remember(session);
    },
    *inject(session, options = {}) {
      const { now, ids, extraction, memory, notices } = yield* found(session, options);
      const known = { now, extraction, session: ids };
      open.set(session.id, known);
      // The user waits for the text, and not for the disk. What is not written yet is still in the session.
      due.push(() => {
        store(session.id, known, kept);
        quietly(() => remember(session, options.whole));
      });
      setImmediate(writeDue);
      note(session, extraction, (memory?.round ?? 0) + 1, memory?.noted);
      for (const { code, message, count } of notices) log("debug", `${message} (${count}) [${code}]`);
      yield;
      return injectionOf(extraction);
    },
    begin(session, options = {}) {
      const given = atOnce(found(session, options));
      const own = { session, found: given, alone: options.alone === true, injection: injectionOf(given.extraction) };
      return toRound(own, {
        audited,
        masked,
        note,
        quietly,
        remember: () => remember(session, options.whole),
        keepDays,
        stateFolder,
      });
    },
    *mend(sessionId, summary, { template: how = "repair", late } = {}) {
      const known = compacting(sessionId);
      if (!known) return summary;
      const { mended, counts } = yield* audited(known.extraction, summary, how, late);
      const { block } = mended;
      yield;
      const stored = masked(mended.summary.slice(0, STORED_SUMMARY_CHARACTERS));
      yield;
      store(sessionId, known, (before) => ({
        ...kept(before),
        round: (before?.round ?? 0) + 1,
        verdicts: counts,
        block,
        summary: stored,
      }));
      return mended.summary;
    },
    *remind(session, summary, options) {
      const { extraction } = yield* found(session, options);
      if (summary !== undefined) {
        const { block } = yield* mend(extraction, summary, "repair", options?.late);
        return block === "" ? undefined : withBlock("", block);
      }
      const { text, entries } = renderOwnFirst(extraction, template("brief"), rules, { tokens: REMINDER_TOKENS });
      return entries === 0 ? undefined : withBlock("", neutral(`${template("reminder").text.trim()}\n\n${text}`));
    },
    standing(sessionId, known) {
      writeDue();
      return standing.told(sessionId, known);
    },
    block(sessionId) {
      const known = compacting(sessionId);
      return known ? atOnce(mend(known.extraction, "", "repair")).summary : undefined;
    },
    pin(given) {
      const text = redact(given.trim(), rules.redactions);
      if (text === "") return { text, why: "empty" };
      if (!fitsPin(text)) return { text, why: "long" };
      let pinned: Pinned = { text, why: "unstored" };
      quietly(() => {
        pin(folder, text, stateFolder);
        pinned = { text, id: pinId(text) };
      });
      return pinned;
    },
    *carry(session, options) {
      const { extraction } = yield* found(session, options);
      // With their ids, by which they can be dropped.
      const items = extraction.continuation.items.map((item) => ({ ...item, fields: { ...item.fields, id: factId(item) } }));
      const named = { continuation: { ...extraction.continuation, items }, statements: extraction.statements };
      yield;
      const { text, entries } = render(named, template("carry"), rules);
      return entries === 0 ? "" : neutral(text);
    },
    // The notes of the project are nobody's own: only what was said here counts.
    *learnt(session, options) {
      const { extraction } = yield* found(session, { ...options, alone: true });
      return learntIn(extraction.continuation, folder);
    },
    plain: (id) => template(id).text.trim(),
    record(sessionId, given) {
      const summary = masked(given.slice(0, STORED_SUMMARY_CHARACTERS));
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
