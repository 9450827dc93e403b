import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { builtInRules, extract, readWorkspace } from "../../src/index.js";
import { continueIn, inProject, linesOf, noSession } from "../project.js";

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
