// What a message of the user's is for: does it ask for something, and is that work, or only knowledge?

import { LATE_CHARACTERS } from "../../limits.js";
import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Requests } from "../../source/session/sources.js";
import { type Late, STAGES } from "../../steps.js";
import type { ToolFacts } from "../calls/read-tools.js";
import { type Subject, toSubject } from "../segments/subject.js";
import { readSource } from "../segments/texts.js";
import { TALK } from "./condition.js";
import { localFor } from "./local.js";

const REQUESTS: AskedSignal = "requests";
const INQUIRES: AskedSignal = "inquires";

/** Words that ask for nothing. */
const ASKS_NOTHING: readonly AskedSignal[] = ["greets", "only-answers", "only-thanks"];

/** A longer message of the user asks for something. */
const MOST_CHARACTERS = 200;

/** With a deadline, only the beginning of a long message is examined, and none when time is up. */
export function createRequests(
  rules: RuleSet,
  { changedIn, commits = [] }: Pick<ToolFacts, "changedIn" | "commits">,
  late?: Late,
): Requests {
  const { saysAlone } = localFor(rules);
  const subjectsOf = (given: string) => {
    const text = late ? given.slice(0, LATE_CHARACTERS) : given;
    const source: Source = { id: "", role: "user", by: "user", text, places: new Set(), ordinal: 0 };
    const said = readSource(source, rules).segments.filter(({ node }) => TALK.has(node));
    return said.map((segment) => toSubject(source, segment));
  };
  const asksNothing = (subject: Subject) => ASKS_NOTHING.some((name) => saysAlone(subject, name));
  return {
    changedIn,
    committedIn: new Set(commits.map(({ source }) => source)),
    // Code and pasted text ask for nothing by themselves.
    asks(text) {
      if (late?.(STAGES.calls)) return true;
      const subjects = subjectsOf(text);
      return text.length > MOST_CHARACTERS ? subjects.length > 0 : !subjects.every(asksNothing);
    },
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
