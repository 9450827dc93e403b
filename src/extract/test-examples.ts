// Runs the examples in the rules: they are the rules' documentation and tests.

import { isNone } from "../config/normalise.js";
import type { PackEntry } from "../config/pack.js";
import type { Resolved } from "../config/resolve-packs.js";
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import type { ExampleFile, RuleFile } from "../generated/pack-file.js";
import type { Message, Role } from "../model.js";
import { FIELD_SUFFIX, SECTION_PREFIX } from "../rules/compile/continuity.js";
import { CUES_PREFIX } from "../rules/compile/signals.js";
import { redact } from "../rules/redact/redact.js";
import type { Cues, Rule, RuleSet } from "../rules/rule-set.js";
import type { Trace } from "./facts/to-item.js";
import { extract } from "./pipeline.js";

/** The results of the examples in the rules. */
export interface ExampleReport {
  readonly rules: number;
  readonly examples: number;
  /** For each tested rule, how many of its examples fire, and how many do not. */
  readonly coverage: readonly { readonly id: string; readonly fires: number; readonly still: number }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs the examples in the rules. @param only ids of the rules to test; all when empty */
export function testExamples(packs: Resolved, rules: RuleSet, only: readonly string[], coverage: boolean): ExampleReport {
  const diagnostics: Diagnostic[] = [];
  const covered: ExampleReport["coverage"][number][] = [];
  let examples = 0;
  for (const { id, value, at } of declarations(packs)) {
    const own = rulesOf(id, rules);
    if (own.length === 0 || (only.length > 0 && !only.includes(id))) continue;
    const given = value.examples ?? [];
    for (const [index, example] of given.entries()) {
      examples++;
      const finding = tryExample(id, own, example, rules, at(["examples", index]));
      if (finding) diagnostics.push(finding);
    }
    const still = given.filter(({ emits }) => isNone(emits)).length;
    const fires = given.length - still;
    covered.push({ id, fires, still });
    if (coverage && !(fires && still))
      diagnostics.push(
        diagnostic("example-coverage", `${id} has no example that ${fires ? "keeps still" : "fires"}`, at(), "add one of each"),
      );
  }
  return { rules: covered.length, examples, coverage: covered, diagnostics };
}

/** A section has one rule for the texts under its headings, and one for its fields. */
function rulesOf(id: string, { rules, redactions, cues }: RuleSet): readonly (Rule | Cues)[] {
  const ids = id.startsWith(SECTION_PREFIX) ? [id, id + FIELD_SUFFIX] : [id];
  return [...rules, ...redactions, ...cues].filter((one) => ids.includes(one.id));
}

function tryExample(id: string, own: readonly (Rule | Cues)[], { text, emits, role }: ExampleFile, rules: RuleSet, at: Position) {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const ownRules = own.filter((one): one is Rule => "emit" in one);
  if (ownRules.some(({ emit }) => emit === "redact")) {
    const masked = redact(text, ownRules);
    if (isNone(emits))
      return masked === text ? undefined : diagnostic("example-noisy", `${id} masks "${shown}"`, at, `it gives "${masked}"`);
    if (masked === text) return diagnostic("example-missing", `${id} does not mask "${shown}"`, at);
    return emits.text === undefined || masked.includes(emits.text)
      ? undefined
      : diagnostic("example-wrong", `${id} masks "${shown}" otherwise`, at, `it gives "${masked}"`);
  }
  // Fields are read in files, and so is the rest of a section: use the role of the last rule.
  const speaker = role ?? ([...(own.at(-1)?.in.role ?? [])][0] as Role | "file" | undefined) ?? "user";
  const message: Message = { id: "example", role: speaker === "file" ? "user" : speaker, text, toolCalls: [] };
  const session = { id: "example", format: "example", messages: speaker === "file" ? [] : [message] };
  const files = speaker === "file" ? { files: [{ path: "example", text }] } : {};
  const ids = own.map((one) => one.id);
  const options = { statements: false, ...files };
  const { items } = extract(session, rules, options).continuation;
  const found = items.filter(({ evidence }) => ids.includes(evidence.rule));
  const got = found.map(({ text: said, fields, category }) => {
    const more = emits.category !== undefined && category !== undefined && { category };
    return { ...more, ...fields, text: said } as Record<string, string>;
  });
  const said = got.map((fields) => JSON.stringify(fields)).join(", ");
  if (isNone(emits))
    return got.length === 0 ? undefined : diagnostic("example-noisy", `${id} fires on "${shown}"`, at, `it gives ${said}`);
  if (got.length === 0) {
    const rival = rivalOf(ids, (trace) => extract(session, rules, { ...options, trace }));
    // A team's rule may take the words of a built-in one.
    if (rival && isOwn(rival, rules) && !isOwn(id, rules)) return undefined;
    const hint = rival ? `${rival} wins on the same words` : "try the sentence with the command explain -";
    return diagnostic("example-missing", `${id} does not fire on "${shown}"`, at, hint);
  }
  const right = got.some((fields) => Object.entries(emits).every(([name, value]) => fields[name] === value));
  return right ? undefined : diagnostic("example-wrong", `${id} gives something else for "${shown}"`, at, `it gives ${said}`);
}

/** The rule that wins where these rules match. */
function rivalOf(ids: readonly string[], run: (trace: (trace: Trace) => void) => void): string | undefined {
  let rival: string | undefined;
  run(({ rule, outcome, why }) => {
    if (outcome === "outdone" && ids.includes(rule)) rival ??= why?.split("; ")[0];
  });
  return rival;
}

const isOwn = (id: string, { rules }: RuleSet) => rules.some((rule) => rule.id === id && rule.own);

// Declarations with examples.

interface Declaration {
  readonly id: string;
  readonly value: Pick<RuleFile, "examples">;
  readonly at: (path?: readonly (string | number)[]) => Position;
  /** The pack that sets a key. */
  readonly from: PackEntry<unknown>["from"];
}

/** Rules, sections and cues: everything that may have examples. */
export const declarations = (packs: Resolved): readonly Declaration[] => [
  ...[...packs.rules.values()].map(({ id, value, at, from }) => ({ id, value, at, from })),
  ...[...packs.sections.values()]
    .filter(({ value }) => value.holds && (value.headings || value.fields || value.task))
    .map(({ id, value, at, from }) => ({ id: SECTION_PREFIX + id, value, at, from })),
  ...[...packs.cues.values()].map(({ id, value, at, from }) => ({ id: CUES_PREFIX + id, value, at, from })),
];
