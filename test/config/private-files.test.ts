// Files of the user's that a project must not make public: what git does not track, hidden files, data that is no pack.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { report, textsOf } from "../../src/cli/output/report.js";
import { loadRules, readWorkspace } from "../../src/index.js";

const SECRET = "hunter2-of-mine";
let folder: string;
let project: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-private-")));
  project = join(folder, "project");
  write("project/README.md", "Hello.");
  git("init", "-q");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: project, stdio: "ignore" });

/** What the configuration makes of the template, and everything that is said about it. */
function loaded(config: string, at = project) {
  writeFileSync(join(at, ".compactionrc"), config);
  const rules = loadRules(at);
  const said = report(rules.diagnostics, "pretty", textsOf([rules]));
  return { text: rules.rules.templates.get("brief")?.text ?? "", codes: rules.diagnostics.map(({ code }) => code), said };
}
const brief = (file: string) => `templates: { brief: { file: ${file} } }\n`;

describe("a template is not read", () => {
  test.each([
    ["a hidden file", ".env", "is not a .md"],
    ["git's own settings", ".git/config", "is not a .md"],
    ["a hidden text", ".notes.md", "is hidden"],
    ["a text in a hidden folder", ".private/notes.md", "is hidden"],
    ["data", "keys.json", "is not a .md"],
    ["a text that git does not track", "passwords.txt", "git add passwords.txt"],
    ["a text that git ignores", "private/diary.md", "git add private/diary.md"],
  ])("if it is %s", (_, name, said) => {
    write(`project/${name}`, SECRET);
    write("project/.gitignore", "private\n.env\n");
    const found = loaded(brief(name));
    expect(found.text).not.toContain(SECRET);
    expect(found.codes).toEqual(["template-reach"]);
    expect(found.said).toContain(said);
    expect(found.said).not.toContain(SECRET);
  });

  test.each([
    ["a text that git does not track", "private.md"],
    ["a hidden file", ".env"],
  ])("if it is a tracked link to %s", (_, target) => {
    write(`project/${target}`, SECRET);
    symlinkSync(target, join(project, "brief.md"));
    git("add", "brief.md");
    const found = loaded(brief("brief.md"));
    expect([found.codes, found.text.includes(SECRET)]).toEqual([["template-reach"], false]);
  });

  test("if git tracks nothing yet, or its index is unreadable", () => {
    write("project/brief.md", SECRET);
    expect(loaded(brief("brief.md")).codes).toEqual(["template-reach"]);
    write("project/.git/index", "broken");
    expect(loaded(brief("brief.md")).codes).toEqual(["template-reach"]);
  });

  test("if a package is a link to a folder of the project that git does not track", () => {
    write("project/private/pack.yaml", `compaction: 1\nname: p\n${brief("diary.md")}`);
    write("project/private/diary.md", SECRET);
    mkdirSync(join(project, "node_modules"));
    symlinkSync("../private", join(project, "node_modules/p"));
    expect(loaded("extends: [compaction:recommended, p]\n").codes).toEqual(["template-reach"]);
  });
});

describe("a template is read", () => {
  test.each(["docs/brief.md", "brief.txt", "brief.mustache"])("if git tracks it: %s", (name) => {
    write(`project/${name}`, "Ours.");
    git("add", name);
    expect(loaded(brief(name))).toMatchObject({ text: "Ours.", codes: [] });
  });

  test("if git tracks it in another working tree", () => {
    write("project/brief.md", "Ours.");
    git("add", "brief.md");
    git("commit", "-qm", "a");
    git("worktree", "add", "-q", "../other");
    expect(loaded(brief("brief.md"), join(folder, "other"))).toMatchObject({ text: "Ours.", codes: [] });
  });

  test("if it is in an installed package", () => {
    write("project/node_modules/p/pack.yaml", `compaction: 1\nname: p\n${brief("brief.md")}`);
    write("project/node_modules/p/brief.md", "Ours.");
    expect(loaded("extends: [compaction:recommended, p]\n")).toMatchObject({ text: "Ours.", codes: [] });
  });

  test("if there is no repository, unless it is hidden or no text", () => {
    write("plain/brief.md", "Ours.");
    write("plain/.env", SECRET);
    const plain = join(folder, "plain");
    expect(loaded(brief("brief.md"), plain)).toMatchObject({ text: "Ours.", codes: [] });
    expect(loaded(brief(".env"), plain).codes).toEqual(["template-reach"]);
  });
});

test.each([
  ["values", `password: ${SECRET}\n`],
  ["names", `{ "${SECRET}": true }`],
  ["broken data", `a: [${SECRET}\n  b: *${SECRET}\n`],
  ["a name that appears twice", `${SECRET}: 1\n${SECRET}: 2\n`],
])("nothing is shown of a file that is extended and is no pack: %s", (_, text) => {
  write("project/secrets.yaml", text);
  const found = loaded("extends: [./secrets.yaml]\n");
  expect(found.codes).toEqual(["missing-key"]);
  expect(found.said).toContain("write compaction: 1");
  expect(found.said).not.toContain(SECRET);
});

test.each([".env", "keys.yaml", ".git/config", "id_rsa"])("%s is not read as notes", (path) => {
  write(`project/${path}`, `# Notes\n\n- ${SECRET}\n`);
  write("project/.compactionrc", `files: { ours: ${path} }\n`);
  const { rules, diagnostics } = loadRules(project);
  expect(diagnostics.map(({ code }) => code)).toEqual(["file-reach"]);
  expect(JSON.stringify(readWorkspace(project, rules))).not.toContain(SECRET);
  symlinkSync(path, join(project, "SESSION.md"));
  expect(JSON.stringify(readWorkspace(project, rules))).not.toContain(SECRET);
});

test.each(["NOTES.md", "notes.mdx", "notes.markdown", "notes.txt", "notes.json", ".cursorrules"])(
  "%s is read as notes",
  (path) => {
    write(`project/${path}`, "# Notes\n\n- Use tabs.\n");
    write("project/.compactionrc", `files: { ours: ${path} }\n`);
    const { rules, diagnostics } = loadRules(project);
    expect(diagnostics).toEqual([]);
    expect(JSON.stringify(readWorkspace(project, rules))).toContain("Use tabs.");
  },
);
