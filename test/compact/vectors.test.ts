import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  builtInRules,
  type CompactionState,
  compactSession,
  type Message,
  type Model,
  readCompactionState,
  type Session,
  toPrompt,
  writeCompactionState,
} from "../../src/index.js";

const load = (name: string) => JSON.parse(readFileSync(`test/vectors/${name}.json`, "utf8"));
const { rulings } = load("rulings") as { rulings: Record<string, Record<string, string>> };
const loaded = builtInRules();

interface Block {
  readonly type: string;
  readonly name: string;
  readonly arguments: unknown;
}
interface Round {
  readonly messages: readonly { readonly role: "assistant"; readonly content: readonly Block[] }[];
  readonly llmText: string;
  readonly customInstructions?: string;
}
interface Expected {
  readonly error?: string;
  readonly prompt: { readonly base: "initial" | "update"; readonly previousBlock: string; readonly suffix: string };
  readonly summary: string;
  readonly state: CompactionState;
}
interface Vector {
  readonly id: string;
  readonly input: { readonly prevState: CompactionState | null; readonly rounds: readonly Round[] };
  readonly expected: readonly Expected[];
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-merge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const says = (text: string): Model => ({
  name: "scripted",
  async *write() {
    yield text;
  },
});

const prompts = new Map((load("prompts").vectors as readonly { id: string; text: string }[]).map(({ id, text }) => [id, text]));

describe("prompts", () => {
  test("the file is whole, and no ruling changes it", () => {
    expect(prompts.size).toBe(load("prompts").count);
    expect(rulings.prompts).toBeUndefined();
  });

  test("SUMMARIZATION_PROMPT", () => expect(toPrompt({}, loaded.rules)).toBe(prompts.get("SUMMARIZATION_PROMPT")));

  test("UPDATE_SUMMARIZATION_PROMPT", () =>
    expect(toPrompt({ previous: "S" }, loaded.rules)).toBe(
      `${prompts.get("UPDATE_SUMMARIZATION_PROMPT")}\n\n<previous-summary>\nS\n</previous-summary>`,
    ));

  // The prompts of frames are theirs.
  test.each([
    ["FRAME_COMPLETION_PROMPT", "frame-completion"],
    ["OVERFLOW_CONTINUATION_PROMPT", "frame-continuation"],
  ])("%s", (id, name) => {
    const template = loaded.rules.templates.get(name);
    expect(template?.text).toBe(prompts.get(id)?.replace("{frame.goal}", "{{frame.goal}}"));
  });

  test("a focus stands behind either", () => {
    expect(toPrompt({ focus: "auth" }, loaded.rules)).toBe(`${prompts.get("SUMMARIZATION_PROMPT")}\n\nAdditional focus: auth`);
    expect(toPrompt({ previous: "S", focus: "auth" }, loaded.rules)).toMatch(/<\/previous-summary>\n\nAdditional focus: auth$/);
  });
});

describe("merge", () => {
  const { vectors, count } = load("merge") as { vectors: readonly Vector[]; count: number };
  // The lists are parsed out of the previous summary and rebuilt once.
  const ruled: Readonly<Record<string, (rounds: readonly Expected[]) => readonly Expected[]>> = {
    "m07-xml-in-summary": ([first, second]) => {
      const summary = "copied\n\n<read-files>\n/a\n</read-files>";
      return [
        first as Expected,
        { ...(second as Expected), summary, state: { ...(second as Expected).state, lastSummary: summary } },
      ];
    },
    "m12-prev-only": ([only]) => {
      const lists = "<read-files>\n/a\n</read-files>\n\n<modified-files>\n/b\n</modified-files>";
      const previousBlock = `\n\n<previous-summary>\nS1\n\n${lists}\n</previous-summary>`;
      return [{ ...(only as Expected), prompt: { ...(only as Expected).prompt, previousBlock } }];
    },
  };

  test("the file is whole, and every ruling has its answer here", () => {
    expect(vectors).toHaveLength(count);
    expect(Object.keys(rulings.merge ?? {})).toEqual(Object.keys(ruled));
  });

  const toSession = (rounds: readonly Round[]): Session => ({
    id: "ses_1",
    format: "test",
    messages: rounds.flatMap(({ messages }, round) =>
      messages.map(({ role, content }, index): Message => {
        const calls = content.filter(({ type }) => type === "toolCall");
        const toolCalls = calls.map((call) => ({ name: call.name, input: call.arguments, output: "" }));
        return { id: `${round}-${index}`, role, text: "", toolCalls };
      }),
    ),
  });

  // A host may go on in the same session, or begin a new one after each compaction.
  describe.each([
    ["the session grows", 0],
    ["the host keeps only what is new", 1],
  ])("%s", (_, fromLast) => {
    test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", async (id, { input, expected }) => {
      if (input.prevState) writeCompactionState("ses_1", input.prevState, folder);
      const wanted = ruled[id]?.(expected) ?? expected;
      expect(wanted).toHaveLength(input.rounds.length);
      for (const [index, { llmText, customInstructions }] of input.rounds.entries()) {
        const { error, prompt, summary, state } = wanted[index] as Expected;
        const whole = toSession(input.rounds.slice(0, index + 1));
        const session = { ...whole, messages: whole.messages.filter(({ id }) => !fromLast || id.startsWith(`${index}-`)) };
        const before = readCompactionState("ses_1", folder);
        const made = compactSession(session, {
          folder,
          alone: true,
          loaded,
          stateFolder: folder,
          model: says(llmText),
          ...(customInstructions !== undefined && { focus: customInstructions }),
        });
        if (error !== undefined) {
          await expect(made).rejects.toMatchObject({ code: "empty", message: expect.stringContaining(error) });
          expect(readCompactionState("ses_1", folder)).toEqual(before);
          continue;
        }
        const compacted = await made;
        const base = prompts.get(prompt.base === "initial" ? "SUMMARIZATION_PROMPT" : "UPDATE_SUMMARIZATION_PROMPT");
        expect(compacted.prompt).toBe(`${base}${prompt.previousBlock}${prompt.suffix}`);
        expect(compacted.summary).toBe(summary);
        expect(compacted.state).toEqual(state);
        expect(readCompactionState("ses_1", folder)).toEqual(state);
      }
    });
  });
});
