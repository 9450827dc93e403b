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
  const push = (source: Omit<Source, "ordinal">) => sources.push({ ...source, ordinal: sources.length });

  for (const { path, text, name } of files)
    push({ id: path, role: "file", by: "file", text, places: new Set(), ...(name !== undefined && { file: name }) });

  for (const [index, message] of said.entries()) {
    const places = new Set<Place>();
    if (message === first) places.add("first-request");
    if (message === last) places.add("last-request");
    if (message === end) places.add("session-end");
    if (message.toolCalls.length > 0) places.add("before-tool");
    if (message.role === "assistant" && said[index + 1]?.role !== "assistant") places.add("turn-end");
    const before = said[index - 1];
    if (message.role === "user" && before?.role === "assistant" && isQuestion(before.text.trimEnd())) places.add("asked");
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
      push({ id: message.id, role: "user", by: "user", text: call.output, tool, places: new Set<Place>(["answer"]) });
    }
  }
  return sources;
}

/** Neither put into the user's mouth by a machine, nor the host's own summary. */
function isSaid(message: Message): boolean {
  return message.meta !== true && message.summary !== true;
}
