// Does the user only want to know something? Then what is worked on is a later request.

import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { matcherFor } from "../match/matcher.js";
import { readSource } from "../match/read-source.js";
import { TALK } from "../match/selector.js";
import { toSubject } from "../match/subject.js";

const REQUESTS: AskedSignal = "requests";
const INQUIRES: AskedSignal = "inquires";

/** A message inquires if it asks something, and requests nothing else. */
export const createInquires = (rules: RuleSet) => (text: string) => {
  const source: Source = { id: "", role: "user", by: "user", text, places: new Set(), ordinal: 0 };
  const said = readSource(source, rules).segments.filter(({ node }) => TALK.has(node));
  const holds = (name: AskedSignal) => said.map((segment) => matcherFor(rules).holds(toSubject(source, segment), name));
  const [inquires, requests] = [holds(INQUIRES), holds(REQUESTS)];
  const asks = said.some(({ question }, index) => question || inquires[index]);
  return asks && requests.every((isRequest, index) => !isRequest || inquires[index]);
};
