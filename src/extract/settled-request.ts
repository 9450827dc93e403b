// A last request about which nothing is left to do: the assistant's last words answer it, or it asks for nothing.
import type { Source, Statement } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { isQuestion } from "../source/visible.js";
import { lastRequestOf } from "./answered.js";
import type { Around } from "./around.js";
import { matcherFor } from "./matcher.js";
import { TALK } from "./selector.js";

/** The signals by which packs say that words only thank or praise, and that the assistant is about to do something. */
const ONLY_THANKS = "only-thanks";
const BEGINS_WORK = "begins-work";

/** The statements, those of a last request that is settled marked as such. */
export function withSettledRequest(
  statements: readonly Statement[],
  sources: readonly Source[],
  around: Around,
  rules: RuleSet,
): readonly Statement[] {
  const last = lastRequestOf(sources);
  if (!last) return statements;
  const answered = isAnswered(sources, around, rules);
  const thanks = around.subjects(last).filter((subject) => matcherFor(rules).holds(subject, ONLY_THANKS));
  if (!answered && thanks.length === 0) return statements;
  const starts = new Set(thanks.map(({ segment }) => segment.start));
  // "Great" says yes where something was asked.
  const thanksOnly = ({ start, answers }: Statement) => starts.has(start) && !isQuestion(answers ?? "");
  return statements.map((one) =>
    one.places.has("last-request") && (answered || thanksOnly(one)) ? { ...one, settled: true } : one,
  );
}

/** Does the session end with words of the assistant's that neither ask anything nor say what it does next? */
function isAnswered(sources: readonly Source[], around: Around, rules: RuleSet): boolean {
  const end = sources.at(-1);
  if (end?.role !== "assistant" || !end.places.has("session-end") || end.places.has("before-tool")) return false;
  const said = around.subjects(end).filter(({ segment }) => TALK.has(segment.node));
  const closing = said.at(-1);
  // A question may end with the list of what there is to choose from.
  const sentence = said.findLast(({ segment }) => segment.node === "sentence");
  const asks = closing?.segment.question || sentence?.segment.question;
  return closing !== undefined && !asks && !matcherFor(rules).holds(closing, BEGINS_WORK);
}
