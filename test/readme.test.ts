import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { extract, lintPacks, loadRulesFrom, testExamples } from "../src/index.js";
import { runScenario } from "./cli/scenario.js";

const readme = readFileSync("README.md", "utf8");
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map((match) => match[1] as string);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-readme-"));
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, "handover.md"), "{{#decisions}}{{text}}{{/decisions}}");
  writeFileSync(join(folder, "team.yaml"), "compaction: 1\nname: team\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(name: string, text: string) {
  writeFileSync(join(folder, name), text);
  const { packs, rules, diagnostics } = loadRulesFrom(join(folder, name));
  expect([...diagnostics, ...lintPacks(packs), ...testExamples(packs, rules, [], true).diagnostics]).toEqual([]);
}

describe("what the README shows is true", () => {
  test("the first rule, and what it yields", () => {
    const [rule = ""] = blocks("yaml");
    const pack = `compaction: 1\nname: first\n${rule}`;
    check("first.yaml", pack);
    const [console = ""] = blocks("console");
    const [, said = "", options = "", output] = /^\$ echo '(.*)' \| compaction (.*)\n([\s\S]*)$/.exec(console) ?? [];
    const files = new Map([
      [".compactionrc", "extends: [./first.yaml]\n"],
      ["first.yaml", pack],
    ]);
    const outcome = runScenario({
      files,
      command: options.split(" "),
      stdin: `${said}\n`,
      expected: { stdout: "", stderr: "", exit: 0 },
    });
    expect(outcome).toEqual({ stdout: output, stderr: "", exit: 0 });
  });

  test("the pack", () => check("pack.yaml", blocks("yaml").find((text) => text.includes("compaction: 1")) ?? ""));

  test("the workflow", () => check("recipes.yaml", blocks("yaml").find((text) => text.includes("workflows:")) ?? ""));

  test("options, and what comes of them", () => {
    const example = blocks("yaml").find((text) => text.startsWith("options:")) ?? "!";
    check(".compactionrc", example);
    const { rules } = loadRulesFrom(join(folder, ".compactionrc"));
    const [, offer = "", answer = "", decided, rejected] =
      /After "(.*)" the answer "(.*)" makes "(.*)" a decision and "(.*)" a\nrejection/.exec(readme) ?? [];
    const messages = [offer, answer].map((text, index) => ({
      id: `m${index}`,
      role: index === 0 ? ("assistant" as const) : ("user" as const),
      text,
      toolCalls: [],
    }));
    const { items } = extract({ id: "s", format: "neutral", messages }, rules).continuation;
    expect(items.map(({ kind, text, evidence }) => [kind, text, evidence.rule])).toEqual([
      ["rejection", rejected, "options:german"],
      ["decision", decided, "options:german"],
    ]);
  });

  test("frames", () => check(".compactionrc", blocks("yaml").find((text) => text.startsWith("frames:")) ?? "!"));

  test("the configuration", () => check(".compactionrc", blocks("yaml").find((text) => text.includes("budget")) ?? ""));

  test("compaction as a library", async () => {
    const example = blocks("ts").find((text) => text.includes("compactWhenFull")) ?? "";
    const [, first, second] = /^It prints `(.*)`, then `(.*)`:/m.exec(readme) ?? [];
    writeFileSync(join(folder, "example.ts"), example.replace("compaction-rules", join(process.cwd(), "src/index.ts")));
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      await import(join(folder, "example.ts"));
      expect(log.mock.calls.map((words) => words.join(" "))).toEqual([first, second]);
    } finally {
      log.mockRestore();
    }
  });

  test("every command and built-in pack that it names is there", () => {
    const { stdout } = runScenario({
      files: new Map(),
      command: ["--help"],
      stdin: "",
      expected: { stdout: "", stderr: "", exit: 0 },
    });
    for (const [, command] of readme.matchAll(/^(?:.*\| )?compaction (\w+) /gm)) expect(stdout).toContain(`  ${command} `);
    const [, names = ""] = /Built-in packs: ([\s\S]*?)They are/.exec(readme) ?? [];
    for (const [, name] of names.matchAll(/`(\w+)`/g)) expect(() => readFileSync(`rules/${name}.yaml`)).not.toThrow();
  });
});
