// Puts the packages that the program uses into dist/, with their licences, so that a user installs one package.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { lazyFile } from "./lazy.mjs";

/** Folders and files of dist/ that are bundles already, or data. */
const BUNDLES = /^(?:cli|page|vendor|config\/data)\/|^server\.js$/;
/** Names are kept: bug reports need them. */
const SMALL = { format: "esm", target: "node20", minifyWhitespace: true, minifySyntax: true };
/** `import … from "yaml"`, not `./yaml.js` and not `node:fs`. */
const PACKAGE = /^(import\b[^"]*)"(?!\.|node:)([^"]+)(?=";$)/gm;

/** Makes the library import packages from dist/vendor, or from the command where that has them. */
export async function vendor(options) {
  /** What is imported, by package. */
  const found = new Map();
  const files = readdirSync("dist", { recursive: true })
    .map((name) => name.split("\\").join("/"))
    .filter((name) => name.endsWith(".js") && !BUNDLES.test(name));
  for (const name of files) {
    const own = lazyFile(name);
    const to = (file) => `${name.includes("/") ? "" : "./"}${relative(dirname(name), file).split("\\").join("/")}`;
    const text = own ? again(to(`cli/${own.file}`), own.names) : readFileSync(`dist/${name}`, "utf8");
    const code = text.replace(PACKAGE, (_, before, one) => {
      const names = found.get(one) ?? new Set();
      found.set(one, names);
      for (const [, whole] of before.matchAll(/\b(\w+)(?: as \w+)?(?= ?[,}])/g)) names.add(whole);
      if (/^import \w/.test(before)) names.add("default");
      return `${before}"${to(`vendor/${one}.js`)}`;
    });
    writeFileSync(`dist/${name}`, (await transform(code, SMALL)).code);
  }
  for (const [name, names] of found) {
    const own = lazyFile(name);
    const contents = `export { ${[...names].join(", ")} } from ${JSON.stringify(name)};`;
    const outfile = `dist/vendor/${name}.js`;
    if (!own) await build({ ...options, stdin: { contents, resolveDir: "." }, outfile, format: "esm" });
    else writeFileSync(outfile, again(`../cli/${own.file}`, own.names));
  }
}

/** A module of the library that takes everything from a file of the command. It is imported, so that bundlers find it. */
const again = (file, names) => `import all from "${file}";\nexport const { ${names.join(", ")} } = all;\n`;

/** Removes declarations that no entry point of the package leads to. */
export function dropInternalTypes() {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const needed = new Set();
  const visit = (file) => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
      visit(`${join(dirname(file), path)}.d.ts`);
  };
  for (const { types } of Object.values(exports)) if (types) visit(join(types));
  for (const name of readdirSync("dist", { recursive: true }))
    if (name.endsWith(".d.ts") && !needed.has(join("dist", name))) rmSync(join("dist", name));
}

const packages = new Set();

/** A part of each bundle's build that notes which packages go into it. */
const noted = {
  name: "packages",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
      packages.add(/^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)[0]);
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
