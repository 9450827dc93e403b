// Turns a session and the project's files into sources of prose, each with its place in the session.
import type { Message, Place, ProjectFile, Session, Source, ToolCall } from "../../model.js";
import { isQuestion } from "../markdown/visible.js";
import { interruptedIn, withoutHost } from "./spoken.js";

/** What is said in a tool's output: only tools that ask the user contain anything. Each text is as long as the output. */
export type ToldBy = (call: ToolCall) => readonly { readonly by: "user" | "assistant"; readonly text: string }[];

export interface Requests {
  /** Does the message ask for something, or does it only greet or agree? */
  readonly asks: (text: string) => boolean;
  readonly inquires: (text: string) => boolean;
  /** The messages with calls that changed a file, and those that committed. */
  readonly changedIn: ReadonlySet<string>;
  readonly committedIn: ReadonlySet<string>;
}

export function toSources(
  session: Session,
  files: readonly ProjectFile[],
  toldBy: ToldBy,
  { asks, inquires, changedIn, committedIn }: Requests,
): readonly Source[] {
  const said = session.messages.filter(isSaid).flatMap(spokenIn);
  const requests = said.filter(({ role }) => role === "user");
  const first = requests.find(({ text }) => asks(text)) ?? requests[0];
  const last = requests.at(-1);
  const change = said.findIndex(({ id }) => changedIn.has(id));
  const commit = said.findLastIndex(({ id }) => committedIn.has(id));
  const carriedOut = carriedOutIn(said, changedIn);
  const interrupted = interruptedIn(session.messages);
  const asked = said.findLast(({ role, text }, index) => index < change && role === "user" && asks(text));
  const work = first && asked !== first && inquires(first.text) ? asked : undefined;
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
      for (const [turn, { by, text: told }] of toldBy(call).entries())
        sources.push({ id, role: by, by, text: told, places, ordinal: sources.length, tool, turn });
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

/** Not inserted by a machine, and not the host's own summary. */
export const isSaid = ({ meta, summary }: Message) => meta !== true && summary !== true;

// Short names of messages, which a brief shows and a command takes: `m12` is the twelfth message.

const NAME = /^m(\d+)$/;

/** Id → name. If an id looks like a name, ids are the names. */
export function messageNames({ messages }: Session): ReadonlyMap<string, string> {
  const isTaken = messages.some(({ id }) => NAME.test(id));
  return new Map([...messages.entries()].reverse().map(([index, { id }]) => [id, isTaken ? id : `m${index + 1}`]));
}

export function messageNamed(name: string, { messages }: Session): string {
  const isId = messages.some(({ id }) => id === name || NAME.test(id));
  return (isId ? undefined : messages[Number(NAME.exec(name)?.[1]) - 1]?.id) ?? name;
}
