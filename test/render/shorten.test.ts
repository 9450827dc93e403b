import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, render, type Session } from "../../src/index.js";
import { shortenerOf } from "../../src/render/shorten.js";
import type { Template } from "../../src/rules/rule-set.js";
import { runs } from "../runs.js";

const { rules } = builtInRules();
const shorten = shortenerOf(rules.restrictions);
const template = (name: string) => rules.templates.get(name) as Template;
const sessionOf = (...texts: readonly string[]): Session => ({
  id: "s",
  format: "test",
  messages: texts.map((text, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] })),
});

const word = fc.constantFrom(
  "the",
  "migrations",
  "folder",
  "holds",
  "`db/schema`,",
  "every",
  "table;",
  "of",
  "billing",
  "service",
);
const words = (least: number, most: number) =>
  fc.array(word, { minLength: least, maxLength: most }).map((list) => `Keep ${list.join(" ")} row`);
const phrase = fc.constantFrom(...rules.restrictions);
const length = fc.integer({ min: 60, max: 300 });

describe("a line that is shortened", () => {
  test("keeps what restricts it", () => {
    const long =
      "in the migrations folder that the release job reads, because the deployment of the billing service depends on its order";
    expect(shorten(`Never touch anything ${long}, unless I say so.`)).toMatch(/^Never touch anything .* … unless I say so\.$/);
    expect(shorten(`Use Redis for whatever is stored ${long}, except in tests.`)).toMatch(/ … except in tests\.$/);
    expect(shorten(`Keep the old endpoint ${long} until the mobile app is updated.`)).toMatch(
      / … until the mobile app is updated\.$/,
    );
  });

  test("may be restricted by words with marks of expressions in them", () => {
    const own = shortenerOf(["as-is only", "C++ (only)", "a.b"]);
    const long = `Copy the files of the old importer into the new folder ${"and the next one ".repeat(12)}as-is only`;
    expect(own(long)).toMatch(/ … as-is only$/);
  });

  test("keeps the beginning of a restriction that is too long itself", () => {
    const long = "the people who look after the storage of the invoices have all agreed to it in writing ".repeat(3);
    const short = shorten(
      `Never run the clean-up of the archive on the production database by hand, not even at night, unless ${long}.`,
    );
    expect(short).toContain("unless the people who look after");
    expect(short).toMatch(/ …$/);
  });

  test("is cut as ever where nothing restricts it", () => {
    const text =
      "The importer reads the file line by line, splits each at the separator, and writes rows in batches of five hundred, which takes a while on slow disks.";
    expect(shorten(text)).toBe(
      "The importer reads the file line by line, splits each at the separator, and writes rows in batches of five hundred …",
    );
  });

  test("is never longer than it may be, and never loses the beginning of its first restriction", () => {
    fc.assert(
      fc.property(words(1, 60), phrase, words(1, 60), length, (before, limit, after, most) => {
        const text = `${before} ${limit} ${after}`;
        const short = shorten(text, most);
        expect(short.length).toBeLessThanOrEqual(most);
        const kept = short.indexOf(` ${limit} `);
        expect(kept).toBeGreaterThan(0);
        // Its first clause, or as much of it as a quarter of the room takes.
        const [clause = ""] = `${limit} ${after}`.split(/[,;]/);
        const begun = short.slice(kept + 1).replace(/[\s,;]*…$/, "");
        expect(`${limit} ${after}`.startsWith(begun)).toBe(true);
        expect(begun.length).toBeGreaterThanOrEqual(Math.min(clause.length, most / 4 - 4));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("is never longer than it may be, whatever it says", () => {
    const piece = fc.oneof(word, phrase, fc.string({ unit: "grapheme", maxLength: 80 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 10, max: 200 }), (pieces, most) => {
        const short = shorten(pieces.join(" "), most);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(() => encodeURIComponent(short)).not.toThrow();
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("takes a pack's word for what restricts", () => {
    const own = shortenerOf(["außer wenn"]);
    const text = `Die alten Rechnungen bleiben in der Tabelle stehen, ${"die jede Nacht gesichert wird und ".repeat(4)}bleibt, außer wenn ich es sage.`;
    expect(own(text)).toMatch(/ … außer wenn ich es sage\.$/);
    expect(shorten(text)).not.toContain("außer wenn");
  });
});

describe("a line that is shown cut", () => {
  const start = "We decided to read the settings of the nightly importer from the folder of the project and from nowhere else in";
  const cutLines = (said: string) => {
    const extraction = extract(sessionOf("Look at the importer.", said), rules);
    const texts = Array.from({ length: 30 }, (_, index) =>
      render(extraction, template("injection"), rules, { tokens: 50 + index * 3 }),
    );
    return texts.flatMap(({ text }) => text.split("\n").filter((line) => line.includes("…")));
  };

  test.each([
    [
      "bracket",
      `${start} the tree (which the release job, the tests and the documentation of the importer read as well), and start.`,
      /\(which the release …\)$/,
    ],
    [
      "bracket around others",
      `${start} it (with \`open()\`, \`read()\` and \`close()\`, as the release job and the tests of the importer do), and start.`,
      /\(with `open\(\)` …\)$/,
    ],
    [
      "code",
      `${start} it with \`git fetch --all --prune --tags --force --jobs=8 origin main\`, before it is started again by hand.`,
      /with `git fetch[^`]*` …$/,
    ],
  ])("leaves no %s open", (_, said, closed) => {
    const lines = cutLines(said);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(closed);
  });
});

describe("where there is room", () => {
  const long = (name: string) =>
    `We decided to keep ${name} in a table of its own, because the job that reads it runs every night on another machine, writes a report for the people in accounting, and must never wait for a lock.`;
  const extraction = extract(
    sessionOf("Look at the nightly job.", ["invoices", "ledgers", "receipts"].map(long).join(" ")),
    rules,
  );

  test.each(["brief", "injection", "repair"])("no line of %s is cut", (name) => {
    const { text } = render(extraction, template(name), rules, { tokens: 1_000 });
    expect(text).not.toContain("…");
    expect(text).toContain("must never wait for a lock");
  });

  test("lines are given back in the order of their worth, as far as they fit", () => {
    const wholeAt = (tokens: number) => {
      const { text, tokens: taken } = render(extraction, template("brief"), rules, { tokens });
      expect(taken).toBeLessThanOrEqual(tokens);
      return text.split("wait for a lock").length - 1;
    };
    const counts = Array.from({ length: 40 }, (_, index) => wholeAt(40 + index * 5));
    expect(counts[0]).toBe(0);
    expect(counts.at(-1)).toBe(3);
    expect(new Set(counts)).toContain(1);
  });

  test("no fact gives way to the rest of another", () => {
    const shown = (tokens: number) => render(extraction, template("brief"), rules, { tokens }).shown.length;
    const counts = Array.from({ length: 40 }, (_, index) => shown(40 + index * 5));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  test("a budget is never exceeded by what is given back", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(words(10, 60), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...rules.templates.keys()),
        fc.integer({ min: 20, max: 800 }),
        (said, name, tokens) => {
          const given = sessionOf(...said.map((list) => list.map((one) => `We decided to ${one}.`).join(" ")));
          expect(render(extract(given, rules), template(name), rules, { tokens }).tokens).toBeLessThanOrEqual(tokens);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
