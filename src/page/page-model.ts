// The state of the page: what was found, what the user looks at, and what follows from both.
import { batch, computed, effect, signal } from "@preact/signals";
import type { Trace } from "../extract/facts/to-item.js";
import { type Extraction, type FactPlace, type Item, type Kind, placeKey } from "../model.js";
import type { Rendered } from "../render/render.js";
import type { LoadedRules } from "../rules/load-rules.js";
import { messageNames } from "../source/session/messages.js";
import { inSlices, type Steps } from "../steps.js";
import type { PageData } from "./data.js";
import { briefOf, type CheckedSummary, check, compactionsOf, find, rulesOf } from "./engine.js";
import { type Spans, spansBySource } from "./spans.js";

export type Tab = "conversation" | "brief" | "compaction" | "why" | "lives" | "rules";

/** What a step of the budget slider adds or removes. */
export const BUDGET_STEP = 20;
/** What would drop out if the budget shrank by so much is marked. */
const NEXT_TOKENS = 60;

export type Packs = { readonly texts: Readonly<Record<string, string>>; readonly loaded: LoadedRules };

export type PageModel = ReturnType<typeof createModel>;

export function createModel(data: PageData) {
  const loaded = rulesOf(data, data.files);
  const state = {
    data,
    names: messageNames(data.session),
    compactions: compactionsOf(data),
    /** The packs that apply, and the rules in them. */
    packs: signal<Packs>({ texts: data.files, loaded }),
    /** The packs with which the facts were found. */
    foundWith: signal<Packs | undefined>(undefined),
    found: signal<Extraction | undefined>(undefined),
    /** How much of the session is read, in percent. */
    progress: signal(0),
    tab: signal<Tab>("brief"),
    hidden: signal<ReadonlySet<Kind>>(new Set(["concept"])),
    tokens: signal(loaded.rules.templates.get("brief")?.tokens ?? 0),
    /** The place that the conversation shows, and that "why" explains. Each jump is a new object. */
    target: signal<FactPlace | undefined>(undefined),
    folds: signal<ReadonlyMap<string, boolean>>(new Map()),
    compaction: signal(0),
    checked: signal<CheckedSummary | undefined>(undefined),
    traces: signal<readonly Trace[] | undefined>(undefined),
    /** The extraction that comes with the traces, and has the signals of each statement. */
    traced: signal<Extraction | undefined>(undefined),
  };
  const { packs, foundWith, found, progress, tab, hidden, tokens, compactions, compaction, checked, traces, traced } = state;

  effect(() => {
    const now = packs.value;
    // What was found before stays in view until the new result is there.
    traced.value = traces.value = undefined;
    progress.value = 0;
    return runNow(
      () => find(data, now.loaded.rules, { progress: (done, total) => (progress.value = Math.floor((99 * done) / total)) }),
      (result) => batch(() => ([found.value, foundWith.value, progress.value] = [result, now, 100])),
    );
  });
  effect(() => {
    const one = compactions[compaction.value];
    const { rules } = packs.value.loaded;
    checked.value = undefined;
    if (!one || tab.value !== "compaction") return undefined;
    return runNow(
      () => check(data, one, rules),
      (result) => (checked.value = result),
    );
  });
  // Traces take longer than the facts, so they wait until somebody asks.
  effect(() => {
    if (tab.value !== "why" || !found.value || traces.peek()) return undefined;
    const { rules } = packs.value.loaded;
    const list: Trace[] = [];
    return runNow(
      () => find(data, rules, { trace: (one) => void list.push(one) }),
      (result) => batch(() => ([traced.value, traces.value] = [result, list])),
    );
  });

  const items = computed((): readonly Item[] => found.value?.continuation.items ?? data.items);
  const spans = computed((): Spans => spansBySource(items.value.filter(({ kind }) => !hidden.value.has(kind))));
  const brief = computed((): Rendered | undefined =>
    found.value ? briefOf(data, found.value, packs.value.loaded.rules, tokens.value) : undefined,
  );
  /** The places that a slightly smaller brief still shows; undefined while there is room, because nothing drops out then. */
  const stays = computed((): ReadonlySet<string> | undefined => {
    const next = tokens.value - NEXT_TOKENS;
    if (!found.value || (brief.value?.tokens ?? 0) <= next) return undefined;
    return new Set(briefOf(data, found.value, packs.value.loaded.rules, Math.max(0, next)).shown.map(placeKey));
  });

  return {
    ...state,
    items,
    spans,
    brief,
    stays,
    /** Shows a place in the conversation. @param explain also says why it was found */
    show(place: FactPlace, explain = false): void {
      batch(() => {
        state.target.value = { ...place };
        if (explain) tab.value = "why";
        else if (isNarrow()) tab.value = "conversation";
      });
    },
  };
}

/** In a narrow window, the conversation is a tab of its own. */
export const isNarrow = () => matchMedia("(max-width: 820px)").matches;

/** Runs the steps in slices, unless something newer replaces them. @returns a function that abandons the work */
function runNow<T>(steps: () => Steps<T>, done: (result: T) => void): () => void {
  let stopped = false;
  function* whileWanted(): Steps<T | undefined> {
    // First show the page.
    yield;
    for (const work = steps(); !stopped; ) {
      const step = work.next();
      if (step.done) return step.value;
      yield;
    }
    return undefined;
  }
  void inSlices(whileWanted()).then((result) => {
    if (!stopped) done(result as T);
  });
  return () => {
    stopped = true;
  };
}
