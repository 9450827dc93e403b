import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchPhrase } from "../../../src/rules/phrase/match-phrase.js";
import { PhraseError } from "../../../src/rules/phrase/parse-phrase.js";
import { compilePhrase } from "../../../src/rules/phrase/phrase.js";
import { toWords } from "../../../src/text/words.js";
import { runs } from "../../runs.js";

const words = { we: "(we|I)['ve| have][ now| also]", why: "[[,] (because|since) {reason}]" };

/** The slots of the first match, as they stand in the text. */
function slots(phrase: string, text: string): Record<string, string> | undefined {
  const compiled = compilePhrase(phrase, words);
  const found = toWords(text);
  const match = matchPhrase(compiled, found);
  if (!match) return undefined;
  const taken = match.slots.flatMap((span, index) => {
    const slot = compiled.slots[index];
    return span && slot && slot.type !== "gap" ? [[slot.name, text.slice(found.start[span.from], found.end[span.to - 1])]] : [];
  });
  return Object.fromEntries(taken);
}

describe("a phrase", () => {
  test.each([
    ["words match whatever their case, blanks and apostrophes", "we won't {text}", "We  WON’T use it", { text: "use it" }],
    ["a word ends where it ends", "we chose {text}", "owe chose this", undefined],
    ["letters of any script have edges", "é {text}", "né ça", undefined],
    ["a script without blanks needs none", "决定使用{text}", "我们决定使用SQLite", { text: "SQLite" }],
    ["a choice", "(go|went) with {text}", "They went with Rust", { text: "Rust" }],
    ["an optional part glued to a word", "go[ing] with {text}", "Going with Rust", { text: "Rust" }],
    ["an optional part with its own blank", "x [y] z", "x z", {}],
    ["a contraction or a word", "<we> chose {text}", "I have now chose it", { text: "it" }],
    [
      "a slot runs to the next words",
      "{text} instead of {instead}",
      "Postgres instead of MySQL",
      { text: "Postgres", instead: "MySQL" },
    ],
    ["a clause ends at a semicolon", "we chose {text}", "we chose A; B came later", { text: "A" }],
    ["a clause ends at a dash", "we chose {text}", "we chose A — B came later", { text: "A" }],
    ["a hyphen is no dash", "we chose {text}", "we chose re-use – twice", { text: "re-use" }],
    ["a fragment with a slot", "we chose {text}<why>", "we chose A, because B", { text: "A", reason: "B" }],
    ["a fragment that is not there", "we chose {text}<why>", "we chose A", { text: "A" }],
    ["rest keeps everything", "note: {text:rest}", "Note: a; b.", { text: "a; b." }],
    ["a word takes what is glued to it", "using {tool:word} for", "using remark-parse for it", { tool: "remark-parse" }],
    ["a number", "closes #{n:number}", "closes #1,234 now", { n: "1,234" }],
    ["code", "run {what:code}", "run `npm test` now", { what: "npm test" }],
    ["a link", "see {what:link}", "see [[Event Sourcing]]", { what: "Event Sourcing" }],
    ["a path", "edit {what:path}", "edit src/a/b.ts now", { what: "src/a/b.ts" }],
    ["a path is not any word", "edit {what:path}", "edit something now", undefined],
    [
      "captured words",
      "{text = using {tool:word} (for|as) {use}}",
      "we are using Bun for tests",
      { text: "using Bun for tests", tool: "Bun", use: "tests" },
    ],
    ["a word at an edge of an option", "we use {tool:word}[ for {use}]", "we use node.js", { tool: "node.js" }],
    ["a path at an edge of an option", "edit {what:path}[ now]", "edit src/a.test.ts", { what: "src/a.test.ts" }],
    ["a number does not take the next one", "steps {n:number}", "steps 3, 4 and 5", { n: "3" }],
    ["anything may be nothing", "start ... finish {text}", "start finish now", { text: "now" }],
    ["a clause does not end inside code", "we chose {text}", "we chose `a; b` — today", { text: "`a; b`" }],
    ["nor inside brackets", "we chose {text}", "we chose (a; b) for it", { text: "(a; b) for it" }],
    ["but a bracket that is never closed encloses nothing", "we chose {text}", "we chose it :( ; sorry", { text: "it :(" }],
    ["words of the language of this program are words", "constructor {text}", "Constructor injection", { text: "injection" }],
    ["the start", "^then {text}", "and then this", undefined],
    ["a literal bracket", "\\[Batch {n:number}\\]", "[Batch 7]", { n: "7" }],
    ["the end is that of each option", "(if we|don't ...)", "see if we can; then go", {}],
    ["an option inside an option that ends otherwise", "(foo[ {a}]|bar) baz", "foo one two baz", { a: "one two" }],
  ])("%s", (_, phrase, text, expected) => {
    expect(slots(phrase, text)).toEqual(expected);
  });

  test.each([
    ["go(ing)? with", "phrase-regex", 7],
    ["we chose .* today", "phrase-regex", 9],
    ["we (chose", "phrase-syntax", 3],
    ["we chose}", "phrase-syntax", 8],
    ["we chose {text:clas}", "phrase-slot", 15],
    ["we <chos> it", "phrase-fragment", 3],
    ["", "phrase-syntax", 0],
  ])("%j is refused with %s at %i", (phrase, code, offset) => {
    let fault: unknown;
    try {
      compilePhrase(phrase, words);
    } catch (error) {
      fault = error instanceof PhraseError ? error.fault : error;
    }
    expect(fault).toMatchObject({ code, offset });
  });

  test("fragments that name each other many times are refused", () => {
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`w${index}`, `[<w${index + 1}>] `.repeat(8)]));
    expect(() => compilePhrase("a <w0>", { ...many, w15: "x" })).toThrow(PhraseError);
    expect(() => compilePhrase("a <w>", { w: "<w> b" })).toThrow(PhraseError);
  });

  test("names a word that must occur, the most telling one", () => {
    expect(compilePhrase("<we> (decided|chose) to {text}", words).anchors).toEqual(["decided", "chose"]);
    expect(compilePhrase("{text}[ now]", words).anchors).toEqual([]);
  });

  test("is found in linear steps where backtracking would not end", () => {
    const phrase = compilePhrase("{a} b {c} b {d} b {e} b nothing");
    const text = toWords("b ".repeat(4_000));
    expect(matchPhrase(phrase, text)).toBeUndefined();
  });
});

// --- a phrase matches whatever is said by its own rules

type Part = { readonly phrase: string; readonly said: string };
const word = fc.stringMatching(/^[a-z]{1,6}$/);
const plain: fc.Arbitrary<Part> = word.map((text) => ({ phrase: text, said: text }));
const slot: fc.Arbitrary<Part> = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((said) => ({ phrase: "{slot}", said: said.join(" ") }));
const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    plain,
    slot,
    fc
      .tuple(tie("part"), tie("part"), fc.boolean())
      .map(([a, b, first]) => ({ phrase: `(${a.phrase}|${b.phrase})`, said: first ? a.said : b.said })),
    fc.tuple(tie("part"), fc.boolean()).map(([a, there]) => ({ phrase: `[${a.phrase}]`, said: there ? a.said : "" })),
    fc.tuple(word, word, fc.boolean()).map(([a, b, there]) => ({ phrase: `${a}[${b}]`, said: there ? a + b : a })),
    tie("part").map((a) => ({ phrase: `{it = ${a.phrase}}`, said: a.said })),
  ),
}));

test("matches every text that it describes", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.array(word, { maxLength: 3 }), (parts, before) => {
      const said = parts
        .map((one) => one.said)
        .filter(Boolean)
        .join(" ");
      fc.pre(said !== "");
      const phrase = compilePhrase(parts.map((one) => one.phrase).join(" "));
      const text = [...before, said].join(" ");
      expect(matchPhrase(phrase, toWords(text)), `${phrase.source} ← ${text}`).toBeDefined();
      if (phrase.anchors.length > 0) expect(toWords(text).folded.some((one) => phrase.anchors.includes(one))).toBe(true);
    }),
    { numRuns: runs(2_000) },
  );
});
