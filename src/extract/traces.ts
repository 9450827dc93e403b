// What edits did to a name: does it stand where they put it, or was it taken out again?

/** What a call put into a file, and what it took away. */
export interface Edit {
  readonly message: number;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export interface Traces {
  /** What the edits that touch a name add up to, and whether the first put it in. */
  readonly sum: number;
  readonly isNew: boolean;
  readonly last: { readonly message: number; readonly change: number };
}

export function tracesOf(term: string, edits: readonly Edit[]): Traces | null {
  let traces: Traces | undefined;
  for (const { message, added, removed } of edits) {
    const change = Number(added.has(term)) - Number(removed.has(term));
    if (change === 0) continue;
    traces = { sum: (traces?.sum ?? 0) + change, isNew: traces?.isNew ?? change > 0, last: { message, change } };
  }
  return traces ?? null;
}

/** Whether a name stands where edits put it, or the last of them to touch it, after a message, took it out. */
export function balanceOf(traces: Traces | null, at: number): "in" | "out" | undefined {
  if (!traces || traces.last.message <= at) return undefined;
  return traces.last.change < 0 && traces.sum <= 0 && traces.isNew ? "out" : "in";
}
