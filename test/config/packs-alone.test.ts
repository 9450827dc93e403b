import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { loadRulesFrom } from "../../src/rules/load-rules.js";

const packs = readdirSync("rules", { encoding: "utf8", recursive: true }).filter((name) =>
  /^(?:model\/)?[^/]+\.yaml$/.test(name),
);

test.each(packs)("a team can extend %s alone: it names nothing that it does not bring along", (name) => {
  expect(packs.length).toBeGreaterThan(10);
  expect(loadRulesFrom(resolve("rules", name)).diagnostics).toEqual([]);
});
