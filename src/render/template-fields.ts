// Builds the object whose fields a template can use, from the entries that are shown. Most fields are computed on demand, when the
// template asks for them: it is filled for each guess at what fits, and uses few of them.
import type { Continuation, SaidSection } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { markControls, oneLine, shellWord } from "../text/forms.js";
import { groupBy } from "../text/lists.js";
import type { Entry } from "./entry.js";
import { commonFolder, foldPaths } from "./files.js";
import { LIST_NAMES, type ListName, listOf } from "./template-names.js";

/** What a rendering needs besides the facts. */
export interface RenderContext {
  readonly project?: string;
  /** How the user starts this program, if a text names commands. */
  readonly program?: string;
  /** A time in ISO format; dates are in UTC. */
  readonly now?: string;
  /** How many compactions the session has had, including this one. */
  readonly round?: number;
  /** Message id → the short name by which a line refers to it. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Checks a time, because a session may contain anything in its place. */
export const isInstant = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));

const PREFIX_CHARACTERS = 8;

/** A name as one word of a command line inside of backticks. A session's file can say anything. */
const wordOf = (id: string) => shellWord(oneLine(markControls(id)).replaceAll("`", "\uFFFD").slice(0, WORD_CHARACTERS));
const WORD_CHARACTERS = 200;

/** Where the fields keep what they are computed from. A symbol, so that no template can name it. */
const SELECTION = Symbol("selection");
type TemplateFields = { readonly [SELECTION]: Selection };

export interface Selection {
  readonly shown: ReadonlySet<Entry>;
  /** The shown entries that are not cut. */
  readonly whole: ReadonlySet<Entry>;
  /** Every message is named, not only those of which a line is cut. */
  readonly named: boolean;
  readonly hidden: number;
  /** A text before the words of an entry, which tells where they are in the result. */
  readonly mark?: ((entry: Partial<Entry>) => string) | undefined;
}

/** Returns a function that makes the fields for each guess at what fits. They share what does not change. Null prototypes make sure
 * that a template can only name what is here. */
export function createTemplateFields(
  continuation: Continuation,
  all: ReadonlyMap<ListName, readonly Entry[]>,
  rules: RuleSet,
  context: RenderContext,
): (selection: Selection) => object {
  if (context.now !== undefined && !isInstant(context.now)) throw new RangeError(`now is not a date: ${String(context.now)}`);
  const now = context.now === undefined ? "" : new Date(context.now).toISOString();
  const [year = "", month = "", day = ""] = now.slice(0, 10).split("-");
  const { workflow } = continuation;
  const shownOf = (selection: Selection, name: ListName) =>
    (all.get(name) ?? []).flatMap((entry) => {
      if (!selection.shown.has(entry)) return [];
      if (!entry.full || !selection.whole.has(entry)) return [entry];
      const { full, ...rest } = entry;
      return [{ ...rest, fields: full }];
    });
  const namesIn = (selection: Selection) => (entry: Partial<Entry>) =>
    entry.full || selection.named ? (context.names?.get(entry.place?.source ?? "") ?? "") : "";
  /** The sections of which something is shown, if only that they have nothing; or all. */
  const said = (selection: Selection, of?: SaidSection["of"], always = false) =>
    (continuation.sections ?? []).flatMap((section) => {
      if (section.of !== of) return [];
      const own = shownOf(selection, "state").filter((entry) => entry.fields.section === section.id);
      const said = own.filter(({ fields }) => fields.text !== "");
      const more = section.lines.length - said.length;
      return own.length > 0 || always ? [bare({ id: section.id, title: section.title, lines: lines(said), more })] : [];
    });
  const base = bare({
    project: context.project ?? "",
    tag: (context.project ?? "").toLowerCase(),
    program: context.program ?? "",
    session: bare({
      ...continuation.session,
      prefix: [...continuation.session.id].slice(-PREFIX_CHARACTERS).join(""),
      word: wordOf(continuation.session.id),
    }),
    round: context.round ?? 1,
    date: bare({ year, month, day, iso: now.slice(0, 10) }),
    timestamp: now,
    counts: bare(Object.fromEntries(LIST_NAMES.map((name) => [name, all.get(name)?.length ?? 0]))),
  });
  const inAll = countBySource(all.get("statements") ?? []);
  for (const name of LIST_NAMES) {
    const parts = name === "statements" ? inAll : undefined;
    onDemand(base, name, (selection) => lines(shownOf(selection, name), namesIn(selection), selection.mark, parts));
  }
  onDemand(base, "has", (selection) => {
    const listed = new Set([...selection.shown].map(({ list }) => list));
    return bare(Object.fromEntries(LIST_NAMES.map((name) => [name, listed.has(name)])));
  });
  onDemand(base, "more", (selection) => {
    const left = new Map(LIST_NAMES.map((name) => [name, all.get(name)?.length ?? 0]));
    for (const { list } of selection.shown) left.set(list, (left.get(list) ?? 0) - 1);
    return bare(Object.fromEntries(left));
  });
  onDemand(base, "root", () => commonFolder(continuation));
  onDemand(base, "folders", (selection) => foldersOf(shownOf(selection, "changed")));
  onDemand(base, "opened", (selection) => foldersOf(shownOf(selection, "used")));
  onDemand(base, "homes", (selection) => homesOf(shownOf(selection, "names")));
  onDemand(base, "gone", (selection) => foldersOf(shownOf(selection, "deleted")));
  onDemand(base, "sections", (selection) => {
    // Two sections may read the same kind in two ways, but it is written once.
    const written = rules.sections.filter(
      ({ title, holds }, index, list) => list.findIndex((one) => one.title === title && one.holds === holds) === index,
    );
    return written.flatMap(({ title, holds, max }) => {
      const entries = holds ? lines(shownOf(selection, listOf(holds))).slice(0, max) : [];
      return entries.length > 0 ? [bare({ title, entries })] : [];
    });
  });
  onDemand(base, "state", (selection) => said(selection));
  onDemand(base, "outline", (selection) => said(selection, undefined, true));
  onDemand(
    base,
    "workflow",
    (selection) => workflow && bare({ ...workflow, artifact: workflow.artifact ?? "", sections: said(selection, "workflow") }),
  );
  return (selection) => Object.assign(Object.create(base), { [SELECTION]: selection, hidden: selection.hidden });
}

/** Defines a field that is computed when a template first asks for it. */
function onDemand(base: object, name: string, work: (selection: Selection) => unknown): void {
  Object.defineProperty(base, name, {
    configurable: true,
    get(this: TemplateFields) {
      const value = work(this[SELECTION]);
      Object.defineProperty(this, name, { value });
      return value;
    },
  });
}

/** So many lines of a message must be shown, and as many not, to mention it. */
const PART = 4;

function countBySource(entries: readonly Partial<Entry>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { place } of entries) if (place) counts.set(place.source, (counts.get(place.source) ?? 0) + 1);
  return counts;
}

/** Copies the fields, because JavaScript engines are slow with objects that each have their own prototype. */
function lines(
  entries: readonly Partial<Entry>[],
  nameOf: (entry: Partial<Entry>) => string = () => "",
  mark?: Selection["mark"],
  inAll: ReadonlyMap<string, number> = new Map(),
): object[] {
  const names = entries.map(nameOf);
  const said = countBySource(entries);
  // Messages of one line each need no blank line between them.
  const isShort = (source = "") => said.get(source) === 1;
  return entries.map(({ fields = {}, place }, index) => {
    const line = bare(fields);
    if (typeof line.fields === "object") line.fields = bare(line.fields as object);
    // Lines of the same message need its name once.
    line.at = names[index] === names[index + 1] ? "" : names[index];
    // A message of which only a part is shown says so at its end.
    const source = place?.source ?? "";
    const isEnd = source !== (entries[index + 1]?.place?.source ?? "");
    const left = (inAll.get(source) ?? 0) - (said.get(source) ?? 0);
    line.left = isEnd && left >= PART && (said.get(source) ?? 0) >= PART ? left : "";
    line.number = index + 1;
    line.first = index === 0;
    const before = entries[index - 1]?.fields;
    // What the user said before this line is not shown.
    line.unseen = !fields.user && (before?.request ?? "") !== (fields.request ?? "");
    line.unseenPaste = line.unseen && fields.ofPasted;
    line.unseenLast = line.unseen && fields.ofLast;
    const isNext = Boolean(before?.user) && isShort(entries[index - 1]?.place?.source) && isShort(source);
    line.turn = index > 0 && Boolean(fields.user) && !isNext && (!before?.user || before.source !== fields.source);
    line.last = index === entries.length - 1;
    // The line above a list, and whose plan it is, are shown with its first item.
    const isPlan = Boolean(fields.ordered && before?.ordered) || Boolean(fields.proposed && before?.proposed);
    // A document has no lead: the heading above its lines is compared below.
    line.listed =
      (Boolean(fields.under) || isPlan) && before?.lead === fields.lead && before?.source === fields.source && !fields.file;
    if (line.listed || isIntro(before?.text, fields.under)) line.under = "";
    if (before?.plain === fields.answers) line.answers = "";
    // Lines of one part of a document need its name once.
    if (fields.file && before?.file === fields.file && before?.under === fields.under) line.file = line.under = "";
    line.changed = index > 0 && Boolean(fields.changed) && !before?.changed;
    for (const name of mark ? WORDS : []) if (line[name]) line[name] = mark?.(entries[index] as Entry) + String(line[name]);
    return line;
  });
}

/** The fields that hold the words of an entry. */
const WORDS = ["text", "short", "plain", "quote"];

const isIntro = (text: unknown, under: unknown) => String(text).replace(/:$/, "") === under;

const foldersOf = (changed: readonly Entry[]): object[] =>
  lines(foldPaths(changed.map(({ fields }) => String(fields.short))).map((text) => ({ fields: { text } })));

/** Fewer names of one file are not worth its name. */
const GROUP = 3;

/** Names by their file; those without a group come last. */
function homesOf(names: readonly Entry[]): object[] {
  const groups = groupBy(names, ({ fields }) => String(fields.home ?? ""));
  const isGroup = ([home, own]: readonly [string, readonly Entry[]]) => home !== "" && own.length >= GROUP;
  const listed = (own: readonly Entry[]) => own.map(({ fields }) => fields.text).join(", ");
  const shared = [...groups].filter(isGroup).map(([home, own]) => `${home.slice(home.lastIndexOf("/") + 1)}: ${listed(own)}`);
  const rest = listed([...groups].filter((one) => !isGroup(one)).flatMap(([, own]) => own));
  return lines([...shared, ...(rest ? [rest] : [])].map((text) => ({ fields: { text } })));
}

const bare = (fields: object): Record<string, unknown> => Object.assign(Object.create(null), fields);
