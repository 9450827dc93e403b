// What a summary lost is put behind it: the heaviest facts first, within the budget of the template.
import { AUDIT_STATEMENTS } from "../limits.js";
import type { Continuation, Extraction, Statement } from "../model.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { audit, type FactVerdict } from "./audit.js";
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
  const prose = withoutBlocks(summary);
  const { continuation, statements } = extraction;
  const heaviest = [...statements].sort((a, b) => b.salience - a.salience).slice(0, AUDIT_STATEMENTS);
  const facts: readonly AuditFact[] = [...factsOf(continuation), ...heaviest.map(({ text }) => ({ kind: STATEMENT, text }))];
  const { verdicts } = audit(facts, prose, { rules });
  const kept = new Set(verdicts.filter(({ verdict }) => verdict === "kept").map(({ kind, text }) => `${kind}\n${text}`));
  const isKept = (kind: string, text: string) => kept.has(`${kind}\n${text}`);
  const lost: Extraction = {
    continuation: withoutKept(continuation, isKept),
    statements: statements.filter((one) => !isKept(STATEMENT, one.text) && !saysKept(one, continuation, isKept)),
  };
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
function saysKept(one: Statement, { items }: Continuation, isKept: (kind: string, text: string) => boolean): boolean {
  if (one.kinds.length === 0) return false;
  const own = items.filter(
    ({ evidence }) => evidence.source === one.source && evidence.start >= one.start && evidence.end <= one.end,
  );
  return own.length > 0 && own.every((item) => isKept(item.kind, item.text));
}
