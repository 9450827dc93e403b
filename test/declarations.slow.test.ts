// A program in strict TypeScript that exports what the library gives must be able to name it, also without Node's types.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import * as frames from "../src/frames/index.js";
import * as library from "../src/index.js";
import * as lifecycle from "../src/lifecycle/index.js";
import * as sinks from "../src/sinks/index.js";

const ENTRIES = { library, lifecycle, frames, sinks };
const nameOf = (entry: string) => (entry === "library" ? "compaction-rules" : `compaction-rules/${entry}`);

const PARTS = [
  "(given: library.Rendered) => given.shown",
  "(given: library.Rendered) => given.store",
  "library.builtInRules().packs",
  "library.builtInRules().sinks",
  "library.builtInRules().frames",
  'frames.frameContext(frames.NO_FRAMES, "x", frames.FRAME_BUDGET).current',
  'frames.changeFrames(frames.NO_FRAMES, { type: "push", id: "x", goal: "g" }).answer',
  "(given: frames.FrameTree) => given.frames",
  "(given: lifecycle.Host) => given.summarise",
  "(given: library.LoadedRules) => given.diagnostics",
  ...Object.keys(library.builtInRules().rules).map((name) => `library.builtInRules().rules.${name}`),
];

function program(): string {
  const imports = Object.keys(ENTRIES).map((entry) => `import * as ${entry} from "${nameOf(entry)}";`);
  const functions = Object.entries(ENTRIES).flatMap(([entry, exported]) =>
    Object.entries(exported)
      .filter(([, value]) => typeof value === "function" && !/^class\b/.test(String(value)))
      .map(([name]) => {
        const given = `...given: Parameters<typeof ${entry}.${name}>`;
        return `export const call_${entry}_${name} = (${given}) => ${entry}.${name}(...given);`;
      }),
  );
  const parts = PARTS.map((part, index) => `export const part_${index} = ${part};`);
  return [...imports, ...functions, ...parts].join("\n");
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  declaration: true,
  emitDeclarationOnly: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  preserveSymlinks: true,
  types: [],
};

test("every type of the library can be named from outside", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "compaction-types-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve("."), join(folder, "node_modules", "compaction-rules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const file = join(folder, "program.ts");
    writeFileSync(file, program());
    const compiler = ts.createProgram([file], { ...OPTIONS, outDir: join(folder, "out") });
    const { diagnostics } = compiler.emit();
    const found = [...ts.getPreEmitDiagnostics(compiler), ...diagnostics];
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every export has a comment that says what it is", { timeout: 120_000 }, () => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const files = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [resolve(types)]));
  expect(files).toHaveLength(6);
  const compiler = ts.createProgram(files, { ...OPTIONS, noEmit: true });
  const checker = compiler.getTypeChecker();
  const bare = files.flatMap((file) => {
    const module = checker.getSymbolAtLocation(compiler.getSourceFile(file) as ts.SourceFile);
    return checker.getExportsOfModule(module as ts.Symbol).flatMap((symbol) => {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return meant.getDocumentationComment(checker).length > 0 ? [] : [`${symbol.name} of ${file.replace(resolve("."), "")}`];
    });
  });
  expect(bare).toEqual([]);
});
