// Codex's tool calls: what went in, what came out, and whether it went well.
import { CODEX_HEADER_CHARACTERS } from "../limits.js";
import type { ToolCall } from "../model.js";
import { asList, asText, type Fields, isFields } from "./parsed.js";

interface Outcome {
  readonly output: string;
  readonly failed: boolean;
  /** Under this number the command runs on: how it ends is not known yet. */
  readonly running?: string;
}

const RUNNING = /^Process running with session ID (\d+)\s*$/im;
const EXIT_CODE = /^(?:Process exited with code|Exit code:?) (-?\d+)\s*$/im;
/** How Codex answers a call that it did not carry out. */
const REFUSAL =
  /^(?:\w+ (?:verification )?failed(?: for\b|:)|execution error|failed to parse function arguments|unsupported (?:custom tool )?call|patch rejected|exec command rejected|rejected by user|aborted by user)/;

export function isCall(payload: Fields): boolean {
  return typeof payload.type === "string" && payload.type.endsWith("_call");
}

/** Calls of built-in tools have a type of their own in place of a name, and those of servers the server's name beside it. */
export function nameOf({ name, namespace, type }: Fields): string {
  const own = asText(name) ?? String(type).replace(/_call$/, "");
  return typeof namespace === "string" && namespace.startsWith("mcp__") ? `${namespace}__${own}` : own;
}

export function toCall(payload: Fields, outcomes: ReadonlyMap<string, Outcome>): ToolCall {
  const outcome = outcomes.get(asText(payload.call_id) ?? "");
  return {
    name: nameOf(payload),
    input: inputOf(payload),
    output: outcome?.output ?? "",
    ...(outcome && (outcome.failed || !outcome.running) && { status: outcome.failed ? "error" : "completed" }),
  };
}

function inputOf({ arguments: given, input, action }: Fields): unknown {
  if (typeof given === "string") {
    const parsed = parse(given);
    return isFields(parsed) ? parsed : { input: given };
  }
  if (typeof input === "string") return { input };
  return given ?? input ?? action ?? {};
}

/** What came of each call, by its id. */
export function outcomesOf(records: readonly Fields[]): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const failures = failuresOf(records);
  // The call whose command runs on, by the command's number; and the number that a later call asks about, by that call.
  const begun = new Map<string, string>();
  const asked = new Map<string, string>();
  for (const { type, payload } of records) {
    if (type !== "response_item" || !isFields(payload)) continue;
    const id = asText(payload.call_id);
    if (id === undefined) continue;
    if (payload.name === "write_stdin") askAfter(inputOf(payload), id, begun, asked);
    if (outcomes.has(id) || !asText(payload.type)?.endsWith("_output")) continue;
    const outcome = outcomeOf(payload.output);
    const { output, running } = outcome;
    const failed = outcome.failed || failures.has(id);
    outcomes.set(id, { ...outcome, failed });
    const session = asked.get(id);
    const first = begun.get(session ?? "");
    const before = outcomes.get(first ?? "");
    if (first !== undefined && before && running === undefined && endsIn(output))
      outcomes.set(first, { output: before.output, failed: before.failed || failed });
    if (running !== undefined && session === undefined) begun.set(running, id);
  }
  return outcomes;
}

const INTERRUPT = "\u0003";

/** What the agent breaks off itself neither passes nor fails. */
function askAfter(input: unknown, id: string, begun: Map<string, string>, asked: Map<string, string>): void {
  if (!isFields(input)) return;
  const session = String(input.session_id);
  asked.set(id, session);
  if (asText(input.chars)?.includes(INTERRUPT)) begun.delete(session);
}

/** Events tell how a call ended where its output does not: patches, and commands that ran on. */
function failuresOf(records: readonly Fields[]): ReadonlySet<string> {
  const failures = new Set<string>();
  for (const { type, payload } of records) {
    if (type !== "event_msg" || !isFields(payload)) continue;
    const item = isFields(payload.item) ? payload.item : payload;
    const id = asText(payload.call_id) ?? asText(item.id);
    if (id !== undefined && isFailure(item)) failures.add(id);
  }
  return failures;
}

function isFailure(fields: Fields): boolean {
  return fields.success === false || (typeof fields.exit_code === "number" && fields.exit_code !== 0);
}

/** Codex has given text, blocks, {content, success}, and {output, metadata} as JSON in a text. */
function outcomeOf(output: unknown): Outcome {
  const fields = wrapped(output) ?? output;
  if (!isFields(fields)) return outcomeOfText(textOf(output));
  const told = outcomeOfText(textOf(fields.output ?? fields.content));
  const failed = told.failed || isFailure(fields) || (isFields(fields.metadata) && isFailure(fields.metadata));
  return { ...told, failed };
}

export function wrapped(output: unknown): Fields | undefined {
  if (typeof output !== "string" || !output.startsWith("{") || !output.includes('"metadata"')) return undefined;
  const fields = parse(output);
  return isFields(fields) && isFields(fields.metadata) ? fields : undefined;
}

const OUTPUT = "\nOutput:";
/** Where what the program printed begins; 0 when nothing says so. */
export const endOfHeader = (output: string): number => output.indexOf(OUTPUT) + (output.includes(OUTPUT) ? OUTPUT.length : 1);

function outcomeOfText(output: string): Outcome {
  const header = headerOf(output);
  const exit = EXIT_CODE.exec(header)?.[1];
  const running = RUNNING.exec(header)?.[1];
  const failed = exit === undefined ? REFUSAL.test(output) : Number(exit) !== 0;
  return { output, failed, ...(running !== undefined && { running }) };
}

const endsIn = (output: string) => EXIT_CODE.test(headerOf(output));

/** Below the header is what the program printed, and it may say the same of something else. */
function headerOf(output: string): string {
  const end = output.indexOf(OUTPUT);
  return output.slice(0, end < 0 ? CODEX_HEADER_CHARACTERS : end);
}

export function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  return asList(output)
    .flatMap((block) => (isFields(block) && typeof block.text === "string" ? [block.text] : []))
    .join("\n");
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
