import { describe, expect, test } from "vitest";
import { entryDate, isoDate } from "../../../src/source/notes/entry-date.js";
import { continueIn, linesOf } from "../../project.js";

describe("the date of a heading", () => {
  test.each([
    "June 3, 2026",
    "Jun. 3rd 2026",
    "3 June 2026",
    "3rd of June, 2026",
    "3-Jun-2026",
    "Wednesday, June 3rd, 2026",
    "Wed Jun 3 2026 10:11:12",
    "3. Juni 2026",
    "Mi., 3. Juni 2026",
    "Mittwoch, den 3. Juni 2026",
    "3 juin 2026, 14h30",
    "03.06.2026",
    "3.6.2026 um 9:05 Uhr",
    "03.06.26",
    "20260603",
    "20260603-1430",
    "2026-W23-3",
    "2026-06-03 09:15",
    "2026-06-03T09:15:00Z",
    "2026/6/3 (Wed)",
    "3/06/2026",
    "2026年6月3日",
  ])("is read from %j, with all that belongs to it", (date) => {
    const line = `# ${date} — search`;
    const found = entryDate(line);
    expect(found?.days).toContain("2026-06-03");
    expect(line.slice(found?.start, found?.end)).toBe(date);
  });

  test.each(["v1.2.26", "Sprint 12", "Mark 3", "10.000.2026", "1.2.2026.4", "2026-13-40"])("is not read from %j", (text) => {
    expect(entryDate(`# ${text}`)).toBeUndefined();
  });

  test("is taken for one without a year only when it is alone", () => {
    expect(isoDate("# 3 June — search")?.iso).toBe("0000-06-03");
    expect(isoDate("# Set 3 fixtures")).toBeUndefined();
  });
});

// The newer entry is about the search, whichever comes first.
const PAIRS = [
  ["June 3, 2026", "May 28, 2026"],
  ["Do, 28. Mai 2026", "Di., 3. März 2026"],
  ["03.06.2026", "28.05.2026"],
  ["06/03/2026", "05/28/2026"],
  ["03/06/2026", "28/05/2026"],
  ["20260603", "20260528"],
  ["2026-W23", "2026-W22"],
  ["KW 23/2026", "KW 22/2026"],
  ["2026-06-03 15:00", "2026-06-03 09:00"],
  ["June 3", "May 28"],
  ["Jan 2", "Dec 30"],
] as const;
const FORMS = [
  (date: string, focus: string) => `## ${date} [Focus: ${focus}]\n- did a\n`,
  (date: string, focus: string) => `## ${date}\n**Focus:** ${focus}\n- did a\n`,
  (date: string, focus: string) => `### ${date} — Focus: ${focus}\n- did a\n`,
  (date: string, focus: string) => `## ${date} — ${focus}\n- did a\n`,
];

test.each(PAIRS)("the entry of %s is newer than that of %s, wherever it is and however it tells its focus", (newer, older) => {
  const objectives = FORMS.flatMap((form) => {
    const [first, second] = [form(newer, "search"), form(older, "login")];
    return [`${first}\n${second}`, `${second}\n${first}`].map((text) => continueIn({ files: { "SESSION.md": text } }));
  }).map((found) => linesOf(found, "objective")[0]);
  expect(new Set(objectives)).toEqual(new Set(["Continue work on: search."]));
});

test("the first entry is the newest when dates can be read in two ways that disagree", () => {
  const text = "## 04/03/2026 [Focus: search]\n- a\n\n## 05/02/2026 [Focus: login]\n- b\n";
  expect(linesOf(continueIn({ files: { "SESSION.md": text } }), "objective")).toEqual(["Continue work on: search."]);
});
