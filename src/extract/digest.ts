// A short name for a text, by which no other is known.
import { createHash } from "node:crypto";

/** Of 132 bits: nobody finds two texts of one. */
export const DIGEST_CHARACTERS = 22;

export const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, DIGEST_CHARACTERS);

export const digestOfSome = (text: string): string => (text === "" ? "" : digestOf(text));
