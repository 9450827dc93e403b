// Points of seed 003, each with an input of its own: what a project's notes and work items yield. The cases are in projects.yaml.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { continueIn, linesOf } from "../project.js";

type Sections = Readonly<Record<string, readonly string[]>>;
interface Case {
  readonly point: string;
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly mtimes?: Readonly<Record<string, number>>;
  readonly stage?: string;
  /** The lines of a section; parts of its lines; parts that none of its lines has. */
  readonly is?: Sections;
  readonly has?: Sections;
  readonly lacks?: Sections;
}
const cases = parse(readFileSync("test/spec/projects.yaml", "utf8")) as readonly Case[];

test.each(cases.map((one) => [one.point, one.title, one] as const))(
  "%s: %s",
  (_point, _title, { files, mtimes = {}, stage, is = {}, has = {}, lacks = {} }) => {
    const found = continueIn({ files, mtimes });
    if (stage !== undefined) expect(found.continuation.workflow?.stage ?? "none").toBe(stage);
    for (const [id, lines] of Object.entries(is)) expect(linesOf(found, id), id).toEqual(lines);
    const some = (part: string) => expect.stringContaining(part);
    for (const [id, parts] of Object.entries(has))
      expect(linesOf(found, id), id).toEqual(expect.arrayContaining(parts.map(some)));
    for (const [id, parts] of Object.entries(lacks))
      for (const part of parts) expect(linesOf(found, id).join("\n"), id).not.toContain(part);
  },
);
