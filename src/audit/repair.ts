// Appends what a summary lost: a block with the most important facts first, within the template's token budget.

import { atOnce, type Steps } from "../extract/steps.js";
import type { Continuation, Extraction, Item, Statement } from "../model.js";
import { joinRows, standingStatements } from "../render/compose.js";
import { type Rendered, type RenderOptions, render } from "../render/render.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { unlabelled } from "../text/forms.js";
import { countBefore, groupBy } from "../text/sorted.js";
import { sameText } from "../text/words.js";
import { type AuditFact, type AuditOptions, auditInSteps, type FactVerdict, factsOf } from "./audit.js";
import { withBlock, withoutBlocks } from "./block.js";

/** Statements that are compared with a summary: several times more than a block can hold. */
const AUDIT_STATEMENTS = 120;

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

const STATEMENT = "statement";
/** Tokens of the budget for the tags around the block. */
const TAG_TOKENS = 16;

/** Appends the facts that a summary does not keep, within the budget of the template, which is usually `repair`. */
export function repair(extraction: Extraction, summary: string, template: Template, rules: RuleSet): Repair {
  return atOnce(repairInSteps(extraction, summary, template, { rules }));
}

/** Like `repair`, with a pause before each fact and each of the last steps. */
export function* repairInSteps(
  extraction: Extraction,
  summary: string,
  template: Template,
  { rules, late }: AuditOptions,
): Steps<Repair> {
  const prose = withoutBlocks(summary);
  const { continuation } = extraction;
  const statements = joinRows(standingStatements(extraction));
  const heaviest = [...statements].sort((a, b) => b.salience - a.salience).slice(0, AUDIT_STATEMENTS);
  const facts: readonly AuditFact[] = [...factsOf(continuation), ...heaviest.map(({ text }) => ({ kind: STATEMENT, text }))];
  yield;
  const { verdicts } = yield* auditInSteps(facts, prose, { rules, late });
  const kept = new Set(verdicts.filter(({ verdict }) => verdict === "kept").map(({ kind, text }) => `${kind}\n${text}`));
  const isKept = (kind: string, text: string) => kept.has(`${kind}\n${text}`);
  yield;
  const saysKept = createSaysKept(continuation, isKept);
  const lost: Extraction = {
    continuation: withoutKept(continuation, isKept, prose),
    statements: statements.filter((one) => !isKept(STATEMENT, one.text) && !saysKept(one)),
  };
  yield;
  const { text, hidden, entries } = renderOwnFirst(lost, template, rules, { tokens: template.tokens - TAG_TOKENS, late });
  const empty = entries === 0;
  return {
    summary: empty ? prose : withBlock(prose, text),
    block: empty ? "" : text.trim(),
    hidden,
    verdicts: verdicts.filter(({ kind }) => kind !== STATEMENT),
  };
}

function withoutKept(continuation: Continuation, isKept: (kind: string, text: string) => boolean, summary: string): Continuation {
  const { items, files, errors, todos, commits, working, sections } = continuation;
  /** A line of the project's state begins with a label of its own. */
  const saysLine = (line: string) => summary.includes(unlabelled(line));
  const unsaid = (names: readonly string[]) => names.filter((name) => !summary.includes(name));
  const paths = (list: readonly string[]) => list.filter((path) => !isKept("file", path));
  return {
    ...continuation,
    items: items.filter(({ kind, text, status }) => status !== "active" || !isKept(kind, text)),
    files: {
      ...files,
      read: paths(files.read),
      created: paths(files.created),
      modified: paths(files.modified),
      deleted: paths(files.deleted),
    },
    errors: errors.filter(({ command, resolved }) => resolved || !isKept("failure", command)),
    todos: todos.filter(({ text }) => !isKept("todo", text)),
    ...(commits && { commits: commits.filter(({ id, text }) => !summary.includes(id ?? text)) }),
    ...(sections && {
      sections: sections.map((one) =>
        one.of === "carried" ? { ...one, lines: one.lines.filter((line) => !saysLine(line)) } : one,
      ),
    }),
    ...(working && {
      working: Object.fromEntries(
        Object.entries(working).map(([name, list]) => [name, Array.isArray(list) ? unsaid(list) : list]),
      ) as unknown as Continuation["working"] & object,
    }),
  };
}

/** Finds statements whose facts are all kept: they need not be repeated. */
function createSaysKept({ items }: Continuation, isKept: (kind: string, text: string) => boolean): (one: Statement) => boolean {
  const inOrder = [...items].sort((a, b) => a.evidence.start - b.evidence.start);
  const bySource = groupBy(inOrder, ({ evidence }) => evidence.source);
  return ({ kinds, source, start, end }) => {
    if (kinds.length === 0) return false;
    const all = bySource.get(source) ?? [];
    const from = countBefore(all, ({ evidence }) => evidence.start < start);
    const to = countBefore(all, ({ evidence }) => evidence.start <= end);
    const said = all.slice(from, to).filter(({ evidence }) => evidence.end <= end);
    return said.length > 0 && said.every(({ kind, text }) => isKept(kind, text));
  };
}

/**
 * Renders what was said in the session first, because the project files are still there after a compaction.
 * Adds lines of files only if everything fits. Leaves out rule files, because the host sends them itself.
 */
export function renderOwnFirst(extraction: Extraction, template: Template, rules: RuleSet, options?: RenderOptions): Rendered {
  const aside = new Set(rules.files.filter(({ state }) => !state).map(({ path }) => path));
  const own = withoutFiles(extraction, () => true);
  if (own === extraction) return render(extraction, template, rules, options);
  // Do not repeat what a section of the notes says, whatever its label.
  const lines = new Set(
    (extraction.continuation.sections ?? []).flatMap((section) => section.lines.map((line) => sameText(unlabelled(line)))),
  );
  const all = withoutFiles(extraction, ({ source, text }) => aside.has(source) || lines.has(sameText(unlabelled(text))));
  const rendered = render(all, template, rules, options);
  return rendered.hidden === 0 ? rendered : render(own, template, rules, options);
}

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
