// JSON or JSON lines, as far as they can be read.

export interface Parsed {
  /** One value for a JSON document, one a line for JSON lines. */
  readonly values: readonly unknown[];
  readonly lines: boolean;
  /** Numbers of the lines that are not JSON. */
  readonly brokenLines: readonly number[];
  /** Why nothing could be read. */
  readonly fault?: string;
}

export function parseSession(text: string): Parsed {
  let fault: string;
  try {
    return { values: [JSON.parse(text)], lines: false, brokenLines: [] };
  } catch (error) {
    fault = (error as Error).message;
  }
  const values: unknown[] = [];
  const brokenLines: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      brokenLines.push(index + 1);
    }
  }
  // A broken document may hold single lines that are JSON by chance, such as `{}` or `1`.
  const objects = values.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  return objects.length > 0 && objects.length >= brokenLines.length
    ? { values: objects, lines: true, brokenLines }
    : { values: [], lines: true, brokenLines, fault: `not JSON: ${fault}` };
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
