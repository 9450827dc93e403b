// A program in strict TypeScript that exports what the library gives must be able to name it, also without Node's types.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import * as library from "../src/index.js";

const PARTS = [
  "(given: library.Rendered) => given.shown",
  "(given: library.Rendered) => given.store",
  "library.builtInRules().packs",
  "library.builtInRules().sinks",
  "library.builtInRules().frames",
  'library.frameContext(library.NO_FRAMES, "x", library.FRAME_BUDGET).current',
  'library.changeFrames(library.NO_FRAMES, { type: "push", id: "x", goal: "g" }).answer',
  "(given: library.FrameTree) => given.frames",
  "(given: library.Host) => given.summarise",
  "(given: library.LoadedRules) => given.diagnostics",
  ...Object.keys(library.builtInRules().rules).map((name) => `library.builtInRules().rules.${name}`),
];

function program(): string {
  const functions = Object.entries(library)
    .filter(([, value]) => typeof value === "function" && !/^class\b/.test(String(value)))
    .map(([name]) => `export const call_${name} = (...given: Parameters<typeof library.${name}>) => library.${name}(...given);`);
  const parts = PARTS.map((part, index) => `export const part_${index} = ${part};`);
  return ['import * as library from "compaction-rules";', ...functions, ...parts].join("\n");
}

test("every type of the library can be named from outside", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "compaction-types-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve("."), join(folder, "node_modules", "compaction-rules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const file = join(folder, "program.ts");
    writeFileSync(file, program());
    const compiler = ts.createProgram([file], {
      strict: true,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: join(folder, "out"),
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      module: ts.ModuleKind.NodeNext,
      preserveSymlinks: true,
      types: [],
    });
    const { diagnostics } = compiler.emit();
    const found = [...ts.getPreEmitDiagnostics(compiler), ...diagnostics];
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
