// The build fills this in with the built-in packs, parsed and checked: reading YAML takes longer than most commands. The packs
// stay the source of truth: prepared content is used only if its text is unchanged.
import type { PackBody } from "./pack.js";

interface PreparedPattern {
  readonly anchors: readonly string[];
  readonly every: readonly (readonly string[])[];
  readonly groups: readonly string[];
  /** Only for patterns that mask: all of them are searched for in every text. */
  readonly look?: { readonly source: string; readonly flags: string };
}

export interface PreparedPacks {
  /** The content of the packs, by file name. */
  readonly packs: Readonly<Record<string, PackBody>>;
  /** The named fragments used to compile the phrases. */
  readonly words: Readonly<Record<string, string>>;
  /** Where each phrase begins in `packedPhrases`, by its text. From `anchored` on, they have no anchor. */
  readonly phrases: Readonly<Record<string, number>>;
  readonly anchored: number;
  readonly vocabulary: readonly string[];
  /** The lists of slots that phrases have, each once. */
  readonly slots: readonly (readonly { readonly name: string; readonly type: string }[])[];
  /** Facts about a pattern that are known without compiling it, by its text. */
  readonly patterns: Readonly<Record<string, PreparedPattern>>;
}

/** The texts of the built-in packs by name, if the program is a single file. */
export const embedded: Readonly<Record<string, string>> | undefined = undefined;

export const prepared: PreparedPacks | undefined = undefined;

/** The text that a prepared pack was read from. */
export const packText = (_name: string): string | undefined => undefined;

/** Is the text known to be a valid template? */
export const isKnownTemplate = (_text: string): boolean => false;

/** The phrases, as packed by rules/compile/prepared-phrases.ts. Checking packs does not read them. */
export const packedPhrases = (): string => "";
