// Why the lines of a brief are in it, for compaction explain.
import type { Trace } from "../../extract/facts/to-item.js";
import type { MetCall } from "../../guards/guard-session.js";
import { MODEL } from "../../judge/judged.js";
import {
  type Continuation,
  type Evidence,
  type Extraction,
  type FactPlace,
  type Item,
  placeKey,
  type Statement,
} from "../../model.js";
import type { Rendered } from "../../render/render.js";
import { weighableSignals } from "../../rules/compile/signals.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { factId } from "../../state/choices.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { counted } from "../../text/forms.js";
import { groupBy } from "../../text/lists.js";
import { gapLine, short, workflowLines } from "./lines.js";
import { CommandError, coloursOf } from "./terminal.js";

const SIGNALS = 5;

export interface Explained {
  readonly extraction: Extraction;
  readonly traces: readonly Trace[];
  /** The lines of the brief, one for each sentence. */
  readonly listed: Rendered["listed"];
  readonly judged: readonly Item[];
}

export function stateLines({ workflow, gaps = [], errors }: Continuation): string {
  const failures = errors.map(({ command, source, tool, passed, minor }) => {
    const end = passed ? `, passed ${passed.source}#${passed.tool}` : "";
    const word = passed ? "fixed" : minor ? "failed" : "failing";
    return `${word.padEnd(11)} ${source}#${tool}${end} "${command.split("\n", 1)[0]?.slice(0, 100)}"`;
  });
  const lines = [...(workflow ? workflowLines(workflow) : []), ...gaps.map((gap) => `gap         ${gapLine(gap)}`), ...failures];
  return lines.map((line) => `${line}\n`).join("");
}

export const guardLines = (met: readonly MetCall[], at?: string): string =>
  met
    .filter(({ source }) => (at ?? source) === source)
    .map(({ guard, source, tool, what }) => `${guard.does.padEnd(11)} guard:${guard.id} ${source}#${tool} "${short(what)}"\n`)
    .join("");

export function briefLines({ extraction, traces, listed, judged }: Explained, rules: RuleSet): string {
  const lines = [...listed.map((entry) => shownLine(entry, extraction, rules)), ...judged.map(judgedLine)];
  return lines.join("") + countLines(traces, extraction.continuation.items);
}

/** Each candidate of a rule, of a message or of all, and what the brief shows although no rule found it.
 * @param sources the files and messages, in their order */
export function candidateLines(all: Explained, rules: RuleSet, sources: Iterable<string>, rule?: string, at?: string): string {
  const { extraction, traces, listed, judged } = all;
  const order = new Map([...sources].map((id, index) => [id, index]));
  const rank = ({ evidence }: Trace) => order.get(evidence.source) ?? 0;
  const isAsked = (by: string, source: string) => (rule ?? by) === by && (at ?? source) === source;
  const wanted = traces
    .filter((one) => isAsked(one.rule, one.evidence.source))
    .sort((a, b) => rank(a) - rank(b) || a.evidence.start - b.evidence.start);
  const keyOf = (evidence: Evidence) => `${placeKey(evidence)}\n${evidence.rule}`;
  const found = new Map(extraction.continuation.items.map((item) => [keyOf(item.evidence), item]));
  const ruled = new Set(traces.flatMap((one) => (one.outcome === "fired" ? [placeKey(one.evidence)] : [])));
  const isUnruled = ({ place }: ListedLine) => place && !ruled.has(placeKey(place)) && (at ?? place.source) === place.source;
  const lines = [
    ...wanted.map(({ rule: by, outcome, why, evidence }) => {
      const item = outcome === "fired" ? found.get(keyOf(evidence)) : undefined;
      return lineOf(outcome, by, why, evidence, evidence.quote, item ? [item] : []);
    }),
    ...(rule === undefined ? listed.filter(isUnruled) : []).map((entry) => shownLine(entry, extraction, rules)),
    ...judged.filter(({ evidence }) => isAsked(evidence.rule, evidence.source)).map(judgedLine),
  ];
  return lines.join("") || "no rule had anything to say\n";
}

type ListedLine = Rendered["listed"][number];
type TracePlace = Pick<Evidence, "source" | "tool" | "input" | "start" | "end">;

const GOOD = ["fired", "shown", "holds"];

/** What became of a place, by which rule or list, why, where, its words, and the facts there. */
function lineOf(word: string, by: string, why = "", place: TracePlace | undefined, quote: string, items: readonly Item[]) {
  const { green, yellow, dim } = coloursOf();
  const paint = GOOD.includes(word) ? green : yellow;
  const head = `${paint(word.padEnd(11))} ${by}${why && dim(` (${why})`)}${place ? ` ${dim(placeText(place))}` : ""}`;
  return `${head} "${short(quote)}"${items.map(factText).join("")}\n`;
}

const placeText = ({ source, tool, input, start, end }: TracePlace) =>
  `${source}${tool === undefined ? "" : `#${tool}`}${input ? `.${input}` : ""}:${start}-${end}`;

function factText(item: Item): string {
  const fields = Object.entries({ ...item.fields, ...(item.category !== undefined && { category: item.category }) });
  const text = fields.map(([name, value]) => `, ${name}: ${value}`).join("");
  return ` → ${item.kind} by ${item.by} [${factId(item)}]: ${item.text}${text}`;
}

/** A line of the brief: the rules that found it, and its salience if that brought it in. */
function shownLine({ list, text, place }: ListedLine, { continuation, statements }: Extraction, rules: RuleSet): string {
  const isHere = (other: FactPlace) => place !== undefined && placeKey(other) === placeKey(place);
  const items = continuation.items.filter(({ evidence, status }) => status === "active" && isHere(evidence));
  const statement = statements.find(isHere);
  const why = [...items.map(({ evidence }) => evidence.rule), ...(statement ? [weightText(statement, rules)] : [])].join("; ");
  return lineOf("shown", list, why, items[0]?.evidence ?? statement, statement?.text ?? text, items);
}

function judgedLine(item: Item): string {
  const { status, evidence, judged } = item;
  const verdict = evidence.rule === MODEL ? "quoted" : `judged ${status === "active" ? "to hold" : status}`;
  const was = judged?.was === undefined ? "" : `, was ${judged.was}`;
  const end = judged?.witness === undefined ? "" : `, ended by ${judged.witness}`;
  const marked = judged?.marked ? ", marked" : "";
  const why = `${verdict} by the model in round ${judged?.round}${marked}${was}${end}`;
  return lineOf(status === "active" ? "holds" : status, evidence.rule, why, evidence, evidence.quote, [item]);
}

function weightText({ salience, signals = new Map() }: Statement, rules: RuleSet): string {
  const parts = [...signals]
    .map(([name, strength]) => ({ name, worth: Math.round((rules.salience.get(name) ?? 0) * strength) }))
    .filter(({ worth }) => worth !== 0)
    .sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  const most = parts.slice(0, SIGNALS).map(({ name, worth }) => `${name} ${worth > 0 ? "+" : ""}${worth}`);
  return `salience ${salience.toFixed(2)}: ${[...most, ...(parts.length > SIGNALS ? ["…"] : [])].join(", ")}`;
}

/** How many facts each rule found, and what became of the other candidates. */
function countLines(traces: readonly Trace[], items: readonly Item[]): string {
  const active = items.filter(({ status }) => status === "active");
  const kinds = countsOf(active.map(({ kind }) => kind)).map(([kind, count]) => {
    const rules = countsOf(active.flatMap((item) => (item.kind === kind ? [item.evidence.rule] : [])));
    return `${kind.padEnd(11)} ${count}: ${rules.map(([rule, times]) => `${rule} ${times}`).join(", ")}\n`;
  });
  const others = countsOf(traces.flatMap(({ outcome }) => (outcome === "fired" ? [] : [outcome])));
  return [
    `\n${counted(active.length, "fact")}\n`,
    ...kinds,
    `\nother candidates: ${others.map(([outcome, count]) => `${count} ${outcome}`).join(", ") || "none"}\n`,
    "--all prints each of them, --rule ID those of a rule, --at MESSAGE those of a message\n",
  ].join("");
}

const countsOf = (texts: readonly string[]) =>
  [...groupBy(texts, String)].map(([text, same]) => [text, same.length] as const).sort(([, a], [, b]) => b - a);

/** Where a signal holds, and what another weight changes in the brief. @param given the name of a signal, or NAME=WEIGHT */
export function trySignal(
  given: string,
  rules: RuleSet,
  run: (rules: RuleSet) => { readonly tried: Extraction; readonly shown: readonly FactPlace[] },
): string {
  const [name = "", weight] = given.split("=");
  const known = weighableSignals(rules.signals);
  if (!known.includes(name)) throw new CommandError(`there is no signal "${name}"`, didYouMean(name, known));
  if (weight !== undefined && (weight.trim() === "" || !Number.isFinite(Number(weight))))
    throw new CommandError(`the weight of a signal is a number, not "${weight}"`, `as in --signal ${name}=50`);
  const weighted = (value: number): RuleSet => ({ ...rules, salience: new Map([...rules.salience, [name, value]]) });
  const now = rules.salience.get(name) ?? 0;
  const before = run(weighted(now));
  const after = weight === undefined ? before : run(weighted(Number(weight)));
  const [was, is] = [before, after].map(({ shown }) => new Set(shown.map(placeKey))) as [Set<string>, Set<string>];
  const later = new Map(after.tried.statements.map((one) => [placeKey(one), one.salience]));
  const lines = before.tried.statements.flatMap((one) => {
    const key = placeKey(one);
    const holds = (one.signals?.get(name) ?? 0) > 0;
    if (!holds && was.has(key) === is.has(key)) return [];
    const salience = one.salience.toFixed(2) + (weight === undefined ? "" : ` → ${later.get(key)?.toFixed(2)}`);
    const state = was.has(key) ? (is.has(key) ? "in the brief" : "leaves the brief") : is.has(key) ? "enters the brief" : "";
    const why = [`salience ${salience}`, ...(state ? [state] : [])].join(", ");
    return [`${(holds ? "holds" : "").padEnd(11)} ${name} (${why}) ${placeText(one)} "${short(one.text)}"\n`];
  });
  const head = `weight      ${name} ${now}${weight === undefined ? "" : ` → ${Number(weight)}`}\n`;
  return head + (lines.join("") || `${name} holds nowhere\n`);
}
