// Reads Copilot CLI's session-state/ID/events.jsonl: one event per line, {type, data, id, timestamp, agentId?}.

import { asFields, asList, asText, asTime, fieldsIn, isFields, type JsonFields } from "../../text/json.js";
import { type Light, mapFields } from "../session/lighten.js";
import { type Assembly, createAssembly, type Reader, type SessionEntry, toReadSession } from "../session/reader.js";

const MARKS: readonly unknown[] = ["session.start", "user.message", "assistant.message"];

export const readCopilot: Reader = ({ parsed: { values }, name }) => {
  const events = values.filter(isFields);
  if (!events.some(({ type, data }) => MARKS.includes(type) && isFields(data))) return undefined;
  const assembly = createAssembly();
  const places = new Map<string, number>();
  let session: string | undefined;
  let folder: string | undefined;
  let skipped = 0;
  for (const event of events) {
    const id = asText(event.id);
    // A resumed session may repeat earlier events.
    if (id !== undefined && places.has(id)) continue;
    if (id !== undefined) places.set(id, assembly.length());
    const data = asFields(event.data);
    if (event.type === "session.start") {
      session ??= asText(data.sessionId);
      folder ??= asText(asFields(data.context).cwd);
    }
    // The user went back: remove that event and everything after it.
    else if (event.type === "session.snapshot_rewind")
      assembly.cut(places.get(asText(data.upToEventId) ?? "") ?? assembly.length());
    else if (!addEvent(assembly, event, data)) skipped++;
  }
  // Nothing says whether a person typed a prompt or a script gave it.
  const head = { id: session ?? name, format: "copilot", folder };
  return toReadSession(head, assembly.messages(), [skipped, "messages without content are skipped"]);
};

export function lightenCopilot(record: JsonFields, { called, input, answer, short }: Light): JsonFields | undefined {
  const { type, data } = record;
  if (typeof type !== "string" || !isFields(data)) return undefined;
  for (const request of fieldsIn(data.toolRequests)) called(request.toolCallId, request.name);
  called(data.toolCallId, data.toolName);
  const tool = asText(data.toolName);
  const request = (one: unknown) => (isFields(one) ? { ...one, arguments: input(one.name, one.arguments) } : one);
  const light = mapFields(data, (value, key) => {
    if (key === "content" || key === "summary" || key === "summaryContent") return value;
    if (key === "arguments") return input(tool, value);
    if (key === "error") return answer(data.toolCallId, value, tool);
    if (key === "result") return type === "tool.execution_complete" ? answer(data.toolCallId, value, tool) : value;
    return key === "toolRequests" && Array.isArray(value) ? value.map(request) : short(value);
  });
  return { ...record, data: light };
}

/** Returns false for a message that cannot be read. */
function addEvent(assembly: Assembly, event: JsonFields, data: JsonFields): boolean {
  // A sub-agent's words do not go to the user, but its tool calls are real work.
  const below = typeof event.agentId === "string" || typeof data.parentToolCallId === "string";
  const common = { id: asText(event.id), time: asTime(event.timestamp), meta: below };
  const add = (entry: SessionEntry) => {
    assembly.add({ ...common, ...entry });
    return true;
  };
  // Not `transformedContent`, which adds the machine's text.
  const text = asText(data.content);
  const call = asText(data.toolCallId);
  switch (event.type) {
    case "user.message":
      return text !== undefined && add({ role: "user", text, meta: below || !isTyped(data) });
    case "assistant.message": {
      const calls = fieldsIn(data.toolRequests).map((request) => toCall(request, request.name));
      if (text === undefined && calls.length === 0) return false;
      return (text ?? "").trim() === "" && calls.length === 0 ? true : add({ role: "assistant", text: text ?? "", calls });
    }
    case "system.message":
      return text !== undefined && add({ role: "system", text, meta: true });
    case "system.notification":
    case "skill.invoked":
      return text !== undefined && add({ role: "user", text, meta: true });
    // A command that the user ran; the start of its execution follows with the same id.
    case "tool.user_requested":
      return assembly.knows(call) || add({ role: "user", text: "", calls: [toCall(data, data.toolName)], meta: true });
    case "tool.execution_start":
      return assembly.knows(call) || add({ role: "assistant", text: "", calls: [toCall(data, data.toolName)] });
    case "tool.execution_complete": {
      const answer = toAnswer(data);
      // The line with the call is broken, so only the answer is known.
      const lone = { ...toCall(data, data.toolName), ...answer };
      return assembly.answer(call, answer, asText(data.toolName)) || add({ role: "tool", text: "", calls: [lone], meta: true });
    }
    case "session.compaction_complete":
      return addSummary(data.success === false ? undefined : data.summaryContent);
    case "session.handoff":
      return addSummary(data.summary);
    default:
      return true;
  }

  function addSummary(summary: unknown): true {
    if (typeof summary === "string" && summary.trim() !== "") add({ role: "assistant", text: summary, summary: true });
    return true;
  }
}

/** Messages that the machine sends in the user's name have a source: skills, other agents, schedules, autopilot. */
const isTyped = ({ source, isAutopilotContinuation }: JsonFields) =>
  (asText(source) ?? "user") === "user" && isAutopilotContinuation !== true;

function toCall(fields: JsonFields, name: unknown) {
  return { id: asText(fields.toolCallId), name: asText(name) ?? "", input: fields.arguments, output: "" };
}

function toAnswer({ success, result, error, shellExecution: shell }: JsonFields) {
  const { content, detailedContent, contents }: JsonFields = isFields(result) ? result : { content: result };
  const output = asText(content) ?? asText(detailedContent) ?? asText(isFields(error) ? error.message : error) ?? "";
  const failed = success === false || exitOf(output, [shell, ...asList(contents)]) !== 0;
  return { output, status: failed ? "error" : "completed" };
}

/** Copilot reports a failed command as a success; its exit code is in a field, a block or at the end of the text. */
function exitOf(output: string, blocks: readonly unknown[]): number {
  for (const block of blocks) if (isFields(block) && typeof block.exitCode === "number") return block.exitCode;
  return Number(/<(?:exited|shellId: \d{1,9} completed) with exit code (-?\d{1,10})>\s{0,9}$/.exec(output.slice(-80))?.[1] ?? 0);
}
