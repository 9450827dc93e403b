// compaction decisions: the decisions of a project, by date, for a pull request, a wiki or an ADR folder.
import type { SearchHit } from "../../recall/store.js";
import { readChoices } from "../../state/choices.js";
import { oneLine } from "../../text/forms.js";
import { sameText } from "../../text/words.js";
import { type Arguments, dateIn, noPositional, oneOf } from "../input/arguments.js";
import { nameIn } from "../output/lines.js";
import { printJson, say } from "../output/terminal.js";
import { searchProject } from "./recall.js";

const MOST = 10_000;
const KINDS = ["decision", "rejection"];
/** More likely right than wrong: a log is published. */
const LIKELY = 0.5;

export async function decisions(given: Arguments): Promise<number | undefined> {
  noPositional(given.positionals, "decisions");
  const format = oneOf(given, "format", ["md", "json"], "md");
  const since = dateIn(given, "since");
  const { drops } = readChoices(given.values.project ?? ".").choices;
  const found = await searchProject(given.values.project, given.flags.yes === true, { kinds: KINDS, since, most: MOST });
  if (!found) return undefined;
  const known = new Set<string>();
  // The newest place of the same words is the one to read.
  const own = found.filter(({ kind, own: text, fact, score }) => {
    const key = `${kind} ${sameText(text)}`;
    const isNew = !known.has(key) && !drops.includes(fact) && (given.flags.all === true || score >= LIKELY);
    known.add(key);
    return isNew;
  });
  if (format === "json") return printJson({ version: 1, decisions: own.map(toDecision) });
  say(own.length === 0 ? "no decision was found\n" : toMarkdown(own));
}

function toDecision({ kind, own, by, time, session, message, status, reason, replaced }: SearchHit) {
  const more = { ...(reason !== "" && { reason }), ...(replaced !== "" && { replaced }) };
  return { kind, text: own, by, time, place: `${session}#${message}`, status, ...more };
}

function toMarkdown(found: readonly SearchHit[]): string {
  const days = [...new Set(found.map(({ time }) => time.slice(0, 10)))];
  const lines = days.flatMap((day) => [
    `## ${day === "" ? "Without a date" : nameIn(day)}`,
    "",
    ...found.filter(({ time }) => time.slice(0, 10) === day).map(lineOf),
    "",
  ]);
  return `# Decisions\n\n${lines.join("\n")}`;
}

function lineOf({ kind, own, by, session, message, status, reason, replaced }: SearchHit): string {
  const text = oneLine(own);
  const why = reason === "" ? "" : ` Reason: ${oneLine(reason)}.`;
  const later = status === "active" ? "" : ` Later: ${replaced === "" ? "no longer so" : oneLine(replaced)}`;
  const said = status === "active" ? text : `~~${text}~~`;
  return `- ${kind === "rejection" ? "Not: " : ""}${said}${why}${later} (${nameIn(by)}, \`${nameIn(`${session}#${message}`).replaceAll("`", "'")}\`)`;
}
