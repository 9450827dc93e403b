import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { builtInRules } from "../../src/index.js";
import { runScenario } from "./scenario.js";

const docs = async (files: Readonly<Record<string, string>> = {}) => {
  const given = new Map(Object.entries(files));
  const expected = { stdout: "", stderr: "", exit: 0 };
  const { stdout, stderr, exit } = await runScenario({ files: given, command: ["docs"], stdin: "", expected });
  expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
  return stdout;
};

/** What each heading of a reference is followed by. */
function blocksOf(text: string): ReadonlyMap<string, string> {
  const blocks = [...text.matchAll(/^## (.+)\n(?:(?!## |```)[^\n]*\n)*(`{3,})yaml\n([\s\S]*?)^\2$/gm)];
  return new Map(blocks.map(([, title = "", , yaml = ""]) => [title, yaml]));
}

describe("the reference of the built-in packs", () => {
  const { packs } = builtInRules();
  let text: string;
  let blocks: ReadonlyMap<string, string>;
  beforeAll(async () => {
    text = await docs();
    blocks = blocksOf(text);
  });
  const namesIn = (title: string) => Object.keys(parse(blocks.get(title) ?? "{}"));

  test("names every rule, below its kind", () => {
    const emitting = (kind: string) => [...packs.rules.values()].filter(({ value }) => value.emit === kind).map(({ id }) => id);
    for (const kind of ["decision", "constraint", "finding", "redact"])
      expect(namesIn(kind).sort()).toEqual(emitting(kind).sort());
    const kinds = [...new Set([...packs.rules.values()].map(({ value }) => value.emit as string))];
    expect(kinds.flatMap(namesIn)).toHaveLength(packs.rules.size);
  });

  test("names every entry of the other maps", () => {
    const titles = {
      Signals: "signals",
      Cues: "cues",
      Sections: "sections",
      Workflows: "workflows",
      Fragments: "words",
    } as const;
    for (const [title, map] of Object.entries(titles))
      expect(namesIn(title).sort(), title).toEqual([...packs[map].keys()].sort());
  });

  test("says what a pack says, with every phrase and example", () => {
    const said = parse(blocks.get("decision") ?? "")["decision-made"];
    const { examples = [], ...value } = packs.rules.get("decision-made")?.value ?? {};
    expect(said).toMatchObject(value);
    expect(said.examples.map((one: { text: string }) => one.text)).toEqual(examples.map((one) => one.text));
  });

  test("is the same each time", async () => expect(await docs()).toBe(text));
});

test("text that looks like Markdown, YAML or the end of a block stays what it is", async () => {
  const phrase = "````\n```\n## no heading | <b> {{rules}} # 'a': \"b\" \\";
  const rule = { emit: "note", match: "odd {text}", examples: [{ text: phrase, emits: "none" }] };
  const text = await docs({ ".compactionrc": JSON.stringify({ extends: [], rules: { odd: rule } }) });
  const { odd } = parse(blocksOf(text).get("note") ?? "");
  expect(odd.examples).toEqual([{ text: phrase, emits: "none" }]);
});
