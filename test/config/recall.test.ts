import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadRules } from "../../src/index.js";
import { projectName } from "../../src/recall/machine.js";
import { storeName } from "../../src/recall/store.js";

let folder: string;
let project: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-recall-")));
  project = join(folder, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "settings"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function configured(own: string, users: string) {
  const file = join(folder, "settings/compaction-rules/config.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(project, ".compactionrc"), `extends: []\n${own}\n`);
  writeFileSync(file, `${users}\n`);
  const { recall, diagnostics } = loadRules(project);
  return { recall, findings: diagnostics.map(({ code, severity }) => `${severity} ${code}`) };
}
const STORE = "postgres://ann@db.example.com/team";

test.each([
  ["", "", {}],
  ["", "recall: on", { on: true }],
  ["", "recall: true", { on: true }],
  ["", "recall: off", { on: false }],
  ["", "recall: false", { on: false }],
  ["", `recall: { store: ${STORE} }`, { on: true, store: STORE }],
  ["", `recall: { use: off, store: ${STORE} }`, { on: false }],
  ["recall: off", `recall: { store: ${STORE} }`, { on: false }],
  ["recall: false", "recall: on", { on: false }],
  ["", "recall: { start: on }", { on: true, start: true }],
  ["", "recall: { start: off }", {}],
  ["", "recall: { use: off, start: on }", { on: false }],
  ["recall: { start: off }", "recall: { start: on }", { on: true }],
])("the project says %j and the user %j", (own, users, recall) => {
  expect(configured(own, users)).toEqual({ recall, findings: [] });
});

test("a project can only switch it off", () => {
  for (const own of ["recall: on", "recall: { start: on }"])
    expect(configured(own, "")).toEqual({ recall: {}, findings: ["warning unused-key"] });
  expect(configured(`recall: { store: ${STORE} }`, "")).toEqual({ recall: {}, findings: ["error file-reach"] });
  expect(configured(`recall: { store: ${STORE} }`, "recall: on").recall).toEqual({ on: true });
});

test("what is neither on nor off is an error", () => {
  expect(configured("", "recall: maybe").findings).toEqual(["error unknown-value"]);
  expect(configured("", "recall: { stor: x }").findings).toEqual(["error unknown-key"]);
});

test.each([
  ["postgres://ann:pa55@db.example.com/team", "postgres://ann@db.example.com/team"],
  ["postgresql://db:5432/team?password=pa55&sslmode=require", "postgresql://db:5432/team"],
  ["postgres://ann:pa55@/team?host=/run/pg", "postgres://ann@/team"],
  ["postgres://ann:pa55?@db/team", "the store"],
  ["postgres://ann:pa55/x@db/team", "the store"],
  ["postgres://ann:12?pa55@db/team", "the store"],
  ["pa55", "the store"],
])("of %s, this is shown: %s", (url, shown) => {
  expect(storeName(url)).toBe(shown);
});

test.each([
  ["git@git.example.com:acme/shop.git", "git.example.com/acme/shop"],
  ["https://git.example.com/acme/shop", "git.example.com/acme/shop"],
  ["https://ann:t0ken@Git.Example.com/acme/shop.git/", "git.example.com/acme/shop"],
  ["ssh://git@git.example.com:2222/acme/shop.git", "git.example.com/acme/shop"],
  ["/srv/git/shop.git", "shop"],
  ["", "shop"],
])("a clone of %j is the project %s", (url, name) => {
  const remote = url === "" ? "" : `[remote "origin"]\n\turl = ${url}\n\tfetch = x\n`;
  writeFileSync(
    join(project, ".git/config"),
    `[core]\n\tbare = false\n[remote "fork"]\n\turl = git@x:y/z.git\n${remote}[branch "main"]\n`,
  );
  expect(projectName(project)).toBe(name);
});
