// What the tests of readers of JSON lines have in common.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ReadSession, readSession, SessionError } from "../../../src/index.js";
import { runs } from "../../runs.js";

export const toLines = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

export const readLines = (records: readonly unknown[], format?: string): ReadSession =>
  readSession(toLines(records), "name", format);

/** Nothing but a SessionError, for records of odd values at every place, and for a good file cut anywhere. */
export function holdsAgainstOddities(
  format: string,
  good: readonly unknown[],
  keys: readonly string[],
  words: readonly string[],
) {
  const read = (content: Uint8Array | string) => {
    try {
      return readSession(content, "name", format);
    } catch (error) {
      expect(error).toBeInstanceOf(SessionError);
    }
  };
  const leaf = fc.oneof(fc.constantFrom(...words), fc.constantFrom(null, true, 0, -1, 1e300, "", "1", "toString"));
  const odd = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...keys, "toString", "valueOf", "__proto__"), tie("value"), { maxKeys: 8 }),
    ),
  })).value;

  test("whatever it holds, nothing else is thrown", () => {
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 8 }), (records) => {
        read(toLines([...good.slice(0, 2), ...records]));
        read(toLines(records));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("every value of a good file may be of another type", () => {
    // The last cannot be made into a text.
    for (const value of [null, true, 7, "", [], [null], {}, { toString: 1, valueOf: 1 }]) {
      for (let at = 0, place = 1; at < place; at++) {
        place = 0;
        const swap = (_: string, old: unknown) => (place++ === at ? value : old);
        read(good.map((record) => `${JSON.stringify(record, swap)}\n`).join(""));
      }
    }
  });

  test("cut at any byte, also within a character, the whole lines before it are read", () => {
    const bytes = new TextEncoder().encode(toLines(good));
    const header = toLines(good.slice(0, 1)).length;
    for (let end = header; end < bytes.length; end++) {
      // The line is whole when only its end is missing.
      const lines = bytes[end] === 10 ? end : bytes.lastIndexOf(10, end - 1);
      const { session } = read(bytes.subarray(0, lines + 1)) ?? {};
      // With a part of a line it is not known to be all that there ever was.
      const whole = session?.whole === true && (lines === end || lines + 1 === end);
      expect(read(bytes.subarray(0, end))?.session).toEqual(session && { ...session, ...(session.whole && { whole }) });
    }
  });
}
