import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtInRules, loadRules, writeToSinks } from "../../src/index.js";
import { noteOf } from "../sinks/note.js";

let folder: string;
let project: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-sinks-")));
  project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function configured(sinks: string, below = "") {
  mkdirSync(join(project, below), { recursive: true });
  writeFileSync(join(project, below, ".compactionrc"), `extends: []\nsinks: ${sinks}\n`);
  const loaded = loadRules(join(project, below));
  return { sinks: loaded.sinks, findings: loaded.diagnostics.map(({ code, at }) => [code, at?.line, at?.column]) };
}

describe("sinks are off unless they are configured", () => {
  test("without a configuration, and without the key", () => {
    expect(builtInRules().sinks).toEqual({});
    expect(loadRules(project).sinks).toEqual({});
    expect(configured("{}")).toEqual({ sinks: {}, findings: [] });
  });
});

describe("the folder of notes", () => {
  test("is relative to the configuration, and stays in the project", () => {
    expect(configured("{ notes: { folder: notes/ai } }")).toEqual({
      sinks: { notes: { folder: join(project, "notes/ai"), project } },
      findings: [],
    });
    expect(configured("{ notes: { folder: ../notes } }", "packages/one").sinks).toEqual({
      notes: { folder: join(project, "packages/notes"), project },
    });
  });

  test("is the user's own where it begins with ~/ or is absolute", () => {
    expect(configured("{ notes: { folder: ~/vault/x } }").sinks).toEqual({ notes: { folder: join(homedir(), "vault/x") } });
    expect(configured(`{ notes: { folder: ${folder}/vault } }`).sinks).toEqual({ notes: { folder: join(folder, "vault") } });
    expect(configured(`{ notes: { folder: ${project}/vault } }`).sinks).toEqual({
      notes: { folder: join(project, "vault"), project },
    });
  });

  test("does not leave the project, neither by dots nor by a link", () => {
    expect(configured("{ notes: { folder: ../out } }")).toEqual({ sinks: {}, findings: [["file-reach", 2, 27]] });
    symlinkSync(folder, join(project, "out"));
    expect(configured("{ notes: { folder: out/x } }").findings).toEqual([["file-reach", 2, 27]]);
  });

  test.each([
    ["{ notes: off }", "wrong-type"],
    ["{ notes: {} }", "missing-key"],
    ["{ notes: { folder: '' } }", "wrong-type"],
    ["{ notes: { dir: a } }", "unknown-key"],
    ["{ mail: {} }", "unknown-key"],
  ])("%s is a finding", (sinks, code) => {
    expect(configured(sinks)).toMatchObject({ sinks: {}, findings: expect.arrayContaining([[code, 2, expect.any(Number)]]) });
  });
});

describe("the memory command", () => {
  test("is looked for, or named by a path of the user", () => {
    expect(configured("{ maenifold: true }")).toEqual({ sinks: { maenifold: {} }, findings: [] });
    expect(configured("{ maenifold: { command: ~/bin/m } }").sinks).toEqual({ maenifold: { command: join(homedir(), "bin/m") } });
    expect(configured(`{ maenifold: { command: ${folder}/m } }`).sinks).toEqual({ maenifold: { command: join(folder, "m") } });
  });

  test("is never a program of the project: a configuration comes with a clone", async () => {
    const evil = join(project, "evil");
    writeFileSync(evil, `#!/bin/sh\ntouch ${folder}/ran\n`);
    chmodSync(evil, 0o755);
    symlinkSync(evil, join(folder, "linked"));
    for (const command of ["./evil", "evil", evil, join(folder, "linked"), "../linked"]) {
      const { sinks, findings } = configured(`{ maenifold: { command: ${command} } }`);
      expect([sinks, findings], command).toEqual([{}, [["file-reach", 2, 32]]]);
      expect(await writeToSinks(noteOf("s"), sinks)).toEqual([]);
    }
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("is off with false, as where it is not named", () => {
    expect(configured("{ maenifold: false }")).toEqual({ sinks: {}, findings: [] });
  });

  test.each(["off", "yes", "1", "{ path: /x }"])("%s is a finding", (value) => {
    expect(configured(`{ maenifold: ${value} }`).findings).toHaveLength(1);
  });
});
