import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

test("the plugin holds no client of a model", () => {
  expect(readFileSync("dist/server.js", "utf8")).not.toMatch(/chat\/completions|eventsource-parser/);
});

test("nothing that was compiled names the folder of whoever built it", () => {
  const compiled = readdirSync("dist/cli").filter((name) => name.endsWith(".bin"));
  expect(compiled.length).toBeGreaterThan(0);
  for (const name of compiled) expect(readFileSync(join("dist/cli", name)).includes(process.cwd()), name).toBe(false);
});

test("the package holds what is needed and nothing else, in less than 2.4 MB", () => {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" }),
  ) as Packed[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const wanted = [
    /^dist\/.+\.(js|d\.ts)$/,
    /^dist\/(?:config\/(?:prepared|phrases)|cli\/package)\.json$/,
    /^dist\/config\/(?:packs|programs|templates)\.txt$/,
    /^dist\/cli\/.+\.bin$/,
    /^rules\/.+\.(yaml|md)$/,
    /^schemas\/\w+\.schema\.json$/,
    /^(README|CHANGELOG)\.md$/,
    /^LICENSE$/,
    /^package\.json$/,
  ];
  expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([]);
  for (const path of [
    "dist/index.js",
    "dist/index.d.ts",
    "dist/server.js",
    "dist/cli/main.js",
    "rules/recommended.yaml",
    "rules/templates/brief.md",
    "schemas/pack.schema.json",
  ]) {
    expect(paths).toContain(path);
  }
  expect(packed?.size).toBeLessThan(2_400_000);
});
