// A project in a folder of its own, for tests that read one.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { builtInRules, type Extraction, extract, type RuleSet, readWorkspace, type Session } from "../src/index.js";

export interface ProjectInput {
  readonly files?: Readonly<Record<string, string>>;
  readonly dirs?: readonly string[];
  readonly mtimes?: Readonly<Record<string, number>>;
}

export const noSession: Session = { id: "s", format: "test", messages: [] };
const LONG_AGO = 1_700_000_000_000;

/** The files really lie in a folder, with the times that the input gives to theirs. */
export function inProject<T>({ files = {}, dirs = [], mtimes = {} }: ProjectInput, work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "compaction-project-"));
  try {
    for (const dir of dirs) mkdirSync(join(folder, dir), { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      const parent = Object.keys(mtimes).find((dir) => path.startsWith(`${dir}/`));
      const time = (mtimes[parent ?? ""] ?? LONG_AGO) / 1000;
      utimesSync(file, time, time);
    }
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { rules: ownRules } = builtInRules();

export function continueIn(input: ProjectInput, rules: RuleSet = ownRules, session = noSession): Extraction {
  return inProject(input, (folder) => extract(session, rules, readWorkspace(folder, rules)));
}

/** The lines of a section; none when it is left out. */
export const linesOf = ({ continuation }: Extraction, id: string): readonly string[] =>
  continuation.sections?.find((section) => section.id === id)?.lines ?? [];
