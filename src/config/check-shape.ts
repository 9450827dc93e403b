// Checks a parsed file against its schema and turns the validator's errors into findings with a place.
import { collectFindings, type Diagnostic, diagnostic } from "../diagnostics.js";
import { published } from "../generated/pack-schema.js";
import { configSchema, packSchema, type ShapeError } from "../generated/validators.js";
import { didYouMean, nearest } from "../text/did-you-mean.js";
import { isFields } from "../text/json.js";
import { groupBy } from "../text/lists.js";
import type { PackBody } from "./pack.js";
import type { Path, YamlFile } from "./parse-yaml.js";

export function checkShape(yaml: YamlFile, value: unknown, what: "pack" | "config"): readonly Diagnostic[] {
  const version = laterVersion(yaml, value);
  if (version) return [version];
  const validate = what === "pack" ? packSchema : configSchema;
  if (validate(value)) return [];
  const { report, findings } = collectFindings();
  const errors = validate.errors ?? [];
  const isUnknown = ({ keyword }: ShapeError) => keyword === "additionalProperties";
  const unknown = groupBy(errors.filter(isUnknown), ({ instancePath }) => instancePath);
  const places = new Set<string>();
  for (const error of errors) {
    if (error.keyword === "required" && unknown.get(error.instancePath)?.some((other) => isMisspelt(other, error))) continue;
    report(() => toDiagnostic(error, yaml));
  }
  // One mistake may violate several rules of the schema; report only one finding per place.
  return findings.filter(({ at }) => places.size < places.add(`${at?.line}:${at?.column}`).size);
}

function laterVersion(yaml: YamlFile, value: unknown): Diagnostic | undefined {
  const version = (value as { compaction?: unknown } | null)?.compaction;
  if (version === undefined || version === 1) return undefined;
  const [message, hint] =
    typeof version === "number" && version > 1
      ? [`this pack has format ${version}; this version reads format 1`, "update compaction-rules"]
      : ["the format of a pack must be the number 1", "write compaction: 1"];
  return diagnostic("pack-version", message, yaml.locate(["compaction"]), hint);
}

/** The content without the entries that violate the schema. */
export function soundPart(body: unknown, what: "pack" | "config"): PackBody {
  if (!isFields(body)) return {};
  const validate = what === "pack" ? packSchema : configSchema;
  const sound = structuredClone(body) as Record<string, unknown>;
  for (const { instancePath, keyword, params } of validate(body) ? [] : (validate.errors ?? [])) {
    const unknown = keyword === "additionalProperties" ? [String(params.additionalProperty)] : [];
    const [map, id] = [...toPath(instancePath), ...unknown].map(String);
    const entries = map === undefined ? undefined : sound[map];
    if (id !== undefined && isFields(entries)) delete (entries as Record<string, unknown>)[id];
    else if (map !== undefined) delete sound[map];
  }
  return sound as PackBody;
}

/** The missing key is present under a misspelt name: report one finding, not two. */
const isMisspelt = (unknown: ShapeError, missing: ShapeError): boolean =>
  nearest(String(unknown.params.additionalProperty), [missing.params.missingProperty]) !== undefined;

function toDiagnostic(error: ShapeError, yaml: YamlFile): Diagnostic {
  const path = toPath(error.instancePath);
  const at = yaml.locate(path);
  const subject = path.length === 0 ? "the file" : named(path, yaml);
  switch (error.keyword) {
    case "additionalProperties":
      return unknownKey(String(error.params.additionalProperty), path, error, yaml);
    case "enum": {
      const hint = didYouMean(String(error.data), (error.params.allowedValues as unknown[]).map(String));
      return diagnostic("unknown-value", `"${String(error.data)}" is not a valid value of "${keyOf(path)}"`, at, hint);
    }
    case "required": {
      const message = `"${error.params.missingProperty}" is missing`;
      if (isEntry(path, yaml)) return diagnostic("missing-key", `${message} in ${subject}`, at);
      return diagnostic("missing-key", message, yaml.locate(path, "key"));
    }
    case "type": {
      const other = isNo(error.data) ? switchOff(error) : undefined;
      const hint = keyOf(path) === "emits" ? "the fields that come out, {} for any, or none" : other;
      return diagnostic("wrong-type", `${subject} must be ${article(String(error.params.type))}`, at, hint);
    }
    case "minLength":
      return diagnostic("wrong-type", `${subject} is empty`, at);
    default:
      return diagnostic("wrong-type", `${subject} ${error.message ?? "is wrong"}`, at);
  }
}

function unknownKey(key: string, path: Path, { parentSchema }: ShapeError, yaml: YamlFile): Diagnostic {
  const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const at = yaml.locate([...path, key], "key");
  if (key === "$import")
    return diagnostic("config-import", "$import is not supported: a configuration is data", at, "use extends");
  const where = known.includes("in") && !known.includes(key) ? underIn(key) : undefined;
  return diagnostic("unknown-key", `unknown key "${key}"`, at, where ?? didYouMean(key, known));
}

/** Keys that say where a text must be belong under `in`. */
function underIn(key: string): string | undefined {
  const { properties } = (published as { pack: { definitions: { selector: { properties: object } } } }).pack.definitions.selector;
  if (!Object.hasOwn(properties, key)) return undefined;
  const named = ["reply", "after", "opening"].includes(key);
  return `it belongs under in: { ${key}: … }${named ? ", and takes names of signals" : ""}`;
}

/** Matches false and the other ways to write it. */
export const isNo = (value: unknown) => value === false || (typeof value === "string" && /^(?:off|no|false)$/i.test(value));

/** A switch that is off by default has no `off` value. */
function switchOff({ parentSchema }: ShapeError): string {
  const { properties } = (parentSchema ?? {}) as { properties?: object };
  return properties && !("off" in properties) ? "leave it out to switch it off" : "write off to switch it off";
}

const article = (type: string) => ({ object: "a map", array: "a list", integer: "a whole number" })[type] ?? `a ${type}`;

const keyOf = (path: Path) => [...path].reverse().find((step) => typeof step === "string" && !/^\d+$/.test(step)) ?? "";

/** A list with one entry may be written without the list; then the path has no entry number. */
function isEntry(path: Path, { value }: YamlFile): boolean {
  let above = value;
  for (const step of path.slice(0, -1)) above = (above as Record<string, unknown> | null | undefined)?.[step];
  return Array.isArray(above);
}

const named = (path: Path, yaml: YamlFile) =>
  isEntry(path, yaml) ? `entry ${Number(path.at(-1)) + 1} of "${keyOf(path)}"` : `"${keyOf(path)}"`;

const toPath = (pointer: string): Path =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
