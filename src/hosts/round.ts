// A compaction that this program runs by itself. Nothing is stored until it is complete.

import { basename } from "node:path";
import { countVerdicts } from "../audit/audit.js";
import { withBlock, withoutBlocks } from "../audit/block.js";
import { type Repair, repairInSteps } from "../audit/repair.js";
import { redact } from "../extract/redact.js";
import { atOnce, type Late, type Steps } from "../extract/steps.js";
import type { JudgedCounts } from "../judge/apply-answer.js";
import type { Offer } from "../judge/offer.js";
import { withoutAnswer } from "../judge/read-answer.js";
import type { Extraction, Session } from "../model.js";
import { type Rendered, render } from "../render/render.js";
import { countTokens } from "../render/tokens.js";
import { isInstant } from "../render/view.js";
import { builtInRules, type LoadedRules } from "../rules/load-rules.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { writeToSinks } from "../sinks/index.js";
import { timeOfWriting } from "../sinks/notes.js";
import { NotStoredError, storeRound } from "../state/compaction-state.js";
import { fatesOf } from "../state/history.js";
import { type Memory, toMemory, withMemory } from "../state/memory.js";
import { expireState } from "../state/state.js";
import { digestOf } from "../text/forms.js";
import type { FoundFacts } from "./finder.js";
import { type Log, messageOf } from "./guard.js";
import { underOwnSentence } from "./host-rules.js";
import { type Answered, type Asked, NO_COUNTS } from "./judging.js";
import { neutral } from "./neutral.js";
import type { Count } from "./receipts.js";

export interface Round {
  /** The facts, as far as they are judged. */
  readonly extraction: Extraction;
  /** The text for the model; undefined when there is nothing to say. */
  readonly injection: string | undefined;
  /** The facts that the model is asked to judge. */
  readonly offer?: Offer;
  /** Applies the verdicts of an answer. Returns the answer without them. */
  readonly judge: (answer: string) => string;
  readonly counts: JudgedCounts;
  /** Stores the verdicts, without a summary. */
  readonly keepVerdicts: () => Promise<void>;
  /** Audits the summary, adds the repair block and stores the round; `unstored` says why storing failed. */
  readonly complete: (summary: string, written?: Written) => Promise<Completed>;
}

type Completed = Repair & { readonly round: number; readonly unstored?: string };

/** For a summary that a model wrote: the mark of the last message that it covers. */
interface Written {
  readonly through?: string;
}

/** The session to compact and its facts. */
interface Begun extends Pick<Round, "injection" | "offer"> {
  readonly session: Session;
  readonly found: FoundFacts;
  /** The session may belong to another project. */
  readonly alone: boolean;
}

/** What a round needs from the keeper. */
interface Rim extends Pick<Repairer, "audited" | "masked"> {
  readonly answered: (answer: string, asked: Asked) => Answered;
  readonly note: (session: Session, extraction: Extraction, round: number, last: string | undefined) => void;
  /** Runs work that stores something; a failure is logged. */
  readonly quietly: (work: () => void) => void;
  /** Stores the standing rules of the session. */
  readonly remember: () => void;
  readonly count: Count;
  readonly keepDays: number | undefined;
  readonly stateFolder: string | undefined;
}

export function toRound({ session, found, alone, injection, offer }: Begun, rim: Rim): Round {
  const { now, ids, memory } = found;
  const { keepDays, stateFolder, quietly } = rim;
  let answered: Answered | undefined;
  const extraction = () => answered?.extraction ?? found.extraction;
  // The session may belong to another project, so this one must not decide how long it is kept.
  const days = alone || keepDays === undefined ? {} : { keepDays };
  return {
    get extraction() {
      return extraction();
    },
    injection,
    ...(offer && { offer }),
    get counts() {
      return answered?.counts ?? NO_COUNTS;
    },
    judge(answer) {
      answered = offer && rim.answered(answer, { session, found, offer });
      return answered?.text ?? withoutAnswer(answer);
    },
    async keepVerdicts() {
      const next = (before?: Memory) =>
        toMemory(session.id, before?.round ?? 0, withMemory(now, before, ids), {
          ...kept(before),
          ...answered?.merge(before),
          ...days,
        });
      await storeRound(session.id, stateFolder, next);
    },
    async complete(summary, written) {
      const { repaired, counts, tally } = atOnce(rim.audited(extraction(), summary));
      const next = (before?: Memory) => {
        const stored = rim.masked(repaired.summary);
        const told = written ? { summary: stored, ...written } : before?.told;
        const said = { verdicts: counts, block: repaired.block, summary: stored, ...(told && { told }) };
        const more = { ...kept(before), ...answered?.merge(before), ...said, ...days };
        return toMemory(session.id, (before?.round ?? 0) + 1, withMemory(now, before, ids), more);
      };
      let round = (memory?.round ?? 0) + 1;
      try {
        round = (await storeRound(session.id, stateFolder, next))?.round ?? round;
      } catch (error) {
        // The summary was paid for, or a host waits for it, so it is returned anyway.
        if (error instanceof NotStoredError) return { ...repaired, round, unstored: error.message };
        throw error;
      }
      if (!alone) {
        rim.remember();
        rim.count(session.id, tally, answered?.counts);
      }
      rim.note(session, extraction(), round, memory?.noted);
      quietly(() => void expireState(keepDays, stateFolder));
      return { ...repaired, round };
    },
  };
}

// Adds the lost facts after a summary and logs the result of the audit.

export function createRepairer(rules: RuleSet, log: Log) {
  /** A model may repeat a secret that it saw, so it is masked before the summary is stored. */
  const masked = (summary: string) => redact(summary, rules.redactions);

  /** Neutralises the block, because the next compaction's prompt quotes it. */
  function* repairSafely(extraction: Extraction, summary: string, how: string, late?: Late): Steps<Repair> {
    const repaired = yield* repairInSteps(extraction, summary, rules.templates.get(how) as Template, { rules, late });
    if (repaired.block === "") return repaired;
    const block = neutral(underOwnSentence(how, repaired.block));
    return { ...repaired, block, summary: withBlock(withoutBlocks(summary), block) };
  }

  function* audited(extraction: Extraction, summary: string, how = "repair", late?: Late) {
    const repaired = yield* repairSafely(extraction, summary, how, late);
    const given = Object.entries(countVerdicts(repaired.verdicts)).filter(([, count]) => count > 0);
    const said = given.map(([verdict, count]) => `${count} ${verdict}`).join(", ") || "no facts";
    log("info", `summary audited: ${said}; ${repaired.hidden} not shown`);
    const { verdicts, block } = repaired;
    const tally = { kinds: fatesOf(verdicts, block), tokens: block === "" ? 0 : countTokens(block) };
    return { repaired, counts: Object.fromEntries(given), tally };
  }

  return { masked, repairSafely, audited };
}

export type Repairer = ReturnType<typeof createRepairer>;

// The parts of a memory that are kept when a session is stored again.

const KEPT: readonly string[] = [
  "keepDays",
  "noted",
  "told",
  "judged",
  "given",
  "verdicts",
  "block",
  "summary",
] satisfies (keyof Memory)[];
export const kept = (memory?: Memory): Partial<Memory> =>
  Object.fromEntries(Object.entries(memory ?? {}).filter(([key]) => KEPT.includes(key)));

// Writes the note of a session to the sinks. Sinks can be slow, so nobody waits for them; their results are logged.

type Used = Pick<LoadedRules, "rules" | "sinks">;

/** Characters of a conversation below which there is no note: little is lost, or the host could not read its messages. */
const NOTED_CHARACTERS = 100;

/** The digest of the last note, without its number, and a callback for the digest of this one. */
interface Noted {
  readonly last: string | undefined;
  readonly written: (digest: string) => void;
}

/** @param round the number of this compaction in the session */
export function noteSession(
  session: Session,
  extraction: Extraction,
  round: number,
  folder: string,
  { rules, sinks }: Used,
  log: Log,
  { last, written }: Noted,
) {
  if (!sinks.notes && !sinks.maenifold) return;
  const said = session.messages.reduce((sum, { text }) => sum + text.trim().length, 0);
  if (said < NOTED_CHARACTERS) return log("debug", `no note is written: the conversation has only ${said} characters`);
  let digest: string;
  let rendered: Rendered;
  try {
    const template = noteTemplate(rules, sinks);
    const time = session.messages.findLast((message) => isInstant(message.time))?.time;
    const noteOn = (number: number, now = time) =>
      render(extraction, template, rules, { project: basename(folder), round: number, ...(now && { now }) });
    const { text, store } = noteOn(0);
    digest = digestOf(JSON.stringify([text, store]), 16);
    // Without a time of its own, the note has that of the compaction.
    rendered = noteOn(round, time ?? timeOfWriting());
  } catch (error) {
    // If the note fails, the compaction continues.
    log("error", `the note cannot be written: ${messageOf(error)}`);
    return;
  }
  // A host or a user may compact twice without a change in between.
  if (digest === last) return log("info", "no note is written: the last one says the same");
  void writeToSinks(rendered, sinks).then((outcomes) => {
    for (const outcome of outcomes)
      if (outcome.ok) log("info", `${outcome.sink}: the note is written${outcome.uri ? ` (${outcome.uri})` : ""}`);
      else log(outcome.level, `${outcome.sink}: ${outcome.message}`);
    if (outcomes.some(({ ok }) => ok)) written(digest);
  });
}

/** The project decides what a note says, but not its name among the user's notes of all projects. */
function noteTemplate({ templates }: RuleSet, { notes, maenifold }: LoadedRules["sinks"]): Template {
  const note = templates.get("note") as Template;
  if (!maenifold && notes?.project !== undefined) return note;
  const { store } = builtInRules().rules.templates.get("note") as Template;
  return { ...note, ...(store && { store }) };
}
