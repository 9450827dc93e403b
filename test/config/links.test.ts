// Links that come with a clone lead to nothing outside of it; those of workspaces and package managers lead on.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadRules, readWorkspace } from "../../src/index.js";

let folder: string;
let project: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-links-")));
  project = join(folder, "home/project");
  write("home/secret/pack.yaml", PACK);
  write("home/secret/notes.md", "- [ ] the secret\n");
  mkdirSync(join(project, ".git"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PACK = "compaction: 1\nname: p\nnothing: [the-secret]\ntemplates: { t: { file: notes.md } }\n";
function write(name: string, text: string) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
function link(name: string, target: string) {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  symlinkSync(target, join(project, name));
}
/** What is known of the pack, and what is said against it. */
function extended(entry: string, below = "") {
  write(join("home/project", below, ".compactionrc"), `extends: [${JSON.stringify(entry)}]\n`);
  const { packs, diagnostics } = loadRules(join(project, below));
  const text = [...packs.nothing, ...[...packs.templates.values()].map((one) => one.text)].join("\n");
  return { found: text.includes("secret"), said: diagnostics.map(({ code }) => code) };
}

describe("a package", () => {
  test.each([
    ["the root of all files", "x", "/", (at: string) => `x${at}/home/secret/pack.yaml`],
    ["a folder of the user's", "x", "../../secret", () => "x"],
    ["a folder of the user's, with a scope", "@a/x", "../../../secret", () => "@a/x/pack.yaml"],
    ["all scopes", "@a", "../..", () => "@a/secret"],
    ["a package that leads on", "x", "../y", () => "x"],
  ])("that is a link to %s is not read", (_, name, target, entry) => {
    link(`node_modules/${name}`, target);
    link("y", "../secret");
    expect(extended(entry(folder))).toEqual({ found: false, said: ["extends-reach"] });
  });

  test.each([
    ["whose folder of packages is a link", "node_modules", "../other", "x"],
    ["whose pack is a link", "node_modules/x/pack.yaml", "../../../secret/pack.yaml", "x"],
    ["that names a pack above", "unused", "nowhere", "z"],
  ])("%s is not read", (_, name, target, entry) => {
    write("home/other/x/pack.yaml", PACK);
    link(name, target);
    if (name !== "node_modules") write("home/project/node_modules/z/package.json", '{"compaction":"../../../secret/pack.yaml"}');
    expect(extended(entry)).toEqual({ found: false, said: ["extends-reach"] });
  });

  test("whose template is a link is read without it", () => {
    write("home/project/node_modules/x/pack.yaml", PACK.replace("the-secret", "tbd"));
    link("node_modules/x/notes.md", "../../../secret/notes.md");
    expect(extended("x")).toEqual({ found: false, said: ["template-reach"] });
  });

  test.each([
    ["a workspace's own", "node_modules/x", "../packages/x", "home/project/packages/x", ""],
    ["one of pnpm's", "node_modules/x", ".pnpm/x@1/node_modules/x", "home/project/node_modules/.pnpm/x@1/node_modules/x", "a/b"],
    ["one of pnpm's below", "a/node_modules/x", "../../node_modules/.pnpm/x", "home/project/node_modules/.pnpm/x", "a"],
    ["an installed one above the repository", "unused", "nowhere", "home/node_modules/x", "a"],
    ["a workspace's above the repository", "../node_modules/x", "../packages/x", "home/packages/x", "a"],
  ])("is read where it is %s", (_, name, target, real, below) => {
    write(`${real}/pack.yaml`, PACK);
    write(`${real}/notes.md`, "It is no secret.\n");
    link(name, target);
    for (const args of [["init"], ["add", "."]]) expect(spawnSync("git", args, { cwd: project }).status).toBe(0);
    expect(extended("x", below)).toEqual({ found: true, said: [] });
  });
});

test.each([".compactionrc", ".compactionrc.json", "below/.compactionrc"])(
  "a configuration %s that is a link is not read",
  (name) => {
    link(name, join(folder, "home/secret/pack.yaml"));
    const { packs, diagnostics } = loadRules(join(project, "below"));
    expect([packs.nothing.includes("the-secret"), diagnostics.map(({ code }) => code)]).toEqual([false, ["file-unreadable"]]);
  },
);

test("a configuration that is a link inside of the project is read", () => {
  write("home/project/etc/rc", "nothing: [tbd]\n");
  link(".compactionrc", "etc/rc");
  expect(loadRules(project).packs.nothing).toContain("tbd");
});

test.each([
  ["SESSION.md", "../secret/notes.md"],
  ["AGENTS.md", "../secret/notes.md"],
  ["specs", "../secret"],
  ["specs/one", "../../secret"],
  ["specs/one/notes.md", "../../../secret/notes.md"],
])("notes and work items are not read where %s is a link out of the project", (name, target) => {
  write(
    "home/project/.compactionrc",
    "workflows: { w: { title: W, folder: 'specs/{name}', artifacts: { notes: notes.md }, pick: [newest], stages: { s: { when: notes, say: {} } } } }\n",
  );
  if (name === "specs") write("home/secret/one/notes.md", "secret");
  link(name, target);
  const { rules } = loadRules(project);
  expect(JSON.stringify(readWorkspace(project, rules))).not.toContain("secret");
});
