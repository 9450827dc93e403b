// A parsed file against its schema: errors of the validator → findings at their place.
import type { ErrorObject } from "ajv";
import { collectFindings, type Diagnostic, diagnostic } from "../diagnostics.js";
import { published } from "../generated/pack-schema.js";
import { configSchema, packSchema } from "../generated/validators.js";
import { didYouMean, nearest } from "./suggest.js";
import type { Path, YamlFile } from "./yaml.js";

export function checkShape(yaml: YamlFile, value: unknown, what: "pack" | "config"): readonly Diagnostic[] {
  const version = laterVersion(yaml, value);
  if (version) return [version];
  const validate = what === "pack" ? packSchema : configSchema;
  if (validate(value)) return [];
  const { report, findings } = collectFindings();
  const errors = validate.errors ?? [];
  const unknown = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    if (error.keyword !== "additionalProperties") continue;
    const beside = unknown.get(error.instancePath);
    if (beside) beside.push(error);
    else unknown.set(error.instancePath, [error]);
  }
  const places = new Set<string>();
  for (const error of errors) {
    if (error.keyword === "required" && unknown.get(error.instancePath)?.some((other) => isMisspelt(other, error))) continue;
    report(() => toDiagnostic(error, yaml));
  }
  // One slip may be wrong in several ways.
  return findings.filter(({ at }) => places.size < places.add(`${at?.line}:${at?.column}`).size);
}

function laterVersion(yaml: YamlFile, value: unknown): Diagnostic | undefined {
  const version = (value as { compaction?: unknown } | null)?.compaction;
  if (version === undefined || version === 1) return undefined;
  const later = typeof version === "number" && version > 1;
  return diagnostic(
    "pack-version",
    later ? `this pack is of format ${version}; this program reads format 1` : "the format of a pack is the number 1",
    yaml.locate(["compaction"]),
    later ? "update compaction-rules" : "write compaction: 1",
  );
}

/** A key that is missing because it is there under a misspelt name: one slip, one finding. */
function isMisspelt(unknown: ErrorObject, missing: ErrorObject): boolean {
  return nearest(String(unknown.params.additionalProperty), [missing.params.missingProperty]) !== undefined;
}

function toDiagnostic(error: ErrorObject, yaml: YamlFile): Diagnostic {
  const path = toPath(error.instancePath);
  const name = path.at(-1);
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(error.params.additionalProperty);
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
      const at = yaml.locate([...path, key], "key");
      if (key === "$import")
        return diagnostic("config-import", "$import is not read: a configuration is data", at, "use extends");
      const where = known.includes("in") && !known.includes(key) ? underIn(key) : undefined;
      return diagnostic("unknown-key", `there is no key "${key}" here`, at, where ?? didYouMean(key, known));
    }
    case "enum":
      return diagnostic(
        "unknown-value",
        `"${String(error.data)}" is not a value of "${keyOf(path)}"`,
        yaml.locate(path),
        didYouMean(String(error.data), (error.params.allowedValues as unknown[]).map(String)),
      );
    case "required":
      return diagnostic(
        "missing-key",
        `"${error.params.missingProperty}" is missing${isEntry(path, yaml) ? ` in ${named(path, yaml)}` : ""}`,
        yaml.locate(path, isEntry(path, yaml) ? "value" : "key"),
      );
    case "type":
      return diagnostic(
        "wrong-type",
        `${name === undefined ? "the file" : named(path, yaml)} must be ${article(String(error.params.type))}`,
        yaml.locate(path),
        isNo(error.data) ? switchOff(error) : undefined,
      );
    case "minLength":
      return diagnostic("wrong-type", `${named(path, yaml)} is empty`, yaml.locate(path));
    default:
      return diagnostic("wrong-type", `${named(path, yaml)} ${error.message ?? "is wrong"}`, yaml.locate(path));
  }
}

interface Selecting {
  readonly pack: { readonly definitions: { readonly selector: { readonly properties: Readonly<Record<string, object>> } } };
}

/** What says where a text must stand has a place of its own. */
function underIn(key: string): string | undefined {
  const { properties } = (published as Selecting).pack.definitions.selector;
  if (!Object.hasOwn(properties, key)) return undefined;
  const named = ["reply", "after", "opening"].includes(key);
  return `it stands under in: { ${key}: … }${named ? ", and takes names of signals" : ""}`;
}

/** No, as it is written elsewhere. */
export const isNo = (value: unknown) => value === false || (typeof value === "string" && /^(?:off|no|false)$/i.test(value));

/** What is off unless it is said has no word for it. */
function switchOff({ parentSchema }: ErrorObject): string {
  const { properties } = (parentSchema ?? {}) as { properties?: object };
  return properties && !("off" in properties) ? "leave it out to switch it off" : "write off to switch it off";
}

const article = (type: string) => ({ object: "a map", array: "a list", integer: "a whole number" })[type] ?? `a ${type}`;

const keyOf = (path: Path) => [...path].reverse().find((step) => typeof step === "string" && !/^\d+$/.test(step)) ?? "";

/** A list of one may be written without being one: then it has no entries to speak of. */
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
