import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { builtInRules, type LoadedRules, loadRules } from "../../src/index.js";
import { writeToSinks } from "../../src/sinks/index.js";
import { noteOf } from "../sinks/note.js";

let folder: string;
let project: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-sinks-")));
  project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "settings"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const told = ({ sinks, diagnostics }: LoadedRules) => ({
  sinks,
  findings: diagnostics.map(({ code, at }) => [code, at?.line, at?.column]),
});
function configured(sinks: string, below = "") {
  mkdirSync(join(project, below), { recursive: true });
  writeFileSync(join(project, below, ".compactionrc"), `extends: []\nsinks: ${sinks}\n`);
  return told(loadRules(join(project, below)));
}
const settings = () => join(folder, "settings/compaction-rules/config.yaml");
/** As the user configures it, for all projects. */
function users(text: string) {
  mkdirSync(dirname(settings()), { recursive: true });
  writeFileSync(settings(), text);
  return told(loadRules(project));
}

describe("sinks are off unless they are configured", () => {
  test("without a configuration, and without the key", () => {
    expect(builtInRules().sinks).toEqual({});
    expect(loadRules(project).sinks).toEqual({});
    expect(configured("{}")).toEqual({ sinks: {}, findings: [] });
  });
});

describe("a project", () => {
  test("names a folder inside of itself, relative to its configuration", () => {
    expect(configured("{ notes: { folder: notes/ai } }")).toEqual({
      sinks: { notes: { folder: join(project, "notes/ai"), project } },
      findings: [],
    });
    expect(configured("{ notes: { folder: ../notes } }", "packages/one").sinks).toEqual({
      notes: { folder: join(project, "packages/notes"), project },
    });
    expect(configured("{ notes: { folder: . } }").sinks).toEqual({ notes: { folder: project, project } });
  });

  test.each([
    "~/vault/x",
    "~/.config/git",
    "/var/x",
    "../out",
    "out/x",
    "outside",
    ".git",
    ".git/hooks",
    ".GIT/hooks",
    "a/../.git/hooks",
    ".github/workflows",
    "packages/one/.git",
    "node_modules/x",
    "Node_Modules",
    "hooks",
    "hooks/below",
  ])("names no other: %s", async (name) => {
    symlinkSync(folder, join(project, "out"));
    symlinkSync(".git/hooks", join(project, "hooks"));
    symlinkSync("../elsewhere", join(project, "outside"));
    for (const place of ["elsewhere", "project/.git/hooks"]) mkdirSync(join(folder, place));
    const { sinks, findings } = configured(`{ notes: { folder: ${name} } }`);
    expect([sinks, findings]).toEqual([{}, [["file-reach", 2, 27]]]);
    // Nor is it written there where a program says so.
    const notes = { folder: join(project, name), project };
    if (/^[^~/]/.test(name)) expect(await writeToSinks(noteOf("s"), { notes })).toMatchObject([{ ok: false, level: "warn" }]);
  });

  test.each([
    ["config", "config.md"],
    ["package.json", "package.json.md"],
    ["../.git/hooks/pre-commit", "git-hooks-pre-commit.md"],
    [".compactionrc", "compactionrc.md"],
    ["README.md", "README-2.md"],
  ])("writes Markdown, and over nothing: %s", async (file, written) => {
    writeFileSync(join(project, "README.md"), "mine");
    const { sinks } = configured("{ notes: { folder: . } }");
    const before = readdirSync(project);
    await writeToSinks({ text: "x", store: { file, tags: [] } }, sinks);
    expect(readdirSync(project).filter((name) => !before.includes(name))).toEqual([written]);
  });

  test.each(["true", "{ command: ~/bin/m }", "{ command: /bin/touch }", "{ command: ./evil }", "{}"])(
    "runs no program: maenifold: %s",
    async (value) => {
      const { sinks, findings } = configured(`{ maenifold: ${value} }`);
      expect([sinks, findings]).toEqual([{}, [["file-reach", 2, 21]]]);
      expect(await writeToSinks(noteOf("s"), sinks)).toEqual([]);
    },
  );

  test("names neither in a pack that it extends", () => {
    writeFileSync(join(project, "pack.yaml"), "compaction: 1\nname: p\nsinks: { notes: { folder: notes }, maenifold: true }\n");
    writeFileSync(join(project, ".compactionrc"), "extends: [./pack.yaml]\n");
    expect(told(loadRules(project))).toMatchObject({ sinks: {}, findings: [["unknown-key", 3, 1]] });
  });

  test.each([
    ["{ notes: off }", "wrong-type"],
    ["{ notes: {} }", "missing-key"],
    ["{ notes: { folder: '' } }", "wrong-type"],
    ["{ notes: { dir: a } }", "unknown-key"],
    ["{ mail: {} }", "unknown-key"],
    ["{ maenifold: off }", "wrong-type"],
    ["{ maenifold: { path: /x } }", "unknown-key"],
  ])("%s is a finding", (sinks, code) => {
    expect(configured(sinks)).toMatchObject({ sinks: {}, findings: expect.arrayContaining([[code, 2, expect.any(Number)]]) });
  });

  test("switches off what is off in any case", () => {
    expect(configured("{ maenifold: false }")).toEqual({ sinks: {}, findings: [] });
  });
});

describe("the user's own settings", () => {
  test("name folders and programs, with a configuration of the project's and without", () => {
    const notes = { folder: join(homedir(), "vault/x") };
    expect(users("sinks: { notes: { folder: ~/vault/x }, maenifold: true }\n")).toEqual({
      sinks: { notes, maenifold: {} },
      findings: [],
    });
    expect(configured("{}").sinks).toEqual({ notes, maenifold: {} });
    expect(configured("{ notes: { folder: notes } }").sinks).toEqual({
      notes: { folder: join(project, "notes"), project },
      maenifold: {},
    });
    const command = join(folder, "m");
    expect(users(`sinks: { notes: { folder: ${folder} }, maenifold: { command: ${command} } }\n`).sinks).toMatchObject({
      maenifold: { command },
    });
    expect(users("sinks: { maenifold: { command: ~/bin/m } }\n").sinks).toMatchObject({
      maenifold: { command: join(homedir(), "bin/m") },
    });
  });

  test("name nothing that depends on the folder that one is in", () => {
    expect(users("sinks: { notes: { folder: notes }, maenifold: { command: bin/m } }\n")).toEqual({
      sinks: {},
      findings: [
        ["file-reach", 1, 27],
        ["file-reach", 1, 58],
      ],
    });
    vi.stubEnv("XDG_CONFIG_HOME", "settings");
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    users("sinks: { maenifold: true }\n");
    expect(existsSync(settings())).toBe(true);
    expect(loadRules(project).sinks).toEqual({});
    vi.restoreAllMocks();
  });

  test.each([
    ["sinks: { maenifold: true }\nenabled: false\n", { maenifold: {} }, [["unused-key", 2, 1]]],
    ["sink: {}\n", {}, [["unknown-key", 1, 1]]],
    ["sinks: [\n", {}, [["yaml-syntax", 2, 1]]],
    ["$import: ./evil.cjs\n", {}, [["config-import", 1, 1]]],
  ])("are checked: %j", (text, sinks, findings) => {
    expect(users(text)).toEqual({ sinks, findings });
    expect(loadRules(project).enabled).toBe(true);
  });
});
