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

const PREFIX_CHARACTERS = 8;

/** The view of the entries that are shown. Null prototypes: a template can name nothing but what is here. */
export function toView(
  continuation: Continuation,
  all: ReadonlyMap<ListName, readonly Entry[]>,
  shown: ReadonlySet<Entry>,
  hidden: number,
  rules: RuleSet,
  context: RenderContext,
): object {
  const now = context.now !== undefined && !Number.isNaN(Date.parse(context.now)) ? new Date(context.now).toISOString() : "";
  const [year = "", month = "", day = ""] = now.slice(0, 10).split("-");
  const { workflow } = continuation;
  const shownOf = (name: ListName) => (all.get(name) ?? []).filter((entry) => shown.has(entry));
  const said = (of?: "workflow") =>
    (continuation.sections ?? []).flatMap((section) => {
      if (section.of !== of) return [];
      const own = shownOf("state").filter((entry) => entry.fields.section === section.id);
      const said = own.filter(({ fields }) => fields.text !== "");
      return own.length > 0 ? [bare({ id: section.id, title: section.title, lines: lines(said) })] : [];
    });
  const listed = new Set([...shown].map(({ list }) => list));
  const view = bare({
    project: context.project ?? "",
    tag: (context.project ?? "").toLowerCase(),
    session: bare({ ...continuation.session, prefix: [...continuation.session.id].slice(-PREFIX_CHARACTERS).join("") }),
    round: context.round ?? 1,
    date: bare({ year, month, day, iso: now.slice(0, 10) }),
    timestamp: now,
    counts: bare(Object.fromEntries(LIST_NAMES.map((name) => [name, all.get(name)?.length ?? 0]))),
    has: bare(Object.fromEntries(LIST_NAMES.map((name) => [name, listed.has(name)]))),
    hidden,
  });
  // A template names few of these, and a view is made for every guess at what fits.
  for (const name of LIST_NAMES) later(view, name, () => lines(shownOf(name)));
  later(view, "root", () => commonFolder(continuation));
  later(view, "folders", () => foldersOf(shownOf("changed")));
  later(view, "sections", () => {
    // Two sections may read one kind in two ways; it is written once.
    const written = rules.sections.filter(
      ({ title, holds }, index, list) => list.findIndex((one) => one.title === title && one.holds === holds) === index,
    );
    return written.flatMap(({ title, holds, max }) => {
      const entries = holds ? lines(shownOf(listOf(holds))).slice(0, max) : [];
      return entries.length > 0 ? [bare({ title, entries })] : [];
    });
  });
  later(view, "state", () => said());
  later(view, "workflow", () => workflow && bare({ ...workflow, artifact: workflow.artifact ?? "", sections: said("workflow") }));
  return view;
}

/** A property that is worked out when it is first asked for. */
function later(view: object, name: string, work: () => unknown): void {
  let known: { readonly value: unknown } | undefined;
  Object.defineProperty(view, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      known ??= { value: work() };
      return known.value;
    },
  });
}

function lines(entries: readonly Pick<Entry, "fields">[]): object[] {
  return entries.map(({ fields }, index) => {
    const line = Object.create(ownOf(fields));
    line.number = index + 1;
    line.first = index === 0;
    line.last = index === entries.length - 1;
    return line;
  });
}

const known = new WeakMap<Entry["fields"], object>();

/** What a line says, wherever it stands. */
function ownOf(fields: Entry["fields"]): object {
  const before = known.get(fields);
  if (before) return before;
  const own = bare(typeof fields.fields === "object" ? { ...fields, fields: bare(fields.fields) } : fields);
  known.set(fields, own);
  return own;
}

const foldersOf = (changed: readonly Entry[]): object[] =>
  lines(foldPaths(changed.map(({ fields }) => String(fields.short))).map((text) => ({ fields: { text } })));

export function bare(fields: object): object {
  return Object.assign(Object.create(null), fields);
}
