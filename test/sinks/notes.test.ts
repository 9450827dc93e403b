import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { NAME_BYTES } from "../../src/limits.js";
import { type Note, type SinkOutcome, writeNote } from "../../src/sinks/index.js";
import { asNobody, noteOf } from "./note.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-notes-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const everything = (base = folder) =>
  readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(base, join(entry.parentPath, entry.name)))
    .sort();
const mode = (path: string) => statSync(join(folder, path)).mode & 0o777;
const filed = (file: string, of = ""): Note => ({ text: "A fact.\n", store: { file, folder: of, tags: [] } });
const message = (outcome: SinkOutcome) => (outcome.ok ? "" : outcome.message);

describe("where a note is written", () => {
  test("by the day in UTC and the end of the session's id", async () => {
    const outcome = await writeNote(noteOf("ses_0001abcdefgh"), { folder });
    const path = "sessions/compaction/2026/01/28/session-abcdefgh.md";
    expect(outcome).toEqual({ ok: true, uri: join(folder, path) });
    expect(everything()).toEqual([path]);
  });

  test("with title and tags before the text, and the text as it is", async () => {
    const note = noteOf("s-1", { project: 'A "quoted": project' });
    const outcome = await writeNote(note, { folder });
    const [, front = "", body] =
      /^---\n([\s\S]*?)---\n\n([\s\S]*)$/.exec(readFileSync(outcome.ok ? (outcome.uri ?? "") : "", "utf8")) ?? [];
    expect(parse(front)).toEqual({ title: note.store?.title, tags: note.store?.tags });
    expect(body).toBe(note.text);
    expect(note.text).toContain("use SQLite");
  });

  test("as it is where the template writes front matter of its own", async () => {
    const text = "---\ntitle: mine\n---\nA fact.";
    await writeNote({ text, store: { title: "other", file: "a.md", tags: ["b"] } }, { folder });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe(`${text}\n`);
  });

  test("under its title when no file is named, and not at all without either", async () => {
    await writeNote({ text: "a", store: { title: "What: happened", tags: [] } }, { folder });
    expect(everything()).toEqual(["What- happened.md"]);
    expect(await writeNote({ text: "a" }, { folder })).toMatchObject({ ok: false, level: "warn" });
    expect(await writeNote({ text: " \n", store: { file: "a.md", tags: [] } }, { folder })).toMatchObject({
      ok: false,
      level: "debug",
    });
  });

  test("for the user alone outside of a project, as the user's files are inside of one", async () => {
    const before = process.umask(0o022);
    try {
      await writeNote(filed("a.md", "x/y"), { folder: join(folder, "home/notes") });
      for (const path of ["home", "home/notes", "home/notes/x", "home/notes/x/y"]) expect(mode(path), path).toBe(0o700);
      expect(mode("home/notes/x/y/a.md")).toBe(0o600);
      await writeNote(filed("a.md", "x"), { folder: join(folder, "notes"), project: folder });
      expect([mode("notes/x"), mode("notes/x/a.md")]).toEqual([0o755, 0o644]);
    } finally {
      process.umask(before);
    }
  });
});

describe("no note takes another's place", () => {
  test("each round has a file of its own, and none is touched again", async () => {
    for (let round = 1; round <= 12; round++) {
      const outcome = await writeNote(noteOf("ses_abcdefgh", { round, said: `We decided to use plan ${round}.` }), { folder });
      expect(outcome.ok && relative(folder, outcome.uri ?? "")).toBe(
        `sessions/compaction/2026/01/28/session-abcdefgh${round === 1 ? "" : `-${round}`}.md`,
      );
    }
    const texts = everything().map((name) => readFileSync(join(folder, name), "utf8"));
    for (let round = 1; round <= 12; round++) expect(texts.filter((text) => text.includes(`use plan ${round} `))).toHaveLength(1);
  });

  test("fifty rounds at once have a file each", async () => {
    const notes = Array.from({ length: 50 }, (_, index) => ({ ...filed("a.md"), text: `fact ${index}` }));
    const outcomes = await Promise.all(notes.map((note) => writeNote(note, { folder })));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    const texts = everything().map((name) => readFileSync(join(folder, name), "utf8"));
    expect(texts.sort()).toEqual(notes.map(({ text }) => `${text}\n`).sort());
  });

  test("gives up with a warning when a thousand names are taken", async () => {
    for (let number = 1; number <= 1_000; number++) writeFileSync(join(folder, number === 1 ? "a.md" : `a-${number}.md`), "");
    expect(await writeNote(filed("a.md"), { folder })).toMatchObject({ ok: false, level: "warn" });
    expect(everything()).toHaveLength(1_000);
  });
});

describe("names stay names below the base", () => {
  test.each([
    ["../../etc/passwd", "etc-passwd.md"],
    ["..", undefined],
    [".hidden.md", "hidden.md"],
    ["a/b\\c.md", "a-b-c.md"],
    ["a\u0000\u001B[31m\n.md", "a-[31m-.md"],
    ["CON.md", "_CON.md"],
    ["con", "_con.md"],
    ["config", "config.md"],
    ["a.MD", "a.MD"],
    ["ends. ", "ends.md"],
    ["Ünïcödé 日本 😀.md", "Ünïcödé 日本 😀.md"],
    ["e\u0301.md", "\u00E9.md"],
    ["\uD800x.md", "x.md"],
    ["*?<>|:\"'.md", "'.md"],
    ["$(touch x) `y`; --help.md", "$(touch x) `y`; --help.md"],
  ])("%j", async (name, expected) => {
    const base = join(folder, "base");
    const outcome = await writeNote(filed(name), { folder: base });
    expect(outcome.ok, message(outcome)).toBe(expected !== undefined);
    expect(everything()).toEqual(expected === undefined ? [] : [`base/${expected}`]);
  });

  test.each(["../../out", "/out", "a/../../../out", "C:\\out", "a//./b"])("the folder %s", async (name) => {
    const base = join(folder, "base");
    const outcome = await writeNote(filed("a.md", name), { folder: base });
    expect(outcome.ok && outcome.uri?.startsWith(`${base}/`)).toBe(true);
    expect(readdirSync(folder)).toEqual(["base"]);
  });

  test("of any length", async () => {
    for (const name of ["x".repeat(5_000), "😀".repeat(500), `${"日".repeat(500)}.md`]) {
      const outcome = await writeNote(filed(name, name), { folder });
      expect(outcome.ok, message(outcome)).toBe(true);
      const written = outcome.ok ? (outcome.uri?.split("/").at(-1) ?? "") : "";
      expect(Buffer.byteLength(written)).toBeLessThanOrEqual(NAME_BYTES);
      expect(written).not.toContain("\uFFFD");
      expect(written.endsWith(".md")).toBe(true);
    }
  });
});

describe("links", () => {
  test("out of the base are not followed, on the way and at the end", async () => {
    const [base, outside] = ["base", "outside"].map((name) => join(folder, name)) as [string, string];
    for (const path of [base, outside]) mkdirSync(path);
    symlinkSync(outside, join(base, "sessions"));
    const outcome = await writeNote(noteOf("ses_1"), { folder: base });
    expect(outcome).toMatchObject({ ok: false, level: "warn", message: expect.stringContaining("link") });
    writeFileSync(join(outside, "mine.md"), "mine");
    symlinkSync(join(outside, "mine.md"), join(base, "a.md"));
    symlinkSync(join(outside, "nowhere.md"), join(base, "a-2.md"));
    expect(await writeNote(filed("a.md"), { folder: base })).toEqual({ ok: true, uri: join(base, "a-3.md") });
    expect(everything(outside)).toEqual(["mine.md"]);
    expect(readFileSync(join(outside, "mine.md"), "utf8")).toBe("mine");
  });

  test("that lead nowhere are in the way", async () => {
    symlinkSync(join(folder, "nowhere"), join(folder, "x"));
    expect(await writeNote(filed("a.md", "x"), { folder })).toMatchObject({ ok: false, level: "warn" });
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });

  test("within the base are followed, and the user's base may be one", async () => {
    mkdirSync(join(folder, "vault/real"), { recursive: true });
    symlinkSync(join(folder, "vault/real"), join(folder, "vault/linked"));
    symlinkSync(join(folder, "vault"), join(folder, "base"));
    expect(await writeNote(filed("a.md", "linked"), { folder: join(folder, "base") })).toMatchObject({ ok: true });
    expect(existsSync(join(folder, "vault/real/a.md"))).toBe(true);
  });

  test("out of a project are not followed by a base in it", async () => {
    for (const name of ["project", "outside"]) mkdirSync(join(folder, name));
    symlinkSync(join(folder, "outside"), join(folder, "project/notes"));
    const settings = { folder: join(folder, "project/notes"), project: join(folder, "project") };
    expect(await writeNote(filed("a.md"), settings)).toMatchObject({ ok: false, level: "warn" });
    expect(everything(join(folder, "outside"))).toEqual([]);
  });
});

describe("what cannot be written is said, and nothing is left behind", () => {
  test("in a folder that is read-only", async () => {
    mkdirSync(join(folder, "base/x"), { recursive: true });
    chmodSync(folder, 0o755);
    for (const name of ["base/x", "base"]) chmodSync(join(folder, name), 0o555);
    const outcomes = await asNobody(() =>
      Promise.all([
        writeNote(filed("a.md", "x"), { folder: join(folder, "base") }),
        writeNote(filed("a.md", "y"), { folder: join(folder, "base") }),
      ]),
    );
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: false, level: "warn", message: expect.stringContaining("EACCES") });
    chmodSync(join(folder, "base"), 0o755);
    expect(everything()).toEqual([]);
  });

  test("where a file is in the way of the base or of a folder", async () => {
    writeFileSync(join(folder, "x"), "mine");
    for (const [base, of] of [
      ["x", ""],
      ["", "x"],
      ["", "x/y"],
      ["x/y", ""],
    ] as const)
      expect(await writeNote(filed("a.md", of), { folder: join(folder, base) })).toMatchObject({ ok: false, level: "warn" });
    expect(everything()).toEqual(["x"]);
    expect(readFileSync(join(folder, "x"), "utf8")).toBe("mine");
  });
});
