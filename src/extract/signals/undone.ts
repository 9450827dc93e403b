// What later edits did to the names in a sentence: were they removed again, by edits or with their file, or changed at all?
import { lettersPattern } from "../../text/characters.js";
import { rememberedTerms } from "../../text/topic.js";

/** What a call added to a file, and what it removed. */
export type Edit = { readonly message: number; readonly added: string; readonly old: string };

/** What edits did to a term. */
interface Trace {
  /** Additions minus removals, and whether the first edit that touches it added it. */
  readonly sum: number;
  readonly isNew: boolean;
  readonly message: number;
  readonly change: number;
}

export interface Edits {
  /** Is nothing left of these names? */
  readonly isUndone: (names: readonly string[], message: number) => boolean;
  /** Did an edit after the message add or remove one of these names? */
  readonly isEdited: (names: readonly string[], message: number) => boolean;
}

const LETTER = lettersPattern(String.raw`[\p{L}]`);

/** @param deleted paths that are gone at the end of the session
 * @param written what calls wrote, with the positions of their messages, in their order */
export function readEdits(
  edits: readonly Edit[],
  deleted: readonly string[],
  written: () => Iterable<readonly [message: number, text: string]>,
): Edits {
  const files = new Set(deleted.map((path) => lastOf(path).toLowerCase()));
  const takesAway = files.size > 0 || edits.some(({ old }) => old !== "");
  let traces: ReadonlyMap<string, Trace> | undefined;
  /** Deleted file → the last message that wrote its name. Built once: a long session names its files thousands of times. */
  let named: Map<string, number> | undefined;
  const lastNamed = (term: string) => {
    if (!named) {
      named = new Map();
      for (const [message, text] of written())
        for (const one of rememberedTerms(text)) if (files.has(lastOf(one))) named.set(lastOf(one), message);
    }
    return named.get(term) ?? -1;
  };
  const isDeleted = (term: string, message: number) => files.has(term) && lastNamed(term) > message;
  const termsOf = (names: readonly string[]) => names.map(lastOf).filter((term) => LETTER(term).test(term));
  /** What later edits did to a name. */
  const traceOf = (term: string, message: number) => {
    traces ??= tracesOf(edits);
    const trace = traces.get(term);
    return trace && trace.message > message ? trace : undefined;
  };
  return {
    isUndone(names, message) {
      if (!takesAway) return false;
      let undone = false;
      for (const term of termsOf(names)) {
        const trace = isDeleted(term, message) ? "deleted" : traceOf(term, message);
        // Something of it is still there.
        if (typeof trace === "object" && (trace.change > 0 || trace.sum > 0 || !trace.isNew)) return false;
        if (trace) undone = true;
      }
      return undone;
    },
    isEdited: (names, message) => termsOf(names).some((term) => traceOf(term, message) !== undefined),
  };
}

const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

function tracesOf(edits: readonly Edit[]): ReadonlyMap<string, Trace> {
  const traces = new Map<string, Trace>();
  for (const { message, added, old } of edits) {
    const [now, before] = [rememberedTerms(added), rememberedTerms(old)];
    for (const term of new Set([...now, ...before])) {
      const change = Number(now.has(term)) - Number(before.has(term));
      if (change === 0) continue;
      const known = traces.get(term);
      traces.set(term, { sum: (known?.sum ?? 0) + change, isNew: known?.isNew ?? change > 0, message, change });
    }
  }
  return traces;
}
