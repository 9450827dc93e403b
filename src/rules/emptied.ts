import type { Entry } from "../config/resolve.js";
import { diagnostic, type Report } from "../diagnostics.js";

type Listing = Entry<Partial<Record<"match" | "regex", readonly string[]>>>;

/** A list that was emptied: what it stands for would never be found again, or everywhere. */
export function isEmptied(what: string, entry: Listing, report: Report): boolean {
  const key = (["match", "regex"] as const).find((name) => entry.value[name]?.length === 0);
  if (!key) return false;
  const hint = `give it one, leave ${key} out, or write ${entry.id}: off to switch the ${what} off`;
  report(diagnostic("rule-empty", `"${key}" of the ${what} "${entry.id}" is an empty list`, entry.at([key]), hint));
  return true;
}
