import { expect, test } from "vitest";
import type { Item } from "../../src/model.js";
import type { PageData } from "../../src/page/data.js";
import { toRows } from "../../src/page/rows.js";
import { describe as describeKey, keysAt, pathAt, valuesAt } from "../../src/page/schema.js";
import { piecesOf, spansBySource } from "../../src/page/spans.js";
import { says } from "../sample.js";

const rowsOf = (text: string) => toRows({ session: says(text), workspace: {} } as unknown as PageData);
const partsOf = (text: string) => rowsOf(text).map((row) => row.text?.part ?? "");

test("long texts are cut into rows that give the whole text, and never inside a character", () => {
  for (const text of ["a\n".repeat(5_000), "x".repeat(10_000), "😀".repeat(3_001), "short"]) {
    const parts = partsOf(text);
    expect(parts.join("")).toBe(text);
    for (const part of parts) expect(part).not.toMatch(/\p{Cs}/u);
  }
  expect(rowsOf("x".repeat(10_000)).filter(({ head }) => head)).toHaveLength(1);
});

test("facts cut a text into pieces, the shortest fact of each first", () => {
  const item = (start: number, end: number, kind: string) =>
    ({ kind, evidence: { source: "m", start, end }, also: [] }) as unknown as Item;
  const spans = spansBySource([item(2, 8, "goal"), item(4, 6, "note"), item(20, 30, "done")]).get("m\n") ?? [];
  const pieces = piecesOf("0123456789", 0, spans);
  expect(pieces.map(({ text }) => text)).toEqual(["01", "23", "45", "67", "89"]);
  expect(pieces.map(({ facts }) => facts.map((fact) => fact.item.kind))).toEqual([[], ["goal"], ["note", "goal"], ["goal"], []]);
  // A part that begins in the middle of a fact.
  expect(piecesOf("56789", 5, spans).map(({ text, start }) => [text, start])).toEqual([
    ["5", 5],
    ["67", 6],
    ["89", 8],
  ]);
});

test("the place in a pack says what may stand there", () => {
  const lines = [
    "rules:",
    "  agreed:",
    "    emit: decision",
    "    examples:",
    "      - text: x",
    "        emits: none",
    "words:",
  ];
  expect(pathAt(lines, 2)).toEqual(["rules", "agreed", "emit"]);
  expect(pathAt(lines, 5)).toEqual(["rules", "agreed", "examples", "emits"]);
  expect(pathAt(lines, 6)).toEqual(["words"]);
  const labels = (list: readonly { readonly label: string }[]) => list.map(({ label }) => label);
  expect(labels(keysAt("pack", ["rules", "agreed"], {}))).toContain("unless");
  expect(labels(keysAt("pack", ["rules"], { rules: ["decision-made"] }))).toContain("decision-made");
  expect(labels(valuesAt("pack", ["rules", "agreed", "emit"], {}))).toContain("blocker");
  expect(labels(valuesAt("pack", ["rules", "agreed", "not"], { signals: ["asks"] }))).toContain("asks");
  expect(describeKey("config", ["budget"])).toBeTruthy();
  expect(describeKey("pack", ["rules", "x", "nonsense"])).toBeUndefined();
});
