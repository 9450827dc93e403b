// A session and the project's files as sources of prose, each with its place in the session.
import type { Message, Place, ProjectFile, Session, Source } from "../model.js";
import { isQuestion } from "./visible.js";

/** What a tool's output is: the user's own words where the tool asked for them, otherwise no prose at all. */
export type IsAnswer = (toolName: string) => boolean;

export function toSources(session: Session, files: readonly ProjectFile[], isAnswer: IsAnswer): readonly Source[] {
  const said = session.messages.filter(isSaid);
  const requests = said.filter(({ role }) => role === "user");
  const first = requests[0];
  const last = requests.at(-1);
  const end = said.at(-1);
  const sources: Source[] = [];
  // There are few combinations, and many messages.
  const sets = new Map<number, ReadonlySet<Place>>();
  const setOf = (bits: number): ReadonlySet<Place> => {
    const set = sets.get(bits) ?? new Set(PLACES.filter((_, place) => bits & (1 << place)));
    sets.set(bits, set);
    return set;
  };

  for (const { path, text, name } of files) {
    const source: Source = { id: path, role: "file", by: "file", text, places: setOf(0), ordinal: sources.length };
    sources.push(name === undefined ? source : { ...source, file: name });
  }

  for (const [index, message] of said.entries()) {
    const { id, role, text, toolCalls } = message;
    const before = said[index - 1];
    if (text.trim() !== "" && role !== "tool") {
      const places = setOf(
        bit("first-request", message === first) |
          bit("last-request", message === last) |
          bit("session-end", message === end) |
          bit("before-tool", toolCalls.length > 0) |
          bit("turn-end", role === "assistant" && said[index + 1]?.role !== "assistant") |
          bit("asked", role === "user" && before?.role === "assistant" && isQuestion(before.text.trimEnd())),
      );
      sources.push({ id, role, by: role === "user" ? "user" : "assistant", text, places, ordinal: sources.length });
    }
    for (const [tool, { name, output }] of toolCalls.entries()) {
      if (!isAnswer(name) || output.trim() === "") continue;
      const places = setOf(bit("answer", true));
      sources.push({ id, role: "user", by: "user", text: output, places, ordinal: sources.length, tool });
    }
  }
  return sources;
}

const PLACES: readonly Place[] = ["first-request", "last-request", "session-end", "before-tool", "turn-end", "asked", "answer"];
const BITS: ReadonlyMap<Place, number> = new Map(PLACES.map((place, index) => [place, 1 << index]));
const bit = (place: Place, holds: boolean) => (holds ? (BITS.get(place) as number) : 0);

/** Neither put into the user's mouth by a machine, nor the host's own summary. */
function isSaid(message: Message): boolean {
  return message.meta !== true && message.summary !== true;
}
