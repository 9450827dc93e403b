// dist/: the library by tsc, and the command as one lazy bundle over it.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { fillCache, loader } from "./code-cache.mjs";
import { buildLazy, lazy } from "./lazy.mjs";
import { prepare } from "./prepare.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);

const node = (...args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

node(".scripts/generate.mjs");
rmSync("dist", { recursive: true, force: true });
node("node_modules/typescript/bin/tsc", "-p", ".");
cpSync("src/generated/validators.js", "dist/generated/validators.js");
// The declarations keep the comments; the program has no use for them, and the package is smaller without.
for (const name of readdirSync("dist", { recursive: true }).filter((name) => name.endsWith(".js"))) {
  const { code } = await transform(readFileSync(`dist/${name}`, "utf8"), { format: "esm", target: "node20" });
  writeFileSync(`dist/${name}`, code);
}

const { texts: packTexts, ...made } = await prepare();
const withPhrases = (change) => ({
  ...made,
  phrases: Object.fromEntries(Object.entries(made.phrases).map(([source, phrase], index) => [source, change(phrase, index)])),
});
const small = withPhrases(({ program, ...known }) => known);
// Programs are a line each of a file of their own: who runs no phrase does not read it, and nobody parses what is not run.
const programs = Object.values(made.phrases).map(({ program }) => program);
writeFileSync("dist/config/prepared.json", JSON.stringify(withPhrases((phrase, program) => ({ ...phrase, program }))));
writeFileSync("dist/config/programs.txt", programs.join("\n"));
// Only compared with the files, so that nobody parses them.
writeFileSync(
  "dist/config/packs.txt",
  Object.keys(made.packs)
    .map((name) => packTexts[name])
    .join("\0"),
);
const reading = (folder) => `
import { readFileSync } from "node:fs";
const read = (name) => readFileSync(new URL("${folder}" + name, import.meta.url), "utf8");
let programs, texts;
export const prepared = JSON.parse(read("prepared.json"));
export const packText = (name) => (texts ??= read("packs.txt").split("\\0"))[Object.keys(prepared.packs).indexOf(name)];
export const programAt = (index) => (programs ??= read("programs.txt").split("\\n"))[index];
`;
writeFileSync("dist/config/prepared.js", reading("./"));

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  // Not the names: they are what a report of a bug needs.
  minifyWhitespace: !process.env.PROFILE,
  minifySyntax: true,
  // cosmiconfig would load it for configurations that are programs, which are never read here.
  external: ["typescript"],
  logLevel: "error",
};
/** Puts other contents in the place of a file of src/config. */
const instead = (file, contents) => ({
  name: file,
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`config[\\\\/]${file}\\.ts$`) }, () => ({ contents, loader: "js" }));
  },
});

// Loading a hundred small modules costs more than the work: what a command needs is in a few files. They are CommonJS,
// whose loader starts sooner than that of ES modules; only the latter can be split, so they are made first.
rmSync("dist/cli", { recursive: true, force: true });
const { outputFiles } = await build({
  ...common,
  entryPoints: ["src/cli/main.ts", "src/cli/run-worker.ts"],
  outdir: "dist/cli",
  splitting: true,
  format: "esm",
  chunkNames: "[name]-[hash]",
  write: false,
  plugins: [lazy, instead("prepared", reading("../config/"))],
});
mkdirSync("dist/cli");
for (const { path, text } of outputFiles) {
  const entry = /[\\/](?:main|run-worker)\.js$/.test(path);
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20",
    minifyWhitespace: common.minifyWhitespace,
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "__url" },
    banner:
      (entry ? loader : "") +
      (text.includes("import.meta.url") ? 'const __url = require("node:url").pathToFileURL(__filename).href;' : ""),
  });
  writeFileSync(path, code);
}
await buildLazy("dist/cli", common);
writeFileSync("dist/cli/package.json", '{ "type": "commonjs" }\n');
chmodSync("dist/cli/main.js", 0o755);
fillCache("dist/cli/main.js", [["validate"], ["run", `${root}test/fixtures/sample-session.json`]]);

// The plugin is one file that can lie anywhere, so the built-in packs are inside of it.
const texts = Object.fromEntries(
  readdirSync("rules", { recursive: true })
    .filter((name) => /\.(?:yaml|md)$/.test(name) && !/^(?:docs|init)\b/.test(name))
    .map((name) => [name.split("\\").join("/"), readFileSync(`rules/${name}`, "utf8")]),
);
await build({
  ...common,
  minifyWhitespace: false,
  entryPoints: ["src/server.ts"],
  outfile: "dist/server.js",
  format: "esm",
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [
    instead("embedded", `export const embedded = ${JSON.stringify(texts)};`),
    instead(
      "prepared",
      `export const prepared = JSON.parse(${JSON.stringify(JSON.stringify(small))}); export const programAt = () => undefined; export const packText = () => undefined;`,
    ),
  ],
});
