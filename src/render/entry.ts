// One line that a template may show, and what decides whether it is chosen.
import type { FactPlace } from "../model.js";
import type { LineFields } from "./fields.js";
import type { ListName } from "./template-names.js";

export interface Entry extends LineFields {
  readonly list: ListName;
  /** Its kind in the packs' `worth`: the list, or who said it. */
  readonly of: string;
  /** The words by which it is compared with other lines and with a summary. */
  readonly tells: string;
  /** It is one unit, such as a command. */
  readonly whole?: boolean;
  /** How likely it will be missed, from 0 to 1. */
  readonly salience: number;
  /** Its place in the session: 0 is the beginning, 1 the end. */
  readonly when: number;
  /** It is a fact, so it counts as hidden when it is not shown. */
  readonly fact: boolean;
  /** Where it was said, if it was. */
  readonly place?: FactPlace;
  /** The share of the budget from which it is taken first, if not that of its list. */
  readonly share?: string;
  /** It is shown even if a summary has its words, because nothing proves that the summary says it. */
  readonly must?: boolean;
  /** Its tokens, if they differ from those of its words: a file costs little beside others of its folder. */
  readonly cost?: number;
}

/** What most entries have in common. */
export const PLAIN_ENTRY = { salience: 1, when: 1, fact: true } as const;

/** Adds an entry. What is in it is only asked for if its list is shown. */
export type Add = (list: ListName, toEntry: () => Omit<Entry, "list" | "of"> & { readonly of?: string }) => void;
