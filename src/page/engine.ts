// The engine in the page: the functions that the commands call, on the data of the page.
import { audit, type FactVerdict } from "../audit/audit.js";
import { blankBlocks } from "../audit/block.js";
import { ownSummaries, summarised } from "../audit/own-summaries.js";
import { repair } from "../audit/repair.js";
import { type ExtractOptions, extractInSteps } from "../extract/pipeline.js";
import { withOwnTemplates } from "../hosts/host-rules.js";
import { withJudged } from "../judge/judged.js";
import type { Extraction, Message, Session } from "../model.js";
import { type Rendered, render } from "../render/render.js";
import { isInstant } from "../render/template-fields.js";
import { type LoadedRules, loadRules } from "../rules/load-rules.js";
import type { RuleSet } from "../rules/rule-set.js";
import { messageNames } from "../source/session/messages.js";
import { chosenIn } from "../state/choices.js";
import type { Steps } from "../steps.js";
import { files } from "./browser/fs.js";
import type { PageData } from "./data.js";

export function rulesOf(data: PageData, texts: Readonly<Record<string, string>>): LoadedRules {
  files.clear();
  for (const [path, text] of Object.entries(texts)) files.set(path, text);
  return withOwnTemplates(loadRules(data.folder));
}

/** Finds the facts like `run`; with `trace`, also the candidates, like `explain`. */
export function* find(data: PageData, rules: RuleSet, watch: Pick<ExtractOptions, "trace" | "progress"> = {}): Steps<Extraction> {
  const { session, workspace, choices, judged } = data;
  const byHand = chosenIn({ version: 1, folder: "", words: {}, ...choices });
  const options = { ...workspace, ...byHand, ...watch, ...(watch.trace && { signals: true }) };
  const extraction = yield* extractInSteps(session, rules, options);
  return judged ? withJudged(extraction, judged, { ...session, ...byHand }) : extraction;
}

/** The brief like `run` prints it, with the places of each line. */
export function briefOf({ session, project }: PageData, extraction: Extraction, rules: RuleSet, tokens?: number): Rendered {
  const template = rules.templates.get("brief");
  if (!template) return { text: "", tokens: 0, hidden: 0, entries: 0, listed: [], shown: [], lines: [] };
  const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
  const context = { names: messageNames(session), project, now };
  return render(extraction, template, rules, { ...context, lines: true, ...(tokens !== undefined && { tokens }) });
}

/** A summary of the session or of its start. */
export interface Compaction {
  readonly name: string;
  readonly summary: string;
  readonly session: Session;
  readonly message?: Message;
}

/** The summary that the command was given, and those in the session itself, newest first. */
export function compactionsOf({ session, summary }: PageData): readonly Compaction[] {
  const names = messageNames(session);
  const inside = ownSummaries(session)
    // A session that goes on from another one begins with a summary.
    .filter(({ before }) => before.messages.some(({ role, meta }) => role === "user" && !meta))
    .map(({ message, before: session }) => {
      return { name: names.get(message.id) ?? message.id, summary: message.text, session, message };
    });
  const given = summary === undefined ? [] : [{ name: "--summary", summary, session }];
  return [...given, ...inside.reverse()];
}

export interface CheckedSummary {
  readonly extraction: Extraction;
  readonly verdicts: readonly FactVerdict[];
  /** The facts that are put behind the summary. */
  readonly block: string;
}

/** Compares a summary with the facts, like `audit`. */
export function* check(data: PageData, { session, summary, message }: Compaction, rules: RuleSet): Steps<CheckedSummary> {
  const found = yield* find({ ...data, session }, rules);
  const extraction = message ? summarised(found, message) : found;
  yield;
  const { verdicts } = audit(extraction.continuation, blankBlocks(summary), { rules });
  yield;
  const template = rules.templates.get("repair");
  return { extraction, verdicts, block: template ? repair(extraction, summary, template, rules).block : "" };
}
