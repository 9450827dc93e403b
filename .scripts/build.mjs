// dist/: the library by tsc, and the command as one lazy bundle over it.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

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

// Loading a hundred small modules costs more than the work: what a command needs is in a few files.
rmSync("dist/cli", { recursive: true, force: true });
await build({
  entryPoints: ["src/cli/main.ts"],
  outdir: "dist/cli",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  chunkNames: "[name]-[hash]",
  // cosmiconfig would load it for configurations that are programs, which are never read here.
  external: ["typescript"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "error",
});
chmodSync("dist/cli/main.js", 0o755);

// The plugin is one file that can lie anywhere, so the built-in packs are inside of it.
const texts = Object.fromEntries(
  readdirSync("rules", { recursive: true })
    .filter((name) => /\.(?:yaml|md)$/.test(name) && !/^(?:docs|init)\b/.test(name))
    .map((name) => [name.split("\\").join("/"), readFileSync(`rules/${name}`, "utf8")]),
);
await build({
  entryPoints: ["src/server.ts"],
  outfile: "dist/server.js",
  bundle: true,
  minifySyntax: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: ["typescript"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [
    {
      name: "built-in packs",
      setup({ onLoad }) {
        onLoad({ filter: /config[\\/]embedded\.ts$/ }, () => ({
          contents: `export const embedded = ${JSON.stringify(texts)};`,
          loader: "js",
        }));
      },
    },
  ],
  logLevel: "error",
});
