import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { loadRulesFrom } from "../../src/rules/load-rules.js";

const packs = readdirSync("rules", { encoding: "utf8", recursive: true }).filter((name) =>
  /^(?:model\/)?[^/]+\.yaml$/.test(name),
);

test.each(packs)("%s works when a team extends it alone", (name) => {
  expect(packs.length).toBeGreaterThan(10);
  expect(loadRulesFrom(resolve("rules", name)).diagnostics).toEqual([]);
});
