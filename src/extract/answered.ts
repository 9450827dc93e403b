// What a last request of one word answers: "yes" tells nothing without the question.
import type { Source, Statement } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { isJoined, POINTS_BACK } from "./aim.js";
import type { Around } from "./around.js";
import { matcherFor } from "./matcher.js";
import { isBarePick } from "./picked.js";
import { TALK } from "./selector.js";
import type { Subject } from "./subject.js";

/** The signals by which packs say that words only answer, and that the assistant leaves something to the user. */
const ONLY_ANSWERS = "only-answers";
const PROPOSES = "proposes";

export const lastRequestOf = (sources: readonly Source[]): Source | undefined =>
  sources.findLast(({ places, role }) => role === "user" && places.has("last-request"));

/** The statements, that of a last request which only answers with the assistant's words that it answers. */
export function withAnswered(
  statements: readonly Statement[],
  sources: readonly Source[],
  around: Around,
  rules: RuleSet,
): readonly Statement[] {
  const last = lastRequestOf(sources);
  const at = last
    ? statements.findIndex(({ source, by, places }) => source === last.id && by === "user" && places.has("last-request"))
    : -1;
  const answers = last && at >= 0 ? answeredBy(last, around, rules) : undefined;
  return answers === undefined ? statements : statements.with(at, { ...(statements[at] as Statement), answers });
}

function answeredBy(source: Source, around: Around, rules: RuleSet): string | undefined {
  const holds = (subject: Subject, name: string) => matcherFor(rules).holds(subject, name);
  const said = around.subjects(source).filter(({ segment }) => TALK.has(segment.node));
  const picks = said.filter(isBarePick);
  if (said.length === 0 || !said.every((subject) => picks.includes(subject) || holds(subject, ONLY_ANSWERS))) return undefined;
  const taken = picks.flatMap((subject) => around.picks.taken(subject));
  if (taken.length > 0) return tell(taken, "; ");
  const before = around.before(source);
  const texts = before ? around.subjects(before).filter(({ segment }) => TALK.has(segment.node)) : [];
  const asked = texts.findLastIndex((subject) => subject.segment.question || holds(subject, PROPOSES));
  const [one, led] = [texts[asked], texts[asked - 1]];
  if (!one) return undefined;
  return tell(led && holds(one, POINTS_BACK) && isJoined([led, one]) ? [led, one] : [one], " ");
}

const tell = (subjects: readonly Subject[], between: string) => subjects.map(({ segment }) => segment.text).join(between);
