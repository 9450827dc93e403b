// Claude Code's session files (~/.claude/projects/…/ID.jsonl): one record a line, only ever appended to.
import type { Message, ToolCall } from "../model.js";
import { skippedMessages } from "./notices.js";
import { asList, asText, asTime, type Fields, isFields } from "./parsed.js";
import { withPlanApart } from "./plans.js";
import { preservedBy } from "./preserved.js";
import { parentOf, withoutRewound } from "./rewinds.js";
import type { Content, ReadSession } from "./session.js";
import { CONTINUED, spokenOf, without } from "./spoken.js";

const MACHINE =
  /^\s*(?:<(?:system-reminder|command-|local-command-|bash-(?:input|stdout|stderr)|task-notification|teammate-message|ide_|[a-z-]+-hook\b)|Caveat: The messages below|\[Request interrupted by user|Operation stopped by hook|[A-Z]\w+ hook feedback:)/;

/** A message on the way: an assistant's comes in several records, one for each block. */
interface Draft {
  readonly head: Omit<Message, "text" | "toolCalls">;
  readonly texts: string[];
  readonly calls: ToolCall[];
}

export function readClaudeCode({ parsed: { values }, name }: Content): ReadSession | undefined {
  const records = values.filter(isFields);
  if (!records.some(isMarked)) return undefined;
  const main = records.filter(({ isSidechain }) => isSidechain !== true);
  // A sub-agent's file has nothing else, and names the session that it works for: it is another one.
  const isAgents = !main.some(isTurn) && records.some(isTurn);
  const own = withoutCopies(isAgents ? records : main);
  const branch = withoutRewound(own);
  const turns = branch.map(asTurn).filter(isTurn).flatMap(withPlanApart);
  const readable = turns.filter(({ message }) => isFields(message) && isContent(message.content));
  const messages = toMessages(readable, preservedBy(branch));
  const skipped = turns.length - readable.length;
  const notices = skippedMessages(skipped, "records without a message are skipped");
  // A resumed session begins with records of the one before it.
  const id = (isAgents ? undefined : records.map(sessionOf).findLast((session) => session !== undefined)) ?? name;
  const folder = records.map(({ cwd }) => asText(cwd)).find((cwd) => cwd !== undefined);
  const whole = isBeginning(records);
  const typed = !isAgents && !records.some(isGiven);
  const session = {
    id,
    format: "claude-code",
    ...(folder && { folder }),
    messages,
    ...(whole && { whole }),
    ...(typed && { typed }),
  };
  return { session, notices };
}

const TERMINALS: readonly unknown[] = [undefined, "cli", "claude-vscode", "claude-desktop"];
const TYPED: readonly unknown[] = [undefined, "typed", "queued", "system"];

/** A run elsewhere than where a person types may be given its prompt by anyone, and a subagent is given it by a model. */
const isGiven = ({ promptSource, entrypoint, agentId, isSidechain }: Fields): boolean =>
  !TERMINALS.includes(entrypoint) || !TYPED.includes(promptSource) || (typeof agentId === "string" && isSidechain !== true);

/** The first record of a conversation names none before it. */
function isBeginning(records: readonly Fields[]): boolean {
  const first = records.find(({ uuid }) => typeof uuid === "string");
  return first !== undefined && parentOf(first) === undefined;
}

const sessionOf = (record: Fields): string | undefined => asText(record.sessionId) ?? asText(record.session_id);
const isTurn = ({ type }: Fields): boolean => type === "user" || type === "assistant";
const isContent = (content: unknown): boolean => typeof content === "string" || Array.isArray(content);

function isMarked(record: Fields): boolean {
  if (isTurn(record) && isFields(record.message)) return sessionOf(record) !== undefined || typeof record.uuid === "string";
  return typeof record.type === "string" && typeof record.sessionId === "string";
}

/** What the user types while the model works is kept as an attachment, and nowhere else. */
function asTurn(record: Fields): Fields {
  const { attachment } = record;
  if (record.type !== "attachment" || !isFields(attachment) || attachment.type !== "queued_command") return record;
  if (!isContent(attachment.prompt)) return record;
  const { commandMode = "prompt", humanTurn, forwardedIntent } = attachment;
  const isMade = attachment.isMeta === true || humanTurn === false || forwardedIntent !== undefined;
  const isMeta = record.isMeta === true || isMade || commandMode !== "prompt";
  return { ...record, type: "user", message: { content: attachment.prompt }, origin: attachment.origin, isMeta };
}

function withoutCopies(records: readonly Fields[]): readonly Fields[] {
  const seen = new Set<string>();
  return records.filter(({ uuid }) => {
    if (typeof uuid !== "string") return true;
    const isNew = !seen.has(uuid);
    seen.add(uuid);
    return isNew;
  });
}

function toMessages(turns: readonly Fields[], preserved: ReadonlyMap<string, readonly string[]>): readonly Message[] {
  const results = resultsOf(turns);
  const called = new Set<string>();
  const groups = new Map<string, Draft>();
  const drafts: Draft[] = [];
  const owners = new Map<unknown, Draft>();
  for (const [index, record] of turns.entries()) {
    const message = record.message as Fields;
    if (record.type === "user") {
      const draft = userDraft(record, index);
      if (!draft) continue;
      const kept = draft.head.summary ? (preserved.get(draft.head.id) ?? []) : [];
      const keeps = new Set(kept.flatMap((uuid) => owners.get(uuid)?.head.id ?? []));
      drafts.push(keeps.size > 0 ? { ...draft, head: { ...draft.head, keeps: [...keeps] } } : draft);
      owners.set(record.uuid, draft);
      continue;
    }
    const group = asText(message.id);
    const known = group === undefined ? undefined : groups.get(group);
    const draft = known ?? { head: headOf(record, index, isSynthetic(record)), texts: [], calls: [] };
    if (!known) drafts.push(draft);
    owners.set(record.uuid, draft);
    if (group !== undefined) groups.set(group, draft);
    for (const text of textsOf(message.content)) draft.texts.push(text);
    for (const block of asList(message.content).filter(isFields)) {
      const id = asText(block.id);
      if (block.type !== "tool_use" || (id !== undefined && called.has(id))) continue;
      if (id !== undefined) called.add(id);
      draft.calls.push({ name: asText(block.name) ?? "", input: block.input, output: "", ...results.get(id ?? "") });
    }
  }
  return (
    drafts
      .filter(({ texts, calls }) => texts.length > 0 || calls.length > 0)
      // What is the same for all comes first: V8 then has one layout for them instead of one for each.
      .map(({ head: { id, role, ...rest }, texts, calls }) => ({ id, role, text: texts.join("\n"), toolCalls: calls, ...rest }))
  );
}

function userDraft(record: Fields, index: number): Draft | undefined {
  const raw = textsOf((record.message as Fields).content);
  if (raw.join("").trim() === "") return undefined;
  if (record.isCompactSummary === true || raw.some((text) => text.trimStart().startsWith(CONTINUED)))
    return { head: { ...headOf(record, index, false), summary: true }, texts: raw, calls: [] };
  const bare = raw.map((text) => without(text, "<system-reminder>", "</system-reminder>"));
  const spoken = spokenOf(bare, (text) => MACHINE.test(text));
  const meta =
    spoken.meta ||
    record.isMeta === true ||
    record.promptSource === "system" ||
    record.isVisibleInTranscriptOnly === true ||
    !isHuman(record);
  return { head: headOf(record, index, meta), texts: meta ? raw.slice() : [spoken.text], calls: [] };
}

function headOf(record: Fields, index: number, meta: boolean): Draft["head"] {
  const time = asTime(record.timestamp);
  return {
    id: asText(record.uuid) ?? String(index + 1),
    role: record.type === "user" ? "user" : "assistant",
    ...(time !== undefined && { time }),
    ...(meta && { meta: true }),
  };
}

/** Notices of failed requests stand in the assistant's place. */
function isSynthetic(record: Fields): boolean {
  return record.isApiErrorMessage === true || (isFields(record.message) && record.message.model === "<synthetic>");
}

/** A sub-agent is told what to do by a model. Old files do not say where a text is from. */
function isHuman({ origin, isSidechain }: Fields): boolean {
  if (isSidechain === true) return false;
  return !isFields(origin) || typeof origin.kind !== "string" || origin.kind === "human";
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return asList(content).flatMap((block) =>
    isFields(block) && block.type === "text" && typeof block.text === "string" ? [block.text] : [],
  );
}

/** How the command ends is not known yet. */
const IN_BACKGROUND = /^Command (?:running in background|was manually backgrounded by user) with ID: /;

function resultsOf(turns: readonly Fields[]): ReadonlyMap<string, Pick<ToolCall, "output" | "status">> {
  const results = new Map<string, Pick<ToolCall, "output" | "status">>();
  for (const { message, toolDenialKind, toolUseResult } of turns) {
    // What a call printed may look like a refusal; these the host writes beside it.
    const isRejected = toolDenialKind === "user-rejected" || toolUseResult === "User rejected tool use";
    for (const block of asList((message as Fields).content).filter(isFields)) {
      if (block.type !== "tool_result" || typeof block.tool_use_id !== "string" || results.has(block.tool_use_id)) continue;
      const output = textsOf(block.content).join("\n");
      const status = isRejected ? "rejected" : block.is_error === true ? "error" : "completed";
      results.set(block.tool_use_id, IN_BACKGROUND.test(output) ? { output } : { output, status });
    }
  }
  return results;
}
