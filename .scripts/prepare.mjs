// What the built-in packs say, read and compiled ahead of time (src/config/prepared.ts), from the library in dist/.
import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

export async function prepare() {
  const { loadPack } = await import("../dist/config/load.js");
  const { rulesFolder } = await import("../dist/config/built-in.js");
  const { resolvePacks } = await import("../dist/config/resolve.js");
  const { compileRules } = await import("../dist/rules/compile.js");
  const { pickInWords } = await import("../dist/rules/compile-workflow.js");
  const { compilePhrase } = await import("../dist/rules/phrase.js");
  const { packProgram } = await import("../dist/rules/prepared.js");
  const { lintTemplate } = await import("../dist/render/template.js");
  const names = readdirSync(rulesFolder).filter((name) => name.endsWith(".yaml"));
  const packs = {};
  const texts = {};
  for (const name of names) {
    const { body, diagnostics } = loadPack(`${rulesFolder}${name}`, rulesFolder, "pack");
    if (diagnostics.length > 0) continue;
    packs[name] = body;
    texts[name] = readFileSync(`${rulesFolder}${name}`, "utf8");
  }
  const everything = { extends: names.map((name) => `compaction:${name.slice(0, -5)}`) };
  const resolved = resolvePacks(loadPack("(built in)", rulesFolder, "config", JSON.stringify(everything)));
  const words = Object.fromEntries([...resolved.words].map(([id, { value }]) => [id, value]));
  const phrases = {};
  const patterns = {};
  const { rules } = compileRules(resolved);
  const masking = new Set(rules.redactions.flatMap(({ regex }) => regex));
  collect(rules, new Set());
  // These are only checked, and no part of the rule set.
  for (const { value } of resolved.workflows.values())
    for (const phrase of value.pick ?? []) collect(compilePhrase(pickInWords(phrase), words), new Set());
  const templates = [...resolved.templates.values()].flatMap(({ text, value: { store = {} } }) => [
    text,
    ...[store.title, store.folder, store.file, ...(store.tags ?? [])].filter((one) => one !== undefined),
  ]);
  return { packs, texts, words, phrases, patterns, templates: templates.filter((text) => lintTemplate(text).length === 0) };

  /** Everything that was compiled, wherever it stands in the rule set. */
  function collect(value, seen) {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (typeof value.source === "string" && Array.isArray(value.program)) {
      const { source, program, first, atStart, ...known } = value;
      // What is not data cannot be prepared.
      if (isDeepStrictEqual(JSON.parse(JSON.stringify(known)), known))
        phrases[source] = { ...known, program: packProgram(program) };
    } else if (typeof value.source === "string" && typeof value.matches === "function") {
      const { source, anchors, every, groups } = value;
      patterns[source] = { anchors, every, groups, ...((masking.has(value) || patterns[source]?.look) && { look: value.look }) };
    } else {
      const inner = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
      for (const one of inner) collect(one, seen);
    }
  }
}
