// Conditions: where a text must be and what it must say. Rules, signals, notes and workflows use them.
import type { ASKED_SIGNALS, SESSION_SIGNALS } from "../generated/signals.js";
import type { NodeType, Place, Role } from "../model.js";
import type { Pattern } from "./pattern/pattern.js";
import type { Phrase } from "./phrase/phrase.js";

/** Where a text must be. */
export interface Selector {
  readonly role?: ReadonlySet<Role | "file">;
  readonly node?: ReadonlySet<NodeType>;
  readonly mood?: ReadonlySet<"statement" | "question">;
  readonly place?: ReadonlySet<Place>;
  readonly part?: ReadonlySet<"opening" | "closing">;
  readonly task?: ReadonlySet<"open" | "done" | "none">;
  readonly file?: ReadonlySet<string>;
  readonly entry?: "newest" | "head";
  readonly leaf?: boolean;
  readonly under?: readonly Phrase[];
  readonly lead?: readonly Phrase[];
  readonly message?: { readonly min: number; readonly max: number };
  readonly words?: { readonly min: number; readonly max: number };
  readonly has?: ReadonlySet<Holding>;
  /** Signals of other texts: the beginning of the message, the message before, the user's reply. */
  readonly opening?: readonly string[];
  readonly after?: readonly string[];
  readonly reply?: readonly string[];
}

export type Holding = "code" | "path" | "number" | "name" | "bold" | "arrow" | "bare";

/** The nodes that the values of `in.node` name. Quotations and links are somebody else's words, so `any` is all others. */
export const nodesOf = (values: readonly (NodeType | "any")[]): readonly NodeType[] =>
  values.flatMap((value) => (value === "any" ? (["sentence", "item", "task", "heading", "cell"] as const) : [value]));

export interface Condition {
  readonly in: Selector;
  readonly match: readonly Phrase[];
  readonly regex: readonly Pattern[];
  readonly unless: readonly Phrase[];
}

/** A named condition. */
export type Signal = Condition & { readonly id: string };

/** Signals that the engine finds in the whole session. The pack schema describes each one. */
export type SessionSignal = keyof typeof SESSION_SIGNALS;
/** Signals that packs declare and the engine uses. */
export type AskedSignal = keyof typeof ASKED_SIGNALS;

export const GUESSES: AskedSignal = "guesses";
export const ANNOUNCES: AskedSignal = "announces";
export const LEANS: AskedSignal = "leans";
export const FORMER: AskedSignal = "former";
/** Pasted text and reports of what somebody else said are not the user's own words. */
export const PASTED: SessionSignal = "pasted";
export const REPORTED: AskedSignal = "reported";
/** Words of the assistant that the user repeats: nobody's statement, and not the assistant's any more if the user says that they are wrong. */
export const QUOTED: SessionSignal = "quoted";
export const DISPUTED: SessionSignal = "disputed";
