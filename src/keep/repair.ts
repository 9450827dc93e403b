// What a summary lost is put behind it: the heaviest facts first, within the budget of the template.

import { atOnce, type Steps } from "../extract/steps.js";
import { AUDIT_STATEMENTS } from "../limits.js";
import type { Continuation, Extraction, Item, Statement } from "../model.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { type AuditOptions, auditInSteps, type FactVerdict } from "./audit.js";
import { type AuditFact, factsOf } from "./audit-facts.js";
import { withBlock, withoutBlocks } from "./block.js";
import { renderOwnFirst } from "./own-first.js";

export interface Repair {
  /** The summary with what it lost behind it. */
  readonly summary: string;
  /** The block alone; empty when nothing is lost. */
  readonly block: string;
  /** Facts that did not fit. */
  readonly hidden: number;
  readonly verdicts: readonly FactVerdict[];
}

const STATEMENT = "statement";
/** What the tags around a block take of its budget. */
const TAG_TOKENS = 16;

export function repair(extraction: Extraction, summary: string, template: Template, rules: RuleSet): Repair {
  return atOnce(repairInSteps(extraction, summary, template, { rules }));
}

/** The same, with a pause before each fact and each of the last steps. */
export function* repairInSteps(
  extraction: Extraction,
  summary: string,
  template: Template,
  { rules, late }: AuditOptions,
): Steps<Repair> {
  const prose = withoutBlocks(summary);
  const { continuation, statements } = extraction;
  const heaviest = [...statements].sort((a, b) => b.salience - a.salience).slice(0, AUDIT_STATEMENTS);
  const facts: readonly AuditFact[] = [...factsOf(continuation), ...heaviest.map(({ text }) => ({ kind: STATEMENT, text }))];
  yield;
  const { verdicts } = yield* auditInSteps(facts, prose, { rules, late });
  const kept = new Set(verdicts.filter(({ verdict }) => verdict === "kept").map(({ kind, text }) => `${kind}\n${text}`));
  const isKept = (kind: string, text: string) => kept.has(`${kind}\n${text}`);
  yield;
  const saysKept = createSaysKept(continuation, isKept);
  const lost: Extraction = {
    continuation: withoutKept(continuation, isKept),
    statements: statements.filter((one) => !isKept(STATEMENT, one.text) && !saysKept(one)),
  };
  yield;
  const { text, hidden, entries } = renderOwnFirst(lost, template, rules, { tokens: template.tokens - TAG_TOKENS });
  const empty = entries === 0;
  return {
    summary: empty ? prose : withBlock(prose, text),
    block: empty ? "" : text.trim(),
    hidden,
    verdicts: verdicts.filter(({ kind }) => kind !== STATEMENT),
  };
}

function withoutKept(continuation: Continuation, isKept: (kind: string, text: string) => boolean): Continuation {
  const { items, files, errors, todos } = continuation;
  const paths = (list: readonly string[]) => list.filter((path) => !isKept("file", path));
  return {
    ...continuation,
    items: items.filter(({ kind, text, status }) => status === "superseded" || !isKept(kind, text)),
    files: {
      read: paths(files.read),
      created: paths(files.created),
      modified: paths(files.modified),
      deleted: paths(files.deleted),
      ...(files.aside && { aside: files.aside }),
    },
    errors: errors.filter(({ command, resolved }) => resolved || !isKept("failure", command)),
    todos: todos.filter(({ text }) => !isKept("todo", text)),
  };
}

/** A statement whose facts are all kept need not be said again. */
function createSaysKept({ items }: Continuation, isKept: (kind: string, text: string) => boolean): (one: Statement) => boolean {
  const bySource = new Map<string, Item[]>();
  for (const item of [...items].sort((a, b) => a.evidence.start - b.evidence.start)) {
    const own = bySource.get(item.evidence.source);
    if (own) own.push(item);
    else bySource.set(item.evidence.source, [item]);
  }
  return ({ kinds, source, start, end }) => {
    if (kinds.length === 0) return false;
    const all = bySource.get(source) ?? [];
    let said = 0;
    for (let at = firstFrom(all, start); at < all.length && (all[at] as Item).evidence.start <= end; at++) {
      const { evidence, kind, text } = all[at] as Item;
      if (evidence.end > end) continue;
      if (!isKept(kind, text)) return false;
      said++;
    }
    return said > 0;
  };
}

/** The place of the first item that begins there or later. */
function firstFrom(items: readonly Item[], start: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle] as Item).evidence.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
