// What rules find in a session, for the frame that it is.
import type { Continuation, Kind } from "../model.js";

export interface Learnt {
  readonly goal?: string;
  readonly artifacts: string[];
  readonly decisions: string[];
  /** What its user wants to be heeded, in whole sentences. */
  readonly rules: string[];
}

export function learntIn({ items, files }: Continuation, folder: string): Learnt {
  const active = (kind: Kind) => items.flatMap((item) => (item.kind === kind && item.status === "active" ? [item.text] : []));
  const [goal] = active("goal");
  const short = (path: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path);
  const artifacts = [...files.created, ...files.modified].map(short);
  const told = items.filter(({ kind, by, status }) => kind === "constraint" && by === "user" && status === "active");
  const rules = told.map(({ evidence }) => evidence.quote);
  return { ...(goal !== undefined && { goal }), artifacts, decisions: active("decision"), rules };
}
