import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMap, isScalar, parseDocument, visit } from "yaml";

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

describe("the built-in packs", () => {
  test.each(packs)("have no phrase that is too long to read in %s", (pack) => {
    expect(longPhrases(pack)).toEqual([]);
  });
});
