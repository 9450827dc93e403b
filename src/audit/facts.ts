// Continuation → the facts that a summary can keep or lose.
import { stillFailing } from "../extract/calls/failures.js";
import type { Continuation, Item } from "../model.js";
import { factId } from "../state/choices.js";

/** A fact to look for in a summary. */
export interface AuditFact {
  readonly id?: string;
  /** A kind of the model, or `file`, `failure` (a command), `todo`. Any other word means a plain statement. */
  readonly kind: string;
  readonly text: string;
  /** The words of the source, if they differ from the text. */
  readonly quote?: string;
  /** What the summary must also say: the reason, the alternative. */
  readonly parts?: readonly string[];
  /** The text names what was rejected. */
  readonly denied?: boolean;
  readonly state?: "open" | "done";
}

/** The facts to audit. Superseded facts are left out, because they are not carried. */
export function factsOf({ items, files, errors, todos }: Continuation): readonly AuditFact[] {
  const paths = new Set([...files.created, ...files.modified, ...files.deleted, ...files.read]);
  for (const path of files.aside ?? []) paths.delete(path);
  return [
    ...items.filter(({ status }) => status === "active").map(ofItem),
    ...[...paths].map((text) => ({ kind: "file", text })),
    ...stillFailing(errors).map((text) => ({ kind: "failure", text })),
    ...todos.map(({ text, state }) => ({ kind: "todo", text, state: state === "done" ? ("done" as const) : ("open" as const) })),
  ];
}

function ofItem(item: Item): AuditFact {
  const { kind, text, fields, evidence } = item;
  const parts = [fields.reason, fields.instead].filter((part) => part !== undefined && part !== "") as string[];
  const state = kind === "done" ? "done" : kind === "remaining" ? "open" : undefined;
  return {
    id: factId(item),
    kind,
    text,
    quote: evidence.quote,
    ...(parts.length > 0 && { parts }),
    ...(kind === "rejection" && { denied: true }),
    ...(state && { state }),
  };
}
