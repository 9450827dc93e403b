// Formats the report of `try` for people.
import { counted } from "../../text/forms.js";
import { nameIn, short } from "../output/lines.js";
import type { Colours } from "../output/terminal.js";
import type { PlacedChange, PlacedMatch, RuleTried, TryReport } from "./report.js";

/** Lines of each rule, and of each list of changed facts, unless one rule is asked for. */
export const LINES = 3;
const CHANGES = 20;

/** @param most matches of each rule that are shown; with more than a few, also what they give */
export function toText({ sessions, projects, rules, lost, gained, against }: TryReport, most: number, colours: Colours): string {
  const isWhole = most === Number.POSITIVE_INFINITY;
  const head = `${counted(sessions, "session")} of ${counted(projects, "project")}\n`;
  const blocks = rules.map((rule) => ruleText(rule, most, colours));
  const changes = isWhole
    ? []
    : [
        changedText(
          against ? `found with ${against}, and not now` : "found without these rules, and not with them",
          lost,
          colours,
        ),
        changedText(
          against ? `found now, and not with ${against}` : "found by other rules, and only with these",
          gained,
          colours,
        ),
      ];
  return [head, ...blocks, ...changes].filter((text) => text !== "").join("\n");
}

function ruleText(rule: RuleTried, most: number, { bold, yellow, dim }: Colours): string {
  const { id, kind, matches, sessions, projects, lost, silent, places, near = [] } = rule;
  const misses = near
    .slice(0, CHANGES)
    .map((one) => `  ${yellow("near:")} "${short(one.quote)}"  ${one.why}  ${dim(messageName(one))}\n`);
  if (near.length > CHANGES) misses.push(`  ${dim(`${near.length - CHANGES} more near misses: --json prints all`)}\n`);
  if (matches === 0) return [`${bold(id)} ${kind}: ${yellow("no match")}\n`, ...misses].join("");
  const count = matches === 1 ? "1 match" : `${matches} matches`;
  const where = `${count} in ${counted(sessions, "session")} of ${counted(projects, "project")}`;
  const gone = lost > 0 ? `, ${yellow(`${lost} lost in a summary`)}` : "";
  const lines = places.slice(0, most).map((one) => {
    const state = [one.status === "active" ? "" : one.status, one.lost ? "lost" : ""].filter((word) => word !== "").map(yellow);
    const parts = [`"${short(one.quote)}"${most > LINES ? givenBy(one) : ""}`, ...state, dim(messageName(one))];
    return `  ${parts.join("  ")}\n`;
  });
  const more = matches > most ? [`  ${dim(`${matches - most} more: --rule ${id}`)}\n`] : [];
  const never = silent.map((phrase) => `  ${yellow("never fires:")} ${phrase}\n`);
  return [`${bold(id)} ${kind}: ${where}${gone}\n`, ...lines, ...more, ...never, ...misses].join("");
}

function givenBy({ text, fields, quote }: PlacedMatch): string {
  const parts = [...(text === quote ? [] : [short(text)]), ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)];
  return parts.length > 0 ? ` → ${parts.join(", ")}` : "";
}

function changedText(title: string, facts: readonly PlacedChange[], { bold, yellow, dim }: Colours): string {
  if (facts.length === 0) return "";
  const lines = facts.slice(0, CHANGES).map((fact) => {
    const { rule, kind, text, instead } = fact;
    const now = instead ? `, now ${instead.kind} "${short(instead.text)}" by ${instead.rule}` : "";
    return `  ${yellow(kind)} "${short(text)}" by ${rule}${now}  ${dim(messageName(fact))}\n`;
  });
  const more = facts.length > CHANGES ? [`  ${dim(`${facts.length - CHANGES} more: --json prints all`)}\n`] : [];
  return [`${bold(counted(facts.length, "fact"))} ${title}:\n`, ...lines, ...more].join("");
}

const messageName = ({ session, at }: { readonly session: string; readonly at: string }) => nameIn(`${session}#${at}`);
