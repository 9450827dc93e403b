// An endpoint that does not answer says so: in a status, in a body of some form, and sometimes when to come back.
import { QUOTED_CODE_POINTS, REFUSAL_BYTES } from "../limits.js";
import { ModelError } from "./model.js";

/** Worth asking again: too many requests, or a fault of the server's own. */
export const isBusy = (status: number) => status === 429 || status >= 500;

/** Milliseconds that it wants us to wait, as a number of seconds or as a date. */
export function waitOf({ headers }: Response, now: number): number | undefined {
  const given = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export async function refusal(response: Response, mask: (text: string) => string): Promise<ModelError> {
  const said = quoted(messageIn(await firstBytes(response)), mask);
  return new ModelError("refused", `the endpoint answers ${response.status}${said && `: ${said}`}`, response.status);
}

async function firstBytes({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= REFUSAL_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, REFUSAL_BYTES));
}

/** Most say {error: {message}}; others anything, which is quoted as it is. */
function messageIn(text: string): string {
  try {
    return errorIn(JSON.parse(text)) ?? text;
  } catch {
    return text;
  }
}

export function errorIn(value: unknown): string | undefined {
  const { error, message, detail } = (value ?? {}) as { error?: unknown; message?: unknown; detail?: unknown };
  if (typeof error === "object" && error !== null) return errorIn(error) ?? JSON.stringify(error);
  return [error, message, detail].find((one): one is string => typeof one === "string" && one !== "");
}

/** Another program's words, on one line, without control characters and without the key. */
export function quoted(text: string, mask: (text: string) => string): string {
  const points = [
    ...mask(text)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
  ];
  return points.length > QUOTED_CODE_POINTS ? `${points.slice(0, QUOTED_CODE_POINTS).join("")}…` : points.join("");
}
