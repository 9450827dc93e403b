// Reads Gemini CLI's chats/session-*.jsonl: a head, then messages, and records that go back or put another list in their place.
// Earlier versions wrote one document with a list of messages. Nothing is ever removed from a file, so what a compaction took
// from the context is still read.
import { asFields, asList, asText, asTime, fieldsIn, isFields, type JsonFields } from "../../text/json.js";
import { type Content, createAssembly, type ReadSession, type SessionEntry, toReadSession } from "../session/reader.js";
import { spokenOf } from "../session/spoken.js";

const isHead = ({ sessionId, projectHash }: JsonFields) => typeof sessionId === "string" && typeof projectHash === "string";

export function readGemini({ parsed: { values }, name }: Content): ReadSession | undefined {
  const records = values.filter(isFields);
  const head = records.find(isHead);
  if (!head) return undefined;
  const messages = createMessages();
  for (const record of records) {
    const { $set: set, $rewindTo: back } = record;
    if (typeof back === "string") messages.cut(back);
    else if (isHead(record)) for (const one of fieldsIn(record.messages)) messages.put(one);
    else if (isFields(set)) messages.replace(fieldsIn(set.messages));
    else messages.put(record);
  }
  const assembly = createAssembly();
  let skipped = 0;
  for (const message of messages.all()) {
    const entry = toEntry(message);
    if (entry) assembly.add({ id: asText(message.id), time: asTime(message.timestamp), ...entry });
    else if (entry === undefined) skipped++;
  }
  // Nothing says whether a person typed a prompt or a script gave it.
  const about = { id: asText(head.sessionId) ?? name, format: "gemini", whole: records[0] === head };
  return toReadSession(about, assembly.messages(), [skipped, "messages without a known type are skipped"]);
}

/** Behind a summary, Gemini CLI puts this into the model's mouth. */
const ACCEPTED = "Got it. Thanks for the additional context!";

/** The messages by id, in the order in which they were said. A later record of the same id adds the results of its calls. */
function createMessages() {
  const messages: JsonFields[] = [];
  const ids: string[] = [];
  /** Nothing is deleted here: a map in which a key comes and goes thousands of times is slow. */
  const places = new Map<string, number>();
  const indexOfId = (id: unknown) => {
    const place = typeof id === "string" ? places.get(id) : undefined;
    return place !== undefined && ids[place] === id ? place : undefined;
  };
  const sameText = ({ type, content }: JsonFields) => `${asText(type)} ${textsIn(content).join("\n")}`;
  const said = new Set<string>();
  const put = (message: JsonFields): void => {
    const place = indexOfId(message.id) ?? messages.length;
    const id = asText(message.id) ?? "";
    messages[place] = message;
    ids[place] = id;
    places.set(id, place);
    said.add(sameText(message));
  };
  return {
    put,
    /** The new list repeats messages, after a compaction under new ids, and begins with its summary. */
    replace(list: readonly JsonFields[]): void {
      const texts = list.map(({ content }) => textsIn(content).join("\n"));
      for (const [index, message] of list.entries()) {
        const isKnown = indexOfId(message.id) !== undefined || said.has(sameText(message));
        if (isKnown || texts[index] === ACCEPTED) continue;
        put(texts[index + 1] === ACCEPTED ? { ...message, type: "summary" } : message);
      }
    },
    /** Removes a message and all that follow; all of them if it is not known, as Gemini CLI does. */
    cut(id: string): void {
      const place = indexOfId(id) ?? 0;
      messages.length = place;
      ids.length = place;
    },
    all: (): readonly JsonFields[] => messages,
  };
}

/** Undefined if it cannot be read; null if it says nothing to the model. */
function toEntry(message: JsonFields): Omit<SessionEntry, "id"> | null | undefined {
  const texts = textsIn(message.content);
  switch (message.type) {
    case "user": {
      // What was typed is shown; the content also has files and the texts of hooks.
      const shown = textsIn(message.displayContent);
      const spoken = spokenOf(shown.length > 0 ? shown : texts, (text) => MACHINE.test(text));
      return spoken.text === "" ? null : { role: "user", ...spoken };
    }
    case "gemini": {
      const calls = fieldsIn(message.toolCalls).map(toCall);
      const text = texts.join("\n");
      return text.trim() === "" && calls.length === 0 ? null : { role: "assistant", text, calls };
    }
    case "summary":
      return { role: "assistant", text: texts.join("\n"), summary: true };
    case "info":
    case "warning":
    case "error":
      return null;
    default:
      return undefined;
  }
}

const MACHINE = /^\s*<(hook|session)_context>[\s\S]*<\/\1_context>\s*$/;

/** The content is a text, or a list of parts. */
const textsIn = (content: unknown): readonly string[] =>
  typeof content === "string" ? [content] : fieldsIn(content).flatMap(({ text }) => asText(text) ?? []);

function toCall({ id, name, args, status, result }: JsonFields) {
  const output = asList(result)
    .map((part) => asFields(asFields(asFields(part).functionResponse).response))
    .map((response) => asText(response.output) ?? asText(response.error) ?? "")
    .join("\n");
  const failed = status === "error" || /^Exit Code: (?!0$)/m.test(output.slice(-EXIT_CHARACTERS));
  const ended = status === "cancelled" ? "cancelled" : failed ? "error" : "completed";
  return { id: asText(id), name: asText(name) ?? "", input: args, output, status: ended };
}

/** Behind the output of a command come its exit code and a few more lines. */
const EXIT_CHARACTERS = 1_000;
