// Turns a session and the project's files into sources of prose, each with its place in the session: which message asks first, last
// or for work, and what came of it.
import { LATE_CHARACTERS } from "../limits.js";
import type { Message, Place, ProjectFile, Session, Source } from "../model.js";
import type { AskedSignal } from "../rules/condition.js";
import type { RuleSet } from "../rules/rule-set.js";
import { isQuestion } from "../source/markdown/visible.js";
import { isSpokenMessage } from "../source/session/messages.js";
import { interruptedIn, withoutHost } from "../source/session/spoken.js";
import { type Late, STAGES } from "../steps.js";
import { toldIn } from "./calls/answers.js";
import type { ToolFacts } from "./calls/read-tools.js";
import { type Subject, toSubject } from "./segments/subject.js";
import { readSource } from "./segments/texts.js";
import { TALK } from "./signals/condition.js";
import { localFor } from "./signals/local.js";

/** With a deadline, only the beginning of a long message is examined for what it asks, and none when time is up. */
export function toSources(
  session: Session,
  files: readonly ProjectFile[],
  { changedIn, commits = [] }: Pick<ToolFacts, "changedIn" | "commits">,
  rules: RuleSet,
  late?: Late,
): readonly Source[] {
  const committedIn = new Set(commits.map(({ source }) => source));
  const said = session.messages.filter(isSpokenMessage).flatMap(spokenIn);
  const requests = said.filter(({ role }) => role === "user");
  const first = requests.find(({ text }) => asks(text, rules, late)) ?? requests[0];
  const last = requests.at(-1);
  const change = said.findIndex(({ id }) => changedIn.has(id));
  const commit = said.findLastIndex(({ id }) => committedIn.has(id));
  const carriedOut = carriedOutIn(said, changedIn);
  const interrupted = interruptedIn(session.messages);
  const asked = said.findLast(({ role, text }, index) => index < change && role === "user" && asks(text, rules, late));
  const work = first && asked !== first && inquires(first.text, rules, late) ? asked : undefined;
  const end = said.at(-1);
  const answer = said.findLast(({ role, text }) => role === "assistant" && text.trim() !== "");
  const sources: Source[] = [];
  // Share the sets: there are few combinations and many messages.
  const sets = new Map<string, ReadonlySet<Place>>();
  const setOf = (...given: readonly (Place | false)[]): ReadonlySet<Place> => {
    const places = given.filter((place) => place !== false);
    const set = sets.get(places.join()) ?? new Set(places);
    sets.set(places.join(), set);
    return set;
  };

  for (const { path, text, name } of files) {
    const source: Source = { id: path, role: "file", by: "file", text, places: setOf(), ordinal: sources.length };
    sources.push(name === undefined ? source : { ...source, file: name });
  }

  for (const [index, message] of said.entries()) {
    const { id, role, text, toolCalls } = message;
    const before = said[index - 1];
    if (text.trim() !== "" && role !== "tool") {
      const places = setOf(
        message === first && "first-request",
        message === last && "last-request",
        message === work && "work-request",
        message !== first && carriedOut.has(message) && "carried-out",
        (change < 0 || index <= change) && "before-change",
        index < commit && "before-commit",
        message === end && "session-end",
        toolCalls.length > 0 && !endsTurn(message, said[index + 1]) && "before-tool",
        role === "assistant" && said[index + 1]?.role !== "assistant" && "turn-end",
        message === answer && "last-answer",
        role === "user" && before?.role === "assistant" && isQuestion(before.text.trimEnd()) && "asked",
        interrupted.has(id) && "interrupted",
      );
      sources.push({ id, role, by: role === "user" ? "user" : "assistant", text, places, ordinal: sources.length });
    }
    for (const [tool, call] of toolCalls.entries()) {
      const places = setOf("answer");
      for (const [turn, { by, text: answerText }] of toldIn(call, rules, session.format).entries())
        sources.push({ id, role: by, by, text: answerText, places, ordinal: sources.length, tool, turn });
    }
  }
  return sources;
}

/** Before the user speaks again, words with calls that were carried out are an answer, not a step on the way to one. */
const endsTurn = ({ toolCalls }: Message, next: Message | undefined) =>
  next?.role === "user" && toolCalls.every(({ status }) => status === "completed");

/** The user's messages from which a change of files followed. Of several in a row, it followed from each. */
function carriedOutIn(said: readonly Message[], changedIn: ReadonlySet<string>): ReadonlySet<Message> {
  const carriedOut = new Set<Message>();
  let follows = false;
  for (const [index, message] of [...said.entries()].reverse()) {
    if (message.role !== "user") follows = changedIn.has(message.id) || (follows && said[index + 1]?.role !== "user");
    else if (follows) carriedOut.add(message);
  }
  return carriedOut;
}

/** Removes what a host added to the user's text; leaves the message out if nothing else is in it. */
function spokenIn(message: Message): readonly Message[] {
  if (message.role !== "user") return [message];
  const text = withoutHost(message.text);
  if (text === message.text) return [message];
  return text.trim() === "" && message.toolCalls.length === 0 ? [] : [{ ...message, text }];
}

// What a message of the user's is for: does it ask for something, and is that work, or only knowledge?

const REQUESTS: AskedSignal = "requests";
const INQUIRES: AskedSignal = "inquires";

/** Words that ask for nothing. */
const ASKS_NOTHING: readonly AskedSignal[] = ["greets", "only-answers", "only-thanks"];

/** A longer message of the user asks for something. */
const MOST_CHARACTERS = 200;

/** Does the message ask for something, or does it only greet or agree? Code and pasted text ask for nothing by themselves. */
function asks(text: string, rules: RuleSet, late: Late | undefined): boolean {
  if (late?.(STAGES.calls)) return true;
  const subjects = talkIn(text, rules, late);
  if (text.length > MOST_CHARACTERS) return subjects.length > 0;
  const { saysAlone } = localFor(rules);
  return !subjects.every((subject) => ASKS_NOTHING.some((name) => saysAlone(subject, name)));
}

function inquires(text: string, rules: RuleSet, late: Late | undefined): boolean {
  const { saysAlone } = localFor(rules);
  const said = talkIn(text, rules, late).map((subject) => ({
    inquires: saysAlone(subject, INQUIRES),
    requests: saysAlone(subject, REQUESTS),
    asks: subject.segment.question,
  }));
  return said.some((one) => one.asks || one.inquires) && said.every((one) => one.inquires || !one.requests);
}

function talkIn(given: string, rules: RuleSet, late: Late | undefined): readonly Subject[] {
  const text = late ? given.slice(0, LATE_CHARACTERS) : given;
  const source: Source = { id: "", role: "user", by: "user", text, places: new Set(), ordinal: 0 };
  const said = readSource(source, rules).segments.filter(({ node }) => TALK.has(node));
  return said.map((segment) => toSubject(source, segment));
}
