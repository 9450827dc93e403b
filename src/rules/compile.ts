// The one door from what packs say to what runs. Faults become findings; what is faulty is left out.
import type { Entry, Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import type { RuleFile } from "../generated/pack-file.js";
import { FIELD_CODE_POINTS } from "../limits.js";
import { KINDS } from "../model.js";
import { createContinuity } from "./compile-continuity.js";
import { createConditions } from "./conditions.js";
import { compileLifecycle } from "./lifecycle.js";
import {
  BUILT_IN_SIGNALS,
  type Category,
  type Cues,
  type Mark,
  type Options,
  type Program,
  type Rule,
  type RuleSet,
  SESSION_SIGNALS,
  type Section,
  type Signal,
  type Template,
  type Tool,
} from "./rule-set.js";
import { sectionRules } from "./section-rule.js";
import { sameText } from "./words.js";

export interface Compiled {
  readonly rules: RuleSet;
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_SCORE = 0.5;
const DEFAULT_TOKENS = 500;
/** Before the id of cues, in the place of a rule's id. */
export const CUES_PREFIX = "cues:";
/** And what names an option that the user took. */
export const OPTIONS_PREFIX = "options:";

export function compileRules(packs: Resolved): Compiled {
  const diagnostics: Diagnostic[] = [];
  /** One fault, one finding: what a section holds is compiled for its rules and for the continuation. */
  function report(finding: Diagnostic): void {
    const same = ({ code, message, at }: Diagnostic) => JSON.stringify([code, message, at]);
    if (!diagnostics.some((other) => same(other) === same(finding))) diagnostics.push(finding);
  }
  const conditions = createConditions(packs, report);
  const { phrases, condition } = conditions;
  const continuity = createContinuity(packs, conditions, report);

  const nothing: ReadonlySet<string> = new Set(packs.nothing.map(sameText));
  /** A list that was emptied: what it stands for would never be found again, or everywhere. */
  function isEmptied(what: string, entry: Entry<Partial<Record<"match" | "regex", readonly string[]>>>): boolean {
    const key = (["match", "regex"] as const).find((name) => entry.value[name]?.length === 0);
    if (!key) return false;
    const hint = `give it one, leave ${key} out, or write ${entry.id}: off to switch the ${what} off`;
    report(diagnostic("rule-empty", `"${key}" of the ${what} "${entry.id}" is an empty list`, entry.at([key]), hint));
    return true;
  }

  const signals = new Map<string, Signal>();
  for (const [id, entry] of packs.signals) {
    isEmptied("signal", entry);
    signals.set(id, { id, ...condition(entry) });
  }

  // Signals that look at other messages are not looked at from other messages: there would be no end to it.
  const near = [...signals.values()].filter(({ in: { opening, after, reply } }) => !opening && !after && !reply);
  const nearby = near.map(({ id }) => id);
  for (const entry of [...packs.signals.values(), ...packs.rules.values(), ...packs.cues.values()]) {
    for (const key of ["opening", "after", "reply"] as const) {
      for (const [index, name] of (entry.value.in?.[key] ?? []).entries()) {
        if (nearby.includes(name)) continue;
        const why = signals.has(name) ? `"${name}" looks at other messages itself` : `there is no signal "${name}"`;
        report(diagnostic("unknown-signal", why, entry.at(["in", key, index]), didYouMean(name, nearby)));
      }
    }
  }

  const knownSignals = [...signals.keys(), ...SESSION_SIGNALS];
  function namedSignals(entry: Entry<Pick<RuleFile, "signals" | "not">>, key: "signals" | "not"): readonly string[] {
    const names = entry.value[key] ?? [];
    for (const [index, name] of names.entries()) {
      if (!knownSignals.includes(name)) {
        diagnostics.push(
          diagnostic("unknown-signal", `there is no signal "${name}"`, entry.at([key, index]), didYouMean(name, knownSignals)),
        );
      }
    }
    return names;
  }

  function rule(entry: Entry<RuleFile>, order: number): readonly Rule[] {
    const { value } = entry;
    if (!value.emit || isEmptied("rule", entry)) return [];
    const [asked, placed] = [value.signals ?? [], Object.keys(value.in ?? {})];
    if (!value.match && !value.regex && asked.length === 0 && placed.length === 0) {
      diagnostics.push(
        diagnostic(
          "rule-empty",
          `the rule "${entry.id}" says neither where nor what`,
          entry.at(),
          "give it match, regex, signals or in",
        ),
      );
      return [];
    }
    if (value.emit === "redact" && !value.regex) {
      diagnostics.push(diagnostic("rule-empty", `the rule "${entry.id}" redacts by regex only`, entry.at(), "give it a regex"));
      return [];
    }
    const built: Rule = {
      id: entry.id,
      order,
      emit: value.emit,
      ...condition(entry),
      signals: namedSignals(entry, "signals"),
      not: namedSignals(entry, "not"),
      set: value.set ?? {},
      score: value.score ?? DEFAULT_SCORE,
      ...(value.category && { category: value.category }),
      length: { min: value.length?.min ?? 0, max: value.length?.max ?? FIELD_CODE_POINTS },
      nothing: value.nothing ? new Set([...nothing, ...value.nothing.map(sameText)]) : nothing,
    };
    // A rule whose phrases or patterns were all faulty must not fire on everything.
    const lost = (value.match && built.match.length === 0) || (value.regex && built.regex.length === 0);
    return lost ? [] : [built];
  }

  const rules = [...packs.rules.values()].flatMap(rule);
  const sections: Section[] = [];
  for (const [id, entry] of packs.sections) {
    const { title, holds, max, headings, fields, task, say, of } = entry.value;
    const reads = headings !== undefined || fields !== undefined || task !== undefined;
    if (!title || (!say && !of && !(holds && reads))) {
      const missing = !title || !holds ? "title, and holds or say" : "headings, fields or task: it would take every item";
      diagnostics.push(diagnostic("missing-key", `the section "${id}" needs ${missing}`, entry.at()));
      continue;
    }
    sections.push({ id, title, ...(holds && { holds }), max: max ?? Number.MAX_SAFE_INTEGER, ...continuity.section(entry) });
    if (holds && reads) for (const one of sectionRules(entry)) rules.push(...rule(one, rules.length));
  }

  const saying = new Set(
    packs.packs.flatMap(({ body }) =>
      Object.entries(body.sections ?? {}).flatMap(([id, { say, of }]) => (say || of ? [id] : [])),
    ),
  );
  const said = [...saying].flatMap((id) => sections.filter((section) => section.id === id && section.say));

  // Packs that come later are nearer to the user: their categories are asked first, in the order of the file, whether an
  // earlier pack has them too or not.
  const nearest = [...packs.categories]
    .map(([id, entry]) => {
      const pack = entry.from("match");
      const place = Object.keys(pack.body.categories ?? {}).indexOf(id);
      return { id, entry, pack: packs.packs.indexOf(pack), place };
    })
    .sort((a, b) => b.pack - a.pack || a.place - b.place);
  const categories = nearest.map(
    ({ id, entry }): Category => ({
      id,
      of: new Set(entry.value.of ?? KINDS),
      match: isEmptied("category", entry) ? [] : phrases(entry, ["match"], entry.value.match, false),
    }),
  );

  const weighable = [...knownSignals, ...BUILT_IN_SIGNALS];
  const salience = new Map<string, number>();
  for (const [id, entry] of packs.salience) {
    if (weighable.includes(id)) salience.set(id, entry.value);
    else diagnostics.push(diagnostic("unknown-signal", `there is no signal "${id}"`, entry.at(), didYouMean(id, weighable)));
  }

  const cues = [...packs.cues].flatMap(([id, entry]): readonly Cues[] => {
    const { emit, least, weights = {}, category, length } = entry.value;
    if (!emit || least === undefined) {
      diagnostics.push(diagnostic("missing-key", `the cues "${id}" need emit and least`, entry.at()));
      return [];
    }
    const known = Object.entries(weights).filter(([name]) => {
      if (knownSignals.includes(name)) return true;
      const at = entry.at(["weights", name], "key");
      diagnostics.push(diagnostic("unknown-signal", `there is no signal "${name}"`, at, didYouMean(name, knownSignals)));
      return false;
    });
    const degrees = known.filter(([name]) => !signals.has(name));
    return [
      {
        id: CUES_PREFIX + id,
        kind: emit,
        in: conditions.selector(entry, entry.value.in),
        not: namedSignals(entry, "not"),
        least,
        weights: new Map(known),
        degrees,
        gain: degrees.reduce((sum, [, weight]) => sum + Math.max(0, weight), 0),
        ...(category && { category }),
        length: { min: length?.min ?? 0, max: length?.max ?? FIELD_CODE_POINTS },
      },
    ];
  });

  const options = [...packs.options].map(([id, entry]): Options => {
    const { offered, taken, labels = [] } = entry.value;
    if (labels.flat().length === 0 || [...(offered ?? []), ...(taken ?? [])].length === 0) {
      const why = `the options "${id}" need labels, and offered or taken: nothing is found by them`;
      report(diagnostic("missing-key", why, entry.at(), 'name each option in turn, as in labels: [["1", a], ["2", b]]'));
    }
    const labelled = (key: "offered" | "taken") => {
      const compiled = phrases(entry, [key], entry.value[key], false);
      const nameless = compiled.find(({ slots }) => !slots.some(({ name }) => name === "label"));
      if (nameless) {
        const at = entry.at([key, (entry.value[key] ?? []).indexOf(nameless.source)]);
        const hint = "put {label:word} where the option's name stands";
        report(diagnostic("phrase-slot", `"${nameless.source}" has no {label}: it names no option`, at, hint));
      }
      return compiled;
    };
    return {
      id: OPTIONS_PREFIX + id,
      offered: labelled("offered"),
      taken: labelled("taken"),
      labels: new Map(labels.flatMap((names, place) => names.map((name) => [sameText(name), place] as const))),
    };
  });

  const tools = new Map<string, Tool>();
  for (const [id, entry] of packs.tools) {
    const { names, file, command, effect, patch, script, list, answers, old, todo } = entry.value;
    const tool: Tool = {
      id,
      file: file ?? [],
      command: command ?? [],
      ...(effect && { effect }),
      patch: patch ?? [],
      script: script ?? [],
      list: list ?? [],
      answers: answers ?? false,
      old: old ?? [],
      ...(todo && { todo: { text: todo.text ?? [], state: todo.state ?? [], id: todo.id ?? [], merge: todo.merge ?? [] } }),
      failed: phrases(entry, ["failed"], entry.value.failed),
      passed: phrases(entry, ["passed"], entry.value.passed),
      faulty: phrases(entry, ["faulty"], entry.value.faulty),
    };
    for (const name of names ?? []) tools.set(name, tool);
  }

  const shell = [...packs.shell].map(([id, { value }]): Program => {
    const { off: _, program, with: options, without, values, given, skip, named, folder, patch, harmless, ...effects } = value;
    return {
      ...effects,
      id,
      names: program ?? [],
      with: options ?? [],
      without: without ?? [],
      values: values ?? [],
      given: given ?? [],
      skip: skip ?? 0,
      named: named ?? false,
      folder: folder ?? false,
      patch: patch ?? false,
      harmless: harmless ?? false,
    };
  });

  const audit = new Map<Mark, readonly string[]>();
  for (const [id, entry] of packs.audit) {
    const { marks, words } = entry.value;
    if (marks && words) audit.set(marks, [...(audit.get(marks) ?? []), ...words]);
    else diagnostics.push(diagnostic("missing-key", `the list "${id}" needs marks and words`, entry.at()));
  }

  const templates = new Map<string, Template>();
  for (const [id, { value, text }] of packs.templates) {
    const { store } = value;
    templates.set(id, {
      id,
      text,
      tokens: packs.budget.get(id)?.value ?? value.tokens ?? DEFAULT_TOKENS,
      max: value.max ?? {},
      ...(value.once && { once: true }),
      ...(store && { store: { ...store, tags: store.tags ?? [] } }),
    });
  }

  return {
    rules: {
      rules: rules.filter(({ emit }) => emit !== "redact"),
      redactions: rules.filter(({ emit }) => emit === "redact"),
      signals,
      salience,
      cues,
      options,
      categories,
      sections,
      said,
      tools,
      shell,
      files: continuity.files(),
      reads: continuity.reads(),
      workflows: continuity.workflows(),
      nothing,
      lifecycle: compileLifecycle(packs, report),
      audit,
      templates,
      abbreviations: packs.abbreviations.map(toAbbreviation),
    },
    diagnostics,
  };
}

/** As it is looked for: in small letters, with its final stop. */
function toAbbreviation(written: string): string {
  const folded = written.trim().toLowerCase().replace(/\s+/g, " ");
  return folded.endsWith(".") ? folded : `${folded}.`;
}
