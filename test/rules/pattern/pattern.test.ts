import { describe, expect, test } from "vitest";
import { compilePattern, literalsIn, mayMatch, type Pattern } from "../../../src/rules/pattern/pattern.js";

const compiled = (source: string) => {
  const pattern = compilePattern(source);
  if ("code" in pattern) throw new Error(pattern.message);
  return pattern as Pattern;
};

describe("a pattern", () => {
  test.each([
    ["ADR-\\d+: .*", ["adr-"]],
    // The start of a class name that does not end: RE2 reads it as a character.
    ["foo[[:a]", ["foo"]],
    ["gh[pousr]_[A-Za-z0-9]{20}", ["gh"]],
    ["(?i)\\b(?:password|passphrase)\\s+is", ["password", "passphrase"]],
    ["ab?c", ["a"]],
    ["ab+cd", ["ab"]],
    ["(x|y)?longer", ["longer"]],
    ["a(?:bc){0,2}d", ["a"]],
    ["foo|barbaz", ["foo", "barbaz"]],
    ["[^]]tail", ["tail"]],
    ["\\x{41}name", ["name"]],
    ["\\x41name", ["name"]],
    ["\\pLname", ["name"]],
    ["\\101name", ["name"]],
    ["a😀?bc", ["bc"]],
  ])("%s is tried only where one of its literals is", (source, anchors) => {
    expect(compiled(source).anchors).toEqual(anchors);
  });

  test.each([
    ["ADR-(?<n>\\d+): (?<text>.*)", "see adr-7 and ADR-8: use CQRS", [{ n: "8", text: "use CQRS" }]],
    ["(?i)key=(?<text>\\S+)", "KEY=1 key=2", [{ text: "1" }, { text: "2" }]],
    ["x(?<text>\\d*)", "x x1", [{ text: "" }, { text: "1" }]],
  ])("%s gives its groups, for every match", (source, text, expected) => {
    const pattern = compiled(source);
    expect(mayMatch(pattern, text, literalsIn(text.toLowerCase()))).toBe(true);
    const found = [...pattern.matches(text)].map(({ groups }) =>
      Object.fromEntries(Object.entries(groups).map(([name, { start, end }]) => [name, text.slice(start, end)])),
    );
    expect(found).toEqual(expected);
  });

  test.each([
    ["(?<=a)b", "regex-syntax"],
    ["(?=a)b", "regex-syntax"],
    ["(a", "regex-syntax"],
    ["(a)\\1", "regex-syntax"],
    ["\\d+", "regex-anchor"],
    ["\\Qa.b\\E", "regex-anchor"],
    ["(foo)?|bar", "regex-anchor"],
    ["x".repeat(501), "regex-syntax"],
  ])("%s is refused", (source, code) => {
    expect(compilePattern(source)).toMatchObject({ code });
  });
});
