// What has examples beside it.
import type { Resolved } from "../config/resolve.js";
import type { Position } from "../diagnostics.js";
import type { RuleFile } from "../generated/pack-file.js";
import { CUES_PREFIX } from "../rules/compile-cues.js";
import { SECTION_PREFIX } from "../rules/section-rule.js";

interface Declaration {
  readonly id: string;
  readonly value: Pick<RuleFile, "examples">;
  readonly at: (path?: readonly (string | number)[]) => Position;
}

/** Rules, sections and cues: everything that has examples. */
export function declarations(packs: Resolved): readonly Declaration[] {
  return [
    ...[...packs.rules.values()].map(({ id, value, at }) => ({ id, value, at })),
    ...[...packs.sections.values()]
      .filter(({ value }) => value.holds && (value.headings || value.fields || value.task))
      .map(({ id, value, at }) => ({ id: SECTION_PREFIX + id, value, at })),
    ...[...packs.cues.values()].map(({ id, value, at }) => ({ id: CUES_PREFIX + id, value, at })),
  ];
}
