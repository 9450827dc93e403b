// The build puts here what the built-in packs say, read and checked ahead of time: reading YAML takes longer than most
// commands. The packs themselves stay the truth: what is prepared counts only for the very text it was made of.
import type { PackBody } from "./load.js";

export interface PreparedPhrase {
  readonly slots: readonly { readonly name: string; readonly type: string }[];
  readonly anchors: readonly string[];
  readonly required: readonly (readonly string[])[];
}

interface PreparedPattern {
  readonly anchors: readonly string[];
  readonly every: readonly (readonly string[])[];
  readonly groups: readonly string[];
  /** Of one that masks: those are all looked for in every text. */
  readonly look?: { readonly source: string; readonly flags: string };
}

export interface Prepared {
  /** What they say, by file name. */
  readonly packs: Readonly<Record<string, PackBody>>;
  /** The named fragments that the phrases were compiled with. */
  readonly words: Readonly<Record<string, string>>;
  /** The numbers of phrases, by their texts. Those with an anchor come first, so many of them. */
  readonly phrases: Readonly<Record<string, number>>;
  readonly anchored: number;
  /** What is known of a pattern without compiling it, by its text. */
  readonly patterns: Readonly<Record<string, PreparedPattern>>;
}

export const prepared: Prepared | undefined = undefined;

/** The text of a pack from which it was read. */
export const packText = (_name: string): string | undefined => undefined;

/** Is the text known to be right as a template? */
export const isKnownTemplate = (_text: string): boolean => false;

/** What is known of a phrase without compiling it, by its number: who only checks packs need not read it. */
export const phraseAt = (_number: number): PreparedPhrase | undefined => undefined;

/** A phrase's program as rules/prepared.ts packs it, by its number. The plugin, which starts once and must be small, has none. */
export const programAt = (_number: number): string | undefined => undefined;
