// Reads Codex's tool calls: input, output, and whether they succeeded.
import { OUTPUT_START_CHARACTERS } from "../../limits.js";
import type { ToolCall } from "../../model.js";
import { asFields, asText, fieldsIn, isFields, type JsonFields, parseJson } from "../../text/json.js";
import { type Cut, type Light, shortenTexts } from "../session/lighten.js";
import { createPairing } from "../session/pairing.js";
import { lightenHistory } from "./codex-compacted.js";

/** Longest header that Codex prints before a command's output: a status, a time and a few more lines. */
const CODEX_HEADER_CHARACTERS = 300;

interface Outcome {
  readonly output: string;
  readonly failed: boolean;
  /** The id under which the command still runs; its result is not known yet. */
  readonly running?: string;
}

const RUNNING = /^Process running with session ID (\d+)\s*$/im;
const EXIT_CODE = /^(?:Process exited with code|Exit code:?) (-?\d+)\s*$/im;
/** Codex's answers to a call that it did not run. */
const REFUSAL =
  /^(?:\w+ (?:verification )?failed(?: for\b|:)|execution error|failed to parse function arguments|unsupported (?:custom tool )?call|patch rejected|exec command rejected|rejected by user|aborted by user)/;

export const isCall = ({ type }: JsonFields): boolean => asText(type)?.endsWith("_call") === true;

/** Calls of built-in tools have a type instead of a name; calls of MCP servers also have the server's name. */
function toolNameOf({ name, namespace, type }: JsonFields): string {
  const own = asText(name) ?? String(type).replace(/_call$/, "");
  return typeof namespace === "string" && namespace.startsWith("mcp__") ? `${namespace}__${own}` : own;
}

const isOutput = ({ type }: JsonFields) => asText(type)?.endsWith("_output") === true;

/** Gives calls and outputs the same id where the record has none, or that of another call. */
export function withPairedCalls(records: readonly JsonFields[]): readonly JsonFields[] {
  const pairing = createPairing();
  return records.map((record) => {
    const { type, payload } = record;
    if (type !== "response_item" || !isFields(payload)) return record;
    if (payload.type === "message" && payload.role === "user") pairing.turn();
    if (!isCall(payload) && !isOutput(payload)) return record;
    const given = asText(payload.call_id);
    const id = isCall(payload)
      ? pairing.call(given, () => JSON.stringify([toolNameOf(payload), inputOf(payload)]))
      : pairing.answer(given);
    return id === given ? record : { ...record, payload: { ...payload, call_id: id } };
  });
}

export function toCodexCall(payload: JsonFields, outcomes: ReadonlyMap<string, Outcome>): ToolCall {
  const outcome = outcomes.get(asText(payload.call_id) ?? "");
  const call = { name: toolNameOf(payload), input: inputOf(payload), output: outcome?.output ?? "" };
  if (!outcome || (outcome.running && !outcome.failed)) return call;
  return { ...call, status: outcome.failed ? "error" : "completed" };
}

function inputOf({ arguments: given, input, action }: JsonFields): unknown {
  if (typeof given === "string") {
    const parsed = parseJson(given);
    return isFields(parsed) ? parsed : { input: given };
  }
  if (typeof input === "string") return { input };
  return given ?? input ?? action ?? {};
}

export function outcomesOf(records: readonly JsonFields[]): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const failures = failuresOf(records);
  // The call that started each running command, by the command's id, and the command's id for each later call about it.
  const begun = new Map<string, string>();
  const asked = new Map<string, string>();
  for (const { type, payload } of records) {
    if (type !== "response_item" || !isFields(payload)) continue;
    const id = asText(payload.call_id);
    if (id === undefined) continue;
    if (payload.name === "write_stdin") askAfter(inputOf(payload), id, begun, asked);
    if (outcomes.has(id) || !isOutput(payload)) continue;
    const outcome = outcomeOf(payload.output);
    const { output, running } = outcome;
    const failed = outcome.failed || failures.has(id);
    outcomes.set(id, { ...outcome, failed });
    const session = asked.get(id);
    const first = begun.get(session ?? "");
    const before = outcomes.get(first ?? "");
    if (first !== undefined && before && running === undefined && EXIT_CODE.test(headerOf(output)))
      outcomes.set(first, { output: before.output, failed: before.failed || failed });
    if (running !== undefined && session === undefined) begun.set(running, id);
  }
  return outcomes;
}

/** Links a later call to its command. A command that the agent interrupts itself neither succeeds nor fails. */
function askAfter(input: unknown, id: string, begun: Map<string, string>, asked: Map<string, string>): void {
  if (!isFields(input)) return;
  const session = String(input.session_id);
  asked.set(id, session);
  if (asText(input.chars)?.includes("\u0003")) begun.delete(session);
}

/** Calls that failed according to events, because their output does not show it: patches and long-running commands. */
function failuresOf(records: readonly JsonFields[]): ReadonlySet<string> {
  const failures = new Set<string>();
  for (const { type, payload } of records) {
    if (type !== "event_msg" || !isFields(payload)) continue;
    const item = isFields(payload.item) ? payload.item : payload;
    const id = asText(payload.call_id) ?? asText(item.id);
    if (id !== undefined && isFailure(item)) failures.add(id);
  }
  return failures;
}

const isFailure = ({ success, exit_code: exit }: JsonFields) => success === false || (typeof exit === "number" && exit !== 0);

/** Codex has used text, blocks, {content, success}, and {output, metadata} as JSON in a text. */
function outcomeOf(output: unknown): Outcome {
  const fields = wrapped(output) ?? output;
  if (!isFields(fields)) return outcomeOfText(textOf(output));
  const outcome = outcomeOfText(textOf(fields.output ?? fields.content));
  return { ...outcome, failed: outcome.failed || isFailure(fields) || isFailure(asFields(fields.metadata)) };
}

function wrapped(output: unknown): JsonFields | undefined {
  if (typeof output !== "string" || !output.startsWith("{") || !output.includes('"metadata"')) return undefined;
  const fields = parseJson(output);
  return isFields(fields) && isFields(fields.metadata) ? fields : undefined;
}

const OUTPUT = "\nOutput:";
/** Where the program's own output starts; 0 if there is no header. */
const endOfHeader = (output: string): number => output.indexOf(OUTPUT) + (output.includes(OUTPUT) ? OUTPUT.length : 1);

function outcomeOfText(output: string): Outcome {
  const header = headerOf(output);
  const exit = EXIT_CODE.exec(header)?.[1];
  const running = RUNNING.exec(header)?.[1];
  const failed = exit === undefined ? REFUSAL.test(output) : Number(exit) !== 0;
  return { output, failed, ...(running !== undefined && { running }) };
}

/** The header only: the program's output below it may contain the same words. */
function headerOf(output: string): string {
  const end = output.indexOf(OUTPUT);
  return output.slice(0, end < 0 ? CODEX_HEADER_CHARACTERS : end);
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  return fieldsIn(output)
    .flatMap(({ text }) => asText(text) ?? [])
    .join("\n");
}

// Shrinks a record of Codex while a session is read.

export function lightenCodex(record: JsonFields, light: Light): JsonFields | undefined {
  const { type, payload } = record;
  if (typeof type !== "string" || !isFields(payload)) return undefined;
  if (isCall(payload)) light.called(payload.call_id, toolNameOf(payload));
  return { ...record, payload: lightPayload(type, payload, light) };
}

function lightPayload(type: string, payload: JsonFields, { input, short, cutOf }: Light): JsonFields {
  if (type === "compacted")
    return { message: payload.message, replacement_history: lightenHistory(payload.replacement_history, short) };
  if (type === "response_item" && payload.type === "message") return payload;
  if (type === "response_item" && isCall(payload)) return lightCall(payload, input);
  if (type !== "response_item" || !isOutput(payload)) return short(payload);
  const cut = cutOf(payload.call_id);
  return cut ? { ...payload, output: lightOutput(payload.output, cut) } : payload;
}

function lightCall(payload: JsonFields, input: Light["input"]): JsonFields {
  const name = toolNameOf(payload);
  const { arguments: given, input: text, action } = payload;
  const parsed = typeof given === "string" && given.length > OUTPUT_START_CHARACTERS ? parseJson(given) : undefined;
  return {
    ...payload,
    ...(isFields(parsed) && { arguments: input(name, parsed) }),
    ...(typeof text === "string" && { input: (input(name, { input: text }) as JsonFields).input }),
    ...(action !== undefined && { action: input(name, action) }),
  };
}

/** Keeps the header, because it says how the call ended, and the line that ends it; without that, the header would seem to continue. */
const lightOutput = (output: unknown, cut: Cut): unknown =>
  shortenTexts(wrapped(output) ?? output, (text) => cut(text, endOfHeader(text)));
