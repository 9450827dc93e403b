// Puts the packages that the program uses into dist/, with their licences, so that a user installs one package.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, transform } from "esbuild";
import { known } from "./known.mjs";
import { laterFile, OWN } from "./later.mjs";

/** Names are kept: bug reports need them. @satisfies {import("esbuild").TransformOptions} */
const SMALL = { format: "esm", target: "node20", minifyWhitespace: true, minifySyntax: true };
/** `import … from "yaml"`, not `./yaml.js` and not `node:fs`. */
const PACKAGE = /^(import\b[^"]*)"(?!\.|node:)([^"]+)(?=";$)/gm;

/** The package of the protocol brings ajv, a third of its size. Our tools check their arguments themselves. */
const withoutAjv = {
  name: "without ajv",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({ path, namespace: "shims" }));
    const contents = 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}';
    onLoad({ filter: /./, namespace: "shims" }, () => ({ contents, loader: "js" }));
  },
};

/** Makes the library import packages from dist/vendor. Declarations keep their comments, programs do not need them. */
export async function vendor(options) {
  /** What is imported, by package. */
  const found = new Map();
  const bundle = (contents, file) =>
    build({
      ...options,
      stdin: { contents, resolveDir: "." },
      outfile: `dist/${file}`,
      plugins: [...plugins, withoutAjv],
      format: "esm",
      // Nobody reads generated or third-party code.
      ...(file.endsWith(".cjs") && { format: "cjs", minify: true, define: { "import.meta.url": "__filename" } }),
    });
  for (const [name, names] of Object.entries(OWN)) {
    await bundle(`export { ${names} } from "./src/${name}";`, laterFile(name));
    writeFileSync(`dist/${name.replace(/ts$/, "js")}`, `export * from "${up(name)}/${laterFile(name)}";\n`);
  }
  for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"))) {
    const name = path.split("\\").join("/");
    const code = readFileSync(`dist/${name}`, "utf8").replace(PACKAGE, (_, before, one) => {
      const names = found.get(one) ?? new Set();
      found.set(one, names);
      for (const [, whole] of before.matchAll(/\b(\w+)(?: as \w+)?(?= ?[,}])/g)) names.add(whole);
      if (/^import \w/.test(before)) names.add("default");
      return `${before}"${up(name)}/${vendorFile(one)}`;
    });
    writeFileSync(`dist/${name}`, (await transform(code, SMALL)).code);
  }
  for (const [one, names] of found) await bundle(`export { ${[...names].join(", ")} } from "${one}";`, vendorFile(one));
}

/** The way from a file of dist/ to that folder. */
const up = (name) => name.replace(/[^/]+/g, "..").slice(1);
const vendorFile = (name) => laterFile(name) ?? `vendor/${name}.js`;

/** Removes declarations that no entry point of the package leads to. */
export function dropInternalTypes() {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const needed = new Set();
  const visit = (file) => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
      visit(`${join(dirname(file), path)}.d.ts`);
  };
  for (const { types } of Object.values(exports)) if (types) visit(join(types));
  for (const name of readdirSync("dist", { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts") && !needed.has(join("dist", name))) rmSync(join("dist", name));
}

const packages = new Set();

/** A part of each bundle's build that notes which packages go into it. */
const noted = {
  name: "packages",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
      packages.add(known(/^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path), `the package of ${path}`)[0]);
      return undefined;
    });
  },
};

const all = (name) => `import * as all from "node:${name}"; export default all;`;
/**
 * What packages get in place of some of their imports. Of cosmiconfig only the search is used: what loads programs stays out, and
 * what fails for a user without a home. The others import modules of Node that they hardly use, which breaks bundles of users.
 */
const INSTEAD = {
  cosmiconfig: {
    "./loaders": "module.exports = {};",
    "env-paths": 'module.exports = () => ({ config: "" });',
    os: "module.exports = {};",
    fs: all("fs"),
    path: all("path"),
  },
  yaml: { process: "module.exports = globalThis.process;", buffer: "module.exports = globalThis;" },
};
const instead = {
  name: "instead",
  setup({ onResolve, onLoad }) {
    for (const [one, contents] of Object.entries(INSTEAD)) {
      onResolve({ filter: /^[./a-z-]+$/ }, ({ path, importer }) =>
        Object.hasOwn(contents, path) &&
        importer
          .split(/[\\/]node_modules[\\/]/)
          .at(-1)
          .split(/[\\/]/)[0] === one
          ? { path, namespace: one }
          : undefined,
      );
      onLoad({ filter: /./, namespace: one }, ({ path }) => ({ contents: contents[path], loader: "js" }));
    }
    // Files of Markdown have no path.
    onResolve({ filter: /^#min\w+$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, `${path.slice(1)}.browser.js`) }));
  },
};

/** What every build needs. */
export const plugins = [noted, instead];

export function writeLicences(file) {
  const parts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const text = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    return `${name} ${version} (${license})\n\n${text ? readFileSync(`${folder}/${text}`, "utf8").trim() : ""}\n`;
  });
  writeFileSync(file, `The files of this folder contain these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`);
}
