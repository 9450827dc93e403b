import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";

const MAIN = resolve("dist/cli/main.js");

/** The page of a session in JSON lines. */
function pageOf(records: readonly object[], cwd = "."): string {
  const input = records.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { stdout, stderr } = spawnSync(process.execPath, [MAIN, "view", "-", "--out", "-"], {
    input,
    cwd,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  expect(stderr).toBe("");
  return stdout;
}

/** What the page knows of the session. */
const dataIn = (page: string) => gunzipSync(Buffer.from(/id="data">([^<]*)/.exec(page)?.[1] ?? "", "base64")).toString("utf8");

const noise = (characters: number, seed: string) => {
  let text = "";
  for (let index = 0; text.length < characters; index++)
    text += createHash("sha512").update(`${seed} ${index}`).digest("base64").replaceAll("=", "");
  return text.slice(0, characters);
};

test("masks secrets before it cuts what a tool printed", () => {
  const lines = Array.from({ length: 49 }, (_, line) => noise(64, `line ${line}`));
  const key = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
  const token = `ghp_${noise(36, "token").replace(/[+/]/g, "x")}`;
  // The start and the end of a long output are kept; wherever the secret is, both cuts fall into it once.
  const outputs = [key, `token ${token}\n`].flatMap((secret) =>
    Array.from({ length: 60 }, (_, step) => {
      const before = "It prints a line.\n".repeat(4 * step);
      return [`${before}${secret}${"And more.\n".repeat(900)}`, `${"More before.\n".repeat(900)}${secret}${before}`];
    }).flat(),
  );
  const calls = outputs.map((output) => ({ name: "bash", input: { command: "cat notes" }, output }));
  const data = dataIn(pageOf([{ id: "m1", role: "user", text: "Read the notes.", toolCalls: calls }]));
  expect(data).toContain("It prints a line.");
  expect(data).toContain("█████");
  const parts = [...lines, token].flatMap((text) => [text.slice(0, 12), text.slice(-12)]);
  expect(parts.filter((part) => data.includes(part))).toEqual([]);
});

test("puts no control character of a session into the title, and no line break", () => {
  const id = "a\u001B]0;owned\u0007b\u009B31m\nc\u202Ed<script>";
  const page = pageOf([
    {
      type: "user",
      uuid: "u1",
      sessionId: id,
      cwd: "/p",
      timestamp: "2026-11-02T10:00:00Z",
      message: { role: "user", content: "Add a cache." },
    },
  ]);
  const title = /<title>([^<]*)<\/title>/.exec(page)?.[1] ?? "";
  expect(title).toContain("owned");
  expect(title).not.toMatch(/[\p{Cc}\u202E<]/u);
});

test("masks what the project's packs and templates say, and keeps their patterns and tags", () => {
  const folder = mkdtempSync(join(tmpdir(), "compaction-view-"));
  const token = `ghp_${noise(36, "template").replace(/[+/]/g, "x")}`;
  const regex = "password=(?<text>[a-z]{4,})";
  try {
    writeFileSync(join(folder, "brief.md"), `Deploy with ${token}. {{! ${token} }}{{#goal}}{{text}}{{/goal}}\n`);
    const config = `# ${token}\ntemplates: { brief: { file: brief.md }, note: { text: "${token} {{project}}" } }\n`;
    writeFileSync(join(folder, ".compactionrc"), `${config}rules: { ours: { emit: redact, regex: ["${regex}"] } }\n`);
    const data = dataIn(pageOf([{ id: "m1", role: "user", text: "Add a cache.", toolCalls: [] }], folder));
    const { files } = JSON.parse(data) as { files: Record<string, string> };
    expect(data).not.toContain(token.slice(4, 20));
    expect(files[join(realpathSync(folder), "brief.md")]).toBe(
      `Deploy with ${"█".repeat(40)}. {{! ${"█".repeat(40)} }}{{#goal}}{{text}}{{/goal}}\n`,
    );
    expect(files[join(realpathSync(folder), ".compactionrc")]).toContain(regex);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
