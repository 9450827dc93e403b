// A compiled guard: what is said at a tool call. Plain data, because a hook reads it from a prepared file.

export type Touch = "read" | "edit" | "delete";

/** A command line that a guard is for. Words of it may have `*`. */
export interface GuardedCommand {
  /** The program and its subcommands, in order. */
  readonly words: readonly string[];
  readonly options: readonly string[];
}

export interface Guard {
  readonly id: string;
  /** Ids of entries in `tools`, or names of tools that no pack knows; empty for all. */
  readonly tools: readonly string[];
  /** How the file is touched; empty for any way. */
  readonly touches: readonly Touch[];
  readonly paths: readonly string[];
  readonly commands: readonly GuardedCommand[];
  readonly has: readonly string[];
  readonly not: readonly string[];
  readonly does: "tell" | "once" | "ask" | "refuse";
  readonly say: string;
  readonly unless: readonly string[];
  /** The files of the project that declare it. A guard of the user's own has none. */
  readonly of?: { readonly files: readonly string[]; readonly name: string };
  /** The user has not trusted these files, so the guard may only tell. */
  readonly untrusted?: true;
}

/** Tells guards of different origins apart. They may have the same id: anyone can write a file with it. */
export const guardKey = ({ id, of }: Pick<Guard, "id" | "of">): string => (of ? `${of.name} ${id}` : id);

/** What the guard does at a call. */
export const doesNow = ({ does, untrusted }: Guard): Guard["does"] => (untrusted ? "tell" : does);

/** How often each guard spoke in a session, by its key and by what it did. */
export type Spoken = Readonly<Record<string, Partial<Record<Guard["does"], number>>>>;
