// A key that goes into one header, and nowhere else.
import { MASK } from "../extract/redact.js";

export interface Secret {
  readonly headers: Readonly<Record<string, string>>;
  /** A text in which the key does not stand. */
  readonly mask: (text: string) => string;
  /** The same for a text that comes in pieces, between which the key may be cut. */
  readonly maskAll: (pieces: AsyncIterable<string>) => AsyncIterable<string>;
}

/** Shorter ones are placeholders, such as those that servers at home are content with. */
const LEAST = 8;

export function createSecret(given: string | undefined): Secret {
  if (given !== undefined && typeof given !== "string") throw new TypeError("the key is no text");
  const key = given?.trim() ?? "";
  if (key === "") return { headers: {}, mask: (text) => text, maskAll: (pieces) => pieces };
  // fetch would tell the whole key in its error.
  if (!/^[\x21-\x7E]+$/.test(key)) throw new TypeError("the key holds characters that cannot stand in a header");
  const mask = (text: string) => (key.length < LEAST ? text : text.replaceAll(key, MASK.repeat(LEAST)));
  async function* maskAll(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    let held = "";
    for await (const piece of pieces) {
      held = mask(held + piece);
      const sure = Math.max(0, held.length - key.length + 1);
      yield held.slice(0, sure);
      held = held.slice(sure);
    }
    yield held;
  }
  return { headers: { authorization: `Bearer ${key}` }, mask, maskAll };
}
