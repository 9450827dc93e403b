// Turns a session into its Continuation. Read this file from top to bottom to understand the product.
import type { Continuation, Extraction, Item, Notice, ProjectFile, Session, Source, Statement, WorkItem } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { toSources } from "../source/session/sources.js";
import { applyByHand, type ByHand } from "./by-hand.js";
import { toldIn } from "./calls/answers.js";
import { openFailures } from "./calls/failures.js";
import { readTools } from "./calls/tools.js";
import { checkRules, completeSession, type GivenSession } from "./check-session.js";
import { collectTexts } from "./collect-texts.js";
import { matcherFor } from "./match/matcher.js";
import { proposeItems } from "./match/propose-items.js";
import type { SegmentReader } from "./match/read-source.js";
import type { Tracer } from "./match/to-item.js";
import { openTexts } from "./open-texts.js";
import { redactSession } from "./redact/redact-session.js";
import { masker, redact } from "./redact.js";
import { createRequests } from "./signals/requests.js";
import { weigh } from "./signals/salience.js";
import { atOnce, type Late, type Steps } from "./steps.js";
import { withAnswered } from "./supersede/answered.js";
import { settleItems } from "./supersede/settle-items.js";
import { continueProject, toProjectNotes } from "./workflow/continue-project.js";

/** What `extract` uses besides the session. */
export interface ExtractOptions extends ByHand {
  /** The project's notes. If given, the result also has the project's sections, workflow and gaps. */
  readonly files?: readonly ProjectFile[];
  /** The project's work items. */
  readonly items?: readonly WorkItem[];
  readonly notices?: readonly Notice[];
  /** Called before each source with the number of finished sources and the total. */
  readonly progress?: (done: number, total: number) => void;
  /**
   * Returns true when time is up, or the given share of it. Then only the first message and the newest ones were read, and a
   * notice says so.
   */
  readonly late?: Late;
  /**
   * false omits the statements, which only a brief and an audit need: a long session has many. true weighs them at once.
   * By default they are weighed on first access.
   */
  readonly statements?: boolean;
  /** Called for every candidate with its outcome. */
  readonly trace?: Tracer;
}

/** Options that only this program and its tests use. */
interface StepOptions extends ExtractOptions {
  /** true adds to each statement the strength of its salience signals. */
  readonly signals?: boolean;
  /** Splits a text into segments. Replace it to compare implementations. */
  readonly read?: SegmentReader;
}

/** Finds the facts of a session and, with `files` and `items`, those of its project. */
export function extract(session: GivenSession, rules: RuleSet, options: ExtractOptions = {}): Extraction {
  checkRules(rules);
  return atOnce(extractInSteps(completeSession(session), rules, options));
}

/** Like `extract`, but pauses before each text so that a host can do other work. */
export function* extractInSteps(session: Session, rules: RuleSet, options: StepOptions = {}): Steps<Extraction> {
  // Mask secrets before anything else sees a text.
  const mask = masker(rules.redactions);
  const { late } = options;
  /** The messages that were not read in time. */
  const unread = new Set<string>();
  const safe = yield* redactSession(session, rules, mask, unread, late);

  // The conversation and the project's notes become sources of prose; tool calls become proven facts.
  const notes = yield* toProjectNotes(options.files ?? [], rules, late);
  const files = notes.map(({ file }) => file);
  const { errorsAfter, changedIn, ...proven } = yield* readTools(session, rules, unread, late);
  const committedIn = new Set(proven.commits?.map(({ source }) => source));
  const requests = { ...createRequests(rules, late), changedIn, committedIn };
  const sources = toSources(safe, files, (call) => toldIn(call, rules, session.format), requests);
  yield;

  // Match the rules against each text, and weigh it.
  const matcher = matcherFor(rules);
  const texts = openTexts(safe, sources, notes, rules, { ...options, unread }, proven.files.deleted);
  const collected = collectTexts(rules, matcher, options);
  yield* texts.read(collected.take);
  if (late) collected.sort();
  yield;

  // Find where the project is in its workflow, from its notes.
  const changed = [...proven.files.created, ...proven.files.modified];
  const project = options.files && (yield* continueProject({ notes, items: options.items ?? [], changed }, rules, late));
  const found = [...collected.items, ...(project?.blockers ?? []).filter((noted) => !collected.items.some(isAt(noted)))];

  // Merge repeated facts, and end facts that later words took back.
  const rank = rankOf(sources);
  const settled = yield* settleItems(found, collected, rank, rules, { trace: options.trace, late, unread });
  yield;
  const pins = (options.pins ?? []).map((text) => redact(text, rules.redactions));
  const byHand = (items: readonly Item[], statements: readonly Statement[] = []) =>
    applyByHand({ items, statements }, { ...options, pins });
  const { items } = byHand(settled.items);
  const { isDropped } = options;
  yield;

  const continuation: Continuation = {
    version: 1,
    session: { id: session.id, format: session.format },
    items,
    concepts: items.filter(({ kind }) => kind === "concept").map(({ text }) => text),
    ...proven,
    ...project?.continued,
    diagnostics: [...(options.notices ?? []), ...texts.notices(), ...(project?.notices ?? [])],
  };

  function* toStatements(): Steps<readonly Statement[]> {
    const first = safe.messages.findIndex(({ id }) => changedIn.has(id));
    const afterChange = new Set(first < 0 ? [] : safe.messages.slice(first + 1).map(({ id }) => id));
    const weighed = yield* weigh(collected.weighed, settled, rules, matcher, { afterChange, withSignals: options.signals, late });
    const failed = new Set(openFailures(proven.errors).map(({ source }) => source));
    const failsAfter = (message: string) =>
      safe.messages.slice(safe.messages.findIndex(({ id }) => id === message) + 1).some(({ id }) => failed.has(id));
    return withAnswered(byHand(settled.items, weighed).statements, sources, texts.around, matcher, failsAfter);
  }
  let statements = options.statements ? yield* toStatements() : undefined;
  return {
    continuation,
    get statements() {
      statements ??= atOnce(toStatements());
      return statements;
    },
    errorsAfter,
    after(earlier) {
      const order = new Map(earlier.map(({ evidence }, index) => [evidence.source, index - earlier.length]));
      const rankWithEarlier = rankOf(sources, order);
      const settledAgain = atOnce(settleItems([...earlier, ...found], collected, rankWithEarlier, rules));
      return byHand(settledAgain.items).items;
    },
    sources,
    *propose() {
      const proposed = yield* proposeItems(collected.weighed, rules, matcher, late);
      return applyByHand({ items: proposed, statements: [] }, { isDropped }).items;
    },
  };
}

/** Is it a fact of the same kind in the same words? */
const isAt =
  ({ kind, evidence }: Item) =>
  (other: Item) =>
    other.kind === kind &&
    other.evidence.source === evidence.source &&
    other.evidence.start < evidence.end &&
    evidence.start < other.evidence.end;

/** The position of a source in the session; unknown sources come last. @param earlier positions before the session */
function rankOf(sources: readonly Source[], earlier = new Map<string, number>()): (id: string) => number {
  const ranks = new Map<string, number>();
  for (const { id, ordinal } of sources) if (!ranks.has(id)) ranks.set(id, ordinal);
  return (id) => ranks.get(id) ?? earlier.get(id) ?? Number.MAX_SAFE_INTEGER;
}
