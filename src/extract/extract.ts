// The whole way from a session to its Continuation, as one can read it.
import type {
  Continuation,
  Extraction,
  Item,
  Notice,
  ProjectFile,
  Segment,
  Session,
  Source,
  Statement,
  WorkItem,
} from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { toSources } from "../source/sources.js";
import { toSentences } from "../source/visible.js";
import { applyByHand, type ByHand } from "./by-hand.js";
import { continueProject } from "./continue.js";
import { findItems, type Tracer } from "./find.js";
import { matcherFor, toSubject } from "./matcher.js";
import { toProjectNote } from "./project-notes.js";
import { noticesOf, type ReadText, readSource } from "./read-source.js";
import { redact } from "./redact.js";
import { reduceItems } from "./reduce.js";
import { type Weighed, weigh } from "./salience.js";
import { contextOf, type FindsCache, kindsOf, readFinds, type SourceFinds, writeFinds } from "./source-finds.js";
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
  /** What was found before in the same texts. */
  readonly cache?: FindsCache | undefined;
  /** How a text is cut into segments, for comparing ways of doing it. */
  readonly read?: ReadText;
  /** Called for every candidate with what became of it. */
  readonly trace?: Tracer;
}

export function extract(session: Session, rules: RuleSet, options: ExtractOptions = {}): Extraction {
  const notes = (options.files ?? []).map((file) => toProjectNote(file, rules));
  const sources = toSources(
    session,
    notes.map(({ file }) => file),
    (name) => rules.tools.get(name)?.answers === true,
  );
  const matcher = matcherFor(rules);
  const found: Item[] = [];
  const notices: Notice[] = [...(options.notices ?? []), ...notes.flatMap((note) => note.notices)];
  const rank = new Map<string, number>();

  /** What is needed again for a brief: the segments of each source, and the kinds of what was found in them. */
  const read: { readonly source: Source; readonly segments: () => readonly Segment[]; readonly hits: SourceFinds["hits"] }[] = [];

  function take(source: Source, segments: readonly Segment[]): SourceFinds["hits"] {
    const hits: [number, readonly Item[]][] = [];
    for (const [index, segment] of segments.entries()) {
      const items = findItems(toSubject(source, segment), rules, matcher, options.trace);
      if (items.length > 0) hits.push([index, items]);
    }
    keep(source, () => segments, hits);
    return hits;
  }

  function keep(source: Source, segments: () => readonly Segment[], hits: SourceFinds["hits"]): void {
    for (const [, items] of hits) found.push(...items);
    read.push({ source, segments, hits });
  }

  function toWeighed(): readonly Weighed[] {
    const inOrder = [...read].sort((a, b) => a.source.ordinal - b.source.ordinal);
    return inOrder.flatMap(({ source, segments, hits }) => {
      const kinds = new Map(hits.map(([index, items]) => [index, kindsOf(items)]));
      return segments().flatMap((segment, index) =>
        segment.node === "link" || segment.node === "heading"
          ? []
          : [{ subject: toSubject(source, segment), kinds: kinds.get(index) ?? [] }],
      );
    });
  }

  for (const source of sources) rank.set(source.id, rank.get(source.id) ?? source.ordinal);
  let unread = 0;
  for (const source of options.late ? firstAndNewest(sources) : sources) {
    options.progress?.(source.ordinal, sources.length);
    if (options.late?.()) {
      unread++;
      continue;
    }
    const note = source.role === "file" ? notes.find(({ file }) => file.path === source.id) : undefined;
    if (note) {
      take(
        source,
        note.segments.flatMap((segment) => toSentences(segment, rules.abbreviations)),
      );
      continue;
    }
    // Who asks why wants to see it happen.
    const cache = options.trace ? undefined : options.cache;
    const context = cache ? contextOf(source) : "";
    const written = cache?.get(source.text, context);
    const before = written === undefined ? undefined : readFinds(written, source);
    if (before) {
      notices.push(...noticesOf(source, before));
      keep(source, () => readSource(source, rules).segments, before.hits);
      continue;
    }
    const masked = redact(source.text, rules.redactions);
    const safe = masked === source.text ? source : { ...source, text: masked };
    const { segments, notices: ofSource, scanned, unread: left } = readSource(safe, rules, options);
    notices.push(...ofSource);
    if (left > 0) unread++;
    const hits = take(safe, segments);
    // What held a secret is not kept anywhere, nor what was not read to its end.
    if (cache && safe === source && left === 0) cache.put(source.text, context, writeFinds({ scanned, hits }));
  }

  if (unread > 0) {
    notices.push({ code: "deadline", message: "time was up: messages in the middle are not read", count: unread });
  }

  const reduced = reduceItems(found, (id) => rank.get(id) ?? Number.MAX_SAFE_INTEGER, options.trace);
  const pins = (options.pins ?? []).map((text) => redact(text, rules.redactions));
  const byHand = (weighed: readonly Weighed[]) =>
    applyByHand({ items: reduced, statements: weigh(weighed, rules, matcher) }, { ...options, pins });
  const { items } = byHand([]);
  const proven = readTools(session, rules);
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
      statements ??= byHand(toWeighed()).statements;
      return statements;
    },
  };
}

const firstAndNewest = ([first, ...rest]: readonly Source[]) => (first ? [first, ...rest.reverse()] : []);
