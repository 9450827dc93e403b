// `in`, `match`, `regex` and `unless` of a declaration, compiled: the language that rules, signals and tools share.

import { isBuiltIn } from "../config/built-in.js";
import type { Entry, Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import type { Path } from "../config/yaml.js";
import { type Diagnostic, diagnostic, type Position, type Report } from "../diagnostics.js";
import type { ReadFile, RuleFile, SelectorFile, SignalFile, WhenFile } from "../generated/pack-file.js";
import { PATTERNS, PHRASES } from "../limits.js";
import { compilePattern, type Pattern } from "./pattern.js";
import { compilePhrase, type Phrase } from "./phrase.js";
import { PhraseError, type PhraseFault } from "./phrase-syntax.js";
import { createPrepared } from "./prepared.js";
import type { Condition, Selector } from "./rule-set.js";

/** What a selector names one or several of. */
const SETS = ["role", "node", "mood", "place", "part", "task", "has", "file"] as const;

export type Conditions = ReturnType<typeof createConditions>;

export function createConditions(packs: Resolved, report: Report) {
  const words: Record<string, string> = {};
  for (const [id, entry] of packs.words) words[id] = entry.value;
  const prepared = createPrepared(words);

  const counts = new Map<string, number>();

  /** Is a phrase or pattern beyond what is used? Built-in ones do not count, so that nobody can crowd them out. */
  function isOver(what: string, most: number, entry: Pick<Entry<unknown>, "at" | "from">, path: Path): boolean {
    if (isBuiltIn(entry.from(...path).file)) return false;
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    if (count === most + 1)
      report(diagnostic("too-many", `more than ${most} ${what}: this and what follows is not used`, entry.at(path)));
    return count > most;
  }

  /** Phrases at a key of a declaration; a fault of a fragment is reported once, where the fragment stands. */
  function phrases(
    entry: Pick<Entry<unknown>, "at" | "from" | "within">,
    path: readonly string[],
    texts: readonly string[] | undefined,
    anchored = true,
  ): readonly Phrase[] {
    return (texts ?? []).flatMap((text, index) => {
      if (isOver("phrases", PHRASES, entry, [...path, index])) return [];
      const known = prepared.phrase(text, anchored);
      if (known) return [known];
      const phrase = tryPhrase(text, (offset) => entry.within([...path, index], offset));
      if (!phrase) return [];
      if (anchored && phrase.anchors.length === 0) {
        const hint = "add a word that must occur; a phrase without one would be tried on every sentence";
        report(diagnostic("phrase-anchor", `no word must occur for "${text}" to match`, entry.within([...path, index], 0), hint));
        return [];
      }
      return [phrase];
    });
  }

  function tryPhrase(text: string, place: (offset: number) => Position): Phrase | undefined {
    const phrase = attempt(text, words);
    if (!("fault" in phrase)) return phrase;
    // What is wrong with a fragment is said once, where the fragment stands.
    const own = attempt(text, stubs);
    if ("fault" in own || faulty.size === 0) report(() => toFinding("fault" in own ? own.fault : phrase.fault, text, place));
    return undefined;
  }

  function toFinding(fault: PhraseFault, text: string, place: (offset: number) => Position): Diagnostic {
    const { code, message, offset, hint, known, word } = fault;
    const off = code === "phrase-fragment" && word !== undefined ? packs.offWords.get(word) : undefined;
    if (!off) return diagnostic(code, message, place(offset), hint ?? (known && word ? didYouMean(word, known) : undefined));
    // Told where it is switched off, once, however many phrases use it.
    const first = stillUsed.get(word as string) ?? text;
    stillUsed.set(word as string, first);
    const why = `the fragment <${word}> is off, but phrases still use it: "${first}"`;
    return diagnostic(code, why, off(), "give it other words, or change or switch off what uses it");
  }

  const stillUsed = new Map<string, string>();
  const stubs = Object.fromEntries(Object.keys(words).map((id) => [id, "stub"]));
  const faulty = new Set<string>();
  for (const fragments of [stubs, words]) {
    for (const [id, entry] of packs.words) {
      if (prepared.word(id)) continue;
      const phrase = attempt(entry.value, fragments);
      if (!("fault" in phrase)) continue;
      if (fragments === stubs || faulty.size === 0)
        report(() => toFinding(phrase.fault, entry.value, (offset) => entry.within([], offset)));
      faulty.add(id);
    }
  }

  function patterns(entry: Entry<unknown>, sources: readonly string[] | undefined, anchored: boolean): readonly Pattern[] {
    return (sources ?? []).flatMap((source, index) => {
      if (isOver("patterns", PATTERNS, entry, ["regex", index])) return [];
      const pattern = prepared.pattern(source, anchored) ?? compilePattern(source, anchored);
      if (!("code" in pattern)) return [pattern];
      report(diagnostic(pattern.code, pattern.message, entry.within(["regex", index], 0), pattern.hint));
      return [];
    });
  }

  function selector(entry: Entry<unknown>, from: SelectorFile | undefined): Selector {
    if (!from) return {};
    const sets: Record<string, ReadonlySet<string>> = {};
    for (const key of SETS) if (from[key]) sets[key] = new Set(from[key]);
    return {
      ...(sets as Selector),
      ...(from.entry && { entry: from.entry }),
      ...(from.leaf !== undefined && { leaf: from.leaf }),
      ...(from.under && { under: phrases(entry, ["in", "under"], from.under, false) }),
      ...(from.lead && { lead: phrases(entry, ["in", "lead"], from.lead, false) }),
      ...(from.message && { message: bounds(from.message) }),
      ...(from.words && { words: bounds(from.words) }),
      ...(from.opening && { opening: from.opening }),
      ...(from.after && { after: from.after }),
      ...(from.reply && { reply: from.reply }),
    };
  }

  /** Files are small enough for phrases without a word that must occur. */
  const condition = (
    entry: Entry<SignalFile | RuleFile | ReadFile | WhenFile>,
    anchored = isCommon(entry.value.in),
  ): Condition => {
    const { value } = entry;
    // A secret need not have a word in it, and masking it is worth the time.
    const secret = "emit" in value && value.emit === "redact";
    return {
      in: selector(entry, value.in),
      match: phrases(entry, ["match"], value.match, anchored),
      regex: patterns(entry, "regex" in value ? value.regex : undefined, anchored && !secret),
      unless: phrases(entry, ["unless"], value.unless),
    };
  };

  return { phrases, condition, selector };
}

const bounds = ({ min, max }: { readonly min?: number; readonly max?: number }) => ({
  min: min ?? 0,
  max: max ?? Number.MAX_SAFE_INTEGER,
});

function attempt(text: string, words: Readonly<Record<string, string>>): Phrase | { readonly fault: PhraseFault } {
  try {
    return compilePhrase(text, words);
  } catch (error) {
    if (error instanceof PhraseError) return { fault: error.fault };
    throw error;
  }
}

/** Are there so many texts of this sort that a rule must name a word to be tried on them? */
function isCommon(selector: SelectorFile | undefined): boolean {
  return selector?.node?.every((node) => node === "link" || node === "heading") !== true;
}
