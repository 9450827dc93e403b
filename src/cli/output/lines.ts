// Formats results as lines for people.
import type { Trace } from "../../extract/match/to-item.js";
import { type FactPlace, placeKey } from "../../extract/place.js";
import { MODEL } from "../../judge/judged.js";
import type { Continuation, Evidence, Extraction, Gap, Item, Message, Reason, Statement, WorkflowState } from "../../model.js";
import type { Rendered } from "../../render/render.js";
import { weighableSignals } from "../../rules/compile/signals.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { factId } from "../../state/choices.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { type Colours, CommandError } from "./terminal.js";

const QUOTE_CHARACTERS = 100;

/** Puts a text on one line and cuts it if it is long. */
export function shortLine(text: string, most: number): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length > most ? `${points.slice(0, most).join("")}…` : points.join("");
}

/** Pads the cells of all rows but the last of each, so that they are aligned. */
export function columnsOf<Row extends readonly string[]>(rows: readonly Row[]): readonly Row[] {
  const widthOf = (cell = "") => [...cell].length;
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => widthOf(cells[column])))) ?? [];
  const pad = (cell: string, column: number, { length }: readonly string[]) =>
    column === length - 1 ? cell : cell + " ".repeat((widths[column] as number) - widthOf(cell));
  return rows.map((cells) => cells.map((cell, column) => pad(cell, column, cells)) as readonly string[] as Row);
}

const short = (text: string) => shortLine(text, QUOTE_CHARACTERS);

/** A message, quoted, and the tools that it calls. @param text its text, with secrets masked */
export function messageText({ id, role, time, toolCalls }: Message, text: string): string {
  const head = [`message     ${id} by ${role}`, ...(time ? [`at ${time}`] : [])].join(" ");
  const calls = toolCalls.length > 0 ? [`calls       ${toolCalls.map(({ name }) => name).join(", ")}`] : [];
  const lines = text.trim() === "" ? [] : text.trim().split("\n");
  return `${[head, ...lines.map((line) => `> ${line}`.trimEnd()), ...calls].join("\n")}\n`;
}

export function gapLine({ section, problem, source, start, end, quote }: Gap): string {
  if (problem === "missing") return `the section "${section}" is missing in ${source}`;
  return `${source}:${start}-${end} an entry of "${section}" does not look as it must: "${short(quote ?? "")}"`;
}

export function workflowLines({ type, stage, item, folder, why }: WorkflowState): readonly string[] {
  return [`workflow    ${type}: ${item} in ${folder} (${itemWhy(why.item)})`, `stage       ${stage} (${stageWhy(why.stage)})`];
}

const ITEM_WHY: Readonly<Partial<Record<Reason["by"], string>>> = {
  stage: "it has come furthest of those that are not finished",
  artifacts: "as far as others, with more artifacts",
  time: "as far as others; its artifacts were changed last",
  name: "as far as others and changed at the same time; first by name",
};

const itemWhy = (reason: Reason) =>
  reason.by === "mention" ? `named as "${reason.signal}" ${placeOf(reason)}` : (ITEM_WHY[reason.by] ?? "the only one");

function stageWhy(reason: Reason): string {
  if (reason.by === "named") return `named ${placeOf(reason)}`;
  if (reason.by === "first") return "no condition of a later stage holds";
  return reason.quote === undefined
    ? `${reason.signal}${reason.source ? `: ${reason.source} says something` : ""}`
    : `${reason.signal} ${placeOf(reason)}`;
}

const placeOf = ({ source, start, end, quote }: Reason) => `at ${source}:${start}-${end} "${short(quote ?? "")}"`;

export function notesOf({ session, diagnostics }: Pick<Continuation, "session" | "diagnostics">): string {
  return diagnostics
    .map(({ code, message, source, count }) => {
      const times = count > 1 ? ` (${count})` : "";
      return `note: ${session.id}${source ? ` ${source}` : ""}: ${message}${times} [${code}]\n`;
    })
    .join("");
}

// Why the lines of a brief are in it, for compaction explain.

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
  return `${head} "${shortLine(evidence.quote, QUOTE_CHARACTERS)}"${factText(item)}\n`;
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
