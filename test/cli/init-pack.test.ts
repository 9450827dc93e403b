// compaction init --pack: the package that it writes is one that a project can extend.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { extract, loadRules, loadRulesFrom } from "../../src/index.js";
import { says } from "../sample.js";
import { runInside } from "./run-command.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-package-"));
  mkdirSync(join(folder, ".git"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["acme", "compaction-rules-acme"],
  ["compaction-rules-acme", "compaction-rules-acme"],
  ["@shop/acme", "@shop/compaction-rules-acme"],
])("a package named %s can be extended from node_modules", async (given, name) => {
  const { exit, stderr } = await runInside(["init", "--pack", given], { cwd: folder, input: "", env: { HOME: folder } });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  const written = join(folder, "compaction-rules-acme");
  expect(loadRulesFrom(join(written, "rules/acme.yaml")).diagnostics).toEqual([]);

  const installed = join(folder, "node_modules", name);
  mkdirSync(dirname(installed), { recursive: true });
  renameSync(written, installed);
  writeFileSync(join(folder, ".compactionrc"), `extends: [compaction:recommended, "${name}"]\n`);
  const { rules, diagnostics } = loadRules(folder);
  expect(diagnostics).toEqual([]);
  const { items } = extract(says("ADR 7: use one queue for each tenant.", "user"), rules).continuation;
  const found = items.filter(({ evidence }) => evidence.rule === "acme-decision");
  expect(found).toMatchObject([{ kind: "decision", text: "use one queue for each tenant" }]);
});
