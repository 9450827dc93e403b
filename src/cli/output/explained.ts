// Why the lines of a brief are in it, for compaction explain.
import type { Trace } from "../../extract/match/to-item.js";
import { type FactPlace, placeKey } from "../../extract/place.js";
import { MODEL } from "../../judge/judged.js";
import type { Evidence, Extraction, Item, Statement } from "../../model.js";
import type { Rendered } from "../../render/render.js";
import { weighableSignals } from "../../rules/compile/signals.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { factId } from "../../state/choices.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { short } from "./lines.js";
import { type Colours, CommandError } from "./terminal.js";

/** How many signals of a sum are worth reading. */
const SIGNALS = 5;

type Place = Pick<Evidence, "source" | "tool" | "start" | "end">;

export const placeText = ({ source, tool, start, end }: Place) =>
  `${source}${tool === undefined ? "" : `#${tool}`}:${start}-${end}`;

export const factText = (item: Item) =>
  [
    ` → ${item.kind} by ${item.by} [${factId(item)}]: ${item.text}`,
    ...Object.entries(item.fields).map(([name, value]) => `${name}: ${value}`),
  ].join(", ");

/** A line of the brief: the rules that found it, and its salience if that brought it in. */
export function shownLine(
  { list, text, place }: Rendered["listed"][number],
  { continuation, statements }: Extraction,
  rules: RuleSet,
  { green, dim }: Colours,
): string {
  const isHere = (other: FactPlace) => place !== undefined && placeKey(other) === placeKey(place);
  const items = continuation.items.filter(({ evidence, status }) => status === "active" && isHere(evidence));
  const statement = statements.find(isHere);
  const where = items[0]?.evidence ?? statement;
  const why = [...items.map(({ evidence }) => evidence.rule), ...(statement ? [weightText(statement, rules)] : [])].join("; ");
  const head = `${green("shown".padEnd(11))} ${list}${why ? dim(` (${why})`) : ""}${where ? dim(` ${placeText(where)}`) : ""}`;
  return `${head} "${short(statement?.text ?? text)}"${items.map(factText).join("")}\n`;
}

/** What a model said about a fact. */
export function judgedLine(item: Item, { yellow, green, dim }: Colours): string {
  const { status, evidence, judged } = item;
  const verdict = evidence.rule === MODEL ? "quoted" : `judged ${status === "active" ? "to hold" : status}`;
  const was = judged?.was === undefined ? "" : `, was ${judged.was}`;
  const end = judged?.witness === undefined ? "" : `, ended by ${judged.witness}`;
  const why = `${verdict} by the model in round ${judged?.round}${was}${end}`;
  const word = (status === "active" ? "holds" : status).padEnd(11);
  const head = `${status === "active" ? green(word) : yellow(word)} ${evidence.rule}${dim(` (${why})`)} ${dim(placeText(evidence))}`;
  return `${head} "${short(evidence.quote)}"${factText(item)}\n`;
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
export function countLines(traces: readonly Trace[], items: readonly Item[]): string {
  const active = items.filter(({ status }) => status === "active");
  const kinds = countsOf(active.map(({ kind }) => kind)).map(([kind, count]) => {
    const rules = countsOf(active.flatMap((item) => (item.kind === kind ? [item.evidence.rule] : [])));
    return `${kind.padEnd(11)} ${count}: ${rules.map(([rule, times]) => `${rule} ${times}`).join(", ")}\n`;
  });
  const others = countsOf(traces.flatMap(({ outcome }) => (outcome === "fired" ? [] : [outcome])));
  return [
    `\n${active.length} ${active.length === 1 ? "fact" : "facts"}\n`,
    ...kinds,
    `\nother candidates: ${others.map(([outcome, count]) => `${count} ${outcome}`).join(", ") || "none"}\n`,
    "--all prints each of them, --rule ID those of a rule, --at MESSAGE those of a message\n",
  ].join("");
}

/** How often each text occurs, most frequent first. */
function countsOf(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/**
 * Where a signal holds, and what another weight changes in the brief.
 * @param given the name of a signal, or NAME=WEIGHT
 */
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
