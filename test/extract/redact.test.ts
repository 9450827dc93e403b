// How secrets are masked: whatever hides them from a pattern and not from a reader, and wherever a text is cut.
import { describe, expect, test } from "vitest";
import { MASK, redact } from "../../src/extract/redact.js";
import { builtInRules } from "../../src/rules/load-rules.js";

const { redactions } = builtInRules().rules;
const mask = (text: string) => redact(text, redactions);

const ESC = "\u001b";
const ZERO = "\u200b";
/** Prefixes are put together, so that no scanner takes this file for a leak. */
const GITHUB = ["gh", "p_"].join("");
const BODY = "k9Xm2Qv7Zp4RtB8nLw3sYcDfGh6kL0zXa9Qw";

describe("a secret that is hidden from patterns, and not from a reader, is masked at its place", () => {
  test.each([
    ["a name in colour", `${ESC}[32mDB_PASSWORD${ESC}[0m=«correcthorse»`],
    ["a value in colour", `DB_PASSWORD=${ESC}[31m«correcthorse»${ESC}[0m`],
    ["a colour inside a token", `«${GITHUB}${BODY.slice(0, 9)}${ESC}[1;31m${BODY.slice(9)}» is old`],
    ["a colour as a program writes it", "\\u001b[32mDB_PASSWORD\\u001b[0m=«correcthorse»"],
    ["a colour that lost its first character", "[32mDB_PASSWORD[0m=«correcthorse» [0m"],
    ["a link of a terminal", `${ESC}]8;;https://x.example.com${ESC}\\DB_PASSWORD${ESC}]8;;${ESC}\\=«correcthorse»`],
    ["zero-width characters inside a token", `«gh${ZERO}p_${BODY.slice(0, 5)}${ZERO}${BODY.slice(5)}»`],
    ["a zero-width character inside a name", `pass${ZERO}word=«correct${ZERO}horse»`],
    ["a soft hyphen and a byte order mark", "\ufeffDB_PASS\u00adWORD=«correcthorse»"],
    ["wide letters", "\uff24\uff22_PASSWORD\uff1d«correcthorse»"],
    ["a hard space", "x-api-key:\u00a0«abcdef1234567890»"],
    ["an escaped address", "https%3A%2F%2Fh%2F%3Ftoken%3D«kQ9mZ2xV7Lp4RtB8»"],
    ["HTML", "{&quot;password&quot;: &quot;«correcthorse»&quot;}"],
    ["emphasis", `_«${GITHUB}${BODY}»_`],
  ])("%s", (_, marked) => {
    const given = marked.replaceAll(/[«»]/g, "");
    const masked = mask(given);
    expect(masked).toHaveLength(given.length);
    expect(masked).toBe(marked.replaceAll(/«([^»]*)»/g, (_all, secret: string) => MASK.repeat(secret.length)));
  });

  test("and what is only coloured is left as it is", () => {
    const plain = `${ESC}[32mPASS${ESC}[0m src/token.test.ts, ${ESC}[31mpassword${ESC}[0m: required, a%3Db, &quot;token&quot;`;
    expect(mask(plain)).toBe(plain);
  });
});
