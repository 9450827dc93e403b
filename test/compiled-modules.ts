// The sources, translated at once into a folder beside them, which Node loads by itself: that is faster than having each module
// translated, and the modules run as fast as those of the package. Only a test that replaces modules gets the sources.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const src = join(root, "src");
const compiled = mkdtempSync(join(root, ".compiled-"));
process.once("exit", () => rmSync(compiled, { recursive: true, force: true }));
buildSync({
  entryPoints: readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.d)\.[jt]s$/.test(name) && !/^page\b/.test(name))
    .map((name) => join(src, name)),
  outdir: compiled,
  outbase: src,
  format: "esm",
  target: "node20",
});

// The built-in packs are those that the build prepared: compiling them anew takes a second in every process.
const PREPARED = join(root, "dist/config/prepared.js");
const newestIn = (folder: string) =>
  Math.max(
    ...readdirSync(join(root, folder), { recursive: true }).map((name) => statSync(join(root, folder, `${name}`)).mtimeMs),
  );
/** What was prepared before the code or the packs changed is not used. */
if (existsSync(PREPARED) && ["rules", "src/config", "src/rules"].every((folder) => newestIn(folder) < statSync(PREPARED).mtimeMs))
  writeFileSync(
    join(compiled, "config/prepared.js"),
    `export * from ${JSON.stringify(PREPARED)}; export const embedded = undefined;`,
  );

const replacesModules = (test: string) => /\bvi\.(?:doM|m)ock\(/.test(readFileSync(test, "utf8"));

/** A part of the configuration of vitest. */
export const compiledModules = {
  name: "compiled modules",
  enforce: "pre" as const,
  resolveId(id: string, importer = "") {
    if (!id.startsWith(".") || !importer.startsWith(join(root, "test/")) || replacesModules(importer)) return undefined;
    const file = join(compiled, relative(src, resolve(dirname(importer), id)));
    return file.startsWith(compiled) && existsSync(file) ? file : undefined;
  },
};
