// Builds dist/: the library with tsc, and the command as one file. `--unchecked` leaves the types to another
// check, and `--generated` uses the src/generated that is there. For npm, which asks with each `npx` in a clone and each
// `npm install` of it, it builds only what is not built of these sources.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { later } from "./later.mjs";
import { buildPage } from "./page.mjs";
import { prepare } from "./prepare.mjs";
import { dropInternalTypes, plugins, vendor, writeLicences } from "./vendor.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);

/** What dist is made from. Beside dist, as dist is what is published. */
const STAMP = ".types/built-from";
const SOURCES = [".scripts", "rules", "schemas", "src", "package.json", "package-lock.json", "tsconfig.json"];

function digestOfSources() {
  const hash = createHash("sha256").update(process.version);
  const add = (path) => {
    if (path === join("src", "generated")) return;
    const entries = SOURCES.includes(path) && /\.json$/.test(path) ? undefined : readdirSync(path, { withFileTypes: true });
    if (entries === undefined) return void hash.update(`${path}\n`).update(readFileSync(path));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) add(inner);
      else hash.update(`${inner}\n`).update(readFileSync(inner));
    }
  };
  for (const path of SOURCES) if (existsSync(path)) add(path);
  return hash.digest("hex");
}

const sources = digestOfSources();
const BUILT = ["dist/index.js", "dist/server.js", "dist/pi.js", "dist/cli/main.js", "dist/page", "dist/LICENCES.txt"];
if (process.env.npm_lifecycle_event === "prepare") {
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources && BUILT.every((path) => existsSync(path))) {
    console.error("dist is built from these sources: nothing to do");
    process.exit(0);
  }
  console.error("building dist from the sources: this takes about a minute");
}

const node = (...args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

if (!process.argv.includes("--generated")) node(".scripts/generate.mjs");
rmSync("dist", { recursive: true, force: true });
node("node_modules/typescript/bin/tsc", "-p", ".", ...(process.argv.includes("--unchecked") ? ["--noCheck"] : []));

/** @satisfies {import("esbuild").BuildOptions} */
const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  // Names are kept: bug reports need them.
  minifyWhitespace: !process.env.PROFILE,
  minifySyntax: true,
  logLevel: "error",
  plugins,
};

await vendor(common);

const { prepared, packed, templates } = await prepare();
// The texts of packs and templates, for programs that have no folder of rules beside them.
const texts = Object.fromEntries(
  readdirSync("rules", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:yaml|md)$/.test(name) && !/^(?:docs|init)\b/.test(name))
    .map((name) => [name.split("\\").join("/"), readFileSync(`rules/${name}`, "utf8")]),
);
const narrow = (json) => json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
mkdirSync("dist/config/data");
// One-byte characters are faster to read and parse, where others are few.
for (const [name, data] of Object.entries({ prepared, phrases: packed, texts, templates }))
  writeFileSync(`dist/config/data/${name}.js`, `export default ${(name === "phrases" ? String : narrow)(JSON.stringify(data))};`);
copyFileSync(".scripts/prepared/library.mjs", "dist/config/prepared.js");

/** Puts a file of .scripts/prepared in place of src/config/prepared.ts. */
const preparedAs = (name) => ({
  name: "prepared",
  setup({ onLoad }) {
    const contents = readFileSync(`.scripts/prepared/${name}.mjs`, "utf8");
    onLoad({ filter: /config[\\/]prepared\.ts$/ }, () => ({ contents, loader: "js" }));
  },
});

// A command starts from one file, not from a hundred small modules. It is CommonJS, which Node loads faster than ES modules.
rmSync("dist/cli", { recursive: true });
// Only what the answer to a tool call needs stands in main.js.
const own = {
  name: "own",
  setup: ({ onResolve }) => void onResolve({ filter: /^\.\/commands\.js$/ }, () => ({ path: "./program.js", external: true })),
};
await build({
  ...common,
  entryPoints: { main: "src/cli/main.ts", program: "src/cli/commands.ts" },
  outdir: "dist/cli",
  supported: { "dynamic-import": false },
  format: "cjs",
  define: { "import.meta.url": "__url" },
  banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
  plugins: [own, ...plugins, later, preparedAs("command")],
});
writeFileSync("dist/cli/package.json", '{ "type": "commonjs" }\n');
chmodSync("dist/cli/main.js", 0o755);

// The plugin is one file that can be anywhere, so it contains the built-in packs.
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
  define: {
    PREPARED: JSON.stringify(JSON.stringify(prepared)),
    PHRASES: JSON.stringify(packed),
    TEMPLATES: JSON.stringify(templates),
    TEXTS: JSON.stringify(texts),
  },
  plugins: [...plugins, preparedAs("plugin")],
});

await buildPage();
// For the check of the scripts: they use more than the package exports.
rmSync(".types", { recursive: true, force: true });
cpSync("dist", ".types", { recursive: true, filter: (path) => !/\.\w+$/.test(path) || path.endsWith(".d.ts") });
dropInternalTypes();
writeLicences("dist/LICENCES.txt");
// Last, so that a build that was stopped counts as none.
writeFileSync(STAMP, sources);
