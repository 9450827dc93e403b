// Builds dist/: the library with tsc, and the command as one lazy bundle.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { buildLazy, lazy, together } from "./lazy.mjs";
import { buildPage } from "./page.mjs";
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
// Declarations keep their comments. The program does not need them, and the package is smaller without.
for (const name of readdirSync("dist", { recursive: true }).filter((name) => name.endsWith(".js"))) {
  const { code } = await transform(readFileSync(`dist/${name}`, "utf8"), { format: "esm", target: "node20" });
  writeFileSync(`dist/${name}`, code);
}

const { prepared, texts: packTexts, packed, templates } = await prepare();
const preparedText = JSON.stringify(prepared);
// One-byte characters are faster to read and parse.
const narrow = (json) => json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
writeFileSync("dist/config/prepared.json", narrow(preparedText));
writeFileSync("dist/config/phrases.txt", packed);
// Only compared with the files, never parsed.
writeFileSync(
  "dist/config/packs.txt",
  Object.keys(prepared.packs)
    .map((name) => packTexts[name])
    .join("\f"),
);
writeFileSync("dist/config/templates.txt", templates.join("\f"));
const reading = (folder) => `
import { readFileSync } from "node:fs";
const read = (name, encoding = "utf8") => readFileSync(new URL("${folder}" + name, import.meta.url), encoding);
let phrases, texts, templates;
export const embedded = undefined;
export const prepared = JSON.parse(read("prepared.json", "latin1"));
export const packText = (name) => (texts ??= read("packs.txt").split("\\f"))[Object.keys(prepared.packs).indexOf(name)];
export const isKnownTemplate = (text) => (templates ??= new Set(read("templates.txt").split("\\f"))).has(text);
export const packedPhrases = () => (phrases ??= read("phrases.txt"));
`;
writeFileSync("dist/config/prepared.js", reading("./"));

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  // Names are kept: bug reports need them.
  minifyWhitespace: !process.env.PROFILE,
  minifySyntax: true,
  logLevel: "error",
};
/** Replaces the contents of a file of src/config. */
const instead = (file, contents) => ({
  name: file,
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`config[\\\\/]${file}\\.ts$`) }, () => ({ contents, loader: "js" }));
  },
});

const NAMED_IMPORT = /(?<=^|;)import ?\{([^}]*)\} ?from ?("(?:\.\/|node:)[^"]+");/gm;
/** Names of other files become constants. Esbuild would look each one up at every use. */
const bound = (_, names, file) => `const {${names.replaceAll(" as ", ":")}} = require(${file});`;

// A command starts from a few files, not from a hundred small modules. They are CommonJS, which Node loads faster than ES
// modules; esbuild splits only the latter, so it makes those first.
rmSync("dist/cli", { recursive: true, force: true });
const { outputFiles } = await build({
  ...common,
  entryPoints: { main: "src/cli/main.ts", "run-worker": "src/cli/run/run-worker.ts" },
  outdir: "dist/cli",
  splitting: true,
  format: "esm",
  chunkNames: "[name]-[hash]",
  write: false,
  plugins: [lazy, together, instead("prepared", reading("../config/"))],
});
mkdirSync("dist/cli");
for (const { path, text } of outputFiles) {
  // For profiles, a comment says where each part comes from.
  const source = process.env.PROFILE ? text.replace(/^\/\/ (?=src)/gm, "//! ") : text;
  const { code } = await transform(source.replace(NAMED_IMPORT, bound), {
    format: "cjs",
    platform: "node",
    target: "node20",
    minifyWhitespace: common.minifyWhitespace,
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "__url" },
    ...(text.includes("import.meta.url") && { banner: 'const __url = require("node:url").pathToFileURL(__filename).href;' }),
  });
  writeFileSync(path, code);
}
await buildLazy("dist/cli", common);
// The client of PostgreSQL is only in the command's bundle; what else is here of recall takes it from there.
const connection = "dist/recall/postgres-connection.js";
writeFileSync(
  connection,
  readFileSync(connection, "utf8").replace(
    'import { Client } from "pg";',
    'import { createRequire } from "node:module";\nconst { Client } = createRequire(import.meta.url)("../cli/lazy-pg.js");',
  ),
);
// The largest one exists only once: the library imports it from the command.
writeFileSync(
  "dist/generated/validators.js",
  `import { createRequire } from "node:module";
export const { packSchema, configSchema } = createRequire(import.meta.url)("../cli/lazy-validators.js");
`,
);
writeFileSync("dist/cli/package.json", '{ "type": "commonjs" }\n');
chmodSync("dist/cli/main.js", 0o755);

// The plugin is one file that can be anywhere, so it contains the built-in packs.
const texts = Object.fromEntries(
  readdirSync("rules", { recursive: true })
    .filter((name) => /\.(?:yaml|md)$/.test(name) && !/^(?:docs|init)\b/.test(name))
    .map((name) => [name.split("\\").join("/"), readFileSync(`rules/${name}`, "utf8")]),
);
await build({
  ...common,
  entryPoints: ["src/server.ts"],
  outfile: "dist/server.js",
  format: "esm",
  charset: "utf8",
  // A hook logs the message of an error and no stack, so names are not needed here.
  minify: true,
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [
    instead(
      "prepared",
      `export const embedded = ${JSON.stringify(texts)};
export const prepared = JSON.parse(${JSON.stringify(preparedText)});
const phrases = ${JSON.stringify(packed)};
const templates = ${JSON.stringify(templates)};
export const packText = () => undefined;
export const isKnownTemplate = (text) => templates.includes(text);
export const packedPhrases = () => phrases;`,
    ),
  ],
});

await buildPage();
