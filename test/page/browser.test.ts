// The stand-ins for modules of Node give what Node gives.
import { createHash } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import * as fs from "../../src/page/browser/fs.js";
import * as own from "../../src/page/browser/node.js";

test("escape sequences of terminals", () => {
  const texts = [
    "\u001B[31mred\u001B[0m",
    "\u001B]8;;http://x.example\u0007link\u001B]8;;\u0007",
    "\u009B1;2Ha",
    "plain [31m",
    "\u001B(B\u001B[?25l|",
  ];
  for (const text of texts) expect(own.stripVTControlCharacters(text)).toBe(stripVTControlCharacters(text));
});

test("hashes", () => {
  for (const text of ["", "decision\nuse Postgres", "ü😀"])
    expect(own.createHash("sha256").update(text).digest("hex")).toBe(createHash("sha256").update(text).digest("hex"));
});

test("files and folders", () => {
  fs.files.set("/p/team.yaml", "compaction: 1");
  expect(fs.existsSync("/p")).toBe(true);
  expect(fs.statSync("/p")?.isDirectory()).toBe(true);
  expect(fs.readRegular("/p/team.yaml").toString()).toBe("compaction: 1");
  expect(fs.statSync("/q", { throwIfNoEntry: false })).toBeUndefined();
  expect(() => fs.realpathSync("/q")).toThrow(/ENOENT/);
  expect(() => fs.writeFileSync()).toThrow("a page has no files");
  fs.files.clear();
});
