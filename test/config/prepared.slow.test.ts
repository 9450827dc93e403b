import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test, vi } from "vitest";
import { loadPack } from "../../src/config/load-pack.js";
import type { PreparedPacks } from "../../src/config/prepared.js";
import { resolvePacks } from "../../src/config/resolve-packs.js";
import { builtInRules } from "../../src/index.js";
import { packPhrase } from "../../src/rules/compile/prepared-phrases.js";
import { compilePattern } from "../../src/rules/pattern/pattern.js";
import { compilePhrase, type Phrase } from "../../src/rules/phrase/phrase.js";
import { createVocabulary } from "../../src/rules/phrase/phrase-code.js";

// The sources without it; other tests use it.
vi.mock("../../src/config/prepared.js", () => ({
  embedded: undefined,
  prepared: undefined,
  packText: () => undefined,
  isKnownTemplate: () => false,
  packedPhrases: () => "",
}));

// What the build has made.
const built = async (name: string) => (await import(resolve(`dist/config/data/${name}.js`))).default;
const prepared: PreparedPacks = await built("prepared");
const phrases: string = await built("phrases");
const texts: Readonly<Record<string, string>> = await built("texts");
const names = readdirSync("rules", { encoding: "utf8", recursive: true }).filter((name) =>
  /^(?:model\/)?[^/]+\.yaml$/.test(name),
);

test("every built-in pack is prepared, and says what its file says", () => {
  expect(Object.keys(prepared.packs).sort()).toEqual(names.sort());
  for (const name of names) {
    const { body, diagnostics } = loadPack(resolve("rules", name), resolve("rules"), "pack");
    expect(diagnostics).toEqual([]);
    expect(prepared.packs[name]).toEqual(body);
    expect(texts[name]).toBe(readFileSync(`rules/${name}`, "utf8"));
  }
});

test("phrases are prepared with the fragments of a project that extends what is recommended", () => {
  const usual = resolvePacks(loadPack("(built in)", resolve("rules"), "config", '{"extends": ["compaction:recommended"]}'));
  expect(prepared.words).toEqual(Object.fromEntries([...usual.words].map(([id, { value }]) => [id, value])));
});

test("what is known of phrases and patterns is what compiling them tells", () => {
  expect(Object.keys(prepared.phrases).length).toBeGreaterThan(100);
  const vocabulary = createVocabulary(prepared.vocabulary);
  for (const [source, at] of Object.entries(prepared.phrases)) {
    const phrase = compilePhrase(source, prepared.words, vocabulary);
    const slots = prepared.slots.findIndex((list) => isDeepStrictEqual(list, phrase.slots));
    expect(phrases.startsWith(packPhrase(phrase, slots), at), source).toBe(true);
    expect(phrase.anchors.length > 0).toBe(at < prepared.anchored);
  }
  expect(vocabulary.words).toEqual(prepared.vocabulary);
  expect(Object.keys(prepared.patterns).length).toBeGreaterThan(5);
  for (const [source, known] of Object.entries(prepared.patterns)) expect(compilePattern(source, false)).toMatchObject(known);
});

test("the rules are the same with it and without", async () => {
  const built: { builtInRules: typeof builtInRules } = await import(resolve("dist/index.js"));
  expect(isDeepStrictEqual(data(built.builtInRules().rules), data(builtInRules().rules))).toBe(true);
});

/** What is compiled when it is first used is compiled here. */
const data = (rules: unknown) => JSON.parse(JSON.stringify(rules, (_, value) => plain(value)));

function plain(value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value];
  if (typeof value !== "object" || value === null || !("vocabulary" in value)) return value;
  const { source, slots, anchors, required, first, atStart, code, vocabulary } = value as Phrase;
  const said = (words: Iterable<number>) => [...words].map((number) => vocabulary.words[number]);
  return {
    source,
    slots,
    anchors,
    required: required.map(said),
    first: first && said(first).sort(),
    atStart,
    length: code.length,
  };
}
