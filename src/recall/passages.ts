// Turns a session into the passages of the index: what was said, which facts that are, and what was run, each with its place.
import { extract } from "../extract/pipeline.js";
import { maskCall } from "../extract/redact-session.js";
import type { Evidence, Item, Session, Source, Statement, ToolCall } from "../model.js";
import { redact } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { messageNames } from "../source/session/messages.js";
import { factId } from "../state/choices.js";
import { countBefore, groupBy } from "../text/lists.js";
import { isRecall } from "./offered-tools.js";

/** Characters of a passage and of the text around it. */
const OWN_CHARACTERS = 1_000;
const NEAR_CHARACTERS = 300;
/** Of the spare characters around a passage, the share that precedes it. */
const BEFORE = 0.4;
const CALL_CHARACTERS = 300;
/** Of a longer text, the middle is dropped before it is masked. A private key has a few thousand. */
const MASKED_CHARACTERS = 50_000;

export interface Passage {
  readonly message: string;
  /** A kind of fact, "said" or "run". */
  readonly kind: string;
  readonly by: string;
  readonly time: string;
  readonly own: string;
  readonly near: string;
  /** The id of a fact, with which the user can drop it. */
  readonly fact: string;
  readonly status: string;
  /** How likely it is a fact of this kind, from 0 to 1. */
  readonly score: number;
  /** The reason of a decision, and what replaced it. */
  readonly reason: string;
  readonly replaced: string;
}

export function toPassages(session: Session, rules: RuleSet): readonly Passage[] {
  const replaced = new Map<string, string>();
  const extraction = extract(session, rules, {
    trace: ({ outcome, why, evidence }) => {
      if (outcome === "superseded" && why !== undefined && evidence) replaced.set(evidenceKey(evidence), why);
    },
  });
  const names = messageNames(session);
  const times = new Map(session.messages.map(({ id, time }) => [id, time ?? ""]));
  const common = (source: string) => ({ message: names.get(source) ?? source, time: times.get(source) ?? "" });
  const sources = new Map((extraction.sources ?? []).filter(({ tool }) => tool === undefined).map((one) => [one.id, one]));
  const factIn = createFactIn(extraction.continuation.items);
  const said = extraction.statements.map((one): Passage => {
    const item = factIn(one);
    const source = sources.get(one.source);
    return {
      ...common(one.source),
      kind: item?.kind ?? "said",
      by: one.by,
      own: one.text.slice(0, OWN_CHARACTERS),
      near: source ? around(source, one.start, one.end) : "",
      fact: item ? factId(item) : "",
      status: item?.status ?? "active",
      score: item?.score ?? 0,
      reason: one.text.includes(item?.fields.reason ?? "") ? "" : (item?.fields.reason ?? ""),
      replaced: item ? textAt(replaced.get(evidenceKey(item.evidence)), sources) : "",
    };
  });
  const run = session.messages.flatMap(({ id, toolCalls }) => {
    // An earlier search would be the best answer to the same question.
    const calls = toolCalls.filter(({ name }) => !isRecall(name));
    return calls.map((call): Passage => ({ ...common(id), ...ofCall(call, rules), by: "tool", kind: "run" }));
  });
  return [...said, ...run.filter(({ own }) => own !== "")];
}

/** The fact that a statement says. A request can also be a decision or a rule, and that says more. */
function createFactIn(items: readonly Item[]): (statement: Statement) => Item | undefined {
  const bySource = groupBy(items, ({ evidence }) => evidence.source);
  for (const found of bySource.values()) found.sort((a, b) => a.evidence.start - b.evidence.start);
  const order = new Map(items.map((item, index) => [item, index]));
  return ({ source, start, end }) => {
    const found = bySource.get(source) ?? [];
    const [from, to] = [start, end].map((place) => countBefore(found, ({ evidence }) => evidence.start < place));
    const said = found.slice(from, to).filter(({ evidence }) => evidence.end <= end);
    said.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    return said.find(({ kind }) => kind !== "goal") ?? said[0];
  };
}

const evidenceKey = ({ source, start, end }: Evidence) => `${source}:${start}-${end}`;

/** The text at a place as the trace names it: "id:start-end". */
function textAt(place: string | undefined, sources: ReadonlyMap<string, Source>): string {
  const [, id = "", start, end] = /^(.*):(\d+)-(\d+)/s.exec(place ?? "") ?? [];
  return sources.get(id)?.text.slice(Number(start), Number(end)).slice(0, NEAR_CHARACTERS) ?? "";
}

function around({ text }: Source, start: number, end: number): string {
  const spare = Math.max(0, NEAR_CHARACTERS - (end - start));
  const before = Math.min(start, Math.max(Math.floor(spare * BEFORE), spare - (text.length - end)));
  const from = start - before;
  const near = text.slice(from, from + Math.max(NEAR_CHARACTERS, end - start)).slice(0, OWN_CHARACTERS);
  // Do not begin in the middle of a word.
  return from === 0 || before === 0 ? near : near.replace(/^\S*\s/, "");
}

/** The texts of a call's input, and how its output begins and ends. Masked before it is cut: half a secret may look harmless. */
function ofCall(call: ToolCall, { redactions }: RuleSet) {
  const { name, input, output } = maskCall(call, (text) => redact(endsOf(text, MASKED_CHARACTERS), redactions));
  const texts = typeof input === "object" && input !== null ? Object.values(input) : [input];
  const shown = texts.filter((one): one is string => typeof one === "string").map((one) => one.slice(0, CALL_CHARACTERS));
  const own = [name, ...shown].join(" ").slice(0, OWN_CHARACTERS);
  const near = endsOf(output, CALL_CHARACTERS);
  return { own, near, fact: "", status: "active", score: 0, reason: "", replaced: "" };
}

const endsOf = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most / 2)} … ${text.slice(-most / 2)}` : text;
