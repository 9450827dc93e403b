import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Diagnostic, extract, type LoadedRules, loadRulesFrom, readSession, testExamples } from "../../src/index.js";
import { inProject } from "../project.js";

interface Sentence {
  readonly role: "user" | "assistant";
  readonly kind: string;
  readonly text: string;
  readonly about?: string;
}

const SENTENCES: Readonly<Record<string, readonly Sentence[]>> = parse(readFileSync("test/fixtures/languages.yaml", "utf8"));
const COUNTED = ["decision", "rejection", "constraint", "remaining", "done", "finding", "blocker"];

const load = (pack: string): LoadedRules =>
  inProject(
    { files: { "t.yaml": `compaction: 1\nname: t\nextends: [compaction:recommended, compaction:${pack}]\n` } },
    (folder) => loadRulesFrom(join(folder, "t.yaml")),
  );

/** What comes out of a sentence, said after a greeting: goals are found in any language. */
function factsOf({ rules }: LoadedRules, { role, text }: Sentence) {
  const messages = [
    { id: "m1", role: "user", text: "Hello." },
    { id: "m2", role, text },
  ];
  const { session } = readSession(messages.map((one) => JSON.stringify(one)).join("\n"), "s");
  return extract(session, rules).continuation.items.filter(({ kind }) => COUNTED.includes(kind));
}

describe.each(Object.entries(SENTENCES))("the pack for %s", (pack, sentences) => {
  const loaded = load(pack);

  test("holds all its examples, one of each sort for every rule", () => {
    expect(loaded.diagnostics).toEqual([]);
    const ids = [...readFileSync(`rules/${pack}.yaml`, "utf8").matchAll(/^ {2}([\w-]+):\n {4}emit:/gm)].map(([, id = ""]) => id);
    expect(ids.length).toBeGreaterThan(9);
    const found: readonly Diagnostic[] = testExamples(loaded.packs, loaded.rules, ids, true).diagnostics;
    expect(found).toEqual([]);
  });

  test("finds what is said plainly, and nothing where nothing is said", () => {
    const wrong = sentences.filter((sentence) => {
      const facts = factsOf(loaded, sentence);
      if (sentence.kind === "none") return facts.length > 0;
      return !facts.some(({ kind, text }) => kind === sentence.kind && text.includes(sentence.about ?? text));
    });
    expect(sentences).toHaveLength(40);
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(1);
  });

  test("makes no rule of what the assistant says", () => {
    const said = sentences.map((sentence) => ({ ...sentence, role: "assistant" as const }));
    const kinds = said.flatMap((sentence) => factsOf(loaded, sentence).map(({ kind }) => kind));
    expect(kinds).not.toContain("constraint");
  });
});
