// How the command's bundle is cut into files: what is usually needed together is one file, and large modules that are rarely
// needed are loaded on first use. They are CommonJS, because only CommonJS can be loaded in the middle of a synchronous call.
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { build } from "esbuild";

/** By the end of the import path. */
const LAZY = [
  "yaml",
  "re2js",
  "unbash",
  "tinyglobby",
  "pg",
  "generated/validators.js",
  "generated/pack-schema.js",
  "source/markdown/parse-block.js",
];
/** Slow modules of Node, and what is used of them. They are separate files already. */
const BUILT_IN = {
  "node:crypto": ["createHash", "randomBytes", "randomUUID", "timingSafeEqual"],
  "node:zlib": ["gzipSync"],
  "node:worker_threads": ["Worker"],
  "node:child_process": ["spawn"],
  "node:v8": ["setFlagsFromString"],
  "node:tty": ["isatty"],
  "node:os": ["availableParallelism", "homedir", "hostname", "tmpdir", "userInfo"],
};
const NAMES = {
  yaml: ["Composer", "isAlias", "isMap", "isPair", "isScalar", "isSeq", "Lexer", "LineCounter", "Parser", "visit", "stringify"],
  re2js: ["RE2JS"],
  unbash: ["parse", "forEachChild"],
  tinyglobby: ["globSync"],
  pg: ["Client"],
  "generated/validators.js": ["packSchema", "configSchema"],
  "generated/pack-schema.js": ["published"],
  "source/markdown/parse-block.js": ["parseBlock"],
  ...BUILT_IN,
};
const fileOf = (name) => `lazy-${basename(name, ".js")}.js`;
const requestOf = (name) => (name in BUILT_IN ? name : `./${fileOf(name)}`);
const lazyName = (path) => LAZY.find((name) => path === name || (name.endsWith(".js") && `/${path}`.endsWith(`/${name}`)));

/** The file that a package or module of dist/ is in, if it is loaded on first use, and what it exports. */
export function lazyFile(path) {
  const name = lazyName(path);
  return name && { file: fileOf(name), names: NAMES[name] };
}

export const lazy = {
  name: "lazy modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, importer, namespace, resolveDir }) => {
      if (namespace === "lazy") return { path, external: true };
      if (importer.includes("node_modules") || importer === "") return undefined;
      // A worker needs its data at once.
      if (path in BUILT_IN && !importer.endsWith("run-worker.ts")) return { path, namespace: "lazy" };
      const full = path === "./parse-block.js" && /[\\/]markdown$/.test(resolveDir) ? "source/markdown/parse-block.js" : path;
      const name = lazyName(full);
      return name && { path: name, namespace: "lazy" };
    });
    onLoad({ filter: /./, namespace: "lazy" }, ({ path }) => ({
      contents: [
        `let loaded; const load = () => (loaded ??= require("${requestOf(path)}"));`,
        // A proxy forwards every use.
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
      define: { "import.meta.url": "__filename" },
      // Nobody reads generated or third-party code.
      minify: true,
    });
  }
}

/** Each of these modules, with what it imports, and those that load all of that. What imports none of them needs less. */
const TOGETHER = {
  "cli/input/project": ["cli/config", "cli/docs", "cli/state"],
  "cli/run/run": [
    "cli/doctor",
    "cli/explain",
    "cli/frames",
    "cli/hook",
    "cli/init/init",
    "cli/pin",
    "cli/recall/mcp",
    "cli/run/run-worker",
    "cli/test",
    "cli/validate",
  ],
  "cli/hook": [
    "cli/audit",
    "cli/compact",
    "cli/drop",
    "cli/first/first",
    "cli/judge",
    "cli/play/play",
    "cli/view",
    "compact/endpoint",
    "hosts/compact-session",
  ],
};

/** Esbuild makes one file of the modules that the same commands need. So commands that need almost the same need the same. */
export const together = {
  name: "together",
  setup({ onLoad }) {
    for (const [main, others] of Object.entries(TOGETHER))
      onLoad({ filter: new RegExp(`src[\\\\/](?:${others.join("|").replaceAll("/", "[\\\\/]")})\\.ts$`) }, ({ path }) => ({
        contents: `${readFileSync(path, "utf8")}\nimport ${JSON.stringify(resolve(`src/${main}.ts`))};`,
        loader: "ts",
      }));
  },
};
