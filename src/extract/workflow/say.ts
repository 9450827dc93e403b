// Fills the placeholders of texts and returns the lines. A line with an empty placeholder is omitted; a list gives one line for
// each value. Names are values that are read, artifacts, what other sections say, and a few built-in names.
import type { RuleSet } from "../../rules/rule-set.js";
import { placeholders, type SayText, type TextNode } from "../../rules/template/say-text.js";
import type { Say, Stage, Workflow } from "../../rules/workflow-set.js";
import { literal } from "../../text/forms.js";
import { plainWords } from "../../text/topic.js";
import type { Subject } from "../segments/subject.js";
import type { Work } from "./find-work.js";
import { lasting, type Statement } from "./lasting.js";
import { type NotedValue, type NotesText, readValues, sectionValues } from "./reads.js";

/** The values of a name: values with fields, or finished lines. */
type Meaning = readonly (NotedValue | string)[];
type Lookup = (name: string) => Meaning;

export function sayLines(say: Say, max: number, lookup: Lookup): readonly string[] {
  const lines = new Set<string>();
  for (const choice of say) {
    for (const text of choice) {
      const said = sayText(text, lookup);
      for (const line of said) if (lines.size < max) lines.add(line);
      if (said.length > 0) break;
    }
    if (lines.size >= max) break;
  }
  return [...lines];
}

/** The value as the text writes it, or its own text if a placeholder is empty. */
function writeValue(text: SayText, value: NotedValue): string {
  const whole = value.text;
  const [line] = sayText(text, (name) => {
    const field = fieldOf(value, name) ?? (name === "text" ? whole : undefined);
    return field === undefined ? [] : [field];
  });
  return line ?? whole;
}

function sayText({ nodes }: SayText, lookup: Lookup): readonly string[] {
  const meanings = new Map(
    placeholders(nodes).map((node): [TextNode, readonly string[]] => [node, meaningOf(node.path, lookup)]),
  );
  // Only one placeholder of a line iterates over its values; the others use their first.
  const running = nodes.find((node) => (meanings.get(node)?.length ?? 0) > 1);
  const count = (running && meanings.get(running)?.length) ?? 1;
  const saidAt = (index: number) => (node: TextNode) => meanings.get(node)?.[node === running ? index : 0];
  return Array.from({ length: count }, (_, index) => fill(nodes, saidAt(index))).filter(
    (line) => line !== undefined && line.trim() !== "",
  ) as readonly string[];
}

function fill(nodes: readonly TextNode[], saidOf: (node: TextNode) => string | undefined): string | undefined {
  let line = "";
  for (const node of nodes) {
    if ("literal" in node) line = behind(line, node.literal);
    else if ("optional" in node) line += fill(node.optional, saidOf) ?? "";
    else {
      const said = saidOf(node);
      if (said === undefined || said === "") return undefined;
      line += node.sentence ? capitalised(said) : said;
    }
  }
  return line;
}

/** A text after others. A value that ends a sentence itself needs no full stop, and one that ends with a comma loses it. */
function behind(line: string, literal: string): string {
  if (!/^\.(?!\w)/.test(literal)) return line + literal;
  return /[.!?…]["'`)\]*_”’]*$/.test(line) ? line + literal.slice(1) : line.replace(/[,;:]+$/, "") + literal;
}

/** `.open .done .newest .first .first4 .last .count`, or a field. */
function meaningOf([name, ...steps]: readonly string[], lookup: Lookup): readonly string[] {
  let meaning = lookup(name as string);
  for (const step of steps) {
    if (step === "count") return [String(meaning.length)];
    if (step === "first") meaning = meaning.slice(0, 1);
    else if (/^first[2-9]$/.test(step)) meaning = meaning.slice(0, Number(step.at(-1)));
    else if (step === "last") meaning = meaning.slice(-1);
    else if (step === "newest") meaning = meaning.filter((one) => typeof one === "string" || !one.subject?.segment.entry);
    else if (step === "open" || step === "done") meaning = meaning.filter((one) => typeof one !== "string" && one.task === step);
    else meaning = meaning.flatMap((one) => (typeof one === "string" ? [] : (fieldOf(one, step) ?? [])));
  }
  return meaning.map((one) => (typeof one === "string" ? one : one.text));
}

/** Own properties only: a field may be named like an inherited one. */
const fieldOf = ({ fields }: NotedValue, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);

const capitalised = (text: string) => {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
};

// Finds the values of the names in a text.

/** Lookups for the texts of each section, because {passed} differs between sections. */
export function createLookup(
  notes: readonly NotesText[],
  work: Work | undefined,
  changed: readonly string[],
  rules: RuleSet,
  late?: (subject: Subject) => boolean,
): (section: string) => Lookup {
  const all = work ? [...notes, ...work.evident.artifacts.values()] : notes;
  /** Cache of what sections say: without it, a chain of references is resolved over and over. */
  const said = new Map<string, Meaning>();
  const known = new Map<string, readonly NotedValue[] | undefined>();
  const statements = new Map<string, readonly NotedValue[]>();
  const isPlain = plainWords(rules);
  /** Names that are being resolved, so that nothing refers to itself. */
  const busy = new Set<string>();

  function values(name: string): readonly NotedValue[] | undefined {
    if (!known.has(name)) known.set(name, findValues(name));
    return known.get(name);
  }

  function findValues(name: string): readonly NotedValue[] | undefined {
    const read = readOf(name);
    if (!read) {
      const section = rules.sections.find(({ id }) => id === name);
      return section?.read ? sectionValues(section, notes, rules.nothing, late) : undefined;
    }
    const { text, topic, max } = read;
    const said = topic === undefined ? stated(name) : lasting(stated(name), saidOf(topic), all, isPlain);
    const found = said.filter(({ none }) => !none).slice(0, max);
    return text ? found.map((value) => ({ ...value, text: writeValue(text, value) })) : found;
  }

  const readOf = (name: string) => work?.workflow.read.get(name) ?? rules.reads.get(name);

  /** All values of a name, also of older entries, and those that say that there is none. */
  function stated(name: string): readonly NotedValue[] {
    const before = statements.get(name);
    const read = readOf(name);
    if (before || !read || busy.has(name)) return before ?? [];
    busy.add(name);
    const others = read.not.flatMap((one) => (readOf(one) ? stated(one).filter(({ none }) => !none) : (values(one) ?? [])));
    busy.delete(name);
    const taken = new Set<Subject>(others.flatMap(({ subject }) => subject ?? []));
    const found = readValues(read, work?.workflow.read.has(name) ? all : notes, rules.nothing, taken, late);
    statements.set(name, found);
    return found;
  }

  /** What all names of a topic say. */
  function saidOf(topic: string): readonly Statement[] {
    const names = new Set([...rules.reads.keys(), ...(work?.workflow.read.keys() ?? [])]);
    return [...names].flatMap((name) => {
      const read = readOf(name);
      return read?.topic === topic ? stated(name).map((value) => ({ value, ends: read.ends === true })) : [];
    });
  }

  /** Do the notes say that the stage's artifact, by its file or its name, is not approved? */
  function isDoubted({ edits = "" }: Stage, { artifacts }: Workflow): boolean {
    const file = artifacts.get(edits);
    if (file === undefined) return false;
    const named = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${literal(file)}|${literal(edits)})(?![\\p{L}\\p{N}_-])`, "iu");
    return [...rules.reads.values()].some(({ id, doubts }) => doubts && values(id)?.some(({ text }) => named.test(text)));
  }

  function ofWork({ workflow, picked, reached, evident }: Work, name: string, section: string): Meaning | undefined {
    const { item } = picked;
    if (name === "name") return [item.name];
    if (name === "stage") return [reached.stage.id];
    if (name === "workflow") return [workflow.id];
    if (name === "artifacts") return item.artifacts.map(({ path }) => path);
    if (name === "passed") {
      if (busy.has(name)) return [];
      busy.add(name);
      const before = workflow.stages.slice(0, workflow.stages.indexOf(reached.stage)).filter((one) => !isDoubted(one, workflow));
      const lines = before.flatMap(({ passed }) => sayLines(passed.get(section) ?? [], Number.MAX_SAFE_INTEGER, lookup(section)));
      busy.delete(name);
      return lines;
    }
    const wanted = (name === "artifact" ? reached.stage.edits : name) ?? "";
    const file = workflow.artifacts.get(wanted);
    if (file === undefined) return name === "artifact" ? [] : undefined;
    const path = `${item.folder}/${file}`;
    // The file that a stage edits has a name before it exists.
    if (name === "artifact") return [{ text: item.artifacts.some((one) => one.name === wanted) ? path : "", fields: { file } }];
    return evident.artifacts.has(wanted) ? [{ text: path, fields: { file } }] : [];
  }

  function saidBy(name: string): Meaning {
    const section = rules.sections.find(({ id }) => id === name);
    const before = said.get(name);
    if (before) return before;
    if ((section && !section.say) || busy.has(name)) return [];
    busy.add(name);
    // A disabled section is not shown, but others may refer to what the stage says for it.
    const lines = sayLines(sayOf(name, section?.say ?? [], work), section?.max ?? Number.MAX_SAFE_INTEGER, lookup(name));
    busy.delete(name);
    said.set(name, lines);
    return lines;
  }

  function lookup(section: string): Lookup {
    return (name) => {
      if (name === "changed") return changed;
      const fixed = work && ofWork(work, name, section);
      return fixed ?? values(name) ?? saidBy(name);
    };
  }

  return lookup;
}

/** What the stage says for a section, else the workflow, else the section itself. */
export const sayOf = (section: string, own: Say, work: Work | undefined): Say =>
  work?.reached.stage.say.get(section) ?? work?.workflow.say.get(section) ?? own;
