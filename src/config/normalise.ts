// Expands shorthand to the long form that is validated and compiled. The published schema says where shorthand is
// allowed: an `anyOf` whose first alternative is the long form.
import { published } from "../generated/pack-schema.js";
import { isFields, type JsonFields } from "../text/json.js";

export interface PublishedSchema {
  readonly description?: string;
  readonly const?: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly PublishedSchema[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly additionalProperties?: PublishedSchema | boolean;
  readonly items?: PublishedSchema;
  readonly enum?: readonly unknown[];
  readonly definitions?: Readonly<Record<string, PublishedSchema>>;
  /** The key that a bare string is the value of. */
  readonly "x-key"?: string;
}

/** Asked for at each use: most commands need no schema, and it takes long to load. */
export const publishedSchema = (what: "pack" | "config") => (published as Readonly<Record<typeof what, PublishedSchema>>)[what];

export const normalise = (value: unknown, what: "pack" | "config"): unknown =>
  walk(isFields(value) ? withoutEmpty(value, publishedSchema(what)) : value, publishedSchema(what));

/** Removes maps and lists whose content is all commented out. */
function withoutEmpty(file: JsonFields, { properties = {} }: PublishedSchema): unknown {
  const isEmpty = ([key, value]: readonly [string, unknown]) =>
    value === null &&
    Object.hasOwn(properties, key) &&
    ["object", "array"].includes(longForm(properties[key] as PublishedSchema).type ?? "");
  return Object.fromEntries(Object.entries(file).filter((entry) => !isEmpty(entry)));
}

function walk(value: unknown, schema: PublishedSchema): unknown {
  const form = formOf(schema);
  if (form.anyOf) return walk(value, form);
  if (form.type === "array") {
    const list = Array.isArray(value) || !schema.anyOf ? value : [value];
    return Array.isArray(list) && form.items ? list.map((entry) => walk(entry, form.items as PublishedSchema)) : list;
  }
  if (form.type === "string" && schema.anyOf && isList(value)) return oneOf(value);
  if (form.type !== "object") return value;
  const bare = value === true && canSwitch(schema);
  const isWord = typeof value === "string" || (typeof value === "boolean" && isSwitch(schema));
  const map = bare ? {} : schema.anyOf && isWord ? long(value, form) : value;
  if (!isFields(map)) return map;
  const other = typeof form.additionalProperties === "object" ? form.additionalProperties : undefined;
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, entry]) => {
      const inner = (form.properties && Object.hasOwn(form.properties, key) && form.properties[key]) || other;
      // A part that `true` switches on is off when it is missing, so `false` removes it.
      return inner && entry === false && canSwitch(inner) ? [] : [[key, inner ? walk(entry, inner) : entry]];
    }),
  );
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");

/** The phrase for one of several. `YamlFile.within` finds the places of the several in it. */
const oneOf = (phrases: readonly string[]) => (phrases.length === 1 ? (phrases[0] as string) : `(${phrases.join("|")})`);

/** The long form, also behind a reference to a schema with shorthand. */
const longForm = (schema: PublishedSchema) => formOf(formOf(schema));

const formOf = (schema: PublishedSchema) =>
  dereference(schema.anyOf ? dereference(schema.anyOf[0] as PublishedSchema) : dereference(schema));

/** Is the bare value on or off, or true or false? */
const isSwitch = ({ anyOf }: PublishedSchema) => anyOf?.some((one) => one.enum?.includes(true)) === true;

const canSwitch = ({ anyOf }: PublishedSchema) => anyOf?.some(({ type }) => type === "boolean") === true;

function long(word: string | boolean, form: PublishedSchema): unknown {
  if (word === "off" && form.properties?.off) return { off: true };
  const key = form["x-key"];
  if (key) return { [key]: word };
  return word === "none" && !form.properties ? { [NOTHING]: word } : word;
}

/** The key for `none` in place of expected fields: nothing may be found. No field has an empty name. */
const NOTHING = "";

export const isNone = (emits: object): boolean => Object.hasOwn(emits, NOTHING);

function dereference(schema: PublishedSchema): PublishedSchema {
  if (!schema.$ref) return schema;
  const [file, pointer] = schema.$ref.split("#");
  let target: unknown = file === "" || file === "pack.schema.json" ? publishedSchema("pack") : undefined;
  for (const step of (pointer ?? "").split("/").slice(1)) target = (target as Record<string, unknown>)[step];
  return dereference(target as PublishedSchema);
}
