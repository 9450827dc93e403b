// What runs: everything compiled, nothing left to go wrong. compile.ts is the only door in.
import type { MarksFile } from "../generated/pack-file.js";
import type { Kind, NodeType, Place, Role } from "../model.js";
import type { Lifecycle } from "./lifecycle-set.js";
import type { Pattern } from "./pattern.js";
import type { Phrase } from "./phrase.js";
import type { Program, Tool } from "./tool-set.js";
import type { NotesFile, Read, Say, Workflow } from "./workflow-set.js";

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
  /** Signals of other texts: of the beginning of the message, of the message before, of the user's reply. */
  readonly opening?: readonly string[];
  readonly after?: readonly string[];
  readonly reply?: readonly string[];
}

export type Holding = "code" | "path" | "number" | "name" | "bold" | "arrow" | "bare";

/** Where and what: the part that rules and signals share. */
export interface Condition {
  readonly in: Selector;
  readonly match: readonly Phrase[];
  readonly regex: readonly Pattern[];
  readonly unless: readonly Phrase[];
}

export interface Signal extends Condition {
  readonly id: string;
}

export interface Rule extends Condition {
  readonly id: string;
  readonly order: number;
  readonly emit: Kind | "redact";
  readonly signals: readonly string[];
  readonly not: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly score: number;
  readonly category?: string;
  readonly length: { readonly min: number; readonly max: number };
  readonly nothing: ReadonlySet<string>;
}

/** Signals that add up to a fact of a kind. */
export interface Cues {
  readonly id: string;
  readonly kind: Kind;
  readonly in: Selector;
  readonly not: readonly string[];
  readonly least: number;
  readonly weights: ReadonlyMap<string, number>;
  /** Those of the weights whose signals are told from the whole session, and what they may add. */
  readonly degrees: readonly (readonly [string, number])[];
  readonly gain: number;
  readonly category?: string;
  readonly length: { readonly min: number; readonly max: number };
}

/** How options are offered and taken. */
export interface Options {
  readonly id: string;
  readonly offered: readonly Phrase[];
  readonly taken: readonly Phrase[];
  /** Name of an option, folded → its place in the list. */
  readonly labels: ReadonlyMap<string, number>;
}

export interface Category {
  readonly id: string;
  readonly of: ReadonlySet<Kind>;
  readonly match: readonly Phrase[];
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** The kind of fact it is read as; a section may only be written. */
  readonly holds?: Kind;
  readonly max: number;
  /** What the continuation says under the title; without it the section is not part of the continuation. */
  readonly say?: Say;
  readonly of?: "workflow";
  readonly optional: boolean;
  readonly required: boolean;
  /** What an entry of the notes must look like. */
  readonly shape: readonly Phrase[];
  /** How it is read from the project's notes. */
  readonly read?: Read;
}

export interface Template {
  readonly id: string;
  readonly text: string;
  readonly tokens: number;
  readonly max: Readonly<Record<string, number>>;
  /** What was said at one place is shown once. */
  readonly once?: boolean;
  readonly store?: {
    readonly title?: string;
    readonly folder?: string;
    readonly file?: string;
    readonly tags: readonly string[];
  };
}

/** What words do to a statement, for comparing a summary with a fact. */
export type Mark = NonNullable<MarksFile["marks"]>;

export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly redactions: readonly Rule[];
  readonly signals: ReadonlyMap<string, Signal>;
  readonly salience: ReadonlyMap<string, number>;
  readonly cues: readonly Cues[];
  readonly options: readonly Options[];
  readonly categories: readonly Category[];
  readonly sections: readonly Section[];
  /** The sections of the continuation, in the order in which packs say what they say. */
  readonly said: readonly Section[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** How the user's refusal of a call reads, whatever its tool. */
  readonly refusals: readonly Tool[];
  /** Hosts of which packs say which of their tools ask the user: others of the same name do not. */
  readonly askingHosts: ReadonlySet<string>;
  readonly shell: readonly Program[];
  readonly files: readonly NotesFile[];
  readonly reads: ReadonlyMap<string, Read>;
  readonly workflows: readonly Workflow[];
  /** Values that say nothing. */
  readonly nothing: ReadonlySet<string>;
  readonly lifecycle: ReadonlyMap<string, Lifecycle>;
  readonly audit: ReadonlyMap<Mark, readonly string[]>;
  readonly templates: ReadonlyMap<string, Template>;
  /** Folders in which nothing is a change of the project. */
  readonly scratch: readonly string[];
  /** In small letters, with their final stops. */
  readonly abbreviations: readonly string[];
  /** With these begins what restricts a statement, so that it is not cut off. */
  readonly restrictions: readonly string[];
}

/**
 * Signals that need the whole session: what is written or run after it was said, what tools had shown or written before,
 * what was put in and is taken out again, the option that the user took, those he did not take, what he only shows, and what
 * his message is for.
 */
export const SESSION_SIGNALS = ["enacted", "described", "written", "undone", "picked", "passed-over", "pasted", "aim"] as const;
export type SessionSignal = (typeof SESSION_SIGNALS)[number];

/** A declared signal of this name tells that the user takes back what was said before in the same terms. */
export const TURNS = "turns";
/** And one of this name, that somebody only supposes what he says. */
export const GUESSES = "guesses";
/** And one of this name, that a text only leads to what stands behind it, and says nothing without. */
export const ANNOUNCES = "announces";
/** What the user shows, and a declared signal of what somebody else said: neither is his own word. */
export const PASTED: SessionSignal = "pasted";
export const AIM: SessionSignal = "aim";
export const REPORTED = "reported";

/** What salience may name beside: the place in the session, that a rule fired, what was said anew or over and over, and
 * what the user objects to, or somebody took out later. */
export const BUILT_IN_SIGNALS = ["late", "ruled", "outdated", "renewing", "contested", "echoed", "crowded", "removed"] as const;
