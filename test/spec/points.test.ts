// Each point of the described systems has an input here. `ABOUT` lists those that only tell what others do or mean.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const POINTS: Readonly<Record<string, number>> = { S0: 47, S1: 31, S2: 18, S3: 40, S4: 18, X: 10 };
/** How other programs work today, ids of requirements, and what a test by nature cannot show. */
const ABOUT = ["S0-11", "S0-44", "S0-45", "S0-46", "X-7"];

test("every point is named by a case", () => {
  const texts = readdirSync("test/spec").map((name) => readFileSync(`test/spec/${name}`, "utf8"));
  const named = new Set(texts.flatMap((text) => text.match(/\b(?:S[0-4]|X)-\d+\b/g) ?? []));
  for (const [, group, from, to] of texts.join("\n").matchAll(/(S[0-4]|X)-(\d+) to (?:S[0-4]|X)-(\d+)/g))
    for (let at = Number(from); at <= Number(to); at++) named.add(`${group}-${at}`);
  const all = Object.entries(POINTS).flatMap(([group, count]) => Array.from({ length: count }, (_, at) => `${group}-${at + 1}`));
  expect(all.filter((point) => !named.has(point) && !ABOUT.includes(point))).toEqual([]);
});
