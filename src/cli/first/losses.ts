// What the summaries of a machine's sessions lost: the last compaction of each session, checked as `audit` does.
import { basename } from "node:path";
import { audit, type FactVerdict } from "../../audit/audit.js";
import { blankBlocks } from "../../audit/block.js";
import { PINS } from "../../extract/by-hand.js";
import { builtInRules } from "../../rules/load-rules.js";
import { factId } from "../../state/choices.js";
import { type ExtractionInput, type Input, ofLastCompaction } from "../input/input.js";
import { CommandError } from "../output/terminal.js";

export interface Loss {
  /** What to name the session for `audit`. */
  readonly path: string;
  readonly project: string;
  /** The day of the compaction, if known. */
  readonly day: string;
  /** The verdict on each fact, and the words in which it was said. */
  readonly verdicts: readonly Judged[];
  /** Commands that were run again and again, and that the summary does not name. */
  readonly commands: readonly string[];
}

export type Judged = FactVerdict & { readonly quote: string; readonly score: number };

/** Verdicts that prove a loss. "unsure" does not. */
const LOST: readonly string[] = ["missing", "altered", "contradicted"];
export const isLost = ({ verdict }: FactVerdict) => LOST.includes(verdict);

/** Undefined if the session cannot be read or has no summary. */
export function lossOf(input: Input): Loss | undefined {
  // The configuration of a project says what its team wants to keep; here, every session is measured alike.
  const reading: ExtractionInput = { loaded: builtInRules(), project: undefined, format: undefined, typed: true };
  try {
    const { session, text, extraction } = ofLastCompaction(input, reading, () => {});
    const summary = blankBlocks(text);
    // A pin of the user's is newer than these sessions.
    const found = extraction.continuation.items.filter(({ evidence }) => evidence.source !== PINS);
    const { verdicts } = audit({ ...extraction.continuation, items: found }, summary, { rules: reading.loaded.rules });
    const items = new Map(extraction.continuation.items.map((item) => [factId(item), item]));
    const said = (one: FactVerdict): Judged => {
      const item = one.id === undefined ? undefined : items.get(one.id);
      return { ...one, quote: item?.evidence.quote ?? one.text, score: item?.score ?? 1 };
    };
    const { commands = [] } = extraction.continuation.working ?? {};
    return {
      path: input.shown,
      project: session.folder === undefined ? "" : basename(session.folder),
      day: session.messages.findLast(({ summary: is, time }) => is && time)?.time?.slice(0, 10) ?? "",
      verdicts: verdicts.map(said),
      commands: commands.filter((command) => !summary.includes(command)),
    };
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

// Which facts are shown.

/** What people ask for after a compaction, most important first, and what it is called. */
export const SHOWN: Readonly<Record<string, readonly [one: string, many: string]>> = {
  constraint: ["rule", "rules"],
  decision: ["decision", "decisions"],
  rejection: ["ruled out", "ruled out"],
  remaining: ["next step", "next steps"],
  goal: ["goal", "goals"],
  failure: ["failing", "failing"],
  todo: ["to do", "to do"],
};

/** Lost facts of all sessions and kinds in turns, so that none fills the screen. */
export function mostImportant(losses: readonly Loss[], most: number): readonly { readonly fact: Judged; readonly loss: Loss }[] {
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
  const isFirst = ({ fact }: { readonly fact: Judged }, index: number) =>
    inTurns.findIndex((other) => other.fact.kind === fact.kind && other.fact.quote === fact.quote) === index;
  return inTurns
    .filter(isFirst)
    .slice(0, most)
    .sort((a, b) => kinds.indexOf(a.fact.kind) - kinds.indexOf(b.fact.kind));
}
