// Makes safe what packs say. A project's templates, headings and sentences are printed, stored and sent like any other text: secrets
// are masked, hidden characters are removed, and what is one line stays one.
import { isBuiltIn } from "../../config/load-pack.js";
import type { PackEntry, TemplateEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { markControls } from "../../text/forms.js";
import { parseTemplate, type TemplateToken, templateFault } from "../template/fill-template.js";
import type { Span } from "./unveil.js";

type Mask = (text: string) => string;

/** The maps of packs that say something. */
const SAYING = ["sections", "workflows", "categories"] as const;

/** Built-in packs contain no secrets. */
export function maskSaid(packs: Resolved, mask: Mask): Resolved {
  const [inText, inTemplate] = [maskText(mask), maskTemplate(mask)];
  const inLine = (text: string) => asLine(inText(text));
  const each = <E extends PackEntry<unknown>>(entries: ReadonlyMap<string, E>, masked: (entry: E) => E) =>
    new Map(
      Array.from(entries.values(), (given) => {
        const entry = isBuiltIn(given.from()) ? given : masked(given);
        return [entry.id, entry];
      }),
    );
  const said = SAYING.map((map) => [
    map,
    each<PackEntry<unknown>>(packs[map], (entry) => ({
      ...entry,
      id: mask(entry.id),
      value: maskStrings(entry.value, inLine, mask),
    })),
  ]);
  const templates = each<TemplateEntry>(packs.templates, (entry) => ({
    ...entry,
    text: inTemplate(entry.text),
    value: maskStrings(entry.value, inTemplate),
  }));
  return { ...packs, ...Object.fromEntries(said), templates };
}

export function maskBody(body: unknown, mask: Mask): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { templates, ...rest } = body as { readonly templates?: unknown };
  const masked = maskStrings(rest, maskText(mask));
  return templates === undefined ? masked : { ...masked, templates: maskStrings(templates, maskTemplate(mask)) };
}

/** What these keys have is compared with texts, and never said. */
const COMPARED: ReadonlySet<string> = new Set(["regex", "match", "unless", "words"]);

/** @param named the name of a stage, which is said, too */
function maskStrings<T>(value: T, mask: Mask, named: Mask = (key) => key): T {
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") return mask(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [named(key), COMPARED.has(key) ? inner : walk(inner)]));
  };
  return walk(value) as T;
}

/** As long as the text, for the places of findings, except where something is hidden. */
const asLine = (text: string): string => markControls(text.trimEnd().replace(LINE_BREAK, " "));
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/g;

const PLACEHOLDER = /(\{[a-z][\w.:-]*\})/;

/** Masks a text of a section or a workflow, but not its placeholders. A mask is as long as its secret. */
const maskText = (mask: Mask) => (text: string) => {
  const masked = mask(text);
  let from = 0;
  const parts = masked === text ? [] : text.split(PLACEHOLDER);
  return parts.length === 0
    ? text
    : parts
        .map((part, index) => {
          from += part.length;
          return index % 2 ? part : masked.slice(from - part.length, from);
        })
        .join("");
};

/** Masks what a template says, but not its tags. */
export const maskTemplate = (mask: Mask) => (text: string) => {
  const masked = mask(text);
  if (masked === text || templateFault(text)) return masked;
  let [result, from] = ["", 0];
  for (const { start, end } of literalsOf(parseTemplate(text))) {
    result += text.slice(from, start) + masked.slice(start, end);
    from = end;
  }
  return result + text.slice(from);
};

/** What stands between the tags of a template, and in its comments. */
const literalsOf = (tokens: readonly TemplateToken[]): readonly Span[] =>
  tokens.flatMap(([type, , start, end, inner]) =>
    type === "text"
      ? [{ start, end }]
      : type === "!"
        ? [{ start: start + COMMENT.length, end: end - COMMENT_END.length }]
        : Array.isArray(inner)
          ? literalsOf(inner)
          : [],
  );
const [COMMENT, COMMENT_END] = ["{{!", "}}"];
