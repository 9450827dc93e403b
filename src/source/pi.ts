// pi: a header line {type: "session"}, then one entry a line. Version 1 is a list; later versions are trees of
// id and parentId, of which only the branch that is in use counts.

import { type Assembly, type Call, createAssembly, type Entry } from "./assembly.js";
import { skippedMessages } from "./notices.js";
import { asList, asText, asTime, type Fields, isFields } from "./parsed.js";
import type { Content, ReadSession } from "./session.js";

export function readPi({ parsed: { values }, name }: Content): ReadSession | undefined {
  const [first, ...rest] = values.filter(isFields);
  if (first === undefined) return undefined;
  const header = first.type === "session" && typeof first.id === "string" ? first : undefined;
  const entries = header ? rest : [first, ...rest];
  // A header whose line is broken does not cost the session.
  if (!header && !entries.some(isMessage)) return undefined;
  const assembly = createAssembly();
  let skipped = 0;
  const places = new Map<Fields | undefined, number>();
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  // Version 1 counts the lines, the header among them.
  const firstKept = ({ firstKeptEntryId: id, firstKeptEntryIndex: line }: Fields) =>
    typeof id === "string" ? known.get(id) : header && typeof line === "number" ? entries[line - 1] : undefined;
  for (const entry of activeBranch(entries)) {
    places.set(entry, assembly.length());
    const kept = entry.type === "compaction" ? places.get(firstKept(entry)) : undefined;
    if (!addEntry(assembly, entry, kept === undefined ? [] : assembly.idsFrom(kept))) skipped++;
  }
  const messages = assembly.messages();
  const notices = skippedMessages(skipped, "messages without a known role are skipped");
  const folder = asText(header?.cwd);
  const whole = header !== undefined;
  const session = {
    id: asText(header?.id) ?? name,
    format: "pi",
    ...(folder && { folder }),
    messages,
    ...(whole && { whole, typed: true }),
  };
  return { session, notices };
}

const isMessage = (entry: Fields) =>
  entry.type === "message" && isFields(entry.message) && typeof entry.message.role === "string";

/**
 * The leaf is the last entry of the file, as for pi itself: whatever the user goes on with is appended there, and going
 * back to an earlier entry shows only in the parent of what comes next.
 */
function activeBranch(entries: readonly Fields[]): readonly Fields[] {
  if (!entries.some(({ parentId }) => parentId === null || typeof parentId === "string")) return entries;
  const places = new Map(entries.map(({ id }, index) => [id, index]));
  const branch: Fields[] = [];
  const seen = new Set<number>();
  let index = entries.length - 1;
  // A cycle ends where it comes back to itself.
  while (index >= 0 && !seen.has(index)) {
    const entry = entries[index] as Fields;
    seen.add(index);
    branch.push(entry);
    if (entry.parentId === null) break;
    // A parent whose line is broken is stepped over to the entry before it.
    index = (typeof entry.parentId === "string" ? places.get(entry.parentId) : undefined) ?? index - 1;
  }
  return branch.reverse();
}

/** False when it should be a message and cannot be read as one. */
function addEntry(assembly: Assembly, entry: Fields, keeps: readonly string[]): boolean {
  const message = isFields(entry.message) ? entry.message : {};
  const common = { id: asText(entry.id), time: asTime(entry.timestamp) ?? asTime(message.timestamp) };
  if (entry.type === "message") return addMessage(assembly, common, message);
  const summary = { ...common, role: "assistant", text: asText(entry.summary) ?? "" } as const;
  if (entry.type === "compaction") assembly.add({ ...summary, summary: true, keeps });
  // It tells of a branch that was left, and not of what stands before it.
  if (entry.type === "branch_summary") assembly.add({ ...summary, meta: true });
  // What an extension says reaches the model as if the user had said it.
  if (entry.type === "custom_message") assembly.add({ ...common, role: "user", text: textOf(entry.content), meta: true });
  return true;
}

function addMessage(assembly: Assembly, common: Pick<Entry, "id" | "time">, message: Fields): boolean {
  const text = textOf(message.content);
  switch (message.role) {
    case "user":
      assembly.add({ ...common, role: "user", ...typedIn(text) });
      return true;
    case "assistant": {
      const calls = callsOf(message);
      // A reply that failed before its first word says nothing.
      if (text.trim() !== "" || calls.length > 0) assembly.add({ ...common, role: "assistant", text, calls });
      return true;
    }
    case "toolResult": {
      const answer = { output: text, status: message.isError !== true ? "completed" : isBrokenOff(text) ? "aborted" : "error" };
      if (assembly.answer(asText(message.toolCallId), answer)) return true;
      // The line of the call is broken: the answer alone tells of it.
      const call = { name: asText(message.toolName) ?? "", input: undefined, ...answer };
      assembly.add({ ...common, role: "tool", text: "", calls: [call], meta: true });
      return true;
    }
    // The echo of a command that the user ran: no tool call of the agent, and nothing said.
    case "bashExecution": {
      const echo = [message.command, message.output].filter((part) => typeof part === "string");
      assembly.add({ ...common, role: "user", text: echo.join("\n"), meta: true });
      return true;
    }
    case "system":
      assembly.add({ ...common, role: "system", text, meta: true });
      return true;
    // Version 2 says hookMessage for custom.
    case "custom":
    case "hookMessage":
      assembly.add({ ...common, role: "user", text, meta: true });
      return true;
    case "compactionSummary":
      assembly.add({ ...common, role: "assistant", text: asText(message.summary) ?? "", summary: true });
      return true;
    case "branchSummary":
      assembly.add({ ...common, role: "assistant", text: asText(message.summary) ?? "", meta: true });
      return true;
    default:
      return false;
  }
}

const ATTACHED = /^\s*<(?:file|skill) name="/;
const ATTACHED_END = /<\/(?:file|skill)>/g;

/** pi puts files and skills above what the user typed. They may hold closing tags themselves, so the last one counts. */
function typedIn(text: string): { readonly text: string; readonly meta?: true } {
  if (!ATTACHED.test(text)) return { text };
  const last = [...text.matchAll(ATTACHED_END)].at(-1);
  const typed = last ? text.slice(last.index + last[0].length).trim() : "";
  return typed === "" ? { text, meta: true } : { text: typed };
}

/** Behind what the command had printed until the user broke it off. */
const isBrokenOff = (output: string) => `\n${output.trimEnd()}`.endsWith("\nCommand aborted");

function callsOf({ content, stopReason }: Fields): readonly Call[] {
  // The calls of a reply that broke off are never run.
  const broken = stopReason === "aborted" || stopReason === "error";
  const blocks = asList(content).filter(isFields);
  return blocks.filter(({ type }) => type === "toolCall").map((block) => toCall(block, broken));
}

function toCall(block: Fields, broken: boolean): Call {
  return {
    id: asText(block.id),
    name: asText(block.name) ?? "",
    input: block.arguments,
    output: "",
    ...(broken && { status: "cancelled" }),
  };
}

/** The text of a content, which is text or blocks; thinking and images are left out. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = asList(content).filter(isFields);
  return blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : [])).join("\n");
}
