import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMap, isScalar, parse, parseDocument, visit } from "yaml";

const MOST = 160;
const PHRASES = ["match", "unless", "under", "lead", "headings", "offered", "taken", "words", "unrun", "refused", "unsaid"];
const packs = readdirSync("rules", { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".yaml") && !name.startsWith("init"),
);

/** Phrases that are too long to read, by their beginning. */
function longPhrases(pack: string): readonly string[] {
  const found: string[] = [];
  visit(parseDocument(readFileSync(join("rules", pack), "utf8")), {
    Pair(_, { key, value }, path) {
      const isLimit = isScalar(key) && key.value === "words" && path.length > 2;
      if (!isScalar(key) || !PHRASES.includes(String(key.value)) || isLimit) return;
      if (isMap(value) && key.value !== "words") return;
      visit(value as never, {
        Scalar(_, { value: text }) {
          if (typeof text === "string" && [...text].length > MOST) found.push(text.slice(0, 60));
        },
      });
    },
  });
  return found;
}

/** Each id of a map, with the packs that declare it. A pack that changes an entry of another one is no second declaration. */
function idsOf(map: "words" | "signals" | "rules"): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const pack of packs.filter((name) => !/[/\\]/.test(name))) {
    const declared = parse(readFileSync(join("rules", pack), "utf8"))[map] ?? {};
    for (const id of Object.keys(declared)) found.set(id, [...(found.get(id) ?? []), pack]);
  }
  return found;
}

describe("the built-in packs", () => {
  test.each(["words", "signals", "rules"] as const)("declare each of their %s once, so that none replaces another", (map) => {
    const ids = idsOf(map);
    expect(ids.size).toBeGreaterThan(50);
    expect([...ids].filter(([, names]) => names.length > 1)).toEqual([]);
  });
  test.each(packs)("have no phrase that is too long to read in %s", (pack) => {
    expect(longPhrases(pack)).toEqual([]);
  });
});
