// Modules that take longer to load than most commands take to run. Each becomes a CommonJS file, because only such a file can be
// loaded in the middle of a synchronous call. The command loads it on first use; the library imports the same file.
import { createRequire } from "node:module";
import { basename, relative, resolve } from "node:path";

const PACKAGES = ["yaml", "re2js", "unbash", "tinyglobby", "pg"];
/** Modules of our own below src/, and what is used of them. */
export const OWN = {
  "cli/recall/protocol.ts": "fromJsonSchema, McpServer, serveStdio",
  "generated/pack-schema.ts": "published",
  "generated/validators.js": "configSchema, packSchema",
  "source/markdown/parse-block.ts": "parseBlock",
};

/** A module of Node that takes long to load. */
const SLOW = "node:crypto";

/** The file below dist/ for a package or a module of our own, if it is loaded later. */
export const laterFile = (name) =>
  PACKAGES.includes(name) || name in OWN ? `vendor/${basename(name).replace(/\.[jt]s$/, "")}.cjs` : undefined;

/** A part of the command's build. Its exports are getters, which the bundled code asks at each use. */
export const later = {
  name: "later",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, importer, namespace, resolveDir }) => {
      if (namespace === "later") return { path, external: true };
      if (path === SLOW) return { path, namespace: "later" };
      if (importer.includes("node_modules")) return undefined;
      const own = relative("src", resolve(resolveDir, path)).replaceAll("\\", "/");
      const file = laterFile(path) ?? laterFile(own) ?? laterFile(own.replace(/js$/, "ts"));
      return file && { path: file, namespace: "later" };
    });
    onLoad({ filter: /./, namespace: "later" }, ({ path }) => {
      const file = path === SLOW ? path : `../${path}`;
      const names = Object.keys(createRequire(import.meta.url)(path === SLOW ? path : resolve("dist", path)));
      const getter = `get: () => (all ??= require("${file}"))[name]`;
      return {
        contents: `let all; for (const name of ${JSON.stringify(names)}) Object.defineProperty(exports, name, { ${getter} });`,
      };
    });
  },
};
