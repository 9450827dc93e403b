import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { choicesName, drop, factId, pin, readChoices } from "../../src/state/choices.js";
import { changeState, clearState, expireState, listState, readState, stateFolder } from "../../src/state/state.js";

const writeState = (name: string, value: { readonly version: 1 }, place: string) => changeState(name, () => value, place);

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "compaction-state-")), "deep");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

describe("the store", () => {
  test("keeps a value whole, for the user alone, and leaves nothing beside it", () => {
    writeState("a", { version: 1 }, folder);
    writeState("a", { version: 1, ...{ more: [1] } }, folder);
    expect(readState("a", folder)).toEqual({ value: { version: 1, more: [1] } });
    expect(readdirSync(folder)).toEqual(["a.json"]);
    expect(statSync(join(folder, "a.json")).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test.each([
    ["cut off", '{"version": 1, "pi'],
    ["of a later version", '{"version": 2}'],
  ])("a file that is %s is said to be, and set aside before anything is written", (_, content) => {
    writeState("a", { version: 1 }, folder);
    writeFileSync(join(folder, "a.json"), content);
    expect(readState("a", folder)).toEqual({ broken: expect.stringContaining("a.json") });
    writeState("a", { version: 1 }, folder);
    expect(readState("a", folder)).toEqual({ value: { version: 1 } });
    const aside = readdirSync(folder).find((name) => name.includes("aside")) ?? "";
    expect(readFileSync(join(folder, aside), "utf8")).toBe(content);
  });

  test.each(["", "a-word"])("takes over the lock that a killed process left, with the word %j in it", (word) => {
    writeState("a", { version: 1 }, folder);
    const lock = join(folder, "a.json.lock");
    writeFileSync(lock, word);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    writeState("a", { version: 1, ...{ more: [1] } }, folder);
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });

  test("is made with the folders above it, for the user alone", () => {
    const deep = join(folder, "a", "b");
    writeState("a", { version: 1 }, deep);
    expect([folder, join(folder, "a"), deep].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  });

  test.skipIf(process.platform !== "linux")("fails and stops trying when no file can be made", () => {
    for (const place of ["/proc/nowhere", "/proc/nowhere/deep", "/dev/null/x"])
      expect(() => writeState("a", { version: 1 }, place)).toThrow(/^(?=.*(?:proc.nowhere|dev.null))/);
  });

  test("is listed, cleared one by one or whole, and forgets what is old", () => {
    for (const name of ["a", "b", "c"]) writeState(name, { version: 1 }, folder);
    utimesSync(join(folder, "c.json"), new Date(0), new Date(0));
    expect(listState(folder).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(expireState(90, folder).map(({ name }) => name)).toEqual(["c"]);
    expect(clearState("a", folder).map(({ name }) => name)).toEqual(["a"]);
    expect(clearState(undefined, folder).map(({ name }) => name)).toEqual(["b"]);
    expect(listState(folder)).toEqual([]);
  });

  test("clearing takes what was set aside or left by a killed process; old leftovers go by themselves", () => {
    const beside = ["a.json.aside-1", "a.json.x.draft", "a.json.lock", "b.json.aside-1"];
    const write = () => {
      for (const name of ["a", "b"]) writeState(name, { version: 1 }, folder);
      for (const name of beside) writeFileSync(join(folder, name), "");
    };
    write();
    clearState("a", folder);
    expect(readdirSync(folder)).toEqual(["b.json", "b.json.aside-1"]);
    clearState(undefined, folder);
    expect(readdirSync(folder)).toEqual([]);
    write();
    const hours = 2 * 3_600_000;
    expireState(90, folder, Date.now() + hours);
    expect(readdirSync(folder)).toEqual(["a.json", "a.json.aside-1", "b.json", "b.json.aside-1"]);
    expireState(90, folder, Date.now() + 91 * 24 * hours);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is in a temporary folder when tests run", () => {
    expect(stateFolder()).toContain(join(tmpdir(), "compaction-"));
  });

  test("stands where XDG says", () => {
    expect(stateFolder({ XDG_STATE_HOME: "/x" })).toBe("/x/compaction-rules");
  });

  test("is not left by a name", () => {
    expect(() => writeState("../a", { version: 1 }, folder)).toThrow();
  });
});

describe("pins and drops", () => {
  test("are kept for their project", () => {
    pin("/one", "Never touch it.", folder);
    pin("/one", "Never touch it.", folder);
    drop("/one", "0123abcd", folder);
    expect(readChoices("/one", folder).choices).toMatchObject({ pins: ["Never touch it."], drops: ["0123abcd"] });
    expect(readChoices("/two", folder).choices).toMatchObject({ pins: [], drops: [] });
    expect(choicesName("/a/one")).not.toBe(choicesName("/b/one"));
  });

  test("dropping a pin takes it out", () => {
    pin("/one", "Never touch it.", folder);
    drop("/one", factId({ kind: "note", text: "never touch it" }), folder);
    expect(readChoices("/one", folder).choices).toMatchObject({ pins: [], drops: [] });
  });
});
