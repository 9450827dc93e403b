// Compiles `in`, `match`, `regex` and `unless`: the conditions that rules, signals and tools share.
import { isBuiltInFile, suggest } from "../../config/load-pack.js";
import type { PackEntry } from "../../config/pack.js";
import type { Path } from "../../config/parse-yaml.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { type Diagnostic, diagnostic, type Position, type Report } from "../../diagnostics.js";
import type { ReadFile, RuleFile, SelectorFile, SignalFile, WhenFile } from "../../generated/pack-file.js";
import { PATTERNS, PHRASES } from "../../limits.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { type Condition, nodesOf, type Selector } from "../condition.js";
import { compilePattern, type Pattern } from "../pattern/pattern.js";
import { PhraseError, type PhraseFault } from "../phrase/parse-phrase.js";
import { compilePhrase, type Phrase } from "../phrase/phrase.js";
import type { Vocabulary } from "../phrase/phrase-code.js";
import { createPrepared } from "./prepared-phrases.js";

/** Selector keys that list one or more values. */
const SETS = ["role", "mood", "place", "part", "task", "has", "file"] as const;

export type Conditions = ReturnType<typeof createConditions>;

export function createConditions(packs: Resolved, report: Report) {
  const words: Record<string, string> = {};
  for (const [id, entry] of packs.words) words[id] = entry.value;
  const prepared = createPrepared(words);

  const counts = new Map<string, number>();

  /** Is the limit exceeded? Built-in phrases and patterns do not count, so that user packs cannot displace them. */
  function isOver(what: string, most: number, entry: Pick<PackEntry<unknown>, "at" | "from">, path: Path): boolean {
    if (isBuiltInFile(entry.from(...path).file)) return false;
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    if (count === most + 1)
      report(diagnostic("too-many", `more than ${most} ${what}: this one and later ones are ignored`, entry.at(path)));
    return count > most;
  }

  /** Compiles the phrases of a key. A fault inside a fragment is reported once, at the fragment. */
  function phrases(
    entry: Pick<PackEntry<unknown>, "at" | "from" | "within">,
    path: readonly string[],
    texts: readonly string[] | undefined,
    anchored = true,
  ): readonly Phrase[] {
    return (texts ?? []).flatMap((text, index) => {
      if (isOver("phrases", PHRASES, entry, [...path, index])) return [];
      const known = prepared.phrase(text, anchored);
      if (known) return [known];
      const place = (offset: number) => entry.within([...path, index], offset);
      const phrase = tryPhrase(text, place);
      if (!phrase) return [];
      if (anchored && phrase.anchors.length === 0) {
        const hint = "add a word; a phrase without one would be tried on every sentence";
        report(diagnostic("phrase-anchor", `"${text}" can match without any fixed word`, place(0), hint));
        return [];
      }
      return [phrase];
    });
  }

  function tryPhrase(text: string, place: (offset: number) => Position): Phrase | undefined {
    const phrase = attempt(text, words, prepared.vocabulary);
    if (!("fault" in phrase)) return phrase;
    // Parse with stubs for fragments, to see whether the fault is in the phrase itself.
    const own = attempt(text, stubs, prepared.vocabulary);
    if ("fault" in own || faulty.size === 0) report(() => toFinding("fault" in own ? own.fault : phrase.fault, text, place));
    return undefined;
  }

  function toFinding(fault: PhraseFault, text: string, place: (offset: number) => Position): Diagnostic {
    const { code, message, offset, hint, word } = fault;
    const off = code === "phrase-fragment" && word !== undefined ? packs.offWords.get(word) : undefined;
    if (!off) return diagnostic(code, message, place(offset), hint ?? nearby(fault));
    // Report it once, where the fragment is switched off, not for each phrase that uses it.
    const first = stillUsed.get(word as string) ?? text;
    stillUsed.set(word as string, first);
    const why = `the fragment <${word}> is off, but phrases still use it: "${first}"`;
    return diagnostic(code, why, off(), "give it other words, or change or switch off what uses it");
  }

  function nearby({ code, word, known }: PhraseFault): string | undefined {
    if (!word || !known) return undefined;
    return code === "phrase-fragment" ? suggest("words", word, known, packs.packs) : didYouMean(word, known);
  }

  const stillUsed = new Map<string, string>();
  const stubs = Object.fromEntries(Object.keys(words).map((id) => [id, "stub"]));
  const faulty = new Set<string>();
  for (const fragments of [stubs, words]) {
    for (const [id, entry] of packs.words) {
      if (prepared.word(id)) continue;
      const phrase = attempt(entry.value, fragments, prepared.vocabulary);
      if (!("fault" in phrase)) continue;
      if (fragments === stubs || faulty.size === 0)
        report(() => toFinding(phrase.fault, entry.value, (offset) => entry.within([], offset)));
      faulty.add(id);
    }
  }

  function patterns(entry: PackEntry<unknown>, sources: readonly string[] | undefined, anchored: boolean): readonly Pattern[] {
    return (sources ?? []).flatMap((source, index) => {
      if (isOver("patterns", PATTERNS, entry, ["regex", index])) return [];
      const pattern = prepared.pattern(source, anchored) ?? compilePattern(source, anchored);
      if (!("code" in pattern)) return [pattern];
      report(diagnostic(pattern.code, pattern.message, entry.within(["regex", index], 0), pattern.hint));
      return [];
    });
  }

  function selector(entry: PackEntry<unknown>, from: SelectorFile | undefined): Selector {
    if (!from) return {};
    const sets: Record<string, ReadonlySet<string>> = {};
    for (const key of SETS) if (from[key]) sets[key] = new Set(from[key]);
    if (from.node) sets.node = new Set(nodesOf(from.node));
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

  /** Compiles a condition. `anchored: false` allows phrases without a fixed word; files are small enough for them. */
  const condition = (
    entry: PackEntry<SignalFile | RuleFile | ReadFile | WhenFile>,
    anchored = isCommon(entry.value.in),
  ): Condition => {
    const { value } = entry;
    // A secret need not contain a fixed word, and masking it is worth the time.
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

function attempt(text: string, words: Readonly<Record<string, string>>, vocabulary: Vocabulary) {
  try {
    return compilePhrase(text, words, vocabulary);
  } catch (error) {
    if (error instanceof PhraseError) return { fault: error.fault };
    throw error;
  }
}

/** Can it match sentences, which are so many that a rule needs a fixed word? Links and headings are few. */
const isCommon = (selector: SelectorFile | undefined): boolean =>
  selector?.node?.every((node) => node === "link" || node === "heading") !== true;

type Listing = PackEntry<Partial<Record<"match" | "regex", readonly string[]>>>;

/** Reports an empty list: it would match nothing, or everything. */
export function isEmptied(what: string, entry: Listing, report: Report): boolean {
  const key = (["match", "regex"] as const).find((name) => entry.value[name]?.length === 0);
  if (!key) return false;
  const hint = `add an entry, remove ${key}, or write ${entry.id}: off to switch the ${what} off`;
  report(diagnostic("rule-empty", `"${key}" of the ${what} "${entry.id}" is an empty list`, entry.at([key]), hint));
  return true;
}
