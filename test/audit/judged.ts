// A fact and a line of a summary that says other things too → the verdict.
import { audit, builtInRules } from "../../src/index.js";

const { rules } = builtInRules();

export const judged = (text: string, line: string, kind = "decision") =>
  audit([{ kind, text }], `## State\n- The pipeline is green since Monday.\n- ${line}\n- Nadia reads the logs.\n`, { rules })
    .verdicts[0]?.verdict;

/** What a fact in other words is: never called lost, though only a quote is certified. */
export const TOLD = ["kept", "unsure"];

/** What tells a fact in other words, and what is only nearly the same. */
export type Row = readonly [mechanism: string, fact: string, told: readonly string[], lost: readonly string[], kind?: string];
