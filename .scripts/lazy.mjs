// For the command's bundle: modules that are large and seldom needed become files of their own, loaded when something
// of them is first used. They are CommonJS, because only that can be loaded in the middle of a synchronous call.
import { basename } from "node:path";
import { build } from "esbuild";

/** By the end of what an import names. */
const LAZY = [
  "yaml",
  "cosmiconfig/dist/ExplorerSync.js",
  "re2js",
  "generated/validators.js",
  "generated/pack-schema.js",
  "source/parser.js",
];
/** Parts of Node that take their time, and what is used of them. They have files already. */
const BUILT_IN = {
  "node:crypto": ["createHash", "randomUUID"],
  "node:worker_threads": ["Worker"],
  "node:child_process": ["spawn"],
  "node:v8": ["setFlagsFromString"],
};
const NAMES = {
  yaml: ["Composer", "isAlias", "isMap", "isPair", "isScalar", "isSeq", "Lexer", "LineCounter", "Parser", "visit", "stringify"],
  "cosmiconfig/dist/ExplorerSync.js": ["ExplorerSync"],
  re2js: ["RE2JS"],
  "generated/validators.js": ["packSchema", "configSchema"],
  "generated/pack-schema.js": ["published"],
  "source/parser.js": ["parse", "plainText"],
  ...BUILT_IN,
};
const fileOf = (name) => `lazy-${basename(name, ".js")}.js`;
const requestOf = (name) => (name in BUILT_IN ? name : `./${fileOf(name)}`);
const lazyName = (path) => LAZY.find((name) => path === name || (name.endsWith(".js") && `/${path}`.endsWith(`/${name}`)));

export const lazy = {
  name: "lazy modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, importer, namespace, resolveDir }) => {
      if (namespace === "lazy") return { path, external: true };
      if (importer.includes("node_modules") || importer === "") return undefined;
      // A worker needs what it is told at once.
      if (path in BUILT_IN && !importer.endsWith("run-worker.ts")) return { path, namespace: "lazy" };
      const full = path === "./parser.js" && /[\\/]source$/.test(resolveDir) ? "source/parser.js" : path;
      const name = lazyName(full);
      return name && { path: name, namespace: "lazy" };
    });
    onLoad({ filter: /./, namespace: "lazy" }, ({ path }) => ({
      contents: [
        `let loaded; const load = () => (loaded ??= require("${requestOf(path)}"));`,
        // A stand-in passes on what is done with it.
        `const later = (name) => new Proxy(function () {}, {
          get: (_, key) => load()[name][key],
          apply: (_, self, args) => load()[name](...args),
          construct: (_, args) => new (load()[name])(...args),
        });`,
        ...NAMES[path].map((name) => `export const ${name} = later("${name}");`),
      ].join("\n"),
    }));
  },
};

export async function buildLazy(outdir, options) {
  for (const name of LAZY) {
    const source = /^(?:generated|source)\//.test(name)
      ? `./src/${name === "generated/validators.js" ? name : name.replace(/js$/, "ts")}`
      : name;
    await build({
      ...options,
      stdin: { contents: `export { ${NAMES[name].join(", ")} } from ${JSON.stringify(source)};`, resolveDir: "." },
      outfile: `${outdir}/${fileOf(name)}`,
      format: "cjs",
      // Nobody reads what a generator or somebody else wrote.
      minify: true,
    });
  }
}
