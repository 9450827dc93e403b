// What V8 makes of the command's files is kept beside them, so that it need not be made at every start. It counts only for
// the V8 that made it: another one refuses it, and compiles as ever.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

/**
 * Modules that the start of a command loads, by the file that holds them: opening files takes longer than running most of
 * them. The file of a command holds what those before it do not.
 */
export function together(outputs, commands) {
  const held = {};
  const paths = new Map(Object.keys(outputs).map((path) => [basename(path), path]));
  const take = (name, file) => {
    for (const { path, kind } of outputs[paths.get(name)].imports) {
      const inner = basename(path);
      if (kind !== "import-statement" || !paths.has(inner) || held[`./${inner}`]) continue;
      held[`./${inner}`] = file;
      take(inner, file);
    }
  };
  for (const command of commands) {
    const file = `./start-${command}.js`;
    const name = [...paths.keys()].find((path) => new RegExp(`^${command}(?:-[A-Z0-9]{8})?\\.js$`).test(path));
    if (command !== "main") held[`./${name}`] = file;
    take(name, file);
  }
  return held;
}

/** Stands before the code of an entry: its files are loaded by this instead of Node's loader, which knows no such cache. */
export const loader = (held) => `
{
  const node = require;
  const modules = new Map();
  const held = ${JSON.stringify(held)};
  const read = (file, encoding) => { try { return node("node:fs").readFileSync(file, encoding); } catch {} };
  const compile = (filename, name) => {
    const source = read(filename, "utf8");
    if (source === undefined) return undefined;
    const cachedData = process.versions.bun || !/start-/.test(filename) ? undefined : read(filename.replace(/js$/, "bin"));
    // What is compiled keeps its file's name for ever: the folder of whoever built it is nobody's business.
    // Not by basename: to V8 a part of a text is a place in all of it.
    const shown = "compaction-rules" + name.slice(1);
    const script = new (node("node:vm").Script)("(function(exports,require,module,__filename){" + source + "\\n})", { filename: shown, file: filename, cachedData });
    return script.runInThisContext();
  };
  require = (name) => {
    if (!name.startsWith("./")) return node(name);
    const known = modules.get(name);
    if (known) return known.exports;
    const filename = node("node:path").join(__dirname, name);
    const run = held[name] ? require(held[name])[name] : compile(filename, name);
    if (run === undefined) return node(name);
    const module = { exports: {} };
    modules.set(name, module);
    run(module.exports, require, module, filename);
    return module.exports;
  };
}
`;

// In a process of its own: runs a command, and keeps what was compiled for it.
const KEEP = `
const { writeFileSync } = require("node:fs");
const vm = require("node:vm");
const scripts = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    // What is seldom needed, or quickly compiled, would only make the package large.
    if (!options.file.includes("lazy-") && source.length > 3000) scripts.push([options.file.replace(/js$/, "bin"), this]);
  }
};
process.on("exit", () => { for (const [file, script] of scripts) writeFileSync(file, script.createCachedData()); });
process.argv.splice(1, 1);
require(process.argv[1]);
`;

/** Later commands add to what earlier ones left. */
export function fillCache(main, commands) {
  const folder = mkdtempSync(join(tmpdir(), "compaction-build-"));
  const env = { ...process.env, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder, NODE_OPTIONS: "" };
  for (const args of commands) {
    const { status, stderr } = spawnSync(process.execPath, ["-e", KEEP, "-", resolve(main), ...args], { cwd: folder, env });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  }
  rmSync(folder, { recursive: true });
}
