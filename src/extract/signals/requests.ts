// What a message of the user's is for: does it ask for something, and is that work, or only knowledge?

import { LATE_CHARACTERS } from "../../limits.js";
import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Requests } from "../../source/session/sources.js";
import { type Late, STAGES } from "../../steps.js";
import type { ToolFacts } from "../calls/read-tools.js";
import { declaredFor } from "../match/declared.js";
import { createAsks, readSource } from "../match/read-source.js";
import { TALK } from "../match/selector.js";
import { toSubject } from "../match/subject.js";

const REQUESTS: AskedSignal = "requests";
const INQUIRES: AskedSignal = "inquires";

/** With a deadline, only the beginning of a long message is examined, and none when time is up. */
export function createRequests(
  rules: RuleSet,
  { changedIn, commits = [] }: Pick<ToolFacts, "changedIn" | "commits">,
  late?: Late,
): Requests {
  const asks = createAsks(rules);
  const { saysAlone } = declaredFor(rules);
  const subjectsOf = (given: string) => {
    const text = late ? given.slice(0, LATE_CHARACTERS) : given;
    const source: Source = { id: "", role: "user", by: "user", text, places: new Set(), ordinal: 0 };
    const said = readSource(source, rules).segments.filter(({ node }) => TALK.has(node));
    return said.map((segment) => toSubject(source, segment));
  };
  return {
    changedIn,
    committedIn: new Set(commits.map(({ source }) => source)),
    // Code and pasted text ask for nothing by themselves.
    asks: (text) => late?.(STAGES.calls) || (asks(text) && subjectsOf(text).length > 0),
    inquires(text) {
      const said = subjectsOf(text).map((subject) => ({
        inquires: saysAlone(subject, INQUIRES),
        requests: saysAlone(subject, REQUESTS),
        asks: subject.segment.question,
      }));
      return said.some((one) => one.asks || one.inquires) && said.every((one) => one.inquires || !one.requests);
    },
  };
}
