// Sessions from Windows, read on any system: one in the form of Claude Code, made for this test, with lines that end in CRLF.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, readSession, render, type Template } from "../../src/index.js";

const { rules } = builtInRules();
const bytes = readFileSync("test/fixtures/windows.jsonl");
const { session } = readSession(bytes, "windows.jsonl");

describe("a session of Claude Code on Windows", () => {
  const extraction = extract(session, rules);
  const { files, errors, items } = extraction.continuation;

  test("has line ends of Windows, and is read without them", () => {
    expect(
      bytes
        .toString()
        .split("\n")
        .slice(0, -1)
        .every((line) => line.endsWith("\r")),
    ).toBe(true);
    expect(session).toMatchObject({ format: "claude-code", folder: "C:\\Users\\ann\\shop" });
    expect(items.map(({ text }) => text)).toContain("cache prices for 60 s");
    expect(JSON.stringify(items)).not.toContain("\\r");
  });

  test("names each file of the project in one way, however it was written", () => {
    expect(files).toEqual({
      read: [],
      created: ["C:/Users/ann/AppData/Local/Temp/claude/scratch.txt", "src/cart-old.ts"],
      modified: ["src/cart.ts"],
      deleted: ["src/prices/cache.ts"],
      aside: ["C:/Users/ann/AppData/Local/Temp/claude/scratch.txt", "src/prices/cache.ts"],
    });
  });

  test("knows a program by the name of its shim", () => {
    expect(errors).toMatchObject([{ command: 'cd "C:\\Users\\ann\\shop" && npm.cmd test', resolved: false }]);
    expect(errors[0]?.minor).toBeUndefined();
  });

  test("has a brief with files of the project only", () => {
    const { text } = render(extraction, rules.templates.get("brief") as Template, rules);
    expect(text).toContain("Changed: src/{cart-old.ts, cart.ts}");
    expect(text).not.toContain("\\src");
  });
});
