import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitFileLists, withFileLists } from "../../src/index.js";

const lines = (...texts: readonly string[]) => texts.join("\n");

describe("the lists behind a summary", () => {
  test("are taken out wherever they stand, and what they hold is told", () => {
    const summary = lines(
      "A",
      "",
      "<read-files>",
      "/a",
      " /b ",
      "</read-files>",
      "",
      "B",
      "<modified-files>",
      "/c",
      "</modified-files>",
    );
    expect(splitFileLists(summary)).toEqual({ prose: "A\n\nB", read: ["/a", "/b"], modified: ["/c"] });
  });

  test("that were never closed end where a line is no path", () => {
    const summary = lines("A", "<read-files>", "/a", "<modified-files>", "/b", "", "The work goes on.");
    expect(splitFileLists(summary)).toEqual({ prose: "A\n\nThe work goes on.", read: ["/a"], modified: ["/b"] });
  });

  test("that are only named cost no word of the prose", () => {
    const { prose, read } = splitFileLists("We parse the <read-files> tag first.\nThen we go on with the rest of it.");
    expect(read).toEqual([]);
    expect(prose).toContain("tag first.\nThen we go on with the rest of it.");
  });

  test("that are named at the end of a sentence cost no word either, and list nothing", () => {
    const { prose, read } = splitFileLists("It begins with the <read-files> tag.\nDone.");
    expect(read).toEqual([]);
    expect(prose).toContain("tag.\nDone.");
  });

  test("that are spoken of, opened and closed, cost no word and no tag", () => {
    const said = lines("Never drop the <read-files> tag.", "", "## Progress", "We write </read-files> as the last line.");
    expect(splitFileLists(said)).toEqual({ prose: said, read: [], modified: [] });
    const files = { read: ["/a"], modified: [] };
    expect(splitFileLists(withFileLists(said, files))).toEqual({ prose: said, ...files });
  });

  const path = fc.stringMatching(/^[^\s\p{Cc}&][^\r\n\p{Cc}&]{0,20}$/u).map((text) => text.trim());
  const paths = fc.uniqueArray(path, { maxLength: 6 });
  const prose = fc.string({ maxLength: 60 }).map((text) => text.trim());

  test("are sorted, and name a file once", () => {
    const files = { read: ["b/z.ts", "B.ts", "a.ts", "b/z.ts"], modified: ["y", "x"] };
    const listed = [
      "<read-files>",
      "B.ts",
      "a.ts",
      "b/z.ts",
      "</read-files>",
      "",
      "<modified-files>",
      "x",
      "y",
      "</modified-files>",
    ];
    expect(withFileLists("Prose.", files)).toBe(lines("Prose.", "", ...listed));
  });

  test("come out as they were put in, but sorted, whatever the paths hold", () => {
    fc.assert(
      fc.property(prose, paths, paths, (text, read, modified) => {
        fc.pre(!/<\/?(?:read|modified)-files>/.test(text));
        const files = { read: read.toSorted(), modified: modified.toSorted() };
        expect(splitFileLists(withFileLists(text, { read, modified }))).toEqual({ prose: text, ...files });
      }),
    );
  });

  test("do not grow when a model repeats them, whole, broken or twice", () => {
    fc.assert(
      fc.property(
        paths,
        paths,
        fc.array(fc.constantFrom("whole", "open", "twice", "swapped"), { maxLength: 10 }),
        (read, modified, ways) => {
          const files = { read, modified };
          let summary = withFileLists("Prose.", files);
          const most = summary.length;
          for (const way of ways) {
            const echo = {
              whole: summary,
              open: summary.replaceAll("</", "<"),
              twice: `${summary}\n\n${summary.slice("Prose.".length)}`,
              swapped: summary.replace("</read-files>", "</modified-files>"),
            }[way];
            summary = withFileLists(splitFileLists(echo).prose, files);
            fc.pre(!read.concat(modified).some((one) => /\s/.test(one)));
            expect(summary.length).toBeLessThanOrEqual(most);
          }
        },
      ),
    );
  });

  test("of a megabyte of tags are read in one go", () => {
    for (const text of ["<read-files>", "<read-files>\n/a\n", "</read-files>", "<read-files><modified-files>"]) {
      const { prose } = splitFileLists(text.repeat(1_000_000 / text.length));
      expect(prose.length).toBeLessThan(1_000_000);
    }
  });
});
