// Appends what a summary lost: a block with the most important facts first, within the template's token budget.

import { AUDIT_CHARACTERS } from "../limits.js";
import type { Extraction, Item, Statement } from "../model.js";
import { knownFrom } from "../render/news.js";
import { type Rendered, type RenderOptions, renderInSteps } from "../render/render.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { atOnce, type Steps } from "../steps.js";
import { unlabelled } from "../text/forms.js";
import { plainWords } from "../text/topic.js";
import { sameText } from "../text/words.js";
import { type AuditOptions, auditInSteps, type FactVerdict, factsOf } from "./audit.js";
import { withBlock, withoutBlocks } from "./block.js";
import type { AuditVerdict } from "./verdict.js";

/** A summary with what it lost, and the verdicts that say so. */
export interface Repair {
  /** The summary with the block behind it. */
  readonly summary: string;
  /** The block alone; empty if nothing is lost. */
  readonly block: string;
  /** Number of facts that did not fit. */
  readonly hidden: number;
  readonly verdicts: readonly FactVerdict[];
}

/** Tokens of the budget for the tags around the block. */
const TAG_TOKENS = 16;

/** Appends the facts that a summary does not keep, within the budget of the template, which is usually `repair`. */
export const repair = (extraction: Extraction, summary: string, template: Template, rules: RuleSet): Repair =>
  atOnce(repairInSteps(extraction, summary, template, { rules }));

/** Like `repair`, with a pause before each fact and each of the last steps. */
export function* repairInSteps(
  extraction: Extraction,
  summary: string,
  template: Template,
  { rules, late }: AuditOptions,
): Steps<Repair> {
  const prose = withoutBlocks(summary);
  const { continuation } = extraction;
  yield;
  const { verdicts } = yield* auditInSteps(factsOf(continuation), prose, { rules, late });
  const kept = textsOf(verdicts, "kept");
  const isKept = (kind: string, text: string) => kept.has(`${kind}\n${text}`);
  yield;
  const told = knownFrom(prose.slice(0, AUDIT_CHARACTERS), plainWords(rules));
  yield;
  const { text, hidden, entries } = yield* ownFirst(withoutKept(extraction, isKept), template, rules, {
    tokens: template.tokens - TAG_TOKENS,
    told,
    denied: deniedIn(verdicts, prose),
    chosen: extraction.chosen,
    late,
  });
  const empty = entries === 0;
  return { summary: empty ? prose : withBlock(prose, text), block: empty ? "" : text.trim(), hidden, verdicts };
}

/** What the summary says instead, for each fact that it states otherwise. */
function deniedIn(verdicts: readonly FactVerdict[], prose: string): ReadonlyMap<string, string> {
  const denied = new Map<string, string>();
  for (const { kind, text, verdict, where } of verdicts)
    if (verdict === "contradicted" || verdict === "altered")
      denied.set(`${kind}\n${text}`, where ? lineAt(prose, where.start, where.end) : "");
  return denied;
}

/** The sentence of a line around two offsets, without the mark of its list. */
function lineAt(text: string, start: number, end: number): string {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const [behind = ""] = text.slice(end).split("\n", 1);
  const head = before.replace(/^.*[.!?] |^\s*(?:[-*+>]|\d+[.)])\s+/, "");
  return head + text.slice(start, end) + (/^.*?[.!?](?= |$)/.exec(behind)?.[0] ?? behind);
}

const textsOf = (verdicts: readonly FactVerdict[], ...which: readonly AuditVerdict[]): ReadonlySet<string> =>
  new Set(verdicts.filter(({ verdict }) => which.includes(verdict)).map(({ kind, text }) => `${kind}\n${text}`));

/** Leaves out what the summary proves. What it only seems to tell is left to the news of each line. */
function withoutKept(extraction: Extraction, isKept: (kind: string, text: string) => boolean): Extraction {
  const { continuation } = extraction;
  const { items, errors, todos } = continuation;
  const isOut = ({ kind, text, status }: Item) => status === "active" && isKept(kind, text);
  return {
    ...extraction,
    continuation: {
      ...continuation,
      items: items.filter((item) => !isOut(item)),
      errors: errors.filter(({ command, resolved }) => resolved || !isKept("failure", command)),
      todos: todos.filter(({ text }) => !isKept("todo", text)),
    },
  };
}

/** Renders what was said in the session first, because the project files are still there after a compaction. Adds lines of files
 * only if everything fits. Leaves out rule files, because the host sends them itself. */
export const renderOwnFirst = (extraction: Extraction, template: Template, rules: RuleSet, options?: RenderOptions): Rendered =>
  atOnce(ownFirst(extraction, template, rules, options));

function* ownFirst(extraction: Extraction, template: Template, rules: RuleSet, options?: RenderOptions): Steps<Rendered> {
  const aside = new Set(rules.files.filter(({ state }) => !state).map(({ path }) => path));
  const own = withoutProject(extraction);
  if (own === extraction) return yield* renderInSteps(extraction, template, rules, options);
  // Do not repeat what a section of the notes says, whatever its label.
  const lines = new Set(
    (extraction.continuation.sections ?? []).flatMap((section) => section.lines.map((line) => sameText(unlabelled(line)))),
  );
  const all = withoutFiles(extraction, ({ source, text }) => aside.has(source) || lines.has(sameText(unlabelled(text))));
  const rendered = yield* renderInSteps(all, template, rules, options);
  return rendered.hidden === 0 ? rendered : yield* renderInSteps(own, template, rules, options);
}

/** Without what only the project's files say. */
export const withoutProject = (extraction: Extraction): Extraction => withoutFiles(extraction, () => true);

/** Removes the file lines that `isLeftOut` selects. Facts that were also said in the session stay. */
function withoutFiles(extraction: Extraction, isLeftOut: (line: Pick<Statement, "source" | "text">) => boolean): Extraction {
  const { continuation, statements } = extraction;
  const { items } = continuation;
  const files = new Set([
    ...statements.flatMap(({ by, source }) => (by === "file" ? [source] : [])),
    ...items.flatMap(({ by, evidence }) => (by === "file" ? [evidence.source] : [])),
  ]);
  if (files.size === 0) return extraction;
  const stays = ({ by, text, evidence, also }: Item) =>
    by !== "file" || also.some(({ source }) => !files.has(source)) || !isLeftOut({ source: evidence.source, text });
  return {
    ...extraction,
    continuation: { ...continuation, items: items.filter(stays) },
    statements: statements.filter((one) => one.by !== "file" || !isLeftOut(one)),
  };
}
