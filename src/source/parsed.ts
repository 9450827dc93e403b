// JSON or JSON lines, as far as they can be read.
import { salvage } from "./salvage.js";

export interface Parsed {
  /** One value for a JSON document, one a line for JSON lines. */
  readonly values: readonly unknown[];
  readonly lines: boolean;
  /** Numbers of the lines that are not JSON. */
  readonly brokenLines: readonly number[];
  /** Why nothing could be read, or why not all. */
  readonly fault?: string;
}

export const BEGINS_VALUE = /^[ \t\r]*(?:[[{"\d]|-\d|true|false|null)/;

export function parseSession(text: string): Parsed {
  try {
    return { values: [JSON.parse(text)], lines: false, brokenLines: [] };
  } catch {
    // Perhaps JSON lines.
  }
  const values: unknown[] = [];
  const brokenLines: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    // An exception for every line of a long text takes its time.
    if (!BEGINS_VALUE.test(line)) {
      brokenLines.push(index + 1);
      continue;
    }
    try {
      values.push(JSON.parse(line));
    } catch {
      brokenLines.push(index + 1);
    }
  }
  // A broken document may hold single lines that are JSON by chance, such as `{}` or `1`.
  const objects = values.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  if (objects.length > 0 && objects.length >= brokenLines.length) return { values: objects, lines: true, brokenLines };
  const fault = faultOf(text, brokenLines[0] ?? 1);
  const beginning = /^\s*[[{]/.test(text) ? salvage(text) : undefined;
  if (beginning !== undefined) return { values: [beginning], lines: false, brokenLines: [], fault };
  return { values: [], lines: true, brokenLines, fault };
}

/** Engines word and place the errors of JSON.parse differently; this is the same everywhere. */
function faultOf(text: string, firstBroken: number): string {
  const said = text.trimEnd();
  const lines = said.split("\n");
  if (/^\s*[[{]/.test(text) && !/[\]}]$/.test(said)) return `it breaks off at ${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  return `it is neither JSON nor JSON lines: line ${firstBroken} is not JSON`;
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A time as ISO text: hosts give text or milliseconds. */
export function asTime(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value) && Math.abs(value) < 8.64e15) return new Date(value).toISOString();
  return asText(value);
}
