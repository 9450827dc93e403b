// README.md and docs/*.md as a user follows them: each page is played from top to bottom in a folder of its own, with
// the built command and the built-in packs. The first word behind a fence says what happens to the block:
//   console    lines behind "$ " are run, and what they print must be what the page shows ("…" stands for anything)
//   sh         every line is run and must succeed; those that need a network are only checked for their shape
//   text       not run: prompts, output of other programs
//   ts         a file that is compiled; a console block must run it. test/samples.slow.test.ts checks its types
//   any other  a file: title="NAME" says which. YAML is validated, and its examples are run; `broken` skips that
// A YAML block without a title is a .compactionrc in a folder of its own.
// UPDATE=1 writes what was printed into the pages; read the difference.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { transform } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { runInside } from "./cli/run-command.js";
import { cases } from "./runs.js";

interface Block {
  readonly language: string;
  readonly title?: string;
  readonly broken: boolean;
  readonly text: string;
  readonly line: number;
}

const PAGES = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** Playing a page starts dozens of processes. */
const PLAYED = cases(PAGES, ["README.md"]);
const NETWORK =
  /^(npm install --global \.|npm install (--global|--save-dev) compaction-rules|pi install \S+|opencode export \S+ > \S+)$/;
const base = mkdtempSync(join(tmpdir(), "compaction-docs-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** `compaction` and `npx compaction-rules` run the build; there is no other `npx`, so nothing is fetched. */
const programs = join(base, "bin");
mkdirSync(programs);
const main = `exec ${process.execPath} ${resolve("dist/cli/main.js")} "$@"`;
writeFileSync(join(programs, "compaction"), `#!/bin/sh\n${main}\n`, { mode: 0o755 });
writeFileSync(join(programs, "npx"), `#!/bin/sh\n[ "$1" = compaction-rules ] || exit 127\nshift\n${main}\n`, { mode: 0o755 });

function blocksOf(page: string): Block[] {
  const lines = readFileSync(page, "utf8").split("\n");
  const blocks: Block[] = [];
  let open: { indent: string; info: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of lines.entries()) {
    const [, indent = "", info = ""] = /^( *)```(.*)$/.exec(line) ?? [];
    if (!line.trimStart().startsWith("```")) open?.lines.push(line.slice(open.indent.length));
    else if (open) {
      const [language = ""] = open.info.split(" ");
      const title = /title="([^"]+)"/.exec(open.info)?.[1];
      const text = open.lines.map((one) => `${one}\n`).join("");
      blocks.push({ language, ...(title && { title }), broken: open.info.endsWith(" broken"), text, line: open.line });
      open = undefined;
    } else open = { indent, info, line: index + 1, lines: [] };
  }
  return blocks;
}

function makeProject(name: string): string {
  const project = join(base, name, "project");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  spawnSync("git", ["init", "--quiet", project]);
  mkdirSync(join(base, name, "home"));
  symlinkSync(resolve("."), join(project, "node_modules/compaction-rules"));
  return project;
}

const environmentOf = (project: string) => ({
  PATH: `${programs}:${process.env.PATH}`,
  HOME: join(dirname(project), "home"),
  NO_COLOR: "1",
  LANG: "C.UTF-8",
});

/** What a shell prints for these lines, one after the other, and the exit status of each. */
function runShell(project: string, commands: readonly string[]): Promise<{ output: string; status: number }[]> {
  const end = "---8<---";
  const script = commands.map((line) => `{ ${line}\n} 2>&1; s=$?; printf '%s%s\\n' '${end}' $s; (exit $s)`).join("\n");
  return new Promise((done, fail) => {
    const shell = spawn("bash", ["-c", script], {
      cwd: project,
      env: environmentOf(project),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let all = "";
    shell.stdout.setEncoding("utf8").on("data", (text: string) => {
      all += text;
    });
    shell.on("error", fail).on("close", () => {
      const outputs = all
        .replaceAll(dirname(project), "")
        .replaceAll(resolve("."), "<package>")
        .split(new RegExp(`${end}(\\d+)\n`));
      done(commands.map((_, index) => ({ output: outputs[2 * index] ?? "", status: Number(outputs[2 * index + 1]) })));
    });
  });
}

/** Whether it is what the page shows, where "…" stands for anything. */
function fits(output: string, shown: string): boolean {
  const plain = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const lines = shown.trimEnd().split("\n");
  const pattern = lines.map((line) => (line === "…" ? "[\\s\\S]*" : line.split("…").map(plain).join(".*"))).join("\n");
  return new RegExp(`^${pattern}$`).test(output.trimEnd());
}

/** What does not hold, in words, and the block with what was really printed. */
async function playConsole(project: string, { text }: Block) {
  const steps = text.split(/^\$ /m).slice(1);
  const commands = steps.map((step) => /^(?:.*\\\n)*.*/.exec(step)?.[0] ?? "");
  const faults: string[] = [];
  let printed = "";
  for (const [index, { output, status }] of (await runShell(project, commands)).entries()) {
    const command = commands[index] ?? "";
    const shown = (steps[index] ?? "").slice(command.length + 1);
    const right = fits(output, shown);
    printed += `$ ${command}\n${right ? shown : output}`;
    if (!right && !process.env.UPDATE) faults.push(`$ ${command}\nprints\n${output}and the page shows\n${shown}`);
    if (status !== 0 && commands[index + 1] !== "echo $?") faults.push(`$ ${command}\n${output}exits with ${status}`);
  }
  return { faults, printed };
}

async function runAll(project: string, commands: readonly string[]): Promise<string[]> {
  const results = await runShell(project, commands);
  return results.flatMap(({ output, status }, index) =>
    status === 0 ? [] : [`$ ${commands[index]}\n${output}exits with ${status}`],
  );
}

async function playShell(project: string, { text }: Block) {
  const lines = text.split("\n").map((line) => line.replace(/(^|\s+)#.*$/, ""));
  const local = lines.filter((line) => line !== "" && !NETWORK.test(line));
  const strange = local.filter((line) => !/^(npx compaction-rules|compaction) /.test(line));
  return strange.length > 0 ? strange.map((line) => `not a known way to install: ${line}`) : runAll(project, local);
}

/** Nothing to object to, and every example holds: a pack by itself, a configuration with the packs that it extends. */
function checkYaml(project: string, { title = ".compactionrc", text }: Block) {
  const rules = /^rules:\n((?:[ #].*\n|\n)*)/m.exec(text)?.[1] ?? "";
  const ids = [...rules.matchAll(/^ {2}([\w-]+):\n/gm)].map(([, id = ""]) => id);
  if (title !== ".compactionrc") return checkAll(project, [["validate", title]]);
  return checkAll(project, [["validate"], ...(ids.length > 0 ? [["test", "--coverage", ...ids]] : [])]);
}

/** Commands that no page shows need no process of their own. */
async function checkAll(project: string, commands: readonly (readonly string[])[]): Promise<string[]> {
  const faults: string[] = [];
  for (const args of commands) {
    const { stdout, stderr, exit } = await runInside(args, { cwd: project, env: environmentOf(project) });
    if (exit !== 0) faults.push(`$ compaction ${args.join(" ")}\n${stdout}${stderr}exits with ${exit}`);
  }
  return faults;
}

async function playBlock(page: string, project: string, block: Block): Promise<string[]> {
  const { language, title, broken, text, line } = block;
  if (title) {
    mkdirSync(dirname(join(project, title)), { recursive: true });
    writeFileSync(join(project, title), text);
  }
  if (language === "text") return [];
  if (language === "sh") return playShell(project, block);
  if (language === "console") {
    const { faults, printed } = await playConsole(project, block);
    const shown = readFileSync(page, "utf8");
    if (process.env.UPDATE)
      writeFileSync(
        page,
        shown.replace(text, () => printed),
      );
    return faults;
  }
  if (language === "yaml") {
    if (broken || title) return broken ? [] : checkYaml(project, block);
    const folder = makeProject(`${basename(page, ".md")}-${line}`);
    writeFileSync(join(folder, ".compactionrc"), text);
    return checkYaml(folder, block);
  }
  if (!title) return [`a block of ${language || "no language"} needs a title`];
  if (language === "json") JSON.parse(text);
  if (language === "js") return ["write samples in TypeScript: their types are checked"];
  if (language !== "ts") return [];
  const compiled = title.replace(/\.mts$/, ".mjs");
  writeFileSync(join(project, compiled), (await transform(text, { loader: "ts" })).code);
  const isRun = blocksOf(page).some((other) => other.language === "console" && other.text.includes(`$ node ${compiled}`));
  return isRun ? [] : [`nothing runs ${title}`];
}

async function playPage(page: string): Promise<string[]> {
  const project = makeProject(basename(page, ".md"));
  const faults: string[] = [];
  for (const block of blocksOf(page)) {
    for (const fault of await playBlock(page, project, block)) faults.push(`${page}:${block.line}: ${fault}`);
  }
  return faults;
}

describe("what the pages show is true", () => {
  for (const page of PLAYED) {
    test(page, { timeout: 180_000 }, async () => {
      expect((await playPage(page)).join("\n\n")).toBe("");
    });
  }
});

const anchorsOf = (page: string) =>
  [
    ...readFileSync(page, "utf8")
      .replace(/^```[\s\S]*?^```/gm, "")
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every link between the pages leads somewhere", () => {
  const broken = [...PAGES, "CONTRIBUTING.md"].flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].flatMap(([, link, image]) => {
      const [path = "", anchor] = (link ?? image ?? "").split("#");
      if (/^https?:/.test(path)) return [];
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(target)) return [`${page}: ${link ?? image}`];
      return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("CONTRIBUTING names only files that exist", () => {
  const folders = ["src", "test", "rules", ".scripts"];
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`));
  const named = [...readFileSync("CONTRIBUTING.md", "utf8").matchAll(/`([\w./-]+\.(?:ts|mjs|yaml))`/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual([]);
});

test("the page of performance counts the aims that its table misses", () => {
  const page = readFileSync("docs/performance.md", "utf8");
  const rows = [...page.matchAll(/^\|[^|]+\| ([\d.]+) \| ([\d.]+) \|$/gm)].map(
    ([, measured, aim]) => Number(measured) > Number(aim),
  );
  expect(page).toContain(`Of these ${rows.length}, ${rows.filter(Boolean).length} miss their aim.`);
});

test("npm start ends with the brief, what the compaction lost and the page, in the words of README", () => {
  const { stdout, status } = spawnSync(process.execPath, [".scripts/sample.mjs"], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(status).toBe(0);
  const [brief, lost, page] = stdout.split(/^── .*\n/m).slice(1);
  expect(brief).toMatch(/^\$ npx compaction-rules run \S+\n\nGoal: /);
  expect(lost).toMatch(/^\$ npx compaction-rules --sample\n[\s\S]*nowhere in the summary/);
  const [, file = ""] = /Open it in a browser: {2}(file:\S+)/.exec(page ?? "") ?? [];
  expect(readFileSync(new URL(file), "utf8")).toContain("<!doctype html>");
  expect(stdout).not.toMatch(/\$ compaction |salience/);
  expect(stdout.split("\n").length).toBeLessThan(80);
});

test("the picture shows what the command prints", () => {
  const lines = [...readFileSync("docs/before-after.svg", "utf8").matchAll(/class="kept"[^>]*>([^<]+)</g)].map(
    ([, line = ""]) => line,
  );
  expect(lines.length).toBeGreaterThan(4);
  const readme = readFileSync("README.md", "utf8").split("\n");
  expect(lines.filter((line) => !readme.includes(line))).toEqual([]);
});

test("every command and every built-in pack is described", async () => {
  const project = makeProject("help");
  const { stdout } = await runInside(["--help"], { cwd: project, env: environmentOf(project) });
  const commands = [...stdout.matchAll(/^ {2}(\w+) .*\S {2,}\S/gm)].map(([, name]) => name);
  const pages = PAGES.map((page) => readFileSync(page, "utf8")).join("\n");
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((name) => !pages.includes(`compaction-rules ${name}`))).toEqual([]);
  const packs = readdirSync("rules", { encoding: "utf8", recursive: true }).flatMap((name) =>
    name.endsWith(".yaml") && !name.startsWith("init") ? [name.slice(0, -".yaml".length)] : [],
  );
  const described = readFileSync("docs/packs.md", "utf8")
    .split("\n## ")
    .find((part) => part.startsWith("Built-in packs"));
  expect(packs.filter((name) => !described?.includes(`\`${name}\``))).toEqual([]);
});
