// Reads and compiles the built-in packs ahead of time (src/config/prepared.ts), with the library in dist/.
import { readdirSync, readFileSync } from "node:fs";
import { known } from "./known.mjs";

export async function prepare() {
  const { loadPack, rulesFolder } = await import("#dist/config/load-pack.js");
  const { resolvePacks } = await import("#dist/config/resolve-packs.js");
  const { compileRules } = await import("#dist/rules/compile/compile-rules.js");
  const { pickInWords } = await import("#dist/rules/compile/workflow.js");
  const { compilePhrase } = await import("#dist/rules/phrase/phrase.js");
  const { packPhrase } = await import("#dist/rules/compile/prepared-phrases.js");
  const { lintTemplate } = await import("#dist/render/lint.js");
  const yaml = readdirSync(rulesFolder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yaml"));
  const names = yaml.map((name) => name.split("\\").join("/")).filter((name) => !name.startsWith("init/"));
  const packs = {};
  const texts = {};
  for (const name of names) {
    const { body, diagnostics } = loadPack(`${rulesFolder}${name}`, rulesFolder, "pack");
    if (diagnostics.length > 0) continue;
    packs[name] = body;
    texts[name] = readFileSync(`${rulesFolder}${name}`, "utf8");
  }
  // Phrases are prepared with the fragments of a project that extends no more: others would differ, and then none is used.
  const usual = { extends: ["compaction:recommended"] };
  const resolved = resolvePacks(loadPack("(built in)", rulesFolder, "config", JSON.stringify(usual)));
  const words = Object.fromEntries([...resolved.words].map(([id, { value }]) => [id, value]));
  const found = new Map();
  const patterns = {};
  const { rules } = compileRules(resolved);
  const { vocabulary } = known([...rules.signals.values()].flatMap(({ match }) => match)[0], "a phrase of the built-in packs");
  const masking = new Set(rules.redactions.flatMap(({ regex }) => regex));
  collect(rules, new Set());
  // These are only checked; they are not part of the rule set.
  for (const { value } of resolved.workflows.values())
    for (const phrase of value.pick ?? []) collect(compilePhrase(pickInWords(phrase), words, vocabulary), new Set());
  const templates = [...resolved.templates.values()].flatMap(({ text, value: { store = {} } }) => [
    text,
    ...[store.title, store.folder, store.file, ...(store.tags ?? [])].filter((one) => one !== undefined),
  ]);
  const phrases = {};
  const slots = new Map();
  let packed = "";
  let anchored;
  // Those with an anchor first: most uses need no others.
  for (const phrase of [...found.values()].sort((a, b) => Number(b.anchors.length > 0) - Number(a.anchors.length > 0))) {
    if (phrase.anchors.length === 0) anchored ??= packed.length;
    phrases[phrase.source] = packed.length;
    const list = JSON.stringify(phrase.slots);
    if (!slots.has(list)) slots.set(list, slots.size);
    packed += packPhrase(phrase, slots.get(list));
  }
  return {
    prepared: {
      packs,
      words,
      phrases,
      anchored: anchored ?? packed.length,
      vocabulary: vocabulary.words,
      slots: [...slots.keys()].map((list) => JSON.parse(list)),
      patterns,
    },
    texts,
    packed,
    templates: templates.filter((text) => lintTemplate(text).length === 0),
  };

  /** Everything that was compiled, anywhere in the rule set. */
  function collect(value, seen) {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (typeof value.source === "string" && Array.isArray(value.code)) found.set(value.source, value);
    else if (typeof value.source === "string" && typeof value.matches === "function") {
      const { source, anchors, every, groups } = value;
      patterns[source] = { anchors, every, groups, ...((masking.has(value) || patterns[source]?.look) && { look: value.look }) };
    } else {
      const inner = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
      for (const one of inner) collect(one, seen);
    }
  }
}
