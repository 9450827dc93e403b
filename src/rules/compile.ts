// The one door from what packs say to what runs. Faults become findings; what is faulty is left out.
import type { Entry, Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import type { RuleFile, SectionFile, SelectorFile, SignalFile } from "../generated/pack-file.js";
import { FIELD_CODE_POINTS } from "../limits.js";
import { KINDS } from "../model.js";
import { compilePattern, type Pattern } from "./pattern.js";
import { compilePhrase, type Phrase } from "./phrase.js";
import { PhraseError } from "./phrase-syntax.js";
import {
  BUILT_IN_SIGNALS,
  type Category,
  type Rule,
  type RuleSet,
  type Section,
  type Selector,
  type Signal,
  type Template,
  type Tool,
} from "./rule-set.js";
import { sameText } from "./words.js";

export interface Compiled {
  readonly rules: RuleSet;
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_SCORE = 0.5;
const DEFAULT_TOKENS = 500;

export function compileRules(packs: Resolved): Compiled {
  const diagnostics: Diagnostic[] = [];
  const words: Record<string, string> = {};
  for (const [id, entry] of packs.words) words[id] = entry.value;

  /** Phrases at a key of a declaration; a fault of a fragment is reported once, where the fragment stands. */
  function phrases(
    entry: Entry<unknown>,
    path: readonly string[],
    texts: readonly string[] | undefined,
    anchored = true,
  ): readonly Phrase[] {
    return (texts ?? []).flatMap((text, index) => {
      const phrase = tryPhrase(text, (offset) => entry.within([...path, index], offset));
      if (!phrase) return [];
      if (anchored && phrase.anchors.length === 0) {
        const hint = "add a word that must occur; a phrase without one would be tried on every sentence";
        diagnostics.push(
          diagnostic("phrase-anchor", `no word must occur for "${text}" to match`, entry.within([...path, index], 0), hint),
        );
        return [];
      }
      return [phrase];
    });
  }

  function tryPhrase(text: string, place: (offset: number) => Position): Phrase | undefined {
    try {
      return compilePhrase(text, words);
    } catch (error) {
      if (!(error instanceof PhraseError)) throw error;
      const { code, message, offset, hint, known, word } = error.fault;
      const broken = Object.keys(words).some((id) => faultyWords.has(id) && text.includes(`<${id}>`));
      if (!broken)
        diagnostics.push(diagnostic(code, message, place(offset), hint ?? (known && word ? didYouMean(word, known) : undefined)));
      return undefined;
    }
  }

  const faultyWords = new Set<string>();
  for (const [id, entry] of packs.words) {
    if (!tryPhrase(entry.value, (offset) => entry.within([], offset))) faultyWords.add(id);
  }

  function patterns(entry: Entry<unknown>, sources: readonly string[] | undefined, anchored: boolean): readonly Pattern[] {
    return (sources ?? []).flatMap((source, index) => {
      const pattern = compilePattern(source, anchored);
      if (!("code" in pattern)) return [pattern];
      diagnostics.push(diagnostic(pattern.code, pattern.message, entry.within(["regex", index], 0), pattern.hint));
      return [];
    });
  }

  function selector(entry: Entry<unknown>, from: SelectorFile | undefined): Selector {
    const sets = Object.fromEntries(
      (["role", "node", "mood", "place", "part", "task"] as const).flatMap((key) =>
        from?.[key] ? [[key, new Set(from[key])]] : [],
      ),
    ) as Selector;
    return {
      ...sets,
      ...(from?.under && { under: phrases(entry, ["in", "under"], from.under, false) }),
      ...(from?.lead && { lead: phrases(entry, ["in", "lead"], from.lead, false) }),
      ...(from?.message && { message: { min: from.message.min ?? 0, max: from.message.max ?? Number.MAX_SAFE_INTEGER } }),
    };
  }

  const condition = (entry: Entry<SignalFile | RuleFile>) => ({
    in: selector(entry, entry.value.in),
    match: phrases(entry, ["match"], entry.value.match, isCommon(entry.value.in)),
    regex: patterns(entry, entry.value.regex, isCommon(entry.value.in)),
    unless: phrases(entry, ["unless"], entry.value.unless),
  });

  const signals = new Map<string, Signal>();
  for (const [id, entry] of packs.signals) signals.set(id, { id, ...condition(entry) });

  const knownSignals = [...signals.keys(), ...BUILT_IN_SIGNALS];
  function namedSignals(entry: Entry<RuleFile>, key: "signals" | "not"): readonly string[] {
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
    if (!value.emit) return [];
    if (!value.match && !value.regex && !value.signals && !value.in) {
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
      nothing: new Set([...packs.nothing, ...(value.nothing ?? [])].map(sameText)),
    };
    // A rule whose phrases or patterns were all faulty must not fire on everything.
    const lost = (value.match && built.match.length === 0) || (value.regex && built.regex.length === 0);
    return lost ? [] : [built];
  }

  const rules = [...packs.rules.values()].flatMap(rule);
  const sections: Section[] = [];
  for (const [id, entry] of packs.sections) {
    const { title, holds, max } = entry.value;
    if (!title || !holds) {
      diagnostics.push(diagnostic("missing-key", `the section "${id}" needs title and holds`, entry.at()));
      continue;
    }
    sections.push({ id, title, holds, max: max ?? Number.MAX_SAFE_INTEGER });
    rules.push(...rule(asRule(entry), rules.length));
  }

  const categories = [...packs.categories].map(
    ([id, entry]): Category => ({
      id,
      of: new Set(entry.value.of ?? KINDS),
      match: phrases(entry, ["match"], entry.value.match, false),
    }),
  );

  const salience = new Map<string, number>();
  for (const [id, entry] of packs.salience) {
    if (knownSignals.includes(id)) salience.set(id, entry.value);
    else diagnostics.push(diagnostic("unknown-signal", `there is no signal "${id}"`, entry.at(), didYouMean(id, knownSignals)));
  }

  const tools = new Map<string, Tool>();
  for (const [id, entry] of packs.tools) {
    const { names, file, command, effect, answers } = entry.value;
    const tool: Tool = {
      id,
      file: file ?? [],
      command: command ?? [],
      ...(effect && { effect }),
      answers: answers ?? false,
      failed: phrases(entry, ["failed"], entry.value.failed),
    };
    for (const name of names ?? []) tools.set(name, tool);
  }

  const templates = new Map<string, Template>();
  for (const [id, { value, text }] of packs.templates) {
    const { store } = value;
    templates.set(id, {
      id,
      text,
      tokens: packs.budget.get(id)?.value ?? value.tokens ?? DEFAULT_TOKENS,
      max: value.max ?? {},
      ...(store && { store: { ...store, tags: store.tags ?? [] } }),
    });
  }

  return {
    rules: {
      rules: rules.filter(({ emit }) => emit !== "redact"),
      redactions: rules.filter(({ emit }) => emit === "redact"),
      signals,
      salience,
      categories,
      sections,
      tools,
      files: [...packs.files.values()].map(({ value }) => value.path ?? ""),
      templates,
      abbreviations: packs.abbreviations,
    },
    diagnostics,
  };
}

/** Are there so many texts of this sort that a rule must name a word to be tried on them? */
function isCommon(selector: SelectorFile | undefined): boolean {
  return selector?.node?.every((node) => node === "link" || node === "heading") !== true;
}

export const SECTION_PREFIX = "section:";

/** A section is read by a rule of its own: every item under its headings is a fact of its kind. */
function asRule(entry: Entry<SectionFile>): Entry<RuleFile> {
  const { headings, holds, score, task, examples } = entry.value;
  const value: RuleFile = {
    ...(holds && { emit: holds }),
    in: { node: task ? ["task"] : ["item", "task"], ...(task && { task: [task] }), under: headings ?? [] },
    score: score ?? DEFAULT_SCORE,
    ...(examples && { examples }),
  };
  const place = (path: readonly (string | number)[]) => (path[0] === "in" ? ["headings", ...path.slice(2)] : path);
  return {
    id: SECTION_PREFIX + entry.id,
    value,
    from: entry.from,
    at: (path = [], what) => entry.at(place(path), what),
    within: (path, offset) => entry.within(place(path), offset),
  };
}
