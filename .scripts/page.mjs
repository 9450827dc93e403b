// Builds the parts of a page (dist/page): the program with the engine in it, the editor, and the styles.
import { writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import * as scales from "@radix-ui/colors";
import { build } from "esbuild";
import { known } from "./known.mjs";
import { plugins } from "./vendor.mjs";

/** The colour of each kind of fact. Each scale has steps for backgrounds, solid shapes and text, in light and dark. */
const KINDS = {
  goal: "violet",
  constraint: "red",
  decision: "blue",
  rejection: "orange",
  finding: "teal",
  done: "green",
  remaining: "amber",
  blocker: "crimson",
  question: "cyan",
  concept: "slate",
  note: "brown",
};
const VERDICTS = { kept: "green", altered: "amber", contradicted: "red", missing: "crimson", unsure: "slate" };
const PARTS = ["indigo", "teal", "amber", "crimson", "green", "violet", "orange", "slate"];
const ALL = new Map(Object.entries(scales));
const SCALES = [...new Set([...Object.values(KINDS), "slate", "indigo"])];

/** Modules of Node and of this program that the page has others for, in src/page/browser. */
const INSTEAD = { "files/regular-file.js": "fs", "config/prepared.js": "built-in", "state/state.js": "fs" };
const browser = {
  name: "modules of the page",
  setup({ onResolve }) {
    const own = (name) => name && { path: resolve(`src/page/browser/${name}.ts`) };
    onResolve({ filter: /^node:/ }, ({ path }) => own(path === "node:fs" ? "fs" : "node"));
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) =>
      own(INSTEAD[relative("src", resolve(resolveDir, path)).replaceAll("\\", "/")]),
    );
  },
};

export async function buildPage() {
  /** @satisfies {import("esbuild").BuildOptions} */
  const common = {
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    logLevel: "error",
    plugins,
    define: { "import.meta.url": '"file:///"', "process.env": "{}", "process.platform": '"browser"' },
  };
  await build({ ...common, entryPoints: ["src/page/main.tsx"], outfile: "dist/page/page.js", plugins: [...plugins, browser] });
  await build({ ...common, entryPoints: ["src/page/editor.ts"], outfile: "dist/page/editor.js" });
  const { outputFiles } = await build({ ...common, entryPoints: ["src/page/page.css"], write: false });
  writeFileSync("dist/page/page.css", colours() + known(outputFiles[0], "page.css").text);
}

function colours() {
  const scale = (name, suffix) =>
    Object.entries(known(ALL.get(name + suffix), `the scale ${name}${suffix}`))
      .map(([step, colour]) => `--${name}-${step.slice(name.length)}:${colour};`)
      .join("");
  const all = (suffix) => SCALES.map((name) => scale(name, suffix)).join("");
  const classes = [
    ...Object.entries(KINDS).map(([kind, name]) => [`kind-${kind}`, name]),
    ...Object.entries(VERDICTS).map(([verdict, name]) => [`is-${verdict}`, name]),
    ...PARTS.map((name, index) => [`part-${index}`, name]),
  ].map(([own, name]) => `.${own}{--soft:var(--${name}-4);--solid:var(--${name}-9);--text:var(--${name}-12);}`);
  // The map is a drawing, which has no classes.
  const solid = Object.entries(KINDS).map(([kind, name]) => `--${kind}-solid:var(--${name}-9);`);
  return `:root{${all("")}${solid.join("")}}@media (prefers-color-scheme:dark){:root{${all("Dark")}}}${classes.join("")}`;
}
