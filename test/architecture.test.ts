import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { LifecycleFile } from "../src/generated/pack-file.js";

const files = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !file.includes("generated"));

const read = (file: string) => readFileSync(file, "utf8");

// What a folder may import, beside model, diagnostics and limits, which all may.
const MAY: Readonly<Record<string, readonly string[]>> = {
  config: ["generated"],
  rules: ["config", "generated"],
  source: [],
  extract: ["rules", "source", "config", "generated"],
  keep: ["render", "extract", "rules"],
  render: ["extract", "rules", "config"],
  lifecycle: ["extract", "rules"],
  summarise: ["keep", "render", "extract", "rules"],
  frames: ["keep", "extract", "rules"],
  hosts: ["summarise", "frames", "keep", "render", "extract", "rules", "source", "sinks"],
  sinks: ["render"],
  cli: ["hosts", "summarise", "frames", "keep", "render", "extract", "rules", "source", "config"],
};
const ROOT = [
  "model.ts",
  "diagnostics.ts",
  "limits.ts",
  "make-folder.ts",
  "project-root.ts",
  "reach.ts",
  "regular-file.ts",
  "json-text.ts",
  "one-line.ts",
  "home-folder.ts",
  "working-folder.ts",
];

const folderOf = (file: string) => {
  const parts = relative("src", file).split("/");
  return parts.length > 1 ? (parts[0] as string) : "";
};

describe("imports point one way", () => {
  test.each(files)("%s", (file) => {
    const from = folderOf(file);
    const targets = [...read(file).matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map((match) =>
      relative(".", resolve(dirname(file), (match[1] as string).replace(/\.js$/, ".ts"))),
    );
    for (const target of targets) {
      const to = folderOf(target);
      if (ROOT.some((name) => target === join("src", name))) continue;
      if (from === "") expect(["src/index.ts", "src/server.ts", "src/pi.ts"], `${file} → ${target}`).toContain(file);
      else if (to !== from) expect(MAY[from], `${file} → ${target}`).toContain(to);
    }
    if (ROOT.includes(relative("src", file))) expect(targets.filter((target) => target !== "src/limits.ts")).toEqual([]);
    // A sink knows what a rendering is, and renders nothing.
    if (from === "sinks") expect(read(file)).not.toMatch(/^import (?!type )[^;]*"\.\.\/render\//m);
  });
});

test("the file system, the clock and the process stay at the rim", () => {
  const rim = [
    "src/make-folder.ts",
    "src/project-root.ts",
    "src/keep/project-home.ts",
    "src/reach.ts",
    "src/regular-file.ts",
    "src/working-folder.ts",
    "src/keep/state.ts",
    "src/keep/finds-stores.ts",
    "src/keep/lock.ts",
    "src/summarise/endpoint.ts",
    "src/config/load.ts",
    "src/config/built-in.ts",
    "src/hosts/opencode.ts",
    "src/hosts/read-ahead.ts",
    "src/hosts/frame-calls.ts",
    "src/hosts/frame-ends.ts",
    "src/hosts/frame-trees.ts",
    "src/config/search.ts",
    "src/source/file-chunks.ts",
    "src/source/workspace.ts",
    "src/rules/load.ts",
  ];
  const offenders = files.filter(
    (file) =>
      !file.startsWith("src/cli/") &&
      !file.startsWith("src/sinks/") &&
      !rim.includes(file) &&
      /node:fs|node:child_process|process\.|Date\.now|new Date\(\)/.test(read(file)),
  );
  expect(offenders).toEqual([]);
});

describe("rules are data: nothing of the packs stands in src", () => {
  const code = files.map((file) => ({ file, text: read(file).replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "") }));
  const strings = code.map(({ file, text }) => ({
    file,
    text: [...text.matchAll(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\/[a-z]*/g)]
      .map(([match]) => match)
      .join("\n"),
  }));
  const packs = readdirSync("rules")
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
    // Readers know the words of their own formats.
    const found = (word = "") => holders(word).filter((file) => !file.startsWith("src/source/"));
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
