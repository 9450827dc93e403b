// Records whose fields are of any kind, for readers that must not mind.
import fc from "fast-check";
import { expect } from "vitest";
import { readSession, SessionError } from "../../../src/index.js";

/** Words, numbers, objects and lists of objects, with the words and names that a reader looks for. */
export function oddValue(words: readonly string[], names: readonly string[]): fc.Arbitrary<unknown> {
  const plain = fc.constantFrom<unknown>(...words, "", "__proto__", null, 0, -1.5, true, false, [], {}, [[null]]);
  const object = fc.dictionary(fc.constantFrom(...names), plain, { maxKeys: 4 });
  const nested = fc.dictionary(fc.constantFrom(...names), fc.oneof(plain, object), { maxKeys: 3 });
  return fc.oneof(plain, object, nested, fc.array(object, { maxLength: 3 }), fc.array(nested, { maxLength: 2 }));
}

/** Each record has a few of the fields, each with any value. */
export function oddRecords(fields: readonly string[], types: readonly string[], value: fc.Arbitrary<unknown>) {
  const type = fc.constantFrom<unknown>(...types, null, 7);
  const record = fc.tuple(type, fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: fields.length }));
  return fc.array(
    record.map(([kind, rest]) => ({ type: kind, ...rest })),
    { maxLength: 6 },
  );
}

export function expectNothingElseThrown(records: readonly unknown[], format?: string): void {
  try {
    const { session } = readSession(records.map((record) => `${JSON.stringify(record)}\n`).join(""), "name", format);
    expect(new Set(session.messages.map(({ id }) => id)).size).toBe(session.messages.length);
    for (const { text, toolCalls } of session.messages)
      for (const value of [text, ...toolCalls.flatMap(({ name, output }) => [name, output])]) expect(value).toBeTypeOf("string");
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}
