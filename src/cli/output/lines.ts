// Formats results as lines for people.
import type { Continuation, Gap, Message, Reason, WorkflowState } from "../../model.js";

const QUOTE_CHARACTERS = 100;

export function shortLine(text: string, most: number): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length > most ? `${points.slice(0, most).join("")}…` : points.join("");
}

const NAME_CHARACTERS = 500;
const LINE_BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** A text with a mark for each line break: a message that quotes a file is one line. */
export const inOneLine = (text: string) => text.replace(new RegExp(LINE_BREAKS, "g"), "\uFFFD");

/** A name that a session gives, as one word of a line: in quotation marks if it could be taken for more of the line. */
export const nameIn = (text: string) => (/^[^\s\p{Cc}"]*$/u.test(text) ? text : JSON.stringify(shortLine(text, NAME_CHARACTERS)));

/** Pads the cells of all rows but the last of each, so that they are aligned. */
export function alignedColumns<Row extends readonly string[]>(rows: readonly Row[]): readonly Row[] {
  const widthOf = (cell = "") => [...cell].length;
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => widthOf(cells[column])))) ?? [];
  const pad = (cell: string, column: number, { length }: readonly string[]) =>
    column === length - 1 ? cell : cell + " ".repeat((widths[column] as number) - widthOf(cell));
  return rows.map((cells) => cells.map((cell, column) => pad(cell, column, cells)) as readonly string[] as Row);
}

export const short = (text: string) => shortLine(text, QUOTE_CHARACTERS);

/** A message, quoted, and the tools that it calls. @param text its text, with secrets masked */
export function messageText({ id, role, time, toolCalls }: Message, text: string): string {
  const head = [`message     ${nameIn(id)} by ${role}`, ...(time ? [`at ${nameIn(time)}`] : [])].join(" ");
  const calls = toolCalls.length > 0 ? [`calls       ${toolCalls.map(({ name }) => nameIn(name)).join(", ")}`] : [];
  const lines = text.trim() === "" ? [] : text.trim().split(LINE_BREAKS);
  return `${[head, ...lines.map((line) => `> ${line}`.trimEnd()), ...calls].join("\n")}\n`;
}

export function gapLine({ section, problem, source, start, end, quote }: Gap): string {
  if (problem === "missing") return `the section "${section}" is missing in ${source}`;
  return `${source}:${start}-${end} an entry of "${section}" does not look as it must: "${short(quote ?? "")}"`;
}

export const workflowLines = ({ type, stage, item, folder, why }: WorkflowState): readonly string[] => [
  `workflow    ${type}: ${item} in ${folder} (${itemWhy(why.item)})`,
  `stage       ${stage} (${stageWhy(why.stage)})`,
];

const ITEM_WHY: Readonly<Partial<Record<Reason["by"], string>>> = {
  stage: "it has come furthest of those that are not finished",
  artifacts: "as far as others, with more artifacts",
  time: "as far as others; its artifacts were changed last",
  name: "as far as others and changed at the same time; first by name",
};

const itemWhy = (reason: Reason) =>
  reason.by === "mention" ? `named as "${reason.signal}" ${citationOf(reason)}` : (ITEM_WHY[reason.by] ?? "the only one");

function stageWhy(reason: Reason): string {
  if (reason.by === "named") return `named ${citationOf(reason)}`;
  if (reason.by === "first") return "no condition of a later stage holds";
  return reason.quote === undefined
    ? `${reason.signal}${reason.source ? `: ${reason.source} says something` : ""}`
    : `${reason.signal} ${citationOf(reason)}`;
}

const citationOf = ({ source, start, end, quote }: Reason) => `at ${source}:${start}-${end} "${short(quote ?? "")}"`;

export const notesOf = ({ session, diagnostics }: Pick<Continuation, "session" | "diagnostics">): string =>
  diagnostics
    .map(({ code, message, source, count }) => {
      const times = count > 1 ? ` (${count})` : "";
      return `note: ${nameIn(session.id)}${source ? ` ${nameIn(source)}` : ""}: ${message}${times} [${code}]\n`;
    })
    .join("");
