// One line that a template may show, and what decides whether it is chosen.
import { type ChosenLines, type FactPlace, placeKey } from "../model.js";
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
  /** Its place among the lines of its share. */
  readonly rank?: number;
  /** Its place among the lines that a model wants carried. */
  readonly needed?: number;
  /** Its tokens, if they differ from those of its words: a file costs little beside others of its folder. */
  readonly cost?: number;
}

/** What most entries have in common. */
export const PLAIN_ENTRY = { salience: 1, when: 1, fact: true } as const;

/** Adds an entry. What is in it is only asked for if its list is shown. */
export type Add = (list: ListName, toEntry: () => Omit<Entry, "list" | "of"> & { readonly of?: string }) => void;

/** A line that a model may choose. */
export interface ChoosableLine extends Pick<Entry, "tells" | "place"> {
  /** By these, the line is known again in another text. */
  readonly keys: readonly string[];
  /** As the template shows it. */
  readonly text: string;
}

/** Lists of which a model chooses the lines. The user's rules bind it, and what is a mere record needs no choice. */
const CHOOSABLE: ReadonlySet<ListName> = new Set<ListName>([
  ...(["goals", "opening", "requests", "statements", "closing", "questions", "documents"] as const),
  ...(["decisions", "rejections", "findings", "remaining", "blockers", "maybe", "held"] as const),
  ...(["failing", "unrun", "running", "doing", "todos"] as const),
]);

/** What a team's own rules find is carried in any case. */
export const isChoosable = ({ list, must, share }: Entry): boolean => !must && share !== "own" && CHOOSABLE.has(list);

/** What fills the room that is left. Behind a choice, only what was chosen of it: the model has seen the best of it. */
const FILLERS: ReadonlySet<ListName> = new Set<ListName>(["statements", "documents"]);

export const keysOf = ({ list, place, tells }: Entry): readonly string[] =>
  place ? [place, ...(place.joined ?? [])].map(placeKey) : [`${list}\n${tells}`];

/** The lines without those that a model left out; those that it wants have a share of their own. */
export const chosenFrom = (entries: readonly Entry[], chosen: ChosenLines): readonly Entry[] =>
  entries.flatMap((entry) => {
    if (!isChoosable(entry)) return [entry];
    const keys = keysOf(entry).filter((key) => chosen.has(key));
    const needed = keys.map((key) => chosen.get(key)).find((place) => place !== undefined);
    if (needed !== undefined) return [{ ...entry, needed, share: "needed" }];
    return keys.length > 0 || FILLERS.has(entry.list) ? [] : [entry];
  });
