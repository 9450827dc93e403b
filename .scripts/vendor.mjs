// Puts the packages that the program uses into dist/, with their licences, so that a user installs one package.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { build } from "esbuild";
import { lazyFile } from "./lazy.mjs";

/** Folders and files of dist/ that are bundles already. */
const BUNDLES = /^(?:cli|page|vendor)\/|^server\.js$/;
/** `import … from "yaml"`, not `./yaml.js` and not `node:fs`. */
const PACKAGE = /(?<=^(?:import|export)\b[^"\n]*(?:from )?")(?!\.|node:)([^"]+)(?=";$)/gm;

/** Makes the library import packages from dist/vendor, or from the command where that has them. */
export async function vendor(options) {
  const found = new Set();
  const files = readdirSync("dist", { recursive: true })
    .map((name) => name.split("\\").join("/"))
    .filter((name) => name.endsWith(".js") && !BUNDLES.test(name));
  for (const name of files) {
    const own = lazyFile(name);
    const to = (file) => `${name.includes("/") ? "" : "./"}${relative(dirname(name), file).split("\\").join("/")}`;
    const text = own ? again(to(`cli/${own.file}`), own.names) : readFileSync(`dist/${name}`, "utf8");
    const code = text.replace(PACKAGE, (_, one) => {
      found.add(one);
      return to(`vendor/${one}.js`);
    });
    writeFileSync(`dist/${name}`, code);
  }
  const bundled = [...found].filter((name) => lazyFile(name) === undefined);
  await build({
    ...options,
    entryPoints: Object.fromEntries(bundled.map((name) => [name, name])),
    outdir: "dist/vendor",
    format: "esm",
  });
  for (const name of found) {
    const own = lazyFile(name);
    if (own) writeFileSync(`dist/vendor/${name}.js`, again(`../cli/${own.file}`, own.names));
  }
}

/** A module of the library that takes everything from a file of the command. */
const again = (file, names) => `import { createRequire } from "node:module";
export const { ${names.join(", ")} } = createRequire(import.meta.url)("${file}");
`;

const packages = new Set();

/** A part of each bundle's build that notes which packages go into it. */
export const noted = {
  name: "packages",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
      packages.add(/^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)[0]);
      return undefined;
    });
  },
};

export function writeLicences(file) {
  const parts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const text = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    return `${name} ${version} (${license})\n\n${text ? readFileSync(`${folder}/${text}`, "utf8").trim() : ""}\n`;
  });
  writeFileSync(file, `The files of this folder contain these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`);
}
