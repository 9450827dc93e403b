// What can be written at a place of a pack, by the published schema: for completion and hover.
import { type PublishedSchema, publishedSchema } from "../config/normalise.js";

export type Names = Readonly<Record<string, readonly string[]>>;

/** A word that can be written at a place, and what it means. */
export type Suggestion = { readonly label: string; readonly detail?: string | undefined };

/** The keys above a line, outermost first, by their indentation. An item of a list is `-`. */
export function pathAt(lines: readonly string[], line: number): readonly string[] {
  const path: string[] = [];
  let margin = Number.POSITIVE_INFINITY;
  for (let at = line; at >= 0; at--) {
    const [, blanks = "", dash = "", key] = /^( *)((?:- +)*)(?:"?([\w$-]+)"?:(?:\s|$))?/.exec(lines[at] ?? "") ?? [];
    if (key === undefined || lines[at]?.trimStart().startsWith("#")) continue;
    const indent = blanks.length + dash.length;
    if (indent < margin) {
      path.unshift(key);
      margin = indent;
    }
    if (dash !== "" && blanks.length < margin) margin = blanks.length + 1;
  }
  return path;
}

/** All schemas that describe a place. A list and its entries have the same place, because a list of one can be written without it. */
function schemasAt(what: "pack" | "config", path: readonly string[]): readonly PublishedSchema[] {
  const root = publishedSchema(what);
  const open = (schema: PublishedSchema): readonly PublishedSchema[] => {
    const target = schema.$ref ? root.definitions?.[schema.$ref.split("/").at(-1) ?? ""] : undefined;
    const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : []), ...(target ? [target] : [])];
    return [schema, ...inner.flatMap(open)];
  };
  let here = open(root);
  for (const key of path)
    here = here.flatMap(({ properties, additionalProperties: other }) => {
      const next = properties?.[key] ?? (typeof other === "object" ? other : undefined);
      return next ? open(next) : [];
    });
  return here;
}

export const describe = (what: "pack" | "config", path: readonly string[]): string | undefined =>
  schemasAt(what, path).find(({ description }) => description)?.description;

/** @param known the names in use, by the key whose values or entries they are */
export function keysAt(what: "pack" | "config", path: readonly string[], known: Names): readonly Suggestion[] {
  const keys = schemasAt(what, path).flatMap(({ properties }) => Object.entries(properties ?? {}));
  const declared = keys.map(([label, { description }]) => ({ label, detail: description }));
  // Entries that exist can be changed by their id.
  return [...declared, ...(path.length === 1 ? (known[path[0] as string] ?? []).map((label) => ({ label })) : [])];
}

export function valuesAt(what: "pack" | "config", path: readonly string[], known: Names): readonly Suggestion[] {
  const values = schemasAt(what, path).flatMap(({ enum: list = [], const: one, type }) => [
    ...list,
    ...(one === undefined ? [] : [one]),
    ...(type === "boolean" ? [true, false] : []),
  ]);
  const key = path.at(-1) === "not" ? "signals" : (path.at(-1) ?? "");
  return [...values.map(String), ...(path.length > 1 ? (known[key] ?? []) : [])].map((label) => ({ label }));
}
