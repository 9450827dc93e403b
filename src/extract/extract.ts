// The whole way from a session to its Continuation, as one can read it.

import { SOURCE_CHARACTERS } from "../limits.js";
import type { Continuation, Extraction, Item, Kind, Notice, ProjectFile, Session } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readMarkdown } from "../source/markdown.js";
import { toSources } from "../source/sources.js";
import { findItems, type Tracer } from "./find.js";
import { createMatcher, toSubject } from "./matcher.js";
import { placeKey } from "./place.js";
import { redact } from "./redact.js";
import { reduceItems } from "./reduce.js";
import { type Weighed, weigh } from "./salience.js";
import { readTools } from "./tools.js";

/** The source, rule and category of what the user pinned. */
export const PINS = "pinned";

export interface ExtractOptions {
  readonly files?: readonly ProjectFile[];
  /** Texts that the user pinned: they always stand. */
  readonly pins?: readonly string[];
  /** Tells facts that the user dropped by hand. */
  readonly isDropped?: (item: Item) => boolean;
  readonly notices?: readonly Notice[];
  /** Called before each source with how many are done and how many there are. */
  readonly progress?: (done: number, total: number) => void;
  /** Called for every candidate with what became of it. */
  readonly trace?: Tracer;
}

export function extract(session: Session, rules: RuleSet, options: ExtractOptions = {}): Extraction {
  const safe = redactSession(session, rules);
  const files = (options.files ?? []).map((file) => ({ ...file, text: redact(file.text, rules.redactions) }));
  const sources = toSources(safe, files, (name) => rules.tools.get(name)?.answers === true);
  const matcher = createMatcher(rules);
  const found: Item[] = [];
  const weighed: Weighed[] = [];
  const notices: Notice[] = [...(options.notices ?? [])];
  const rank = new Map<string, number>();

  for (const source of sources) {
    options.progress?.(source.ordinal, sources.length);
    rank.set(source.id, rank.get(source.id) ?? source.ordinal);
    const text = source.text.slice(0, SOURCE_CHARACTERS);
    if (text.length < source.text.length)
      notices.push({
        code: "source-cut",
        message: `only the first ${SOURCE_CHARACTERS} characters are read`,
        source: source.id,
        count: 1,
      });
    const { segments, scanned } = readMarkdown(text, rules.abbreviations);
    if (scanned > 0)
      notices.push({
        code: "block-scanned",
        message: "blocks that would take the parser down were read line by line",
        source: source.id,
        count: scanned,
      });
    for (const segment of segments) {
      const subject = toSubject(source, segment);
      const items = findItems(subject, rules, matcher, options.trace);
      found.push(...items);
      if (segment.node !== "link" && segment.node !== "heading") weighed.push({ subject, kinds: kindsOf(items) });
    }
  }

  const reduced = reduceItems(found, (id) => rank.get(id) ?? Number.MAX_SAFE_INTEGER, options.trace);
  const pins = (options.pins ?? []).map((text) => toPin(redact(text, rules.redactions)));
  const kept = reduced.filter((item) => options.isDropped?.(item) !== true);
  const items = [...pins, ...kept];
  const continuation: Continuation = {
    version: 1,
    session: { id: session.id, format: session.format },
    items,
    concepts: items.filter(({ kind }) => kind === "concept").map(({ text }) => text),
    ...readTools(safe, rules),
    diagnostics: notices,
  };
  const statements = weigh(weighed, rules, matcher);
  if (kept.length === reduced.length) return { continuation, statements };
  // What is dropped is not said either, unless another fact stands on the same words.
  const placesOf = (list: readonly Item[]) => new Set(list.flatMap(({ evidence, also }) => [evidence, ...also]).map(placeKey));
  const standing = placesOf(kept);
  const dropped = placesOf(reduced.filter((item) => !kept.includes(item)));
  return { continuation, statements: statements.filter((one) => !dropped.has(placeKey(one)) || standing.has(placeKey(one))) };
}

/** A pin is the user's own word: it is its own evidence. */
function toPin(text: string): Item {
  const evidence = { source: PINS, start: 0, end: text.length, quote: text, rule: PINS };
  return { kind: "note", text, fields: {}, category: PINS, score: 1, by: "user", status: "active", evidence, also: [] };
}

const kindsOf = (items: readonly Item[]): readonly Kind[] => [...new Set(items.map(({ kind }) => kind))];

/** Masks what is said, what the user answered, and those texts of a tool's input that are read. */
function redactSession(session: Session, rules: RuleSet): Session {
  const { redactions, tools } = rules;
  if (redactions.length === 0) return session;
  const masked = (input: unknown, keys: readonly string[]): unknown => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    const mask = (value: unknown): unknown =>
      typeof value === "string" ? redact(value, redactions) : Array.isArray(value) ? value.map(mask) : value;
    return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, keys.includes(key) ? mask(value) : value]));
  };
  return {
    ...session,
    messages: session.messages.map((message) => ({
      ...message,
      text: redact(message.text, redactions),
      toolCalls: message.toolCalls.map((call) => {
        const tool = tools.get(call.name);
        if (!tool) return call;
        const output = tool.answers ? redact(call.output, redactions) : call.output;
        return { ...call, input: masked(call.input, [...tool.file, ...tool.command, ...tool.patch]), output };
      }),
    })),
  };
}
