// What one process found in a message is looked up by the next. What it then says must be what it would say without.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Stores } from "../../src/extract/stored-finds.js";
import { builtInRules, extract, loadRulesFrom, type Message, type Session } from "../../src/index.js";
import { findsStores } from "../../src/keep/finds-stores.js";
import { DEED_MESSAGES } from "../../src/limits.js";
import type { LoadedRules } from "../../src/rules/load.js";
import type { RuleSet } from "../../src/rules/rule-set.js";
import { sampleSession } from "../sample.js";
import { history, message } from "./histories.js";

const folder = mkdtempSync(join(tmpdir(), "compaction-stored-"));
beforeAll(() => void vi.stubEnv("COMPACTION_CACHE", ""));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

let folders = 0;
const newFolder = () => join(folder, `cache-${folders++}`);
const storesOf = (loaded: LoadedRules, place = newFolder()) =>
  findsStores(loaded, place, { least: 0, file: 1e7, all: 1e8 }) as Stores;

const loaded = builtInRules(".");
/** As in another process: nothing is remembered. */
const fresh = (rules: RuleSet) => ({ ...rules, abbreviations: [...rules.abbreviations] });

/** Without a store; and with it, typed and with statements. */
function readings(session: Session, { rules }: LoadedRules, stores: Stores) {
  const statements = extract(session, fresh(rules), { stores });
  return {
    plain: extract(session, fresh(rules)),
    typed: extract(session, fresh(rules), { stores, statements: false }).continuation,
    statements,
  };
}

function expectSame(session: Session, own: LoadedRules, stores: Stores) {
  const { plain, typed, statements } = readings(session, own, stores);
  expect(JSON.stringify(typed)).toBe(JSON.stringify(plain.continuation));
  expect(JSON.stringify(statements.continuation)).toBe(JSON.stringify(plain.continuation));
  expect(statements.statements).toEqual(plain.statements);
}

test("what is stored of a session changes nothing in what is found, whatever becomes of the session", () => {
  const stores = storesOf(loaded);
  const change = fc.record({
    does: fc.constantFrom("append", "replace", "drop", "begin later", "swap", "rename", "say once more"),
    at: fc.nat(60),
    with: message,
  });
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 40 }), fc.array(change, { maxLength: 4 }), (first, changes) => {
      for (const session of history(first, changes)) expectSame(session, loaded, stores);
    }),
    { numRuns: 100 },
  );
}, 300_000);

/** All that can be asked of other texts and of calls. */
const ASKING = `compaction: 1
name: asking
extends: [compaction:tools]
signals:
  says-yes: { in: { node: [sentence, item, heading] }, match: ['yes', 'option b', 'go ahead'] }
  asks: { in: { mood: question }, match: ['which', 'why'] }
  agreed: { in: { role: assistant, reply: [says-yes] } }
  opened: { in: { role: user, opening: [says-yes] } }
  answering: { in: { role: [user, assistant], after: [asks] } }
  retracts: { in: { role: user, after: [asks] }, match: ['scratch that', 'no'] }
  turns: { in: { role: user }, match: ['instead', 'actually'] }
  updates: { in: { role: user, opening: [says-yes] }, match: ['make it', 'use'] }
  states-value: { in: { role: user }, match: ['must be', 'make it'] }
  offers: { in: { role: assistant }, match: ['which'] }
  contests: { in: { role: user }, match: ['no', 'why', 'actually', 'instead'] }
rules:
  noted: { emit: note, in: { role: assistant }, match: ['retry counter', 'cache'], signals: [enacted] }
  told: { emit: finding, in: { role: assistant }, match: ['stale lock', 'redis'], signals: [described] }
  kept: { emit: decision, in: { role: assistant }, match: ['keep', 'put'], signals: [agreed] }
  wanted: { emit: constraint, in: { role: user }, match: ['never', 'must be'], not: [answering] }
  chosen: { emit: decision, in: { role: user }, match: ["let's use", 'use'], not: [opened] }
salience: { says-yes: 11, asks: -7.3, agreed: 31, opened: 17, answering: -13, retracts: 5, turns: 3, late: 20, crowded: -9,
  enacted: 41, described: 43, written: 47, undone: -53, contested: -59, echoed: -61, ruled: 67, outdated: -71, renewing: 73,
  picked: 79, passed-over: -83 }
`;

test("nor with rules that ask for the texts and the calls around", () => {
  const file = join(folder, "asking.yaml");
  writeFileSync(file, ASKING);
  const own = loadRulesFrom(file);
  expect(own.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const stores = storesOf(own);
  const change = fc.record({
    does: fc.constantFrom("append", "replace", "drop", "begin later", "swap"),
    at: fc.nat(60),
    with: message,
  });
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 40 }), fc.array(change, { maxLength: 4 }), (first, changes) => {
      for (const session of history(first, changes)) expectSame(session, own, stores);
    }),
    { numRuns: 150 },
  );
}, 300_000);

test("a call that comes into reach, or leaves it, counts", () => {
  const file = join(folder, "reach.yaml");
  writeFileSync(
    file,
    "compaction: 1\nname: reach\nextends: [compaction:tools]\nrules:\n  noted: { emit: note, in: { role: assistant }, match: ['retry counter'], signals: [enacted] }\n",
  );
  const own = loadRulesFrom(file);
  const stores = storesOf(own);
  const said: Message = { id: "a", role: "assistant", text: "The retry counter lives in the scheduler queue.", toolCalls: [] };
  const wrote = { name: "write", input: { filePath: "l.ts", content: said.text }, output: "", status: "completed" };
  const quiet = (count: number): Message[] =>
    Array.from({ length: count }, (_, index) => ({ id: `q${index}`, role: "assistant", text: "Hm.", toolCalls: [] }));
  for (const gap of [0, 3, DEED_MESSAGES - 1, DEED_MESSAGES, DEED_MESSAGES + 1]) {
    const messages = [said, ...quiet(gap)];
    const after: Message = { id: "z", role: "assistant", text: "", toolCalls: [wrote] };
    for (const all of [messages, [...messages, after], messages]) {
      const session: Session = { id: "s", format: "neutral", messages: all };
      expectSame(session, own, stores);
      const { items } = extract(session, fresh(own.rules), { stores, statements: false }).continuation;
      expect(items).toHaveLength(all.length > messages.length && gap < DEED_MESSAGES ? 1 : 0);
    }
  }
});

test("an edit far behind that takes out what a stored statement names still counts", () => {
  const stores = storesOf(loaded);
  const edit = (id: string, oldString: string, newString: string): Message => ({
    id,
    role: "assistant",
    text: "",
    toolCalls: [{ name: "edit", input: { filePath: "queue.ts", oldString, newString }, output: "", status: "completed" }],
  });
  const said: Message = { id: "a", role: "assistant", text: "The retryCounter lives in the SchedulerQueue.", toolCalls: [] };
  const quiet = Array.from({ length: 4 * DEED_MESSAGES }, (_, index): Message => {
    return { id: `q${index}`, role: "assistant", text: `Step ${index} is behind us.`, toolCalls: [] };
  });
  const code = "class SchedulerQueue { retryCounter = 0 }";
  const session = (last: Message): Session => ({
    id: "s",
    format: "neutral",
    messages: [edit("w", "", code), said, ...quiet, last],
  });
  const salienceIn = (one: Session) => {
    expectSame(one, loaded, stores);
    return extract(one, fresh(loaded.rules), { stores }).statements[0]?.salience ?? 0;
  };
  const standing = salienceIn(session(edit("e", "let a", "let b")));
  expect(salienceIn(session(edit("e", code, "")))).toBeLessThan(standing);
});

const sample = sampleSession();
const typed = (session: Session, stores: Stores, rules = loaded.rules) =>
  extract(session, fresh(rules), { stores, statements: false }).continuation;

/** Counts the messages that were found. */
function counting(stores: Stores) {
  const found = { hits: 0, misses: 0 };
  const open: Stores["open"] = (head) => {
    const store = stores.open(head);
    const get = (key: string) => {
      const value = store.get(key);
      if (value === undefined) found.misses++;
      else found.hits++;
      return value;
    };
    return { ...store, get };
  };
  return { stores: { ...stores, open }, found };
}

describe("what is stored", () => {
  test("is found again, in a session of another name and with other names of messages", () => {
    const stores = storesOf(loaded);
    const before = typed(sample, stores);
    const { stores: counted, found } = counting(stores);
    const messages = sample.messages.map((one) => ({ ...one, id: `other-${one.id}` }));
    const after = typed({ ...sample, id: "other", messages }, counted);
    expect(found.misses).toBe(0);
    expect(found.hits).toBeGreaterThan(5);
    expect(after.items.map(({ text }) => text)).toEqual(before.items.map(({ text }) => text));
    expect(after.items.every(({ evidence }) => evidence.source.startsWith("other-"))).toBe(true);
  });

  test("is of no use to other rules", () => {
    const place = newFolder();
    typed(sample, storesOf(loaded, place));
    const file = join(folder, "other.yaml");
    writeFileSync(file, "compaction: 1\nname: other\nextends: [compaction:core]\n");
    const other = loadRulesFrom(file);
    const { stores, found } = counting(storesOf(other, place));
    typed(sample, stores, other.rules);
    expect(found.hits).toBe(0);
  });

  test("holds no secret, and a text with a secret is masked each time", () => {
    const place = newFolder();
    const stores = storesOf(loaded, place);
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const first: Message = { id: "f", role: "user", text: `We must use the token ${secret} for the deploy.`, toolCalls: [] };
    const session = { ...sample, messages: [first, ...sample.messages] };
    const outputs = [typed(session, stores), typed(session, stores)].map((one) => JSON.stringify(one));
    expect(outputs[0]).toBe(outputs[1]);
    expect(outputs[0]).toContain("█");
    const written = readdirSync(place).map((name) => readFileSync(join(place, name), "utf8"));
    expect(written.join("").length).toBeGreaterThan(1_000);
    for (const text of [...outputs, ...written]) expect(text).not.toContain(secret);
  });

  test("is passed over where it is damaged or of another kind", () => {
    const place = newFolder();
    const before = JSON.stringify(typed(sample, storesOf(loaded, place)));
    const [name = ""] = readdirSync(place);
    const whole = readFileSync(join(place, name), "utf8");
    const damages = [
      (text: string) => text.slice(0, text.length / 2),
      (text: string) => text.replace(/"text":"\w/, '"text":"X'),
      (text: string) => `\0\0${text.slice(5)}`,
      (text: string) => `{"foreign": true}\n\n${text}not a line\n1 2 3\n`,
      () => "x".repeat(1_000),
      () => "",
    ];
    for (const damage of damages) {
      writeFileSync(join(place, name), damage(whole));
      expect(JSON.stringify(typed(sample, storesOf(loaded, place)))).toBe(before);
    }
    writeFileSync(join(place, name), `{"foreign": true}\n${whole}${whole.slice(0, 100)}`);
    const { stores, found } = counting(storesOf(loaded, place));
    typed(sample, stores);
    expect(found.misses).toBe(0);
  });

  test("is bounded: a file begins anew, and of all the oldest go", () => {
    const place = newFolder();
    const bounded = (file: number, all: number) => findsStores(loaded, place, { least: 0, file, all }) as Stores;
    const beginning = (index: number): Session => ({
      ...sample,
      messages: [{ id: "f", role: "user", text: `Task ${index}: never touch part ${index}.`, toolCalls: [] }, ...sample.messages],
    });
    const sizes = () => readdirSync(place).map((name) => readFileSync(join(place, name)).length);
    typed(beginning(0), bounded(1e6, 1e6));
    const [one = 0] = sizes();
    // Each change adds a few lines.
    for (let index = 0; index < 20; index++) {
      const text = `Never touch file ${index}.`;
      const more = Array.from(
        { length: 5 },
        (_, at): Message => ({ id: `x${at}`, role: "user", text: `${text} ${at}`, toolCalls: [] }),
      );
      typed({ ...beginning(0), messages: [...beginning(0).messages, ...more] }, bounded(one * 1.5, 1e6));
    }
    expect(Math.max(...sizes())).toBeLessThanOrEqual(one * 1.5);
    for (let index = 1; index < 6; index++) typed(beginning(index), bounded(1e6, one * 3));
    const sum = sizes().reduce((total, size) => total + size, 0);
    expect(sum).toBeLessThanOrEqual(one * 3);
    expect(sizes().length).toBeGreaterThan(1);
    typed(beginning(7), bounded(100, 1e6));
    expect(Math.max(...sizes())).toBeLessThanOrEqual(one * 3);
  });
});

test("where a file is full, what others wrote just before is still known", () => {
  const place = newFolder();
  const open = () => (findsStores(loaded, place, { least: 0, file: 20_000, all: 1e6 }) as Stores).open("head");
  const value = "x".repeat(4_000);
  const [one, two, three] = [open(), open(), open()];
  const write = (store: ReturnType<typeof open>, ...keys: string[]) => {
    for (const key of keys) store.put(key, value);
    store.save();
  };
  write(one, "a", "b");
  write(two, "c");
  write(three, "d");
  expect(["a", "b", "c", "d"].map((key) => open().get(key))).toEqual([value, value, value, value]);
  write(one, "e", "f");
  expect(["a", "b", "c", "d", "e", "f"].filter((key) => open().has(key))).toEqual(["c", "d", "e", "f"]);
  expect(readdirSync(place)).toHaveLength(2);
});

test("a short session opens no store", () => {
  const stores: Stores = { ...storesOf(loaded), least: 1e9 };
  const { stores: counted, found } = counting(stores);
  typed(sample, counted);
  expect(found).toEqual({ hits: 0, misses: 0 });
});
