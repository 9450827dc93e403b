// Where a configuration is found: as users of cosmiconfig expect, in data files only, and without running or waiting for anything.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { unusedConfigs } from "../../src/config/search-config.js";
import { loadRules, loadRulesFrom } from "../../src/index.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-places-")));
  mkdirSync(join(folder, ".git"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => join(folder, name);
function write(name: string, text: string) {
  mkdirSync(dirname(file(name)), { recursive: true });
  writeFileSync(file(name), text);
}
const manifest = (compaction: unknown) => JSON.stringify({ name: "x", compaction }, null, "\t");
const loaded = (below = "") => loadRules(file(below));
const said = (below = "") => loaded(below).diagnostics.map(({ code }) => code);

const DATA = [
  "package.json",
  ...["", ".config"].flatMap((below) => ["", ".json", ".yaml", ".yml"].map((end) => `${below}${end}`)),
];
const PLACES = DATA.map((place) =>
  place === "package.json"
    ? place
    : place.startsWith(".config")
      ? place.replace(".config", ".config/compactionrc")
      : `.compactionrc${place}`,
);
const contents = (place: string) => (place === "package.json" ? manifest({ nothing: ["xyzzy"] }) : '{ "nothing": ["xyzzy"] }');

describe("a configuration is found", () => {
  test.each(PLACES)("in %s, also from a folder below", (place) => {
    write(place, contents(place));
    write("a/b/c.txt", "");
    const { packs, file: used, diagnostics } = loaded("a/b");
    expect([used, packs.nothing.includes("xyzzy"), diagnostics]).toEqual([file(place), true, []]);
    expect(loadRulesFrom(file(place)).packs.nothing).toContain("xyzzy");
  });

  test("in the first of these places, and the others are named", () => {
    for (const place of PLACES) write(place, contents(place));
    expect(loaded().file).toBe(file("package.json"));
    const unread = loaded().diagnostics.map(({ code, at }) => [code, at?.file]);
    expect(unread).toEqual(PLACES.slice(1).map((place) => ["config-unread", file(place)]));
  });

  test("above a folder whose package.json has none, and not above the repository", () => {
    write("sub/package.json", '{ "name": "sub" }');
    write("sub/inner/.git/HEAD", "");
    write(".compactionrc", "nothing: [xyzzy]");
    expect(loaded("sub").file).toBe(file(".compactionrc"));
    expect(loaded("sub/inner").file).toBeUndefined();
  });

  test.each(["", "{", "[]", "null", '{ "compaction": "pack.yaml" }'])("in no package.json with %j", (text) => {
    write("package.json", text);
    write(".compactionrc", "nothing: [xyzzy]");
    expect([loaded().file, said()]).toEqual([file(".compactionrc"), []]);
  });

  test("in an empty file, which then counts", () => {
    write(".compactionrc", "nothing: [xyzzy]");
    write("sub/.compactionrc", "");
    expect(loaded("sub").file).toBe(file("sub/.compactionrc"));
  });
});

test("a fault in package.json is named at its place", () => {
  write("package.json", '{\n\t"name": "x",\n\t"compaction": {\n\t\t"budgit": 3\n\t}\n}\n');
  expect(loaded().diagnostics).toMatchObject([{ code: "unknown-key", at: { file: file("package.json"), line: 4, column: 3 } }]);
});

test("a faulty part of package.json still switches everything off", () => {
  write("package.json", manifest({ enabled: false, budgit: 3 }));
  expect(loaded().enabled).toBe(false);
});

describe("nothing of a clone runs", () => {
  const RUNS = `require("node:fs").writeFileSync(${JSON.stringify("MARK")}, "");`;
  const program = () => RUNS.replace("MARK", file("mark"));

  test("when it brings programs and a meta configuration of cosmiconfig", () => {
    const programs = [
      ".config/config.js",
      ".config/config.cjs",
      ".config/config.ts",
      "x.cjs",
      ".compactionrc.cjs",
      ".compactionrc.js",
    ];
    for (const name of programs) write(name, program());
    write("package.json", JSON.stringify({ cosmiconfig: { searchPlaces: ["x.cjs"], $import: "./x.cjs" } }));
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect([loaded().file, said()]).toEqual([undefined, []]);
    } finally {
      process.chdir(before);
    }
    expect(existsSync(file("mark"))).toBe(false);
  });

  test.each([".compactionrc", "package.json"])("when %s says $import", (place) => {
    write("x.cjs", program());
    write("y.json", '{ "nothing": ["xyzzy"] }');
    for (const target of ["./x.cjs", "./y.json", ["./y.json"]]) {
      const part = { $import: target };
      write(place, place === "package.json" ? manifest(part) : JSON.stringify(part));
      expect(said()).toEqual(["config-import"]);
      expect(loaded().packs.nothing).not.toContain("xyzzy");
    }
    expect(existsSync(file("mark"))).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("nobody waits for", () => {
  test.each([".compactionrc", ".compactionrc.json", ".config/compactionrc.yaml"])("a pipe in the place of %s", (place) => {
    mkdirSync(file(".config"));
    expect(spawnSync("mkfifo", [file(place)]).status).toBe(0);
    expect(said()).toEqual(["file-unreadable"]);
  });

  test("a package.json that is a pipe, a device, a folder or a link out of the project", () => {
    write(".compactionrc", "nothing: [xyzzy]");
    expect(spawnSync("mkfifo", [file("package.json")]).status).toBe(0);
    expect([loaded().file, said()]).toEqual([file(".compactionrc"), []]);
    for (const target of ["/dev/zero", "/etc", "../away.json"]) {
      rmSync(file("package.json"));
      symlinkSync(target, file("package.json"));
      expect([loaded().file, said()]).toEqual([file(".compactionrc"), []]);
    }
  });
});

describe("what looks like a configuration and is not used is named", () => {
  const named = (below = "") => unusedConfigs(file(below)).map(({ code, at }) => [code, at?.file]);

  test.each([
    ...["js", "ts", "cjs", "mjs"].flatMap((end) => [
      `.compactionrc.${end}`,
      `.config/compactionrc.${end}`,
      `compaction.config.${end}`,
    ]),
    "compaction.config.json",
    ".compactionrc.toml",
  ])("%s", (name) => {
    write(name, "x");
    mkdirSync(file("sub"));
    expect(named("sub")).toEqual([["config-unread", file(name)]]);
    expect(loaded().file).toBeUndefined();
  });

  test("the one in the home folder, unless that is the project", () => {
    const home = process.env.HOME;
    process.env.HOME = folder;
    try {
      write(".compactionrc", "");
      write("project/.git/HEAD", "");
      expect(named("project")).toEqual([["config-unread", file(".compactionrc")]]);
      expect(named()).toEqual([]);
    } finally {
      process.env.HOME = home;
    }
  });

  test("but not one that is used, and no other file", () => {
    write(".compactionrc", "");
    write("package.json", "{}");
    write("compaction/team.yaml", "");
    expect(named()).toEqual([]);
  });
});
