// The entries that are shown, as an object that a template can name parts of.
import type { Continuation } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Entry } from "./entries.js";
import { commonFolder, foldPaths } from "./files.js";
import { LIST_NAMES, type ListName, listOf } from "./shape.js";

/** What a rendering needs to know beside the facts. */
export interface RenderContext {
  readonly project?: string;
  /** An instant in ISO form; dates are UTC. */
  readonly now?: string;
  /** How many compactions the session has seen, this one included. */
  readonly round?: number;
}

/** What a session says of its times may be anything. */
export const isInstant = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));

const PREFIX_CHARACTERS = 8;

/** What a view is asked about. No template can name it. */
const SHOWN = Symbol("shown");
const WHOLE = Symbol("whole");
interface View {
  readonly [SHOWN]: ReadonlySet<Entry>;
  readonly [WHOLE]: ReadonlySet<Entry>;
  readonly hidden: number;
}

export interface Selection {
  readonly shown: ReadonlySet<Entry>;
  /** Those of them of which nothing is cut. */
  readonly whole: ReadonlySet<Entry>;
  /** How many facts are not shown. */
  readonly hidden: number;
}

/**
 * Makes the view of the entries that are shown: one for every guess at what fits, with all that is the same said once.
 * Null prototypes: a template can name nothing but what is here.
 */
export function createViews(
  continuation: Continuation,
  all: ReadonlyMap<ListName, readonly Entry[]>,
  rules: RuleSet,
  context: RenderContext,
): (selection: Selection) => object {
  if (context.now !== undefined && !isInstant(context.now)) throw new RangeError(`now is no instant: ${String(context.now)}`);
  const now = context.now === undefined ? "" : new Date(context.now).toISOString();
  const [year = "", month = "", day = ""] = now.slice(0, 10).split("-");
  const { workflow } = continuation;
  const shownOf = (view: View, name: ListName) =>
    (all.get(name) ?? []).flatMap((entry) => {
      if (!view[SHOWN].has(entry)) return [];
      return [entry.full && view[WHOLE].has(entry) ? { ...entry, fields: entry.full } : entry];
    });
  const said = (view: View, of?: "workflow") =>
    (continuation.sections ?? []).flatMap((section) => {
      if (section.of !== of) return [];
      const own = shownOf(view, "state").filter((entry) => entry.fields.section === section.id);
      const said = own.filter(({ fields }) => fields.text !== "");
      return own.length > 0 ? [bare({ id: section.id, title: section.title, lines: lines(said) })] : [];
    });
  const base = bare({
    project: context.project ?? "",
    tag: (context.project ?? "").toLowerCase(),
    session: bare({ ...continuation.session, prefix: [...continuation.session.id].slice(-PREFIX_CHARACTERS).join("") }),
    round: context.round ?? 1,
    date: bare({ year, month, day, iso: now.slice(0, 10) }),
    timestamp: now,
    counts: bare(Object.fromEntries(LIST_NAMES.map((name) => [name, all.get(name)?.length ?? 0]))),
  });
  // A template names few of these.
  for (const name of LIST_NAMES) later(base, name, (view) => lines(shownOf(view, name)));
  later(base, "has", (view) => {
    const listed = new Set([...view[SHOWN]].map(({ list }) => list));
    return bare(Object.fromEntries(LIST_NAMES.map((name) => [name, listed.has(name)])));
  });
  later(base, "more", (view) => {
    const left = new Map(LIST_NAMES.map((name) => [name, all.get(name)?.length ?? 0]));
    for (const { list } of view[SHOWN]) left.set(list, (left.get(list) ?? 0) - 1);
    return bare(Object.fromEntries(left));
  });
  later(base, "root", () => commonFolder(continuation));
  later(base, "folders", (view) => foldersOf(shownOf(view, "changed")));
  later(base, "gone", (view) => foldersOf(shownOf(view, "deleted")));
  later(base, "sections", (view) => {
    // Two sections may read one kind in two ways; it is written once.
    const written = rules.sections.filter(
      ({ title, holds }, index, list) => list.findIndex((one) => one.title === title && one.holds === holds) === index,
    );
    return written.flatMap(({ title, holds, max }) => {
      const entries = holds ? lines(shownOf(view, listOf(holds))).slice(0, max) : [];
      return entries.length > 0 ? [bare({ title, entries })] : [];
    });
  });
  later(base, "state", (view) => said(view));
  later(
    base,
    "workflow",
    (view) => workflow && bare({ ...workflow, artifact: workflow.artifact ?? "", sections: said(view, "workflow") }),
  );
  return ({ shown, whole, hidden }) => Object.assign(Object.create(base), { [SHOWN]: shown, [WHOLE]: whole, hidden });
}

/** A property of each view that is worked out when it is first asked for. */
function later(base: object, name: string, work: (view: View) => unknown): void {
  Object.defineProperty(base, name, {
    configurable: true,
    get(this: View) {
      const value = work(this);
      Object.defineProperty(this, name, { value });
      return value;
    },
  });
}

/** Copies: an engine takes long for objects of which each has a prototype of its own. */
function lines(entries: readonly Pick<Entry, "fields">[]): object[] {
  return entries.map(({ fields }, index) => {
    const line = bare(fields);
    if (typeof line.fields === "object") line.fields = bare(line.fields as object);
    line.number = index + 1;
    line.first = index === 0;
    line.last = index === entries.length - 1;
    return line;
  });
}

const foldersOf = (changed: readonly Entry[]): object[] =>
  lines(foldPaths(changed.map(({ fields }) => String(fields.short))).map((text) => ({ fields: { text } })));

function bare(fields: object): Record<string, unknown> {
  return Object.assign(Object.create(null), fields);
}
