// Facts that the user called wrong: one file for each project, which can be sent along with a bug report.
import type { Item, Speaker } from "../model.js";
import { asList, asText, isFields } from "../text/json.js";
import { projectFileName } from "./choices.js";
import { changeState, readState, stateFile } from "./state.js";

export interface WrongFact {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly by: Speaker;
  /** The words that it was found in. Secrets in them are masked. */
  readonly quote: string;
  readonly rule: string;
  readonly note?: string;
}

type Cases = { readonly version: 1; readonly cases: readonly WrongFact[] };

const nameOf = (folder: string) => projectFileName("cases", folder);

const isCase = (value: unknown): value is WrongFact =>
  isFields(value) && ["id", "kind", "text", "by", "quote", "rule"].every((key) => asText(value[key]) !== undefined);

const isCases = (value: unknown): value is Cases => isFields(value) && asList(value.cases).every(isCase);

export function readCases(folder: string): { readonly cases: readonly WrongFact[]; readonly broken?: string } {
  const { value, broken } = readState(nameOf(folder), undefined, isCases);
  return { cases: isCases(value) ? value.cases : [], ...(broken !== undefined && { broken }) };
}

/** A fact that is named again gets the newer note. Returns the file. */
export function addCase(folder: string, id: string, { kind, text, by, evidence }: Item, note?: string): string {
  const added = { id, kind, text, by, quote: evidence.quote, rule: evidence.rule, ...(note !== undefined && { note }) };
  const name = nameOf(folder);
  changeState<Cases>(
    name,
    (value) => ({ version: 1, cases: [...(isCases(value) ? value.cases : []).filter((one) => one.id !== id), added] }),
    undefined,
    isCases,
  );
  return stateFile(name) ?? name;
}
