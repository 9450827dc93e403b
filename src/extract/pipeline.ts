// Turns a session into its Continuation. Read this file from top to bottom to understand the product.
//
//   mask      redact-session.ts; parts of calls are masked where calls/ reads them
//   calls     calls/read-tools.ts
//   sources   to-sources.ts
//   facts     facts/find-facts.ts goes through the messages. Of each it takes
//               the segments (segments/texts.ts),
//               the signals of each (signals/local.ts; signals.ts for those that need the messages around it),
//               and what the rules find in it (find-items.ts)
//   settle    settle/settle-items.ts
//   brief     weigh/to-statements.ts weighs the sentences that src/render chooses from
import type { Extraction, Item, Notice, ProjectFile, Session, Source, WorkItem } from "../model.js";
import { masker } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { atOnce, type Late, type Steps } from "../steps.js";
import { readTools } from "./calls/read-tools.js";
import type { Switched } from "./calls/switches.js";
import { checkRules, completeSession, type GivenSession } from "./check-session.js";
import { findFacts } from "./facts/find-facts.js";
import { proposeItems } from "./facts/propose-items.js";
import type { Tracer } from "./facts/to-item.js";
import { toProjectNotes } from "./notes/project-notes.js";
import { redactSession } from "./redact-session.js";
import { applyByHand, type ByHand } from "./settle/by-hand.js";
import { settleItems } from "./settle/settle-items.js";
import { createDeeds } from "./signals/deeds.js";
import { createSignals } from "./signals/signals.js";
import { toSources } from "./to-sources.js";
import { toStatements } from "./weigh/to-statements.js";
import { continueProject } from "./workflow/continue-project.js";

/** What `extract` uses besides the session. */
export interface ExtractOptions extends ByHand {
  /** The project's notes. If given, the result also has the project's sections, workflow and gaps. */
  readonly files?: readonly ProjectFile[];
  readonly items?: readonly WorkItem[];
  readonly notices?: readonly Notice[];
  /** Called before each source with the number of finished sources and the total. */
  readonly progress?: (done: number, total: number) => void;
  /** Returns true when time is up, or the given share of it. Then only the first message and the newest ones were read, and a
   * notice says so. */
  readonly late?: Late;
  /** false omits the statements, which only a brief and an audit need: a long session has many. */
  readonly statements?: boolean;
  /** Called for every candidate with its outcome. */
  readonly trace?: Tracer;
}

/** Options that only this program and its tests use. */
interface StepOptions extends ExtractOptions {
  /** true adds to each statement the strength of its salience signals. */
  readonly signals?: boolean;
}

/** Finds the facts of a session and, with `files` and `items`, those of its project. */
export function extract(session: GivenSession, rules: RuleSet, options: ExtractOptions = {}): Extraction {
  checkRules(rules);
  return atOnce(extractInSteps(completeSession(session), rules, options));
}

/** Like `extract`, but pauses before each text so that a host can do other work. */
export function* extractInSteps(session: Session, rules: RuleSet, options: StepOptions = {}): Steps<Extraction> {
  const { late, trace, isDropped } = options;
  /** The messages that were not read in time. */
  const unread = new Set<string>();

  // Mask secrets in what was said and noted. Of a call, which may be long, each part is masked where it is read.
  const mask = masker(rules.redactions);
  const safe = yield* redactSession(session, rules, mask, unread, late);
  const handed = session.messages.flatMap(({ id, text, handed }) => (handed ? [{ path: id, text }] : []));
  const { files: own = [] } = options;
  const notes = yield* toProjectNotes([...own, ...handed], rules, late);

  // Tool calls become proven facts; the conversation and the project's notes become sources of prose.
  const calls = yield* readTools(session, rules, mask, unread, late);
  const files = notes.map(({ file }) => file);
  const sources = toSources(safe, files, calls, rules, late);
  yield;

  // Message by message: split it into segments, find the signals of each, and the facts that the rules see in them. Only the
  // signals run ahead: they look at the reply to a message before its turn comes.
  const isPassing = options.statements === false && !late && !trace;
  const signals = createSignals(sources, rules, createDeeds(safe, rules, calls.files.deleted), { late, isPassing });
  const found = yield* findFacts(sources, notes, signals, rules, options);
  yield;

  // Find where the project is in its workflow, from its notes.
  const changed = [...calls.files.created, ...calls.files.modified];
  const project =
    options.files &&
    (yield* continueProject({ notes: notes.slice(0, own.length), items: options.items ?? [], changed }, rules, late));
  const noted = (project?.blockers ?? []).filter((blocker) => !found.items.some(isAt(blocker)));
  const items = [...found.items, ...noted];

  // Merge repeated facts, and end facts that later words took back.
  const settled = yield* settleItems(items, found, rankOf(sources), rules, { trace, late, unread });
  yield;

  // Weigh each sentence for a brief.
  const choices = { isDropped, pins: (options.pins ?? []).map(mask) };
  const statements =
    options.statements === false
      ? []
      : yield* toStatements(safe, sources, calls, found.weighed, signals, settled, rules, { ...options, ...choices });

  const { errorsAfter, changedIn: _, switched, documents, lastCalls, ...proven } = calls;
  const branch = branchOf(safe, switched);
  const allUnread = new Set([...signals.texts.unread, ...unread]);
  const standing = applyByHand({ items: settled.items, statements: [] }, choices).items;
  return {
    continuation: {
      version: 1,
      session: { id: safe.id, format: safe.format, ...(branch && { branch: mask(branch) }) },
      items: standing,
      concepts: standing.filter(({ kind }) => kind === "concept").map(({ text }) => text),
      ...proven,
      ...project?.continued,
      diagnostics: [...(options.notices ?? []), ...found.notices, ...lateNotice(allUnread.size), ...(project?.notices ?? [])],
    },
    statements,
    documents,
    lastCalls,
    errorsAfter,
    unread: allUnread,
    after(earlier) {
      const order = new Map(earlier.map(({ evidence }, index) => [evidence.source, index - earlier.length]));
      const again = atOnce(settleItems([...earlier, ...items], { ...found, weighed: [] }, rankOf(sources, order), rules));
      return applyByHand({ items: again.items, statements: [] }, choices).items;
    },
    sources,
    *propose() {
      const proposed = yield* proposeItems(found.weighed, rules, signals, late);
      return applyByHand({ items: proposed, statements: [] }, { isDropped }).items;
    },
  };
}

const lateNotice = (count: number): readonly Notice[] =>
  count > 0 ? [{ code: "deadline", message: "time was up: some messages and notes are not read, or only in part", count }] : [];

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

/** The branch that a call switched to, unless the host has reported another one since: some report that of the start only. */
function branchOf({ branch, branchTime, messages }: Session, switched: Switched | undefined): string | undefined {
  const time = messages.find(({ id }) => id === switched?.source)?.time;
  const isNewer = branchTime !== undefined && time !== undefined && branchTime > time;
  return isNewer ? branch : (switched?.branch ?? branch);
}
