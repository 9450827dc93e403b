// Reads data of unknown shape: what a program wrote as JSON may lack anything. Leaves out what is missing in data that we write.

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type JsonFields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asFields = (value: unknown): JsonFields => (isFields(value) ? value : {});
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const fieldsIn = (value: unknown): readonly JsonFields[] => asList(value).filter(isFields);
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Converts a time to ISO text: hosts use text or milliseconds. */
export function asTime(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value) && Math.abs(value) < 8.64e15) return new Date(value).toISOString();
  return asText(value);
}

/** The texts of a message's content, which is a string or a list of blocks. */
export function textBlocks(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return fieldsIn(content).flatMap(({ type, text }) => (type === "text" ? (asText(text) ?? []) : []));
}

/** The fields without those that are undefined, because in stored and printed data a missing value is no field. */
export const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
