// What the tried rules do in one session: their matches, and the facts that it gains and loses by them.
import { resolve } from "node:path";
import { audit } from "../../audit/audit.js";
import { blankBlocks } from "../../audit/block.js";
import { keptBy, ownSummaries } from "../../audit/own-summaries.js";
import { needsOf } from "../../extract/calls/call.js";
import { compareFacts } from "../../extract/compare-facts.js";
import type { Trace, Tracer } from "../../extract/facts/to-item.js";
import { extract } from "../../extract/pipeline.js";
import { projectHome } from "../../files/folders.js";
import { GUARD_PREFIX } from "../../guards/examples.js";
import { guardSession } from "../../guards/guard-session.js";
import { sessionContext } from "../../hosts/calls/prepared.js";
import type { Item, Session } from "../../model.js";
import { firstPhrase } from "../../rules/phrase/match-phrase.js";
import { redact } from "../../rules/redact/redact.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { readMarkdown } from "../../source/markdown/read-markdown.js";
import { toWords } from "../../text/words.js";
import { fileInput, type Input, openSession } from "../input/open-session.js";
import { declaredId, type TriedRules } from "./tried-rules.js";

export interface TriedFact {
  readonly rule: string;
  readonly kind: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly category?: string;
  readonly by: string;
  readonly status: string;
  /** The message. */
  readonly at: string;
  readonly quote: string;
  /** The next summary in the session does not tell it. */
  readonly lost: boolean;
  /** The phrase of the rule that matches. */
  readonly phrase?: string;
}

/** A fact that is there with one set of rules and not with the other. */
export type ChangedFact = Pick<TriedFact, "rule" | "kind" | "text" | "at" | "quote"> & {
  /** What is found in the same words instead. */
  readonly instead?: Pick<TriedFact, "rule" | "kind" | "text">;
};

export interface TriedSession {
  readonly key: string;
  readonly path: string;
  readonly session: string;
  readonly project: string;
  readonly matches: readonly TriedFact[];
  readonly lost: readonly ChangedFact[];
  readonly gained: readonly ChangedFact[];
  readonly near: readonly NearMiss[];
}

/** A sentence that a phrase of the rule matches, and why the rule finds nothing in it. */
export type NearMiss = Pick<TriedFact, "at" | "quote"> & { readonly why: string };

/** A file, or a session of a database. */
export interface TryUnit {
  readonly path: string;
  readonly size: number;
  readonly bytes?: Uint8Array;
  /** Identifies its content and the rules. */
  readonly key: string;
}

export interface TryFailure {
  readonly path: string;
  readonly failed: string;
}

export const tryUnit =
  (tried: TriedRules) =>
  ({ path, bytes, key }: TryUnit): TriedSession | TryFailure => {
    const open = () => (bytes ? [bytes] : []);
    const input = bytes ? { shown: path, name: path, open, last: open } : fileInput(path);
    try {
      return { key, ...trySession(input, tried) };
    } catch (error) {
      return { path, failed: (error as Error).message.replace(`${path}: `, "") };
    }
  };

/** The phrase matches, and one condition of the rule does not hold, or another rule wins. */
const NEAR: ReadonlySet<Trace["outcome"]> = new Set<Trace["outcome"]>(["outside", "guarded", "refused", "outdone"]);

function trySession(input: Input, tried: TriedRules): Omit<TriedSession, "key"> {
  const { now, before, declared, isRevision, isAdding, asked } = tried;
  const { session } = openSession(input, needsOf(now.rules), undefined);
  const itemsBy = (rules: RuleSet, trace?: Tracer) =>
    extract(session, rules, { statements: false, ...(trace && { trace }) }).continuation.items;
  const near: NearMiss[] = [];
  const keepNear = ({ rule, outcome, why, evidence: { source: at, quote } }: Trace) => {
    if (declaredId(rule) === asked && NEAR.has(outcome))
      near.push({ at, quote, why: why === undefined ? outcome : `${outcome}: ${why}` });
  };
  const found = itemsBy(now.rules, asked === undefined ? undefined : Object.assign(keepNear, { asks: asked }));
  const isOwn = ({ evidence }: Item) => declared.has(declaredId(evidence.rule));
  const own = found.flatMap((item) =>
    [item.evidence, ...item.also].flatMap((evidence) => (isOwn({ ...item, evidence }) ? [{ ...item, evidence }] : [])),
  );
  const { gained, lost } = compareFacts(isAdding && own.length === 0 ? found : itemsBy(before.rules), found);
  const gone = lostIn(session, own, now.rules);
  const phraseOf = ({ evidence: { rule, quote } }: Item) => {
    const { segments } = readMarkdown(quote, now.rules.abbreviations);
    const words = toWords(segments.map(({ text }) => text).join(" "));
    return declared.get(declaredId(rule))?.phrases.find((phrase) => firstPhrase([phrase], words))?.source;
  };
  const folder = session.folder === undefined ? resolve(".") : session.folder;
  const guards = now.guards.filter(({ id }) => declared.has(GUARD_PREFIX + id));
  const set = { of: "others", guards, rules: now.rules } as const;
  const met = guardSession([set], session, sessionContext(folder));
  const calls = met.map(({ guard, source, tool, what }): TriedFact => {
    const text = redact(what, now.rules.redactions);
    const common = { kind: guard.does, text, quote: text, fields: {}, by: "assistant", status: "active", lost: false };
    return { rule: GUARD_PREFIX + guard.id, at: `${source}#${tool}`, ...common };
  });
  return {
    path: input.shown,
    session: session.id,
    project: session.folder === undefined ? "" : projectHome(session.folder),
    matches: [...own.map((item) => toTriedFact(item, gone.has(item), phraseOf(item))), ...calls],
    lost: lost.map((item) => toChanged(item, found)),
    gained: gained.filter((item) => isRevision || !isOwn(item)).map((item) => toChanged(item, [])),
    near,
  };
}

function toTriedFact(
  { category, evidence: { source: at, quote, rule }, ...item }: Item,
  lost: boolean,
  phrase?: string,
): TriedFact {
  const { kind, text, fields, by, status } = item;
  const more = { ...(category && { category }), ...(phrase && { phrase }) };
  return { rule: declaredId(rule), kind, text, fields, ...more, by, status, at, quote, lost };
}

function toChanged(
  { kind, text, evidence: { rule, source: at, start, end, quote } }: Item,
  others: readonly Item[],
): ChangedFact {
  const rival = others.find(({ evidence }) => evidence.source === at && evidence.start < end && start < evidence.end);
  const instead = rival && { rule: rival.evidence.rule, kind: rival.kind, text: rival.text };
  return { rule, kind, text, at, quote, ...(instead && { instead }) };
}

/** The facts that the next summary does not tell. What the agent kept beside the summary is not lost. */
function lostIn(session: Session, items: readonly Item[], rules: RuleSet): ReadonlySet<Item> {
  const order = new Map(session.messages.map(({ id }, index) => [id, index]));
  let from = 0;
  return new Set(
    ownSummaries(session).flatMap(({ message, before }) => {
      const to = before.messages.length;
      const isKept = keptBy(message);
      const said = items.filter(({ evidence }) => {
        const index = order.get(evidence.source) ?? Number.POSITIVE_INFINITY;
        return index >= from && index < to && !isKept(evidence);
      });
      from = to;
      const facts = said.map(({ kind, text: own, evidence: { quote } }) => ({ kind, text: own, quote }));
      const { verdicts } = audit(facts, blankBlocks(message.text), { rules });
      return said.filter((_, index) => verdicts[index]?.verdict === "missing");
    }),
  );
}
