// Reads Claude Code's session files (~/.claude/projects/…/ID.jsonl): one record per line, append-only.
import type { Message, ToolCall } from "../../model.js";
import { asFields, asList, asText, asTime, fieldsIn, isFields, type JsonFields, textBlocks } from "../../text/json.js";
import { createPairing } from "../session/pairing.js";
import { type Content, type MessageFields, type ReadSession, toMessage, toReadSession } from "../session/reader.js";
import { CONTINUED, spokenOf, without, withPlanApart } from "../session/spoken.js";
import { isTurn, parentOf, withoutRewound } from "./claude-code-rewound.js";

const MACHINE =
  /^\s*(?:<(?:system-reminder|command-|local-command-|bash-(?:input|stdout|stderr)|task-notification|teammate-message|ide_|[a-z-]+-hook\b)|Caveat: The messages below|\[Request interrupted by user|Operation stopped by hook|[A-Z]\w+ hook feedback:)/;

/** A message under construction: an assistant's message has one record per block. */
interface RecordGroup {
  readonly head: Omit<MessageFields, "text" | "toolCalls">;
  readonly texts: string[];
  readonly calls: ToolCall[];
}

export function readClaudeCode({ parsed: { values }, name }: Content): ReadSession | undefined {
  const records = values.filter(isFields);
  if (!records.some(isMarked)) return undefined;
  const main = records.filter(({ isSidechain }) => isSidechain !== true);
  // A sub-agent's file has only sidechain records and names its parent session, but it is a session of its own.
  const isAgents = !main.some(isTurn) && records.some(isTurn);
  const own = withoutCopies(isAgents ? records : main);
  const branch = withoutRewound(own);
  const turns = withAbsorbed(branch).map(asTurn).filter(isTurn).flatMap(withPlanApart);
  const readable = turns.filter(({ message }) => isFields(message) && isContent(message.content));
  const messages = toMessages(readable, preservedBy(branch));
  const head = {
    // A resumed session starts with records of the previous one, so the last id counts.
    id: (isAgents ? undefined : records.map(sessionOf).findLast((session) => session !== undefined)) ?? name,
    format: "claude-code",
    folder: records.map(({ cwd }) => asText(cwd)).find((cwd) => cwd !== undefined),
    ...branchIn(records),
    whole: isBeginning(records),
    typed: !isAgents && !records.some(isGiven),
  };
  return toReadSession(head, messages, [turns.length - readable.length, "records without a message are skipped"]);
}

/** The last branch, and since when it is reported. */
function branchIn(records: readonly JsonFields[]) {
  const named = records.filter(({ gitBranch }) => typeof gitBranch === "string" && gitBranch !== "" && gitBranch !== "HEAD");
  const branch = asText(named.at(-1)?.gitBranch);
  const since = named.findLastIndex(({ gitBranch }) => gitBranch !== branch) + 1;
  return { branch, branchTime: since > 0 ? asTime(named[since]?.timestamp) : undefined };
}

const TERMINALS: readonly unknown[] = [undefined, "cli", "claude-vscode", "claude-desktop"];
const TYPED: readonly unknown[] = [undefined, "typed", "queued", "system"];

/** Was the prompt possibly not typed? Outside of interactive use anyone can supply it, and a sub-agent gets it from a model. */
const isGiven = ({ promptSource, entrypoint, agentId, isSidechain }: JsonFields): boolean =>
  !TERMINALS.includes(entrypoint) || !TYPED.includes(promptSource) || (typeof agentId === "string" && isSidechain !== true);

/** Does the file start with the first record of a conversation, which has no parent? */
function isBeginning(records: readonly JsonFields[]): boolean {
  const first = records.find(({ uuid }) => typeof uuid === "string");
  return first !== undefined && parentOf(first) === undefined;
}

const sessionOf = (record: JsonFields): string | undefined => asText(record.sessionId) ?? asText(record.session_id);
const isContent = (content: unknown): boolean => typeof content === "string" || Array.isArray(content);

function isMarked(record: JsonFields): boolean {
  if (isTurn(record) && isFields(record.message)) return sessionOf(record) !== undefined || typeof record.uuid === "string";
  return typeof record.type === "string" && typeof record.sessionId === "string";
}

/** Turns an attachment into a user message: what the user types while the model works is stored only there. */
function asTurn(record: JsonFields): JsonFields {
  const { type, prompt: content, origin, commandMode = "prompt", ...queued } = asFields(record.attachment);
  if (record.type !== "attachment" || type !== "queued_command" || !isContent(content)) return record;
  const isMade = queued.isMeta === true || queued.humanTurn === false || queued.forwardedIntent !== undefined;
  const isMeta = record.isMeta === true || isMade || commandMode !== "prompt";
  return { ...record, type: "user", message: { content }, origin, isMeta };
}

// Versions before 2.1.246 store what the user types while the model works only as operations of a queue: `enqueue`, then one
// of `remove` (the running turn takes it in), `dequeue` (it becomes a message of its own) and `popAll` (the user takes it back).

/** Replaces each `remove` with the user's message, if the model answered after it and no other record has the same text. */
function withAbsorbed(records: readonly JsonFields[]): readonly JsonFields[] {
  if (!records.some(isTakenIn)) return records;
  const messageTexts = new Set(
    records.map(asTurn).flatMap(({ message }) => (isFields(message) ? textBlocks(message.content) : [])),
  );
  const answered = records.findLastIndex(({ type }) => type === "assistant");
  let waiting: string[] = [];
  return records.map((record, index) => {
    if (record.type !== "queue-operation") return record;
    const content = asText(record.content);
    if (record.operation === "enqueue") waiting.push(content ?? "");
    else if (record.operation === "popAll") waiting = [];
    else {
      // The oldest one leaves first.
      const [text = ""] = waiting.splice(Math.max(0, waiting.indexOf(content ?? "")), 1);
      // What programs put into the queue is in tags.
      const isTyped = text !== "" && !text.startsWith("<") && !messageTexts.has(text);
      if (isTakenIn(record) && isTyped && index < answered) return { ...record, type: "user", message: { content: text } };
    }
    return record;
  });
}

const isTakenIn = ({ type, operation, reason }: JsonFields) =>
  type === "queue-operation" && operation === "remove" && (reason === undefined || reason === "absorbed_mid_turn");

function withoutCopies(records: readonly JsonFields[]): readonly JsonFields[] {
  const seen = new Set<string>();
  return records.filter(({ uuid }) => typeof uuid !== "string" || (!seen.has(uuid) && seen.add(uuid)));
}

function toMessages(turns: readonly JsonFields[], preserved: ReadonlyMap<string, readonly string[]>): readonly Message[] {
  const { ids, results } = pairBlocks(turns);
  const called = new Set<string>();
  const groups = new Map<string, RecordGroup>();
  const drafts: RecordGroup[] = [];
  const owners = new Map<unknown, RecordGroup>();
  for (const [index, record] of turns.entries()) {
    const message = record.message as JsonFields;
    if (record.type === "user") {
      const draft = userDraft(record, index);
      if (!draft) continue;
      const kept = draft.head.summary ? (preserved.get(draft.head.id) ?? []) : [];
      const keeps = new Set(kept.flatMap((uuid) => owners.get(uuid)?.head.id ?? []));
      drafts.push({ ...draft, head: { ...draft.head, keeps: [...keeps] } });
      owners.set(record.uuid, draft);
      continue;
    }
    const group = asText(message.id);
    const known = group === undefined ? undefined : groups.get(group);
    const draft = known ?? { head: headOf(record, index, isSynthetic(record)), texts: [], calls: [] };
    if (!known) drafts.push(draft);
    owners.set(record.uuid, draft);
    if (group !== undefined) groups.set(group, draft);
    for (const text of textBlocks(message.content)) draft.texts.push(text);
    for (const block of blocksOf(record)) {
      const id = ids.get(block);
      if (id === undefined || called.has(id)) continue;
      called.add(id);
      draft.calls.push({ name: asText(block.name) ?? "", input: block.input, output: "", ...results.get(id) });
    }
  }
  return drafts
    .filter(({ texts, calls }) => texts.length > 0 || calls.length > 0)
    .map(({ head, texts, calls }) => toMessage({ ...head, text: texts.join("\n"), toolCalls: calls }));
}

function userDraft(record: JsonFields, index: number): RecordGroup | undefined {
  const raw = textBlocks((record.message as JsonFields).content);
  if (raw.join("").trim() === "") return undefined;
  if (record.isCompactSummary === true || raw.some((text) => text.trimStart().startsWith(CONTINUED)))
    return { head: { ...headOf(record, index, false), summary: true }, texts: raw, calls: [] };
  const bare = raw.map((text) => argumentsOf(without(text, "<system-reminder>", "</system-reminder>")));
  const spoken = spokenOf(bare, (text) => MACHINE.test(text));
  const isMade = record.isMeta === true || record.promptSource === "system" || record.isVisibleInTranscriptOnly === true;
  const meta = spoken.meta || isMade || !isHuman(record);
  return { head: headOf(record, index, meta), texts: meta ? raw.slice() : [spoken.text], calls: [] };
}

/** `/compact` is an order to the program, not to the agent. */
const COMMAND = /^(?![\s\S]*<command-name>\/compact<)\s*<command-(?:message|name)>/;
const ARGUMENTS = /<command-args>\s*(\S+\s[\s\S]*?)\s*<\/command-args>\s*$/;

/** What the user types behind a slash command is the user's. A single word, such as the name of a model, says nothing. */
const argumentsOf = (text: string): string => (COMMAND.test(text) && ARGUMENTS.exec(text)?.[1]) || text;

function headOf({ uuid, type, timestamp }: JsonFields, index: number, meta: boolean): RecordGroup["head"] {
  const role = type === "user" ? "user" : "assistant";
  return { id: asText(uuid) ?? String(index + 1), role, time: asTime(timestamp), meta };
}

/** Is it a notice about a failed request, stored as the assistant's message? */
const isSynthetic = ({ isApiErrorMessage, message }: JsonFields) =>
  isApiErrorMessage === true || asFields(message).model === "<synthetic>";

/** A sub-agent gets its prompt from a model. Old files do not say where a text comes from; it then counts as the user's. */
const isHuman = ({ origin, isSidechain }: JsonFields) =>
  isSidechain !== true && (asText(asFields(origin).kind) ?? "human") === "human";

/** The command still runs, so it has no status yet. */
const IN_BACKGROUND = /^Command (?:running in background|was manually backgrounded by user) with ID: /;

/** The id of each call, which its copies share, and the result of each call by that id. */
function pairBlocks(turns: readonly JsonFields[]) {
  const pairing = createPairing();
  const ids = new Map<JsonFields, string>();
  const results = new Map<string, Pick<ToolCall, "output" | "status">>();
  for (const turn of turns) {
    const blocks = blocksOf(turn);
    if (turn.type === "user" && !blocks.some((block) => block.type === "tool_result")) pairing.turn();
    for (const block of blocks) {
      const what = () => JSON.stringify([block.name, block.input]);
      if (block.type === "tool_use") ids.set(block, pairing.call(asText(block.id), what));
      const id = block.type === "tool_result" ? pairing.answer(asText(block.tool_use_id)) : undefined;
      if (id !== undefined && !results.has(id)) results.set(id, resultOf(block, turn));
    }
  }
  return { ids, results };
}

const blocksOf = ({ message }: JsonFields) => fieldsIn((message as JsonFields).content);

/** The host's words. Files that were stored without the host's own fields have nothing else. */
const REJECTED = /^The user doesn't want to (?:proceed with|take) this (?:tool use|action)\b/;

function resultOf(block: JsonFields, { toolDenialKind, toolUseResult }: JsonFields): Pick<ToolCall, "output" | "status"> {
  const output = textBlocks(block.content).join("\n");
  // A tool's output may look like a refusal, so where the host has its own fields, only they count.
  const isBare = toolUseResult === undefined && toolDenialKind === undefined && block.is_error === true;
  const isRejected =
    toolDenialKind === "user-rejected" || toolUseResult === "User rejected tool use" || (isBare && REJECTED.test(output));
  const status = isRejected ? "rejected" : block.is_error === true ? "error" : "completed";
  return IN_BACKGROUND.test(output) ? { output } : { output, status };
}

// What Claude Code kept verbatim when it compacted. A record before the summary lists it, and the summary does not cover it.

/** For each summary, the ids of the records that the host kept next to it. */
function preservedBy(records: readonly JsonFields[]): ReadonlyMap<string, readonly string[]> {
  const preserved = new Map<string, readonly string[]>();
  let kept: readonly string[] = [];
  for (const record of records) {
    if (record.subtype === "compact_boundary") kept = keptAt(record, records);
    if (record.isCompactSummary !== true) continue;
    if (typeof record.uuid === "string" && kept.length > 0) preserved.set(record.uuid, kept);
    kept = [];
  }
  return preserved;
}

function keptAt({ compactMetadata }: JsonFields, records: readonly JsonFields[]): readonly string[] {
  const { preservedMessages: all, preservedSegment: segment } = asFields(compactMetadata);
  if (isFields(all)) return asList(all.uuids).filter((uuid) => typeof uuid === "string");
  if (!isFields(segment)) return [];
  // Some versions name only the first and the last record.
  const [first, last] = [segment.headUuid, segment.tailUuid].map((end) => records.findIndex(({ uuid }) => uuid === end));
  if (first === undefined || last === undefined || first < 0) return [];
  return records.slice(first, last + 1).flatMap(({ uuid }) => asText(uuid) ?? []);
}
