// What a team demands of its notes and does not find there.
import type { Gap } from "../model.js";
import type { RuleSet, Section } from "../rules/rule-set.js";
import { toWords } from "../rules/words.js";
import { firstPhrase } from "./condition.js";
import { type Note, readValues, sectionValues } from "./reads.js";

export function findGaps({ sections, files, nothing }: RuleSet, notes: readonly Note[]): readonly Gap[] {
  return sections.flatMap((section): readonly Gap[] => {
    if (!section.required && section.shape.length === 0) return [];
    const found = sectionValues(section, notes, nothing);
    if (found.length === 0 && section.required && !isSaidToBeEmpty(section, notes))
      return [{ section: section.id, problem: "missing", source: sourcesOf(section, files) }];
    return section.shape.length === 0
      ? []
      : found.flatMap(({ subject, text }): readonly Gap[] => {
          // Of a field the value has a shape, not its name.
          if (!subject || firstPhrase(section.shape, toWords(text))) return [];
          const { source } = subject;
          const { start, end } = subject.segment;
          return [
            { section: section.id, problem: "malformed", source: source.id, start, end, quote: source.text.slice(start, end) },
          ];
        });
  });
}

/** "Blockers: none" is no gap, and neither is a list that is ticked to its end: somebody looked. */
const isSaidToBeEmpty = ({ read }: Section, notes: readonly Note[]) =>
  read !== undefined && readValues(read, notes, new Set()).length > 0;

function sourcesOf(section: Section, files: RuleSet["files"]): string {
  const names = (section.read?.ways ?? []).flatMap((way) => [
    ...(way.in.file ?? files.filter(({ state }) => state).map(({ id }) => id)),
  ]);
  return [...new Set(files.filter(({ id }) => names.includes(id)).map(({ path }) => path))].join(", ");
}
