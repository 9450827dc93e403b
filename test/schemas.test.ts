import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import { configPlaces } from "../src/config/find-config.js";
import type { ContinuationDocument } from "../src/generated/continuation-document.js";
import { continuationSchema } from "../src/generated/validators.js";
import { builtInRules, type Continuation, extract } from "../src/index.js";
import { sampleSession } from "./sample.js";

type Writable<T> = T extends readonly (infer U)[]
  ? Writable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T;

test("the type of a Continuation is what its schema says", () => {
  expectTypeOf<Writable<Continuation>>().toExtend<Omit<ContinuationDocument, "workflow">>();
  expectTypeOf<Omit<ContinuationDocument, "workflow">>().toExtend<Writable<Continuation>>();
});

test("a Continuation is valid under its schema", () => {
  const { continuation } = extract(sampleSession(), builtInRules().rules);
  expect(continuation.items.length).toBeGreaterThan(5);
  const valid = continuationSchema(JSON.parse(JSON.stringify(continuation)));
  expect(continuationSchema.errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(continuationSchema({ ...continuation, version: 2 })).toBe(false);
});

const { name: packageName } = JSON.parse(readFileSync("package.json", "utf8"));

test.each(["pack", "config", "continuation"])("the %s schema has an address that does not change with its version", (name) => {
  const { $id } = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));
  expect($id).toBe(`https://unpkg.com/${packageName}/schemas/${name}.schema.json`);
});

test("the entry for SchemaStore names the files that are a configuration", () => {
  const [, entry = ""] = /```json\n(\{[^`]*"fileMatch"[^`]*)```/.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
  const { url, fileMatch } = JSON.parse(entry) as { readonly url: string; readonly fileMatch: readonly string[] };
  expect(url).toBe(JSON.parse(readFileSync("schemas/config.schema.json", "utf8")).$id);
  const places = configPlaces(resolve(".")).filter((place) => !place.endsWith("package.json"));
  expect(fileMatch.map((one) => resolve(one.replace("**/", ""))).sort()).toEqual([...places].sort());
});

test.each(["pack", "config", "continuation"])("every key of the %s schema has a description, under draft-07", (name) => {
  const schema = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));
  expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
  const bare: string[] = [];
  const visit = (node: Record<string, unknown>, path: string) => {
    for (const [key, value] of Object.entries((node.properties ?? {}) as Record<string, Record<string, unknown>>)) {
      if (typeof value.description !== "string" && typeof value.$ref !== "string") bare.push(`${path}.${key}`);
      visit(value, `${path}.${key}`);
    }
    for (const [key, value] of Object.entries((node.definitions ?? {}) as Record<string, Record<string, unknown>>)) {
      if (typeof value.description !== "string") bare.push(`${path}#${key}`);
      visit(value, `${path}#${key}`);
    }
    for (const part of [node.items, node.additionalProperties, ...((node.anyOf ?? []) as unknown[])]) {
      if (part && typeof part === "object") visit(part as Record<string, unknown>, path);
    }
  };
  visit(schema, name);
  expect(bare).toEqual([]);
});
