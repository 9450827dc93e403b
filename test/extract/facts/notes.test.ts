import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extract, type LoadedRules, loadRulesFrom } from "../../../src/index.js";
import { says } from "../../sample.js";

let folder: string;
let loaded: LoadedRules;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-notes-"));
  const pack = `compaction: 1
name: team
extends: [compaction:recommended]
rules:
  ticket: { emit: note, regex: '(?<text>[^.]*PAY-[0-9]+)', score: 0.99 }
  frozen: { emit: constraint, match: "freeze {text}", score: 0.99 }
`;
  writeFileSync(join(folder, "team.yaml"), pack);
  loaded = loadRulesFrom(join(folder, "team.yaml"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kindsIn = (text: string) =>
  extract(says(text, "user"), loaded.rules)
    .continuation.items.map(({ kind }) => kind)
    .filter((kind) => kind !== "goal")
    .sort();

test("a team's note takes nothing away when it fires on the words of a decision", () => {
  expect(loaded.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(kindsIn("We decided to use NATS for PAY-142.")).toEqual(["decision", "note"]);
});

test("two rules for the same words give one fact when neither gives a note", () => {
  expect(kindsIn("We decided to freeze the ledger.")).toEqual(["constraint"]);
});
