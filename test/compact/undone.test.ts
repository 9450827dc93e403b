import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  builtInRules,
  type CompactOptions,
  carryCompactionState,
  compactSession,
  type Model,
  readSession,
  type Session,
  writeCompactionState,
} from "../../src/index.js";
import { readStanding } from "../../src/state/standing.js";
import { claudeCode, codex, type HostFile, pi, toLines } from "./host-files.js";

const loaded = builtInRules();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-undone-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const compact = (session: Session, options: Partial<CompactOptions> = {}) =>
  compactSession(session, { folder, loaded, stateFolder: folder, ...options });
const readFile = (file: HostFile) => readSession(file.text(), "name").session;
const rules = () => readStanding(folder, folder).map(({ item }) => item.text);

function scripted(answer: string): { readonly model: Model; readonly asked: string[] } {
  const asked: string[] = [];
  const model: Model = {
    name: "scripted",
    async *write(messages) {
      asked.push(messages.map(({ content }) => content).join("\n"));
      yield answer;
    },
  };
  return { model, asked };
}

const UNDONE = /tabs|Redis|queue/;

/** A session whose second turn is compacted with the first, and then undone. */
async function undone(file: HostFile, first: Partial<CompactOptions> = {}): Promise<void> {
  file.user("Never touch the legacy folder. Build a CSV importer in src/import.ts.");
  const mark = file.assistant("We decided to use SQLite for the cache because it needs no server.");
  file.user("From now on always use tabs for indentation.");
  file.assistant("We chose to use Redis for the queue instead of RabbitMQ.");
  file.edit("src/queue.ts");
  const { summary } = await compact(readFile(file), first);
  expect(summary).toMatch(UNDONE);
  file.goBack(mark, 1);
  file.user("Please write the tests in test/import.test.ts next.");
  file.assistant("I will write them.");
}

describe.each([["claude-code", claudeCode] as const, ["codex", codex] as const, ["pi", pi] as const])(
  "turns that were undone in %s",
  (_, create) => {
    test("are in no later summary, and their rules are no longer the project's", async () => {
      const file = create();
      await undone(file);
      expect(rules()).toHaveLength(2);
      const { summary, round } = await compact(readFile(file));
      expect(round).toBe(2);
      expect(summary).not.toMatch(UNDONE);
      expect(summary).toContain("Never touch the legacy folder");
      expect(rules()).toEqual([expect.stringContaining("legacy")]);
    });

    test("are not given to a model, nor is a summary that tells of them", async () => {
      const file = create();
      await undone(file, { model: scripted("The queue moves to Redis.").model });
      const { model, asked } = scripted("The importer needs tests.");
      await compact(readFile(file), { model });
      expect(asked[0]).not.toMatch(UNDONE);
      expect(asked[0]).not.toContain("<previous-summary>");
      expect(asked[0]).toContain("[user]\nNever touch the legacy folder. Build a CSV importer");
      // The summary of this round tells of nothing that was undone.
      file.user("Now the documentation.");
      await compact(readFile(file), { model });
      expect(asked[1]).toContain("<previous-summary>\nThe importer needs tests.");
      expect(asked[1]).not.toContain("[user]\nNever touch the legacy folder. Build a CSV importer");
    });

    test("leave alone a summary that was written before them", async () => {
      const file = create();
      file.user("Build a CSV importer.");
      const mark = file.assistant("Building.");
      await compact(readFile(file), { model: scripted("An importer is built.").model });
      file.user("Move the queue to Redis.");
      file.edit("src/queue.ts");
      await compact(readFile(file));
      file.goBack(mark, 1);
      file.user("Write the tests.");
      const { model, asked } = scripted("Tests.");
      await compact(readFile(file), { model });
      expect(asked[0]).toContain("<previous-summary>\nAn importer is built.");
      expect(asked[0]).not.toMatch(UNDONE);
    });

    test("cannot be told from lost ones where a line of the file is broken, or its beginning is missing", async () => {
      const file = create();
      await undone(file);
      const torn = readSession(`${file.text()}{"type":"us`, "name");
      const cut = readSession(toLines(file.records.slice(2)), "name");
      for (const { session } of [torn, cut]) {
        expect(session.whole ?? false).toBe(false);
        expect((await compact({ ...session, id: "s-1" })).summary).toMatch(/tabs/);
      }
      // As soon as all can be read they are gone.
      expect((await compact(readFile(file))).summary).not.toMatch(UNDONE);
    });
  },
);

test("what a program handed over was not undone, though no message says it", async () => {
  const old = claudeCode();
  old.user("Never touch the legacy folder.");
  old.edit("src/old.ts");
  await compact({ ...readFile(old), id: "s-0" });
  carryCompactionState("s-0", "s-1", folder);
  const file = claudeCode();
  file.user("Build the importer.");
  for (let round = 0; round < 2; round++)
    expect((await compact(readFile(file))).summary).toContain("Never touch the legacy folder");
  writeCompactionState("s-2", { lastSummary: "Old.", readFiles: [], modifiedFiles: ["src/given.ts"] }, folder);
  for (let round = 0; round < 2; round++)
    expect((await compact({ ...readFile(file), id: "s-2" })).state.modifiedFiles).toEqual(["src/given.ts"]);
});

test("forgets nothing of a session that may be incomplete", async () => {
  const neutral = (...texts: readonly string[]) =>
    readSession(JSON.stringify({ id: "n", messages: texts.map((text) => ({ id: text, role: "user", text })) }), "name").session;
  await compact(neutral("Never touch the legacy folder.", "Go on."));
  expect((await compact(neutral("Go on."))).summary).toContain("Never touch the legacy folder");
});

test("a message that has grown since is not undone", async () => {
  const head = { type: "session_meta", payload: { id: "s-1", source: "cli" } };
  const said = (id: string, role: string, text: string) => ({
    ...{ type: "response_item", payload: { type: "message", id, role, content: [{ type: "output_text", text }] } },
  });
  const call = { type: "response_item", payload: { type: "function_call", name: "exec", arguments: "{}", call_id: "c" } };
  const records = [head, said("a", "user", "Build it."), said("b", "assistant", "Building.")];
  const read = () => readSession(toLines(records), "name").session;
  await compact(read(), { model: scripted("One.").model });
  records.push(call as never, said("c", "user", "Go on."));
  const { model, asked } = scripted("Two.");
  await compact(read(), { model });
  expect(asked[0]).toContain("<previous-summary>\nOne.");
  expect(asked[0]).toContain("[assistant]\nBuilding.");
  expect(asked[0]).not.toContain("[user]\nBuild it.");
});
