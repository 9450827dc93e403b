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
  const sets = new Map<string, ReadonlySet<Place>>();
  const setOf = (...places: readonly (Place | false)[]): ReadonlySet<Place> => {
    const key = places.join();
    const set = sets.get(key) ?? new Set(places.filter((place) => place !== false));
    sets.set(key, set);
    return set;
  };
  const push = (source: Omit<Source, "ordinal">) => {
    const { id, role, by, text, places, ...rest } = source;
    // What is the same for all comes first: V8 then has one layout for them instead of one for each.
    sources.push({ id, role, by, text, places, ordinal: sources.length, ...rest });
  };

  for (const { path, text, name } of files)
    push({ id: path, role: "file", by: "file", text, places: setOf(), ...(name !== undefined && { file: name }) });

  for (const [index, message] of said.entries()) {
    const before = said[index - 1];
    const places = setOf(
      message === first && "first-request",
      message === last && "last-request",
      message === end && "session-end",
      message.toolCalls.length > 0 && "before-tool",
      message.role === "assistant" && said[index + 1]?.role !== "assistant" && "turn-end",
      message.role === "user" && before?.role === "assistant" && isQuestion(before.text.trimEnd()) && "asked",
    );
    if (message.text.trim() !== "" && message.role !== "tool") {
      push({
        id: message.id,
        role: message.role,
        by: message.role === "user" ? "user" : "assistant",
        text: message.text,
        places,
      });
    }
    for (const [tool, call] of message.toolCalls.entries()) {
      if (!isAnswer(call.name) || call.output.trim() === "") continue;
      push({ id: message.id, role: "user", by: "user", text: call.output, tool, places: setOf("answer") });
    }
  }
  return sources;
}

/** Neither put into the user's mouth by a machine, nor the host's own summary. */
function isSaid(message: Message): boolean {
  return message.meta !== true && message.summary !== true;
}
