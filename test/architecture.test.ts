import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { LifecycleFile } from "../src/generated/pack-file.js";

const files = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !file.includes("generated"));

const read = (file: string) => readFileSync(file, "utf8");

// What a folder may import, beside model, diagnostics, limits and steps, which all may.
const MAY: Readonly<Record<string, readonly string[]>> = {
  text: [],
  files: [],
  config: ["generated", "files", "text"],
  rules: ["config", "generated", "files", "text"],
  source: ["files", "text"],
  extract: ["rules", "source", "config", "generated", "text"],
  render: ["extract", "rules", "config", "text"],
  judge: ["render", "extract", "rules", "source", "text"],
  state: ["judge", "extract", "rules", "generated", "files", "text"],
  audit: ["state", "render", "extract", "rules", "text"],
  lifecycle: ["rules", "text"],
  compact: ["audit", "state", "render", "extract", "rules", "text"],
  frames: ["state", "extract", "rules", "text"],
  guards: ["extract", "rules", "config", "generated", "text"],
  sinks: ["render", "files", "text"],
  recall: ["state", "extract", "rules", "source", "files", "text"],
  hosts: [
    "config",
    "guards",
    "recall",
    "judge",
    "compact",
    "frames",
    "audit",
    "state",
    "render",
    "extract",
    "rules",
    "source",
    "sinks",
    "files",
    "text",
  ],
  page: ["guards", "judge", "hosts", "audit", "state", "render", "extract", "rules", "source", "config", "generated", "text"],
  cli: [
    "guards",
    "recall",
    "page",
    "judge",
    "hosts",
    "compact",
    "frames",
    "audit",
    "state",
    "render",
    "extract",
    "rules",
    "source",
    "config",
    "files",
    "text",
  ],
};
const ROOT = ["model.ts", "diagnostics.ts", "limits.ts", "steps.ts"];
const isModel = (file: string) => /^src\/model[./]/.test(file);

const folderOf = (file: string) => {
  const parts = relative("src", file).split("/");
  return parts.length > 1 ? (parts[0] as string) : "";
};

const targetsOf = (file: string) =>
  [...read(file).matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map((match) =>
    sourceOf(relative(".", resolve(dirname(file), match[1] as string))),
  );

const sourceOf = (file: string) =>
  existsSync(file.replace(/\.js$/, ".tsx")) ? file.replace(/\.js$/, ".tsx") : file.replace(/\.js$/, ".ts");

test("no two files import each other, not even through others", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const target of targetsOf(file)) if (files.includes(target)) visit(target, [...path, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

// The stages of an extraction, in their order.
const STAGES = ["calls", "segments", "signals", "notes", "facts", "workflow", "settle", "weigh"];

test("no stage of an extraction imports a later one", () => {
  const stageOf = (file: string) => STAGES.indexOf(relative("src/extract", file).split("/")[0] as string);
  const own = files.filter((file) => stageOf(file) >= 0);
  const isLater = (file: string) => (target: string) => {
    if (!target.startsWith("src/extract/")) return false;
    return stageOf(target) < 0 || stageOf(target) > stageOf(file);
  };
  const back = own.flatMap((file) =>
    targetsOf(file)
      .filter(isLater(file))
      .map((target) => `${file} → ${target}`),
  );
  expect(own.length).toBeGreaterThan(40);
  expect(back).toEqual([]);
});

test("the packages that the design names do their work", () => {
  const imported = new Set(
    [...files, ".scripts/generate.mjs"].flatMap((file) =>
      [...read(file).matchAll(/^(?:import|\}).* from "((?:@[^/"]+\/)?[^./"][^/"]*)/gm)].map(([, name]) => name),
    ),
  );
  const named = ["yaml", "ajv", "unified", "remark-parse", "remark-wiki-link", "mdast-util-to-string", "cosmiconfig"];
  expect(named.filter((name) => !imported.has(name))).toEqual([]);
  const { devDependencies } = JSON.parse(read("package.json"));
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(named));
});

test("no folder lists more than 20 files", () => {
  for (const folder of new Set(files.map((file) => dirname(file))))
    expect(files.filter((file) => dirname(file) === folder).length, folder).toBeLessThanOrEqual(20);
});

describe("imports point one way", () => {
  test.each(files)("%s", (file) => {
    const from = folderOf(file);
    const targets = targetsOf(file);
    if (isModel(file)) {
      expect(targets.filter((target) => !isModel(target))).toEqual([]);
      return;
    }
    for (const target of targets) {
      const to = folderOf(target);
      if (ROOT.some((name) => target === join("src", name))) continue;
      // The agent loads this file as it is, beside what is built.
      if (file === "src/hosts/pi/extension/index.ts" && target === "dist/pi.ts") continue;
      if (from === "") expect(["src/index.ts", "src/server.ts", "src/pi.ts"], `${file} → ${target}`).toContain(file);
      else if (to !== from) expect(MAY[from], `${file} → ${target}`).toContain(to);
    }
    if (ROOT.includes(relative("src", file))) expect(targets.filter((target) => target !== "src/limits.ts")).toEqual([]);
    // A sink knows what a rendering is, and renders nothing.
    if (from === "sinks") expect(read(file)).not.toMatch(/^import (?!type )[^;]*"\.\.\/render\//m);
  });
});

test("only the endpoint, the store of a team and the playground use the network", () => {
  const uses =
    /["']node:(?:https?|http2|net|tls|dgram|dns)\b|\bfetch\(|\bnew (?:EventSource|WebSocket|XMLHttpRequest)\b|["']pg["']/;
  expect(files.filter((file) => uses.test(read(file))).sort()).toEqual([
    "src/cli/play/server.ts",
    "src/compact/endpoint.ts",
    "src/page/playground.ts",
    "src/recall/postgres-connection.ts",
  ]);
});

test("the file system, the clock and the process stay at the rim", () => {
  const rim = [
    "src/files/folders.ts",
    "src/files/git-index.ts",
    "src/files/regular-file.ts",
    "src/state/history.ts",
    "src/state/state.ts",
    "src/state/lock.ts",
    "src/compact/endpoint.ts",
    "src/config/load-pack.ts",
    "src/config/load-template.ts",
    "src/hosts/claude-code/plugin/hooks/register.ts",
    "src/hosts/own-program.ts",
    "src/hosts/recall-tools.ts",
    "src/hosts/opencode/opencode.ts",
    "src/hosts/opencode/history.ts",
    "src/hosts/opencode/frames/calls.ts",
    "src/hosts/opencode/frames/ends.ts",
    "src/hosts/opencode/frames/sessions.ts",
    "src/config/find-config.ts",
    "src/config/search-config.ts",
    "src/source/notes/workspace.ts",
    "src/rules/load-rules.ts",
    "src/recall/database.ts",
    "src/recall/listed.ts",
    "src/recall/machine.ts",
  ];
  const offenders = files.filter(
    (file) =>
      !file.startsWith("src/cli/") &&
      !file.startsWith("src/sinks/") &&
      // It has other modules for those of Node.
      !file.startsWith("src/page/browser/") &&
      !rim.includes(file) &&
      /node:fs|node:child_process|process\.|Date\.now|new Date\(\)/.test(read(file)),
  );
  expect(offenders).toEqual([]);
  expect(rim.filter((file) => !files.includes(file))).toEqual([]);
});

test("scripts import only what is built from a file in src", () => {
  const scripts = readdirSync(".scripts", { encoding: "utf8", recursive: true }).filter((name) => name.endsWith(".mjs"));
  const imported = scripts.flatMap((name) =>
    [...read(join(".scripts", name)).matchAll(/(?:from |import\()"#dist\/([\w/-]+)\.js"/g)].map(([, path]) => `src/${path}.ts`),
  );
  expect(imported.length).toBeGreaterThan(5);
  expect(imported.filter((file) => !files.includes(file) && !file.startsWith("src/generated/"))).toEqual([]);
});

describe("rules are data: nothing of the packs stands in src", () => {
  const code = files.map((file) => ({ file, text: read(file).replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "") }));
  const strings = code.map(({ file, text }) => ({
    file,
    text: [...text.matchAll(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\/[a-z]*/g)]
      .map(([match]) => match)
      .join("\n"),
  }));
  const packs = readdirSync("rules", { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => ({ name, body: parse(read(join("rules", name))) }));

  const holders = (word: string) =>
    strings
      .filter(({ text }) => new RegExp(`(?<![\\w-])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "i").test(text))
      .map(({ file }) => file);

  test("no word that makes a decision, a heading, a stage or an output sentence", () => {
    const words = [
      "decided",
      "chose",
      "because",
      "instead of",
      "won't",
      "Primary Objective",
      "spec-execute",
      "bug-fix",
      "Next Operator Brief",
      "Knowledge Graph",
      "Key Decisions",
      "Compaction Summary",
      "Constraints & Preferences",
      "e.g.",
    ];
    for (const word of words) expect(holders(word), word).toEqual([]);
  });

  test("no signal but those that the schema says the engine asks for", () => {
    const { properties } = JSON.parse(read("schemas/pack.schema.json"));
    const asked = Object.keys({ ...properties.signals.properties, ...properties.salience.properties });
    // Names that are also plain words of the language of this program.
    const plain = [
      "user",
      "assistant",
      "file",
      "asks",
      "option",
      "yes",
      "no",
      "bold",
      "short",
      "title",
      "quotation",
      "instead",
      "bare",
      "blocks",
      "did",
      "measures",
      "causes",
      "requires",
      "report",
      "unsure",
      "keeps",
      "requests",
      "last-request",
      "turn-end",
      "session-end",
      "offered",
      "turns",
    ];
    const names = packs
      .flatMap(({ body }) => Object.keys(body.signals ?? {}))
      .filter((name) => ![...asked, ...plain].includes(name));
    expect(names.length).toBeGreaterThan(50);
    const held = names.filter((name) => holders(`"${name}"`).some((file) => !file.startsWith("src/source/")));
    expect(held).toEqual([]);
  });

  test("no name of a tool", () => {
    // Short names that are also plain words of the language of this program.
    const plain = [
      "read",
      "write",
      "edit",
      "create",
      "delete",
      "view",
      "replace",
      "patch",
      "ask",
      "question",
      "exec",
      "confirm",
      "shell",
      "task",
      "agent",
      "skill",
      "fetch",
      "wait",
      "glob",
      "commit",
    ];
    const names = packs.flatMap(({ body }) =>
      Object.values((body.tools ?? {}) as Record<string, { names?: string[] }>).flatMap(({ names = [] }) => names),
    );
    expect(names.length).toBeGreaterThan(20);
    for (const name of names.filter((one) => !plain.includes(one.toLowerCase()))) expect(holders(name), name).toEqual([]);
  });

  test("no stage of a workflow, no artifact and no folder", () => {
    interface WorkflowBody {
      readonly folder: string;
      readonly artifacts: Readonly<Record<string, string>>;
      readonly stages: Readonly<Record<string, unknown>>;
    }
    const workflows = packs.flatMap(({ body }) => Object.values((body.workflows ?? {}) as Record<string, WorkflowBody>));
    // Stage names that are also plain words of the language of this program.
    const plain = ["design", "tasks", "plan", "implement", "specify", "requirements"];
    const names = workflows.flatMap(({ folder, artifacts, stages }) => [
      folder,
      ...Object.values(artifacts),
      ...Object.keys(stages),
    ]);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names.filter((one) => !plain.includes(one))) expect(holders(name), name).toEqual([]);
  });

  test("no word of a lifecycle: its tools, its sentences, its variables", () => {
    const sets = packs.flatMap(({ body }) => Object.values((body.lifecycle ?? {}) as Record<string, LifecycleFile>));
    expect(sets.length).toBeGreaterThan(1);
    // Readers know the words of their own formats, and init writes a file that agents call so.
    const known = ["src/source/", "src/cli/init/init-skill.ts"];
    const found = (word = "") => holders(word).filter((file) => !known.some((place) => file.startsWith(place)));
    for (const { keep = [], cleared, continue: proceed, environment = {} } of sets) {
      for (const word of [...keep, cleared, proceed, ...Object.values(environment)]) expect(found(word), word).toEqual([]);
    }
  });

  test("no title of a section and no line of a template", () => {
    const titles = packs.flatMap(({ body }) =>
      Object.values((body.sections ?? {}) as Record<string, { title?: string }>).map(({ title }) => title ?? ""),
    );
    const lines = readdirSync("rules/templates").flatMap((name) =>
      read(join("rules/templates", name))
        .split("\n")
        .map((line) =>
          line
            .replace(/\{\{[^}]*\}\}/g, "")
            .replace(/^[\s#*>-]+/, "")
            .trim(),
        )
        .filter((line) => line.length > 12),
    );
    expect(lines.length).toBeGreaterThan(5);
    for (const text of [...titles.filter((title) => title.includes(" ")), ...lines]) expect(holders(text), text).toEqual([]);
  });
});

test("no host of a registry is named", () => {
  const places = ["package.json", "package-lock.json", "README.md", "CONTRIBUTING.md", ".ci/run"].filter((name) =>
    readdirSync(dirname(name)).includes(name.split("/").at(-1) as string),
  );
  for (const place of places) expect(read(place), place).not.toMatch(/registry\.[a-z]/);
});

test("only the folder of a host, its reader and the entry points know it", () => {
  const names = ["claude", "codex", "opencode", "copilot", "gemini"];
  const own = [
    /^src\/hosts\/(?:claude-code|codex|copilot|gemini|opencode|pi)\//,
    /^src\/hosts\/(?:calls\/)?hosts\.ts$/,
    /^src\/(?:server|pi)\.ts$/,
    /^src\/source\//,
  ];
  // One suggests what can be written behind the command, the other proves that what each agent names can be loaded.
  const suggesting = ["src/cli/init/init.ts", "src/cli/prove.ts"];
  const code = (file: string) =>
    read(file)
      .replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "")
      .replace(/^import .*$/gm, "");
  const knowing = files.filter(
    (file) => !own.some((path) => path.test(file)) && names.some((name) => code(file).toLowerCase().includes(name)),
  );
  expect(knowing.filter((file) => !suggesting.includes(file))).toEqual([]);
});
