import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { builtInRules, extract, lintPacks, loadRules, loadRulesFrom, readWorkspace } from "../../src/index.js";
import { says } from "../sample.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-packs-"));
  mkdirSync(join(folder, ".git"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (...paths: readonly string[]) =>
  readWorkspace(folder, { files: paths.map((path, index) => ({ id: String(index), path })), workflows: [] }).files;

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const codes = (loaded: ReturnType<typeof loadRules>) => loaded.diagnostics.map(({ code, at }) => [code, at?.line, at?.column]);
const rule = (more: string) =>
  `{ emit: decision, ${more}, examples: [{ text: a, emits: { text: a } }, { text: b, emits: none }] }`;
const texts = (loaded: ReturnType<typeof loadRules>, said: string) =>
  extract(says(said, "user"), loaded.rules).continuation.items.map(({ evidence, text }) => `${evidence.rule}: ${text}`);

describe("extends", () => {
  test("of built-in, relative and npm packs, later ones winning", () => {
    write({
      ".compactionrc":
        "extends: [compaction:concepts, ./a.yaml, acme-pack, '@acme/rules/b.yaml']\nrules: { from-a: { match: 'patched {text}' } }\n",
      "a.yaml": `compaction: 1\nname: a\nrules: { from-a: ${rule("match: 'alpha {text}'")} }\n`,
      "node_modules/acme-pack/package.json": '{ "name": "acme-pack", "main": "evil.js", "compaction": "rules/pack.yaml" }',
      "node_modules/acme-pack/evil.js": "process.exit(1)",
      "node_modules/acme-pack/rules/pack.yaml": `compaction: 1\nname: n\nwords: { it: (beta|gamma) }\nrules: { from-npm: ${rule("match: '<it> {text}'")} }\n`,
      "node_modules/@acme/rules/b.yaml": `compaction: 1\nname: b\nrules: { from-scope: ${rule("match: 'delta {text}'")} }\n`,
    });
    const loaded = loadRules(folder);
    expect(codes(loaded)).toEqual([]);
    expect(texts(loaded, "alpha x")).toEqual([]);
    expect(texts(loaded, "patched x")).toEqual(["from-a: x"]);
    expect(texts(loaded, "Gamma y")).toEqual(["from-npm: y"]);
    expect(texts(loaded, "Delta [[z]]")).toEqual(["from-scope: [[z]]", "wiki-link: z"]);
  });

  test("a pack that several extend is taken once", () => {
    write({
      "one.yaml": "compaction: 1\nname: one\nextends: [./two.yaml, ./three.yaml]\n",
      "two.yaml": "compaction: 1\nname: two\nextends: [./base.yaml]\nrules: { r: { score: 0.9 } }\n",
      "three.yaml": "compaction: 1\nname: three\nextends: [./base.yaml]\n",
      "base.yaml": `compaction: 1\nname: base\nrules: { r: ${rule("match: 'alpha {text}', score: 0.1")} }\n`,
    });
    const loaded = loadRulesFrom(join(folder, "one.yaml"));
    expect(codes(loaded)).toEqual([]);
    expect(loaded.rules.rules[0]?.score).toBe(0.9);
  });

  test("a link that leads outside the project is not followed", () => {
    const outside = mkdtempSync(join(tmpdir(), "compaction-outside-"));
    writeFileSync(join(outside, "secret.yaml"), "compaction: 1\nname: s\n");
    symlinkSync(outside, join(folder, "inside"));
    write({ "pack.yaml": "compaction: 1\nname: p\nextends: [./inside/secret.yaml]\n" });
    expect(codes(loadRulesFrom(join(folder, "pack.yaml")))).toEqual([["extends-reach", 3, 11]]);
    rmSync(outside, { recursive: true });
  });

  test("refuses a path that leaves its package", () => {
    write({
      "pack.yaml": "compaction: 1\nname: p\nextends: [acme/../../x.yaml]\n",
      "node_modules/acme/pack.yaml": "compaction: 1\nname: a\n",
      "x.yaml": "compaction: 1\nname: x\n",
    });
    expect(codes(loadRulesFrom(join(folder, "pack.yaml")))).toEqual([["extends-reach", 3, 11]]);
  });

  test("code is not a pack", () => {
    write({
      "pack.yaml": "compaction: 1\nname: p\nextends: [./evil.js, acme]\n",
      "evil.js": "throw 1",
      "node_modules/acme/package.json": '{"compaction": "index.js"}',
      "node_modules/acme/index.js": "throw 1",
    });
    expect(codes(loadRulesFrom(join(folder, "pack.yaml"))).map(([code]) => code)).toEqual(["extends-missing", "extends-missing"]);
  });
});

describe("the configuration", () => {
  test("is found above, up to the repository's root", () => {
    write({ ".compactionrc.yaml": "extends: []\n", "deep/er/file": "" });
    expect(loadRules(join(folder, "deep/er")).file).toBe(join(folder, ".compactionrc.yaml"));
    expect(loadRules(join(folder, "deep/er")).rules.rules).toEqual([]);
  });

  test("switches rules off, and on again", () => {
    write({
      ".compactionrc": "rules: { rationale: off, decision-made: off }\n",
      "sub/.compactionrc": "extends: [./pack.yaml]\nrules: { rationale: { score: 0.4 } }\n",
      "sub/pack.yaml": "compaction: 1\nname: p\nextends: [compaction:decisions]\nrules: { rationale: off }\n",
    });
    expect(loadRules(folder).rules.rules.map(({ id }) => id)).not.toContain("rationale");
    expect(loadRules(join(folder, "sub")).rules.rules.find(({ id }) => id === "rationale")?.score).toBe(0.4);
  });

  test("may be JSON, and may be empty", () => {
    write({ ".compactionrc.json": '{ "budget": { "brief": 900 } }' });
    expect(loadRules(folder).rules.templates.get("brief")?.tokens).toBe(900);
    rmSync(join(folder, ".compactionrc.json"));
    write({ ".compactionrc": "# nothing yet\n" });
    expect(codes(loadRules(folder))).toEqual([]);
    expect(loadRules(folder).rules.rules.length).toBeGreaterThan(10);
  });

  test("prints nothing on the terminal when it is read, whatever it contains", () => {
    const printed = [vi.spyOn(process, "emitWarning"), vi.spyOn(console, "warn"), vi.spyOn(process.stderr, "write")];
    write({ ".compactionrc": "templates:\n  handover:\n    text: {{project}}\n" });
    expect(codes(loadRules(folder))).toEqual([["yaml-syntax", 3, 12]]);
    write({ ".compactionrc": "%YAML 1.1\n---\n? [a, b]\n: c\n" });
    expect(codes(loadRules(folder))).toEqual([["yaml-syntax", 3, 3]]);
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  test("may have keys with everything below them commented out, and says false for what true switches on", () => {
    write({
      ".compactionrc": `${["extends", "rules", "nothing", "budget", "templates", "sinks"].map((key) => `${key}:\n  # x\n`).join("")}frames: false\n`,
    });
    const loaded = loadRules(folder);
    expect(codes(loaded)).toEqual([]);
    expect(loaded.rules.rules.length).toBe(builtInRules().rules.rules.length);
    expect([loaded.frames, loaded.sinks]).toEqual([undefined, {}]);
    write({ ".compactionrc": "sinks: { maenifold: false }\nframes: true\n" });
    expect(loadRules(folder)).toMatchObject({ diagnostics: [], sinks: {}, frames: {} });
    write({ ".compactionrc": "enabled:\n" });
    expect(codes(loadRules(folder))).toEqual([["wrong-type", 1, 9]]);
  });

  test("that is a folder, or a link that leads nowhere, is there and cannot be read", () => {
    mkdirSync(join(folder, ".compactionrc"));
    const said = () => loadRules(folder).diagnostics.map(({ code, message }) => [code, message]);
    expect(said()).toEqual([["file-unreadable", `${join(folder, ".compactionrc")} is a folder`]]);
    rmSync(join(folder, ".compactionrc"), { recursive: true });
    symlinkSync(join(folder, "nowhere"), join(folder, ".compactionrc"));
    expect(said()).toEqual([["file-missing", `${join(folder, ".compactionrc")} is a broken link`]]);
  });

  test("switches fragments off, and on again", () => {
    write({
      ".compactionrc": `extends: [./base.yaml]\nwords: { w: off }\nrules: { r: ${rule("match: 'alpha {text}'")} }\n`,
      "base.yaml": "compaction: 1\nname: base\nwords: { w: (on|off) }\n",
      "sub/.compactionrc": `extends: [./pack.yaml]\nwords: { w: beta }\nrules: { r: ${rule("match: '<w> {text}'")} }\n`,
      "sub/pack.yaml": "compaction: 1\nname: p\nextends: [./base.yaml]\nwords: { w: off }\n",
      "sub/base.yaml": "compaction: 1\nname: base\nwords: { w: alpha }\n",
    });
    expect(codes(loadRules(folder))).toEqual([]);
    expect(texts(loadRules(folder), "Alpha x")).toEqual(["r: x"]);
    expect(codes(loadRules(join(folder, "sub")))).toEqual([]);
    expect(texts(loadRules(join(folder, "sub")), "Beta y")).toEqual(["r: y"]);
  });

  test("a rule of the team's wins over built-in ones, whatever its score; among its own the score decides", () => {
    write({ ".compactionrc": `rules: { ours: ${rule("match: 'we decided to {text}', score: 0.1")} }\n` });
    expect(texts(loadRules(folder), "Ok. We decided to use SQLite.")).toContain("ours: use SQLite");
    expect(texts(loadRules(folder), "Ok. We decided to use SQLite.")).not.toContain("decision-made: use SQLite");
    const two = `first: ${rule("match: 'we decided to {text}', score: 0.1")}, second: ${rule("match: 'we decided {text}', score: 0.2")}`;
    write({ ".compactionrc": `rules: { ${two} }\n` });
    expect(texts(loadRules(folder), "Ok. We decided to use SQLite.")).toContain("second: to use SQLite");
    // A patch leaves the rule among the built-in ones.
    write({ ".compactionrc": "rules: { rationale: { score: 0.2 } }\n" });
    expect(texts(loadRules(folder), "Ok. We decided to use SQLite, because it is small.")).toContain("decision-made: use SQLite");
  });

  test("a category of the team's comes before the built-in ones", () => {
    write({ ".compactionrc": "categories: { billing: { match: '(invoice|stripe)' } }\n" });
    const { items } = extract(says("Never send an invoice twice through the API.", "user"), loadRules(folder).rules).continuation;
    expect(items.find(({ kind }) => kind === "constraint")?.category).toBe("billing");
  });

  test("categories of one file are asked in its order, also where one of them is built in", () => {
    const storage = "storage: { match: cache }";
    write({ ".compactionrc": `categories: { caching: { match: cache }, ${storage} }\n` });
    const category = () => {
      const { items } = extract(says("Never send the cache twice.", "user"), loadRules(folder).rules).continuation;
      return items.find(({ kind }) => kind === "constraint")?.category;
    };
    expect(builtInRules().rules.categories.map(({ id }) => id)).toContain("storage");
    expect(category()).toBe("caching");
    write({ ".compactionrc": `categories: { ${storage}, caching: { match: cache } }\n` });
    expect(category()).toBe("storage");
  });

  test("a budget for a template that is not there is an error", () => {
    write({ ".compactionrc": "budget: { breif: 900 }\n" });
    expect(codes(loadRules(folder))).toEqual([["unknown-id", 1, 11]]);
  });

  test.each([
    ["with capitals", '["z.B.", "Nr."]', "Beschluss: Redis z.B. als Cache nach Nr. 7."],
    ["with a blank", "z. B.", "Beschluss: Redis z. B. als Cache."],
    ["with a blank that does not break", "z. B.", "Beschluss: Redis z.\u00A0B. als Cache."],
    ["without its final stop", "Nr", "Beschluss: Redis nach Nr. 7."],
  ])("an abbreviation may be written %s", (_, abbreviations, said) => {
    const pack = `abbreviations: ${abbreviations}\nrules: { beschluss: ${rule("match: 'Beschluss: {text:rest}'")} }\n`;
    write({ ".compactionrc": `extends: []\n${pack}` });
    expect(texts(loadRules(folder), `${said} Weiter.`)).toEqual([`beschluss: ${said.slice(11).replace("\u00A0", " ")}`]);
  });

  test("a word that only ends like an abbreviation ends its sentence", () => {
    const pack = `abbreviations: ["z. B."]\nrules: { beschluss: ${rule("match: 'Beschluss: {text:rest}'")} }\n`;
    write({ ".compactionrc": `extends: []\n${pack}` });
    expect(texts(loadRules(folder), "Beschluss: Redis im Netz. B. kommt.")).toEqual(["beschluss: Redis im Netz."]);
  });

  test.each([
    ["Latin-1", "latin1", "# one\nname: caf\u00E9\n", 2, 10],
    ["UTF-16 with its mark", "utf16le", "\uFEFFname: a\n", 1, 1],
    ["UTF-16 without its mark", "utf16le", "name: a\n", 1, 2],
  ] as const)("that is %s is an error at its first odd byte", (_, encoding, text, line, column) => {
    writeFileSync(join(folder, ".compactionrc"), Buffer.from(text, encoding));
    expect(codes(loadRules(folder))).toEqual([["file-encoding", line, column]]);
  });

  test("may have a byte order mark and contain U+FFFD", () => {
    write({ ".compactionrc": "\uFEFFextends: []\nwords: { odd: '\uFFFD' }\n" });
    expect(codes(loadRules(folder))).toEqual([]);
    expect(loadRules(folder).rules.rules).toEqual([]);
  });

  test("may not extend a pack or name a template that is not UTF-8", () => {
    // Without a repository, no template needs to be tracked.
    rmSync(join(folder, ".git"), { recursive: true, force: true });
    write({ ".compactionrc": "extends: [./team.yaml]\ntemplates: { own: own.md }\n" });
    writeFileSync(join(folder, "team.yaml"), Buffer.from("compaction: 1\nname: \u00E4\n", "latin1"));
    writeFileSync(join(folder, "own.md"), Buffer.from("\n\nGr\u00FC\u00DFe\n", "latin1"));
    const found = loadRules(folder).diagnostics.map(({ code, at }) => [code, at?.file, at?.line, at?.column]);
    expect(found).toEqual([
      ["file-encoding", join(folder, "team.yaml"), 2, 7],
      ["file-encoding", join(folder, "own.md"), 3, 3],
    ]);
  });

  test("is data: $import and tags run nothing", () => {
    write({ ".compactionrc": "$import: ./evil.mjs\n", "evil.mjs": "globalThis.ran = true" });
    expect(codes(loadRules(folder))).toEqual([["config-import", 1, 1]]);
    write({ ".compactionrc": "extends: !!js/function 'function () {}'\n" });
    expect(loadRules(folder).rules).toBeDefined();
    expect("ran" in globalThis).toBe(false);
  });
});

describe("the project's notes", () => {
  test("are not read from outside, named or linked", () => {
    const outside = mkdtempSync(join(tmpdir(), "compaction-outside-"));
    writeFileSync(join(outside, "secret.md"), "secret");
    symlinkSync(join(outside, "secret.md"), join(folder, "SESSION.md"));
    expect(filesOf("SESSION.md", "../secret.md")).toEqual([]);
    write({ ".compactionrc": "files: { x: ../secret.md, y: /etc/hosts }\n", "NOTES.md": "hello" });
    expect(codes(loadRules(folder))).toEqual([
      ["file-reach", 1, 13],
      ["file-reach", 1, 30],
    ]);
    expect(filesOf("NOTES.md")).toEqual([{ path: "NOTES.md", name: "0", text: "hello" }]);
    rmSync(outside, { recursive: true });
  });
});

describe("findings", () => {
  const check = (body: string) => {
    // Without a repository, no template needs to be tracked.
    rmSync(join(folder, ".git"), { recursive: true, force: true });
    write({
      "base.md": "a",
      "base.yaml": "compaction: 1\nname: base\nwords: { w: z }\n",
      "pack.yaml": `compaction: 1\nname: p\n${body}`,
    });
    const loaded = loadRulesFrom(join(folder, "pack.yaml"));
    return [...loaded.diagnostics, ...(loaded.diagnostics.length > 0 ? [] : lintPacks(loaded.packs))].map(({ code, at }) => [
      code,
      at?.line,
      at?.column,
    ]);
  };

  test.each([
    ["in a flow map", `rules: { r: ${rule("match: 'a', scor: 1")} }\n`, "unknown-key", 3, 43],
    ["in a flow list", "rules: { r: { emit: note, in: { role: [user, asistant] } } }\n", "unknown-value", 3, 46],
    ["in shorthand", "rules: { r: { emit: note, in: { role: asistant } } }\n", "unknown-value", 3, 39],
    [
      "in a block list",
      "rules:\n  r:\n    emit: note\n    match:\n      - good {text}\n      - bad {text\n",
      "phrase-syntax",
      8,
      13,
    ],
    ["inside a quoted phrase", 'rules: { r: { emit: note, match: "we <nope> it" } }\n', "phrase-fragment", 3, 38],
    ["through an alias", "nothing: &list [a, 7]\nabbreviations: *list\n", "wrong-type", 3, 20],
    ["of a type", "rules: { r: { emit: note, match: good, score: high } }\n", "wrong-type", 3, 47],
    ["of a range", "rules: { r: { emit: note, match: good, score: 7 } }\n", "wrong-type", 3, 47],
    ["of a signal", `rules: { r: ${rule("match: a, signals: naration")} }\n`, "unknown-signal", 3, 50],
    ["of salience", "salience: { usr: 5 }\n", "unknown-signal", 3, 13],
    ["of a rule that says nothing", "rules: { r: { emit: note } }\n", "rule-empty", 3, 10],
    ["of a rule that says nothing in lists", "rules: { r: { emit: note, in: {}, signals: [] } }\n", "rule-empty", 3, 10],
    ["of an empty list of phrases", `rules: { r: ${rule("match: []")} }\n`, "rule-empty", 3, 38],
    ["of an empty list of patterns", `rules: { r: ${rule("match: a, regex: []")} }\n`, "rule-empty", 3, 48],
    [
      "of a patch that empties a built-in rule",
      "extends: compaction:recommended\nrules: { decision-made: { match: [] } }\n",
      "rule-empty",
      4,
      34,
    ],
    ["of a signal without a phrase", "signals: { s: { match: [] } }\n", "rule-empty", 3, 24],
    ["of a category without a phrase", "categories: { c: { match: [] } }\n", "rule-empty", 3, 27],
    ["of a phrase without a word", `rules: { r: ${rule("match: '{text}[ now]'")} }\n`, "phrase-anchor", 3, 39],
    ["of a pattern without a literal", `rules: { r: ${rule("regex: '\\d+'")} }\n`, "regex-anchor", 3, 39],
    [
      "in a fragment that several use",
      `words: { w: "a (b" }\nrules: { r: ${rule("match: ['x <w>', 'y <w>']")} }\n`,
      "phrase-syntax",
      3,
      16,
    ],
    ["in a fragment that another uses", 'words: { a: "see <b> now", b: "(x" }\n', "phrase-syntax", 3, 32],
    [
      "of a fragment that is off and used",
      `extends: ./base.yaml\nwords: { w: off }\nrules: { r: ${rule("match: ['x <w>', 'y <w>']")} }\n`,
      "phrase-fragment",
      4,
      10,
    ],
    ["of a fragment that is off and not there", "words: { w: off }\n", "unknown-id", 3, 10],
    ["of a fragment that names itself", 'words: { a: "see <a> now" }\n', "phrase-fragment", 3, 14],
    ["of options without labels", "options: { o: { offered: 'plan {label:word}' } }\n", "missing-key", 3, 12],
    ["of options that nothing offers or takes", "options: { o: { labels: [[a], [b]] } }\n", "missing-key", 3, 12],
    [
      "of an option without a name",
      "options: { o: { labels: [[a], [b]], taken: ['take {label:word}', 'the last one'] } }\n",
      "phrase-slot",
      3,
      66,
    ],
    ["of a section that takes everything", "sections: { s: { title: S, holds: note } }\n", "missing-key", 3, 13],
    ["of a list that is not there", "templates: { t: { text: a, max: { decisons: 3 } } }\n", "unknown-key", 3, 35],
    ["of a signal that only salience knows", `rules: { r: ${rule("match: a, signals: ruled")} }\n`, "unknown-signal", 3, 50],
    ["in a block of text", "templates:\n  t:\n    text: |\n      one\n      two {{nope}}\n", "template-field", 7, 13],
    ["behind a doubled quote", "rules: { r: { emit: note, match: 'it''s <nope> now' } }\n", "phrase-fragment", 3, 41],
    ["of a template's syntax", 'templates: { t: { text: "{{#decisions}}" } }\n', "template-syntax", 3, 40],
    [
      "in what a template is filed under",
      'templates: { t: { text: "a", store: { title: "{{projet}}" } } }\n',
      "template-field",
      3,
      49,
    ],
    ["of a list that is put in as a text", 'templates: { t: { text: "{{decisions}}" } }\n', "template-field", 3, 28],
    ["of a map that is put in as a text", 'templates: { t: { text: "{{{session}}}" } }\n', "template-field", 3, 29],
    ["of fields without a name", 'templates: { t: { text: "{{#goals}}{{fields}}{{/goals}}" } }\n', "template-field", 3, 38],
    ["of a place that is no text", 'templates: { t: { text: "{{#goals}}{{.}}{{/goals}}" } }\n', "template-field", 3, 38],
    [
      "of sections without end",
      `templates: { t: { text: "${"{{#has}}".repeat(33)}${"{{/has}}".repeat(33)}" } }\n`,
      "template-syntax",
      3,
      282,
    ],
    ["of a template without text", "templates: { t: { tokens: 5 } }\n", "unknown-id", 3, 14],
    ["of a template in two places", "templates: { t: { file: base.md, text: a } }\n", "unused-key", 3, 34],
    ["of a signal that would always hold", "signals: { s: {} }\n", "unknown-id", 3, 12],
    ["of a signal that only guards", "signals: { s: { unless: never } }\n", "unknown-id", 3, 12],
    ["of a category that matches nothing", "categories: { c: { of: [decision] } }\n", "unknown-id", 3, 15],
    ["of a tool without a name", "tools: { t: { failed: [oops] } }\n", "unknown-id", 3, 10],
    ["of a program without a name", "shell: { p: { modified: all } }\n", "unknown-id", 3, 10],
    [
      "of an example without its end",
      `rules: { r: { emit: note, match: a, examples: [{ text: a, emits: none }, { text: b }] } }\n`,
      "missing-key",
      3,
      74,
    ],
    ["of an alias of nothing", "nothing: [a]\nabbreviations: *no\n", "yaml-syntax", 4, 16],
    ["of maps without end", `rules: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`, "yaml-syntax", 3, 70],
    ["of a length", `rules: { r: ${rule("match: a, length: { min: 30, max: 10 }")} }\n`, "never-holds", 3, 49],
    ["of a number of words", `rules: { r: ${rule("match: a, in: { words: { min: 3, max: 1 } }")} }\n`, "never-holds", 3, 54],
    ["of a place that is none", `rules: { r: ${rule("match: a, in: { role: [] }")} }\n`, "never-holds", 3, 53],
    ["of a file that no pack names", `rules: { r: ${rule("match: a, in: { file: nothere }")} }\n`, "never-holds", 3, 53],
    ["of a pattern with flags", `rules: { r: ${rule("regex: /foo/i")} }\n`, "never-holds", 3, 38],
    ["of a fragment with a blank", 'words: { "my word": x }\n', "never-holds", 3, 10],
    ["of an option named twice", "options: { o: { labels: [[a], [b, A]], taken: 'take {label:word}' } }\n", "never-holds", 3, 31],
    [
      "of a section without a heading",
      "sections: { s: { title: S, holds: note, headings: [], examples: [{ text: a, emits: none }] } }\n",
      "never-holds",
      3,
      51,
    ],
    ["of a file that is a list", "- a\n", "yaml-syntax", 3, 1],
  ])("%s: one slip, one finding, at its place", (_, body, code, line, column) => {
    expect(check(body)).toEqual([[code, line, column]]);
  });

  test.each([
    ["rules: { r: { emit: note, match: 'a <my word> b' } }", '"my word" is not a valid name for a fragment'],
    ["rules: { r: { emit: note, match: 'a {my name} b' } }", '"my name" is not a valid name for a slot'],
    ["rules: { r: { emit: note, match: 'a {text b' } }", 'a slot is not closed with "}"'],
    ["words: { a: 'x <b>', b: 'y <a>' }", "fragments refer to each other in a circle: <b> → <a> → <b>"],
    [
      `words: { ${Array.from({ length: 40 }, (_, at) => `w${at}: 'x <w${at + 1}>'`).join(", ")}, w40: x }`,
      "fragments refer to each other more than 16 deep",
    ],
    ["nothing: [a, 7]", 'entry 2 of "nothing" must be a string'],
    ["nothing: 7", '"nothing" must be a string'],
  ])("in words that are so: %#", (body, message) => {
    write({ "pack.yaml": `compaction: 1\nname: p\n${body}\n` });
    expect(loadRulesFrom(join(folder, "pack.yaml")).diagnostics.map((finding) => finding.message)).toEqual([message]);
  });

  test.each([
    ["of the same words and a lower score", `a: ${rule("match: x, score: 0.4")}, b: ${rule("match: [x, y], score: 0.7")}`, ["a"]],
    ["of the same words, later", `a: ${rule("match: [x, y]")}, b: ${rule("match: x, in: { role: user }")}`, ["b"]],
    ["in another place", `a: ${rule("match: x, in: { role: assistant }")}, b: ${rule("match: x")}`, []],
    ["on headings", `a: ${rule("match: x")}, b: ${rule("match: x, in: { node: heading }")}`, []],
    ["where the other one has a guard", `a: ${rule("match: x, unless: z")}, b: ${rule("match: x")}`, []],
    ["of other words", `a: ${rule("match: [x, y]")}, b: ${rule("match: [x, z]")}`, []],
  ])("a rule %s: never wins, or may", (_, rules, losing) => {
    write({ "pack.yaml": `compaction: 1\nname: p\nrules: { ${rules} }\n` });
    const { packs } = loadRulesFrom(join(folder, "pack.yaml"));
    const found = lintPacks(packs).flatMap(({ code, message }) => (code === "never-wins" ? [message.split(" ").at(-2)] : []));
    expect(found).toEqual(losing);
  });

  test("warns when a rule with a built-in id keeps its guards, and not when it is a patch", () => {
    const messages = (body: string) => {
      write({ ".compactionrc": `rules: { decision-made: ${body} }\n` });
      return lintPacks(loadRules(folder).packs).flatMap(({ code, message }) => (code === "kept-guards" ? [message] : []));
    };
    expect(messages(rule("match: 'it is {text}'"))).toEqual([
      "decision-made is the id of a built-in rule: this one keeps its in, unless",
    ]);
    expect(messages(rule("match: 'it is {text}', in: {}, unless: []"))).toEqual([]);
    expect(messages("{ match: 'it is {text}' }")).toEqual([]);
  });

  test("off is off in YAML 1.1 too", () => {
    write({ ".compactionrc": "# ours\n%YAML 1.1\n---\nrules: { decision-made: off }\n" });
    const { rules, diagnostics } = loadRules(folder);
    expect(diagnostics).toEqual([]);
    expect(rules.rules.map(({ id }) => id)).not.toContain("decision-made");
  });

  test("reports every unknown id", () => {
    const body =
      "extends: [compaction:recommended]\nrules: { decision-mad: off, rationalee: { score: 1 } }\nsections: { gaol: off }\n";
    expect(check(body).map(([code]) => code)).toEqual(["unknown-id", "unknown-id", "unknown-id"]);
  });

  test("a rule on headings needs no word", () => {
    write({ "pack.yaml": `compaction: 1\nname: p\nrules: { r: { emit: note, in: { node: heading }, match: "{text:rest}" } }\n` });
    expect(texts(loadRulesFrom(join(folder, "pack.yaml")), "# Release plan")).toEqual(["r: Release plan"]);
  });

  test("alias bombs and huge files end in a finding", () => {
    const bomb = `a: &a [${"x,".repeat(9)}x]\n${["b", "c", "d", "e", "f", "g", "h"].map((name, index) => `${name}: &${name} [${`*${"abcdefgh"[index]},`.repeat(9)}*${"abcdefgh"[index]}]\n`).join("")}`;
    expect(check(bomb).map(([code]) => code)).toContain("yaml-syntax");
    expect(check(`nothing: [${"x, ".repeat(400_000)}]\n`).map(([code]) => code)).toEqual(["file-too-large"]);
  });

  test("a key named __proto__ is just an unknown key", () => {
    expect(check("__proto__: { polluted: true }\n")).toEqual([["unknown-key", 3, 1]]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
