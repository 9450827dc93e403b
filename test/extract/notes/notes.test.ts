import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { builtInRules, extract, readWorkspace } from "../../../src/index.js";
import { continueIn, inProject, linesOf, noSession } from "../../project.js";

interface NotesCase {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly sections: Readonly<Record<string, readonly string[]>>;
  readonly notices?: readonly string[];
}

const { rules } = builtInRules();
const cases = parse(readFileSync("test/fixtures/notes.yaml", "utf8")) as readonly NotesCase[];

describe("notes", () => {
  test.each(cases.map((one) => [one.title, one] as const))("%s", (_, { files, sections, notices }) => {
    const found = continueIn({ files }, rules);
    const ids = Object.keys(sections);
    expect(Object.fromEntries(ids.map((id) => [id, linesOf(found, id)]))).toEqual(sections);
    if (notices) expect(found.continuation.diagnostics.map(({ code }) => code)).toEqual(notices);
  });
});

describe("a file of notes that cannot be read", () => {
  const noticed = (make: (file: string, folder: string) => void) =>
    inProject({}, (folder) => {
      const project = join(folder, "project");
      mkdirSync(project);
      make(join(project, "SESSION.md"), folder);
      const workspace = readWorkspace(project, rules);
      const { diagnostics } = extract(noSession, rules, workspace).continuation;
      return { files: workspace.files, notices: diagnostics.map(({ code, source }) => [code, source]) };
    });
  const unread = { files: [], notices: [["notes-unread", "SESSION.md"]] };

  test("is named in a notice when it is a folder", () => {
    expect(noticed((file) => mkdirSync(file))).toEqual(unread);
  });

  test.skipIf(process.platform === "win32")("is named in a notice when it is a pipe", () => {
    expect(noticed((file) => execFileSync("mkfifo", [file]))).toEqual(unread);
  });

  test("is named in a notice when it is a link that leads out of the project", () => {
    const outside = (file: string, folder: string) => {
      writeFileSync(join(folder, "secret.md"), "Open Work: never");
      symlinkSync(join(folder, "secret.md"), file);
    };
    expect(noticed(outside)).toEqual(unread);
  });

  test("is not named when it is not there", () => {
    expect(noticed(() => undefined)).toEqual({ files: [], notices: [] });
  });
});

describe("notes for which there is no time", () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, index) => `- [ ] ${word} ${index}\n`).join("");
  const session = "Open Work: move the callers\nBlockers: CI lacks the key\n\n";
  const files = Array.from({ length: 14 }, (_, index) => ({
    path: `n${index}.md`,
    name: index === 0 ? "session" : `n${index}`,
    text: `${index === 0 ? session : ""}# Notes ${index}\n\n${lines(`part ${index}`)}`,
  }));
  const messages = [{ id: "m1", role: "user" as const, text: "Never touch the legacy folder.", toolCalls: [] }];
  const found = extract({ ...noSession, messages }, rules, { files, late: () => true });

  test("say what they say at their beginning, beside what the session says", () => {
    expect(linesOf(found, "objective")).toEqual(["Move the callers"]);
    expect(linesOf(found, "blockers")).toEqual(["Blockers: CI lacks the key"]);
    expect(found.continuation.items.map(({ text }) => text)).toContain("Never touch the legacy folder");
  });

  test("are named in notices with the number of characters that are not read", () => {
    const late = found.continuation.diagnostics.filter(({ code }) => code === "notes-late");
    expect(new Set(late.map(({ source }) => source))).toEqual(new Set(files.map(({ path }) => path)));
    for (const { path, text } of files.slice(1)) expect(late.find(({ source }) => source === path)?.count).toBe(text.length);
  });
});

test("a work item's files say what they say at their beginning when there is no time", () => {
  const tasks = Array.from({ length: 3_000 }, (_, index) => `- [ ] ${index + 1}. Port module ${index + 1}\n`).join("");
  const artifacts = [{ path: ".codex/specs/port/tasks.md", name: "tasks", text: tasks, modified: 0 }];
  const items = [{ workflow: "spec", name: "port", folder: ".codex/specs/port", artifacts }];
  const found = extract(noSession, rules, { files: [], items, late: () => true });
  expect(linesOf(found, "next")).toEqual(["Resume port in spec-execute: 1 — Port module 1."]);
  expect(found.continuation.diagnostics.map(({ code, source }) => [code, source])).toContainEqual([
    "notes-late",
    artifacts[0]?.path,
  ]);
});
