// What a reference of the rules shows, as the fields of its template: texts are Markdown already.
import { dirname } from "node:path";
import { isNone } from "../config/normalise.js";
import type { Position } from "../diagnostics.js";
import { KINDS } from "../model.js";
import { CUES_PREFIX } from "../rules/compile-cues.js";
import type { LoadedRules } from "../rules/load.js";
import { SECTION_PREFIX } from "../rules/section-rule.js";
import { CONFIGURATION, type Effective, effective, type MapName, packFiles } from "./effective.js";
import { cellCode, cellText, code } from "./markdown.js";
import { originName } from "./origin.js";
import { valueRow, workflowEntry } from "./reference-work.js";

type Fields = Readonly<Record<string, unknown>>;
type Span = (text: string) => string;

export function reference(loaded: LoadedRules): Fields {
  const base = loaded.file === undefined ? process.cwd() : dirname(loaded.file);
  const origin = (at: Position) => originName(at.file, base);
  const all = (map: MapName) => effective(map, loaded);
  const on = (map: MapName) => all(map).filter((found) => found.on);
  const table = (rows: readonly unknown[]) => rows.length > 0 && { rows };

  const rules = on("rules").map((found) => ({ emit: fieldsOf(found).emit, ...declaration(found, origin) }));
  const kinds = [...KINDS, "redact"].map((kind) => ({ kind, rules: rules.filter(({ emit }) => emit === kind) }));
  const weights = new Map(on("salience").map(({ id, value }) => [id, value]));
  const declared = on("signals").map((found) => ({
    id: cellCode(found.id),
    where: selector(fieldsOf(found).in, cellCode),
    phrases: spans([...texts(fieldsOf(found).match), ...texts(fieldsOf(found).regex)], cellCode),
    guards: spans(texts(fieldsOf(found).unless), cellCode),
    weight: weights.get(found.id) ?? "",
  }));
  const inherent = [...weights].filter(([id]) => !loaded.rules.signals.has(id));
  return {
    packs: packFiles(loaded).map(({ file, body }) => ({
      name: cellText(body.name ?? CONFIGURATION),
      file: cellCode(originName(file, base)),
      description: cellText(body.description ?? ""),
    })),
    kinds: kinds.filter((kind) => kind.rules.length > 0),
    off: listed(
      all("rules")
        .filter((found) => !found.on)
        .map(({ id, at }) => ({ id: code(id), origin: code(origin(at)) })),
    ),
    signals: table([...declared, ...inherent.map(([id, weight]) => ({ ...EMPTY, id: cellCode(id), weight }))]),
    cues: listed(
      on("cues").map((found) => {
        const { emit, least, not, weights } = fieldsOf(found);
        return {
          ...declaration({ ...found, id: CUES_PREFIX + found.id }, origin),
          emit,
          least,
          not: spans(texts(not), code),
          weights: pairs(weights, String),
        };
      }),
    ),
    options: table(
      on("options").map((found) => {
        const { offered, taken, labels } = fieldsOf(found);
        const names = ((labels ?? []) as readonly (readonly string[])[]).map((one) => one.join(" "));
        return {
          id: cellCode(found.id),
          offered: spans(texts(offered), cellCode),
          taken: spans(texts(taken), cellCode),
          labels: spans(names, cellCode),
        };
      }),
    ),
    sections: listed(
      on("sections").map((found) => ({
        ...declaration({ ...found, id: SECTION_PREFIX + found.id }, origin),
        ...section(fieldsOf(found)),
      })),
    ),
    categories: table(
      on("categories").map((found) => ({
        id: cellCode(found.id),
        of: texts(fieldsOf(found).of).join(", "),
        phrases: spans(texts(fieldsOf(found).match), cellCode),
      })),
    ),
    tools: table(on("tools").map((found) => ({ id: cellCode(found.id), ...tool(fieldsOf(found)) }))),
    programs: table(on("shell").map((found) => ({ id: cellCode(found.id), ...program(fieldsOf(found)) }))),
    lifecycle: table(
      on("lifecycle").map((found) => ({
        id: cellCode(found.id),
        said: said(fieldsOf(found)),
        origin: cellCode(origin(found.at)),
      })),
    ),
    audit: table(
      on("audit").map((found) => ({
        id: cellCode(found.id),
        marks: fieldsOf(found).marks,
        words: spans(texts(fieldsOf(found).words), cellCode),
      })),
    ),
    templates: table(
      on("templates").map((found) => ({
        id: cellCode(found.id),
        tokens: fieldsOf(found).tokens,
        file: cellCode(String(fieldsOf(found).file ?? "")),
        origin: cellCode(origin(found.at)),
      })),
    ),
    words: table(on("words").map(({ id, value }) => ({ id: cellCode(id), phrase: cellCode(String(value)) }))),
    values: table(on("read").map(valueRow)),
    workflows: listed(on("workflows").map((found) => workflowEntry(found, origin(found.at)))),
    files: listed(on("files").map((found) => ({ path: code(String(fieldsOf(found).path)) }))),
  };
}

const EMPTY = { where: "", phrases: "", guards: "" };
const fieldsOf = ({ value }: Effective) => value as Fields;
const texts = (value: unknown) => (value ?? []) as readonly string[];
const spans = (list: readonly string[], span: Span) => list.map(span).join(", ");
/** A list that its template can ask for before it writes the heading. */
const listed = (list: readonly unknown[]) => list.length > 0 && { list };

/** What rules and sections have in common. */
function declaration(found: Effective, origin: (at: Position) => string): Fields {
  const { match, regex, unless, signals, not, set, score, category, length, nothing, examples, ...value } = fieldsOf(found);
  const changes = found.changes.map(({ key, at }) => `${code(key)} from ${code(origin(at))}`);
  return {
    id: code(found.id),
    origin: code(origin(found.at)),
    changes: changes.join(", "),
    where: selector(value.in, code),
    phrases: listed(texts(match).map(code)),
    patterns: listed(texts(regex).map(code)),
    guards: listed(texts(unless).map(code)),
    signals: spans(texts(signals), code),
    not: spans(texts(not), code),
    set: pairs(set, code),
    score,
    category: category === undefined ? "" : code(String(category)),
    bounds: pairs(length, String),
    nothing: spans(texts(nothing), code),
    examples: listed(((examples ?? []) as readonly Fields[]).map(example)),
  };
}

/** The program's names, and everything else that its entry says. */
const program = ({ program: names, ...rest }: Fields): Fields => ({ names: spans(texts(names), cellCode), said: said(rest) });

const said = (fields: Fields) => spans(Object.entries(fields).map(spoken), cellCode);

const spoken = ([key, value]: readonly [string, unknown]): string =>
  isFields(value)
    ? Object.entries(value)
        .map((inner) => `${key}.${spoken(inner)}`)
        .join(", ")
    : `${key} ${[value].flat().join(" ")}`;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

const section = ({ title, holds, headings, fields, task, max, say, required }: Fields): Fields => ({
  title: code(String(title)),
  holds: holds ?? "",
  fields: texts(fields).map(code).join(", "),
  say: listed(((say ?? []) as readonly (readonly string[])[]).map((choice) => choice.map(code).join(" or "))),
  required: required === true,
  headings: listed(texts(headings).map(code)),
  task: task ?? "",
  max: max ?? "",
});

const tool = ({ names, file, command, effect, answers, failed }: Fields): Fields => ({
  names: spans(texts(names), cellCode),
  file: spans(texts(file), cellCode),
  command: spans(texts(command), cellCode),
  effect: effect ?? "",
  answers: answers === true,
  failed: spans(texts(failed), cellCode),
});

const example = ({ text, emits, role }: Fields): Fields => ({
  text: cellCode(String(text)),
  role: role ?? "",
  fires: !isNone(emits as object),
  emits: isNone(emits as object) ? "" : pairs(emits, cellCode),
});

const pairs = (value: unknown, span: Span) =>
  Object.entries((value ?? {}) as Fields)
    .map(([key, one]) => `${cellText(key)}: ${span(String(one))}`)
    .join(", ");

/** Where a text must stand, key by key: words as they are, phrases as code. */
function selector(value: unknown, span: Span): string {
  return Object.entries((value ?? {}) as Fields)
    .map(([key, one]) => {
      if (key === "message" || key === "words") return `${key} ${pairs(one, String)}`;
      return `${key} ${key === "under" || key === "lead" ? spans(texts(one), span) : texts(one).join(", ")}`;
    })
    .join("; ");
}
