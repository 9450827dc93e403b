// A short name for a text, by which no other is known.
import { createHash } from "node:crypto";

/** Of 132 bits: nobody finds two texts of one. */
export const DIGEST_CHARACTERS = 22;

type Hash = (algorithm: string, text: string, encoding: "base64url") => string;
let hash: Hash | undefined;

export function digestOf(text: string): string {
  hash ??= fastest();
  return hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);
}

export const digestOfSome = (text: string): string => (text === "" ? "" : digestOf(text));

/** Newer engines hash in one go, which takes half the time of a short text. */
function fastest(): Hash {
  const atOnce = (process.getBuiltinModule?.("node:crypto") as { hash?: Hash } | undefined)?.hash;
  return atOnce ?? ((algorithm, text, encoding) => createHash(algorithm).update(text).digest(encoding));
}
