// The types of everything that runs: compiled and validated. Only compile/compile-rules.ts creates a rule set.
import type { LifecycleFile, MarksFile, TailFile } from "../generated/pack-file.js";
import type { Kind } from "../model.js";
import type { Condition, Selector, Signal } from "./condition.js";
import type { Phrase } from "./phrase/phrase.js";
import type { Program, Tool } from "./tool-set.js";
import type { NotesFile, Read, Say, Workflow } from "./workflow-set.js";

/** A compiled rule. */
export interface Rule extends Condition {
  readonly id: string;
  readonly order: number;
  /** A team's pack declares it. It wins over built-in rules on the same words. */
  readonly own?: boolean;
  readonly emit: Kind | "redact";
  readonly signals: readonly string[];
  readonly not: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly score: number;
  readonly category?: string;
  readonly length: { readonly min: number; readonly max: number };
  readonly nothing: ReadonlySet<string>;
}

/** Signals whose weights add up to a fact of a kind. */
export interface Cues {
  readonly id: string;
  readonly kind: Kind;
  readonly in: Selector;
  readonly not: readonly string[];
  readonly least: number;
  /** The probability at `least`. */
  readonly score: number;
  readonly weights: ReadonlyMap<string, number>;
  /** Weights of signals that need the whole session, and the most that they can add. */
  readonly degrees: readonly (readonly [string, number])[];
  readonly gain: number;
  readonly category?: string;
  readonly length: { readonly min: number; readonly max: number };
}

/** How the assistant offers options and the user takes one. */
export interface Options {
  readonly id: string;
  readonly offered: readonly Phrase[];
  readonly taken: readonly Phrase[];
  /** Folded name of an option → its position in the list. */
  readonly labels: ReadonlyMap<string, number>;
}

/** What makes earlier facts obsolete: a signal in a later text, and which facts it ends. */
export interface Update {
  readonly id: string;
  readonly signal: string;
  /** The signal's phrases, for their {what} slot. */
  readonly phrases: readonly Phrase[];
  readonly ends: ReadonlySet<Kind | "statement">;
  readonly by: "same-speaker" | "user" | "assistant" | "anyone";
  readonly match: "previous" | "earlier" | "terms" | "value" | "frame" | "swap" | "thing" | "all";
  readonly share: number;
  readonly about: number;
  readonly nearest: number;
  /** Only facts of this many messages back. */
  readonly within: number;
  /** What the earlier fact must contain, and must not contain. */
  readonly if?: readonly Phrase[];
  readonly unless?: readonly Phrase[];
  /** Only a text in which a fact of a kind that it ends is found. */
  readonly found: boolean;
  readonly replaces: boolean;
}

/** A category of facts, and the phrases that assign it. */
export interface Category {
  readonly id: string;
  readonly of: ReadonlySet<Kind>;
  readonly match: readonly Phrase[];
  /** For facts that have no category otherwise. */
  readonly otherwise?: boolean;
}

/** How facts of a kind are read from the headings of notes, and how they are written. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The kind of its facts; a section without it is only written. */
  readonly holds?: Kind;
  readonly max: number;
  /** The lines under the title in the continuation. Without it, the continuation leaves the section out. */
  readonly say?: Say;
  readonly of?: "workflow" | "carried";
  readonly optional: boolean;
  /** Its own lines come behind those of a workflow. */
  readonly always: boolean;
  readonly required: boolean;
  /** What an entry of the notes must look like. */
  readonly shape: readonly Phrase[];
  /** How it is read from the project's notes. */
  readonly read?: Read;
}

/** A template and its budget. */
export interface Template {
  readonly id: string;
  readonly text: string;
  /** A file of the project says the text: a model gets its lines marked as such. */
  readonly foreign?: true;
  readonly tokens: number;
  readonly max: Readonly<Record<string, number>>;
  /** The least score of the facts in a list. */
  readonly least?: Readonly<Record<string, number>>;
  /** Shows what was said at one place only once. */
  readonly once?: boolean;
  /** In which last part of the session sentences of the assistant count that are no facts: a share. */
  readonly recent?: number;
  readonly store?: {
    readonly title?: string;
    readonly folder?: string;
    readonly file?: string;
    readonly tags: readonly string[];
  };
}

/** What a word does to a statement; used to compare a summary with a fact. */
export type Mark = NonNullable<MarksFile["marks"]>;

/** Everything that packs declare, compiled. */
export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly redactions: readonly Rule[];
  readonly signals: ReadonlyMap<string, Signal>;
  readonly salience: ReadonlyMap<string, number>;
  /** What a kind of line is worth, which lists come first, and how much of a word counts (render/choose.ts). */
  readonly worth: ReadonlyMap<string, number>;
  readonly shares: ReadonlyMap<string, number>;
  readonly news: ReadonlyMap<string, number>;
  readonly cues: readonly Cues[];
  readonly options: readonly Options[];
  readonly updates: readonly Update[];
  readonly categories: readonly Category[];
  readonly sections: readonly Section[];
  /** The sections of the continuation, in the order in which packs declare their lines. */
  readonly said: readonly Section[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools whose entries say how a user's refusal of any call reads. */
  readonly refusals: readonly Tool[];
  /** Hosts for which packs declare the tools that ask the user. In other hosts, a tool of the same name does not. */
  readonly askingHosts: ReadonlySet<string>;
  readonly shell: readonly Program[];
  readonly files: readonly NotesFile[];
  readonly reads: ReadonlyMap<string, Read>;
  readonly workflows: readonly Workflow[];
  /** Values without information, such as "none" or "ok". */
  readonly nothing: ReadonlySet<string>;
  readonly lifecycle: ReadonlyMap<string, Lifecycle>;
  readonly audit: ReadonlyMap<Mark, readonly string[]>;
  readonly templates: ReadonlyMap<string, Template>;
  /** Folders whose files do not count as changes of the project. */
  readonly scratch: readonly string[];
  /** In lower case, with a final full stop. */
  readonly abbreviations: readonly string[];
  /** Words that begin a restriction, which must not be cut off. */
  readonly restrictions: readonly string[];
  /** How the names of documents end. */
  readonly documents: readonly string[];
  /** Words without meaning of their own. */
  readonly fillers: readonly string[];
  /** Words with little meaning. */
  readonly light: readonly string[];
}

/** The token counts that a host reports. */
export type TokenCount = NonNullable<LifecycleFile["counted"]>[number];

type Settings = Readonly<Required<Omit<LifecycleFile, "off" | "counted" | "keep" | "tail">>>;

/** When a session is compacted, what is pruned and what stays visible. Counts are in tokens. */
export interface Lifecycle extends Settings {
  readonly id: string;
  readonly counted: ReadonlySet<TokenCount>;
  /** Tokens that the caller wants to keep free. Overrides `reserve`. */
  readonly reserved?: number;
  readonly keep: ReadonlySet<string>;
  readonly tail?: Tail;
}

export interface Tail extends Readonly<TailFile> {
  /** Tokens that the caller wants to keep, instead of a share. */
  readonly tokens?: number;
  readonly turns?: number;
}
