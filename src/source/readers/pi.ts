// Reads pi's sessions: a header line {type: "session"}, then one entry per line. Version 1 is a list. Later versions are trees of
// id and parentId, of which only the current branch counts.
import type { Role } from "../../model.js";
import { asFields, asList, asText, asTime, fieldsIn, isFields, type JsonFields, textBlocks } from "../../text/json.js";
import { type Assembly, createAssembly, type Reader, type SessionEntry, toReadSession } from "../session/reader.js";

export const readPi: Reader = ({ parsed: { values }, name }) => {
  const [first, ...rest] = values.filter(isFields);
  if (first === undefined) return undefined;
  const header = first.type === "session" && typeof first.id === "string" ? first : undefined;
  const entries = header ? rest : [first, ...rest];
  // A session without a readable header line can still be read.
  if (!header && !entries.some(isMessage)) return undefined;
  const assembly = createAssembly();
  if (isFields(header?.compaction)) addEarlier(assembly, header.compaction);
  let skipped = 0;
  const places = new Map<JsonFields | undefined, number>();
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  // Version 1 uses line numbers, counting the header.
  const firstKept = ({ firstKeptEntryId: id, firstKeptEntryIndex: line }: JsonFields) =>
    typeof id === "string" ? known.get(id) : header && typeof line === "number" ? entries[line - 1] : undefined;
  for (const entry of activeBranch(entries)) {
    places.set(entry, assembly.length());
    const kept = entry.type === "compaction" ? places.get(firstKept(entry)) : undefined;
    if (!addEntry(assembly, entry, kept === undefined ? [] : assembly.idsFrom(kept))) skipped++;
  }
  const whole = header !== undefined;
  const head = { id: asText(header?.id) ?? name, format: "pi", folder: asText(header?.cwd), whole, typed: whole };
  return toReadSession(head, assembly.messages(), [skipped, "messages without a known role are skipped"]);
};

/** Adds what an earlier session handed over. Its messages are in another file, so its summary is the only place that tells of them. */
function addEarlier(assembly: Assembly, { lastSummary, readFiles, modifiedFiles }: JsonFields): void {
  const summary = asText(lastSummary) ?? "";
  const listed = (tag: string, paths: unknown) => {
    const names = asList(paths).filter((path) => typeof path === "string" && path !== "");
    return names.length === 0 ? [] : [`<${tag}>\n${names.join("\n")}\n</${tag}>`];
  };
  const text = [summary, ...listed("read-files", readFiles), ...listed("modified-files", modifiedFiles)].join("\n\n").trim();
  if (text === "") return;
  assembly.add({ id: "earlier-summary", role: "assistant", text, summary: true, handed: true });
}

const isMessage = ({ type, message }: JsonFields) => type === "message" && typeof asFields(message).role === "string";

/** As in pi itself, the leaf is the last entry of the file: new entries are appended there, and a step back shows only in the
 * parent of the next entry. */
function activeBranch(entries: readonly JsonFields[]): readonly JsonFields[] {
  if (!entries.some(({ parentId }) => parentId === null || typeof parentId === "string")) return entries;
  const places = new Map(entries.map(({ id }, index) => [id, index]));
  const branch: JsonFields[] = [];
  const seen = new Set<number>();
  let index = entries.length - 1;
  // Stop at a cycle.
  while (index >= 0 && !seen.has(index)) {
    const entry = entries[index] as JsonFields;
    seen.add(index);
    branch.push(entry);
    if (entry.parentId === null) break;
    // If the parent's line is broken, continue with the previous entry.
    index = (typeof entry.parentId === "string" ? places.get(entry.parentId) : undefined) ?? index - 1;
  }
  return branch.reverse();
}

/** Returns false for a message that cannot be read. */
function addEntry(assembly: Assembly, entry: JsonFields, keeps: readonly string[]): boolean {
  const message = asFields(entry.message);
  const common = { id: asText(entry.id), time: asTime(entry.timestamp) ?? asTime(message.timestamp) };
  if (entry.type === "message") return addMessage(assembly, common, message);
  const summary = { ...common, role: "assistant", text: asText(entry.summary) ?? "" } as const;
  if (entry.type === "compaction") assembly.add({ ...summary, summary: true, keeps });
  // It describes an abandoned branch, not the messages before it.
  if (entry.type === "branch_summary") assembly.add({ ...summary, meta: true });
  // Messages of an extension reach the model as user messages.
  if (entry.type === "custom_message") assembly.add({ ...common, role: "user", text: textOf(entry.content), meta: true });
  return true;
}

function addMessage(assembly: Assembly, common: Pick<SessionEntry, "id" | "time">, message: JsonFields): boolean {
  const text = textOf(message.content);
  const add = (role: Role, entry: Omit<SessionEntry, "role">): true => {
    assembly.add({ ...common, role, ...entry });
    return true;
  };
  switch (message.role) {
    case "user":
      return add("user", typedIn(text));
    case "assistant": {
      const calls = callsOf(message);
      // A reply that failed before its first word says nothing.
      return (text.trim() === "" && calls.length === 0) || add("assistant", { text, calls });
    }
    case "toolResult": {
      const answer = { output: text, status: message.isError !== true ? "completed" : isBrokenOff(text) ? "aborted" : "error" };
      const tool = asText(message.toolName);
      if (assembly.answer(asText(message.toolCallId), answer, tool)) return true;
      // The line with the call is broken, so only the answer is known.
      const call = { name: tool ?? "", input: undefined, ...answer };
      return add("tool", { text: "", calls: [call], meta: true });
    }
    // A command that the user ran: neither a tool call of the agent nor something said.
    case "bashExecution": {
      const echo = [message.command, message.output].filter((part) => typeof part === "string");
      return add("user", { text: echo.join("\n"), meta: true });
    }
    case "system":
      return add("system", { text, meta: true });
    // Version 2 uses hookMessage for custom.
    case "custom":
    case "hookMessage":
      return add("user", { text, meta: true });
    case "compactionSummary":
      return add("assistant", { text: asText(message.summary) ?? "", summary: true });
    case "branchSummary":
      return add("assistant", { text: asText(message.summary) ?? "", meta: true });
    default:
      return false;
  }
}

const ATTACHED = /^\s*<(?:file|skill) name="/;
const ATTACHED_END = /<\/(?:file|skill)>/g;

/** pi puts files and skills above the typed text. They may contain closing tags too, so the last one counts. */
function typedIn(text: string): { readonly text: string; readonly meta?: true } {
  if (!ATTACHED.test(text)) return { text };
  const last = [...text.matchAll(ATTACHED_END)].at(-1);
  const typed = last ? text.slice(last.index + last[0].length).trim() : "";
  return typed === "" ? { text, meta: true } : { text: typed };
}

/** Did the user abort the command? Its output then ends with this line. */
const isBrokenOff = (output: string) => `\n${output.trimEnd()}`.endsWith("\nCommand aborted");

function callsOf({ content, stopReason }: JsonFields) {
  // The calls of an aborted or failed reply were never run.
  const broken = stopReason === "aborted" || stopReason === "error";
  return fieldsIn(content).flatMap(({ type, id, name, arguments: input }) => {
    const call = { id: asText(id), name: asText(name) ?? "", input, output: "", ...(broken && { status: "cancelled" }) };
    return type === "toolCall" ? [call] : [];
  });
}

/** The text without thinking and images. */
const textOf = (content: unknown): string => textBlocks(content).join("\n");
