// The whole way from a session to its Continuation, as one can read it.

import { MEMO_SUBJECTS } from "../limits.js";
import type { Continuation, Extraction, Item, Notice, ProjectFile, Session, Source, Statement, WorkItem } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readMarkdown } from "../source/markdown.js";
import { toSources } from "../source/sources.js";
import { toSentences } from "../source/visible.js";
import { withAnswered } from "./answered.js";
import { toldIn } from "./answers.js";
import { createAround } from "./around.js";
import { asBefore } from "./as-before.js";
import { applyByHand, type ByHand } from "./by-hand.js";
import { checkRules, checkSession } from "./check-session.js";
import { continueProject } from "./continue.js";
import type { Tracer } from "./find.js";
import { type FoundText, openFinds } from "./finds.js";
import { createGathered } from "./gathered.js";
import { matcherFor } from "./matcher.js";
import { isStatement } from "./packed-statements.js";
import { toProjectNote } from "./project-notes.js";
import { noticesOf, type ReadText, readSource } from "./read-source.js";
import { masker, redact, redactSession } from "./redact.js";
import { type Weighed, weigh } from "./salience.js";
import { withSettledRequest } from "./settled-request.js";
import { createStand } from "./stand.js";
import { atOnce, type Steps } from "./steps.js";
import { openStored, type Stores } from "./stored-finds.js";
import { forgetWords, type Subject, toSubject } from "./subject.js";
import { readTools } from "./tools.js";

export interface ExtractOptions extends ByHand {
  /** The project's notes; with them, the continuation is made. */
  readonly files?: readonly ProjectFile[];
  /** The project's work items. */
  readonly items?: readonly WorkItem[];
  readonly notices?: readonly Notice[];
  /** Called before each source with how many are done and how many there are. */
  readonly progress?: (done: number, total: number) => void;
  /** Says that time is up. Then the first message and the newest ones were read, and the result says so. */
  readonly late?: () => boolean;
  /**
   * false leaves out the statements, which only a brief and an audit need: of a long session they are many. Otherwise they are
   * weighed when somebody asks for them; true says that somebody will, and they are weighed on the way, which is sooner done.
   */
  readonly statements?: boolean;
  /** true tells of each statement the signals that weigh in it. */
  readonly signals?: boolean;
  /** Where what was found in a message is looked up, and stored. */
  readonly stores?: Stores | undefined;
  /** How a text is cut into segments, for comparing ways of doing it. */
  readonly read?: ReadText;
  /** Called for every candidate with what became of it. */
  readonly trace?: Tracer;
}

export function extract(session: Session, rules: RuleSet, options: ExtractOptions = {}): Extraction {
  checkSession(session);
  checkRules(rules);
  return atOnce(extractInSteps(session, rules, options));
}

/** The same, with a pause before each text and each of the last steps for those who have something else to do. */
export function* extractInSteps(given: Session, rules: RuleSet, options: ExtractOptions = {}): Steps<Extraction> {
  const matcher = matcherFor(rules);
  const isKnowable = !options.trace && !options.read && !options.signals && matcher.isNear;
  const session = isKnowable && (!options.stores || options.stores.later) ? asBefore(matcher, given) : given;
  const mask = rules.redactions.length === 0 ? (text: string) => text : masker(rules.redactions);
  const stored = isKnowable && options.stores ? openStored(session, mask, options.stores) : undefined;
  const safe = yield* redactSession(session, rules, (text) => (stored?.isClean(text) ? text : mask(text)));
  const notes = (options.files ?? []).map((file) => toProjectNote(file, rules));
  const sources = toSources(
    safe,
    notes.map(({ file }) => file),
    (call) => toldIn(call, rules, session.format),
  );
  const notices: Notice[] = [...(options.notices ?? []), ...notes.flatMap((note) => note.notices)];
  const rank = new Map<string, number>();
  const cutShort = new Set<Source>();
  const scanned = new Map<Source, number>();
  const noticesOn = new Map<Source, readonly Notice[]>();
  // Without statements nobody comes back to what the assistant said before the user's last words: it is let go.
  const passing = options.statements === false && !options.late && !options.trace && !options.read;

  yield;
  const proven = yield* readTools(session, rules);
  const around = createAround(safe, sources, rules, proven.files.deleted, (source) => {
    const read = readSource(source, rules, passing ? { read: readMarkdown } : options);
    const { segments, unread } = read;
    if (read.notices.length > 0) noticesOn.set(source, read.notices);
    if (read.scanned > 0) scanned.set(source, read.scanned);
    if (unread > 0) cutShort.add(source);
    return segments;
  });

  let passed: Source | undefined;
  function pass(source: Source): void {
    if (source.role === "user") return forgetWords(around.subjects(source));
    if (passed) around.release(passed);
    passed = source;
  }

  const later = options.stores?.later;
  // Where there is a store, nothing need be remembered, but for a host that comes back to the session.
  const finds = isKnowable && (!stored || later) ? openFinds(matcher, safe, around) : undefined;
  const storedFinds = stored?.finds(safe, around, rules, matcher, options.statements !== false);
  const gathered = createGathered(rules, matcher, options);
  const keep = later ?? ((work: () => void) => work());

  for (const source of sources) rank.set(source.id, rank.get(source.id) ?? source.ordinal);
  let unread = 0;
  for (const source of options.late ? firstAndNewest(sources) : sources) {
    yield;
    options.progress?.(source.ordinal, sources.length);
    if (options.late?.()) {
      unread++;
      continue;
    }
    const note = source.role === "file" ? notes.find(({ file }) => file.path === source.id) : undefined;
    if (note) {
      for (const segment of note.segments)
        for (const sentence of toSentences(segment, rules.abbreviations)) gathered.take(toSubject(source, sentence));
      continue;
    }
    const known = finds?.of(source);
    const before = known ? undefined : storedFinds?.of(source);
    if (before) {
      gathered.takeStored(before);
      const ofSource = noticesOf(source, before);
      if (ofSource.length > 0) noticesOn.set(source, ofSource);
      continue;
    }
    const subjects = around.subjects(source);
    /** Counts a text, and those behind it, as not read where time is up. */
    const isUp = (subject: Subject) => {
      if (!options.late?.()) return false;
      cutShort.add(source);
      const left = source.text.length - subject.segment.start;
      noticesOn.set(source, noticesOf(source, { scanned: scanned.get(source) ?? 0, unread: left }));
      return true;
    };
    // What stands around a text is told by all texts of its message. Each is looked at by itself first, with pauses.
    const first = known || subjects.length > MEMO_SUBJECTS ? [] : subjects;
    for (const subject of first) {
      yield;
      if (isUp(subject)) break;
      matcher.localOf(subject);
    }
    const texts: FoundText[] = [];
    for (const [index, subject] of subjects.entries()) {
      yield;
      if (isUp(subject)) break;
      texts.push(gathered.take(subject, known?.[index]));
    }
    // What is found in a text hangs on the texts around it, too.
    if (!known && cutShort.size === 0) finds?.keep(source, texts);
    if (storedFinds && !known) {
      const near = (subject: Subject, index: number) =>
        isStatement(subject.segment) ? gathered.nearIn(subject, texts[index] as FoundText) : undefined;
      keep(() =>
        storedFinds.keep(source, () => {
          const items = texts.map((text) => text.items);
          const taken = { subjects, items, near: subjects.map(near), scanned: scanned.get(source) ?? 0 };
          return cutShort.size === 0 ? taken : undefined;
        }),
      );
    }
    if (passing) pass(source);
  }
  if (storedFinds) keep(storedFinds.save);
  for (const source of sources) notices.push(...(noticesOn.get(source) ?? []));

  unread += cutShort.size;
  if (unread > 0) {
    notices.push({ code: "deadline", message: "time was up: messages in the middle are not read", count: unread });
  }
  if (options.late) gathered.sort();

  yield;
  const rankOf = (id: string) => rank.get(id) ?? Number.MAX_SAFE_INTEGER;
  const { chosen, updates, stand } = createStand(gathered, {
    session: safe,
    rules,
    matcher,
    around,
    rank: rankOf,
    trace: options.trace,
  });
  yield;
  const { standing: reduced, repeatedOf } = stand(chosen, rankOf, options.trace);
  const pins = (options.pins ?? []).map((text) => redact(text, rules.redactions));
  const byHand = (items: readonly Item[], weighed: readonly Weighed[] = []) =>
    applyByHand({ items, statements: weigh(weighed, { ...options, updates, repeatedOf }, rules, matcher) }, { ...options, pins });
  yield;
  const { items } = byHand(reduced);
  yield;
  const changed = [...proven.files.created, ...proven.files.modified];
  const project = options.files && continueProject({ notes, items: options.items ?? [], changed }, rules);
  const continuation: Continuation = {
    version: 1,
    session: { id: session.id, format: session.format },
    items,
    concepts: items.filter(({ kind }) => kind === "concept").map(({ text }) => text),
    ...proven,
    ...project?.continued,
    diagnostics: [...notices, ...(project?.notices ?? [])],
  };
  let statements: readonly Statement[] | undefined;
  return {
    continuation,
    // Only a brief asks for them.
    get statements() {
      statements ??= withSettledRequest(
        withAnswered(byHand(reduced, gathered.weighed).statements, sources, around, rules),
        sources,
        around,
        rules,
      );
      return statements;
    },
    after(earlier) {
      const order = new Map(earlier.map(({ evidence }, index) => [evidence.source, index - earlier.length]));
      const placeOf = (id: string) => rank.get(id) ?? order.get(id) ?? Number.MAX_SAFE_INTEGER;
      return byHand(stand([...earlier, ...chosen], placeOf).standing).items;
    },
  };
}

const firstAndNewest = ([first, ...rest]: readonly Source[]) => (first ? [first, ...rest.reverse()] : []);
