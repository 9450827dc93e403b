// What the summaries of a machine's sessions lost: the last compaction of each session, checked as `audit` does.
import { basename } from "node:path";
import { audit, type FactVerdict } from "../../audit/audit.js";
import { blankBlocks } from "../../audit/block.js";
import { PINS } from "../../extract/settle/by-hand.js";
import { knownFrom, termsOf } from "../../render/news.js";
import { render } from "../../render/render.js";
import { builtInRules } from "../../rules/load-rules.js";
import type { RuleSet, Template } from "../../rules/rule-set.js";
import { factId } from "../../state/choices.js";
import { plainWords } from "../../text/topic.js";
import { type ExtractionInput, extractFrom, type Input, ofLastCompaction } from "../input/open-session.js";
import { CommandError } from "../output/terminal.js";

export interface Loss {
  /** What to name the session for `audit`. */
  readonly path: string;
  readonly project: string;
  readonly day: string;
  /** The verdict on each fact, and the words in which it was said. */
  readonly verdicts: readonly CheckedFact[];
  /** Commands that were run again and again, and that the summary does not name. */
  readonly commands: readonly string[];
}

export type CheckedFact = FactVerdict & { readonly quote: string; readonly score: number };

/** Facts with a smaller probability are not called lost: they may be wrong. */
const LIKELY = 0.4;
/** Surely lost: the summary has none of its telling words. A file that is not named is still there. */
export const isLost = ({ verdict, score, kind }: CheckedFact) => verdict === "missing" && score >= LIKELY && kind in SHOWN;
/** Perhaps there in other words. */
export const isUnsure = ({ verdict, kind }: FactVerdict) => verdict !== "kept" && verdict !== "missing" && kind in SHOWN;

/** The configuration of a project says what its team wants to keep; here, every session is measured alike. */
const readingOf = (): ExtractionInput => ({ loaded: builtInRules(), project: undefined, format: undefined });

/** The brief of a session. Undefined if it cannot be read or says nothing. */
export function briefOfSession(input: Input, tokens: number): string | undefined {
  const reading = readingOf();
  const { rules } = reading.loaded;
  const read = orNothing(() => extractFrom(input, reading, () => {}));
  const rendered = read && render(read.extraction, rules.templates.get("brief") as Template, rules, { tokens });
  return rendered && rendered.entries > 0 ? rendered.text : undefined;
}

/** Undefined if the session cannot be read or has no summary. */
export function lossOf(input: Input): Loss | undefined {
  const reading = { ...readingOf(), typed: true };
  return orNothing(() => {
    const { session, text, extraction } = ofLastCompaction(input, reading, () => {});
    const summary = blankBlocks(text);
    // A pin of the user's is newer than these sessions.
    const found = extraction.continuation.items.filter(({ evidence }) => evidence.source !== PINS);
    const { verdicts } = audit({ ...extraction.continuation, items: found }, summary, { rules: reading.loaded.rules });
    const items = new Map(extraction.continuation.items.map((item) => [factId(item), item]));
    const said = (one: FactVerdict): CheckedFact => {
      const item = one.id === undefined ? undefined : items.get(one.id);
      return { ...one, quote: item?.evidence.quote ?? one.text, score: item?.score ?? 1 };
    };
    const failing = new Set(verdicts.flatMap(({ kind, text }) => (kind === "failure" ? [text] : [])));
    const { commands = [] } = extraction.continuation.working ?? {};
    return {
      path: input.shown,
      project: session.folder === undefined ? "" : basename(session.folder),
      day: session.messages.findLast(({ summary: is, time }) => is && time)?.time?.slice(0, 10) ?? "",
      verdicts: verdicts.map(said),
      commands: exactCommands(commands, summary, reading.loaded.rules).filter((command) => !failing.has(command)),
    };
  });
}

/** Names, options and ids of a command that nobody can guess from the summary. */
const EXACT_TERMS = 2;

/** The commands that the summary does not tell, those with the most of such words first. */
function exactCommands(commands: readonly string[], summary: string, rules: RuleSet): readonly string[] {
  const isPlain = plainWords(rules);
  const known = knownFrom(summary, isPlain);
  const worthOf = (command: string) => {
    const terms = termsOf(command, isPlain);
    const whereIs = known.whereIs(terms);
    return [...terms].filter(([term, telling]) => telling !== "word" && whereIs(term) === undefined).length;
  };
  const lost = commands.filter((command) => !known.quotes(command)).map((command) => ({ command, worth: worthOf(command) }));
  const exact = lost.filter(({ worth }) => worth >= EXACT_TERMS).sort((a, b) => b.worth - a.worth);
  return exact.map(({ command }) => command);
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** What people ask for after a compaction, most important first, and what it is called. */
export const SHOWN: Readonly<Record<string, readonly [one: string, many: string]>> = {
  constraint: ["rule", "rules"],
  todo: ["to do", "to do"],
  remaining: ["next step", "next steps"],
  failure: ["failing", "failing"],
  decision: ["decision", "decisions"],
  rejection: ["ruled out", "ruled out"],
  goal: ["goal", "goals"],
};

/** Lost facts of all sessions and kinds in turns, so that none fills the screen. */
export function mostImportant(losses: readonly Loss[], most: number) {
  const kinds = Object.keys(SHOWN);
  const queues = kinds.flatMap((kind) =>
    losses.map((loss) => {
      const facts = loss.verdicts.filter((one) => isLost(one) && one.kind === kind).sort((a, b) => b.score - a.score);
      return facts.map((fact) => ({ fact, loss }));
    }),
  );
  const turns = Math.max(0, ...queues.map(({ length }) => length));
  const inTurns = Array.from({ length: turns }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat();
  // Sessions of one project often begin with the same words.
  const isFirst = ({ fact }: { readonly fact: CheckedFact }, index: number) =>
    inTurns.findIndex((other) => other.fact.kind === fact.kind && other.fact.quote === fact.quote) === index;
  return inTurns
    .filter(isFirst)
    .slice(0, most)
    .sort((a, b) => kinds.indexOf(a.fact.kind) - kinds.indexOf(b.fact.kind));
}
