// The samples of the pages, as a user's project compiles and bundles them: with the published types, and with esbuild.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const PAGES = ["README.md", ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))];
const samples = PAGES.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/^```ts title="([^"]+)"\n([\s\S]*?)^```$/gm)].map(([, title = "", text = ""]) => ({
    name: `${page.replace(/\W/g, "-")}-${title}`,
    title,
    text,
  })),
);

/** A project that has installed the package and Node's types. */
let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "compaction-samples-"));
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  symlinkSync(resolve("."), join(project, "node_modules/compaction-rules"));
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(resolve("node_modules", name), join(project, "node_modules", name));
  for (const { name, text } of samples) writeFileSync(join(project, name), text);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test("every sample compiles with tsc --strict against the published types", { timeout: 120_000 }, () => {
  expect(samples.map(({ title }) => title)).toEqual(expect.arrayContaining(["brief.mts", "repair.mts", "agent.mts"]));
  const compiler = ts.createProgram(
    samples.map(({ name }) => join(project, name)),
    {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      preserveSymlinks: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(project, "node_modules/@types")],
    },
  );
  const found = ts.getPreEmitDiagnostics(compiler).map(({ file, messageText }) => {
    return `${file?.fileName.slice(project.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(found).toEqual([]);
});

describe("a program that esbuild bundles runs in a folder without packages", () => {
  const SESSION = "**User:** Speed up the *search*. Never change the index format. See [[Plan]].\n\n**Assistant:** `ls; rm -r a`";
  const PROGRAM = `
    import { audit, extract, loadRules, readSession, render, repair } from "compaction-rules";
    import { chooseLifecycle } from "compaction-rules/lifecycle";
    import { NO_FRAMES } from "compaction-rules/frames";
    import { writeToSinks } from "compaction-rules/sinks";
    const { rules, diagnostics, file } = loadRules(process.cwd());
    const extraction = extract(readSession(${JSON.stringify(SESSION)}, "s").session, rules);
    const get = (name) => rules.templates.get(name);
    console.log(JSON.stringify({
      brief: render(extraction, get("brief"), rules).text,
      repaired: repair(extraction, "Nothing.", get("repair"), rules).summary,
      verdicts: audit(extraction.continuation, "Nothing.", { rules }).verdicts.length,
      found: [diagnostics, file !== undefined, rules.rules.length > 20, typeof writeToSinks, typeof NO_FRAMES],
      lifecycle: chooseLifecycle(rules)?.name,
    }));`;

  test.each(["esm", "cjs"] as const)("as %s", { timeout: 120_000 }, async (format) => {
    const outfile = join(project, `bundled/program.${format === "esm" ? "mjs" : "cjs"}`);
    const stdin = { contents: PROGRAM, resolveDir: project };
    await build({ stdin, bundle: true, platform: "node", format, outfile, logLevel: "error" });
    const empty = mkdtempSync(join(tmpdir(), "compaction-bundle-"));
    try {
      const moved = join(empty, outfile.slice(outfile.lastIndexOf("/") + 1));
      writeFileSync(moved, readFileSync(outfile));
      writeFileSync(join(empty, ".compactionrc"), "budget: { brief: 300 }\n");
      const bundled = JSON.parse(execFileSync(process.execPath, [moved], { cwd: empty, encoding: "utf8" }));
      expect(bundled.brief).toContain("Rule: Never change the index format.");
      expect(bundled.repaired).toContain("<carried-facts>");
      expect(bundled.found).toEqual([[], true, true, "function", "object"]);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });
});
