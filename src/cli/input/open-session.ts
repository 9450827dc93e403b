// Opens the sessions named on the command line; "-" is standard input.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { ownSummaries, summarised } from "../../audit/own-summaries.js";
import { rulesFolder } from "../../config/load-pack.js";
import { needsOf } from "../../extract/calls/call.js";
import { extract } from "../../extract/pipeline.js";
import { fileChunks, readEnds } from "../../files/regular-file.js";
import { AUDIT_CHARACTERS, CHUNK_BYTES, SNIFFED_BYTES } from "../../limits.js";
import type { Extraction, Session } from "../../model.js";
import type { ListedSession } from "../../recall/listed.js";
import { type LoadedRules, ownRules } from "../../rules/load-rules.js";
import { masker } from "../../rules/redact/redact.js";
import { readWorkspace } from "../../source/notes/workspace.js";
import type { Needs } from "../../source/session/lighten.js";
import { readSession, readSessionFrom, SessionError } from "../../source/session/read-session.js";
import type { ReadSession } from "../../source/session/reader.js";
import { digestOf } from "../../text/forms.js";
import { isFields, parseJson } from "../../text/json.js";
import { CommandError, readInput, warn } from "../output/terminal.js";
import { choicesFor } from "./project.js";

/** Bytes per read from a pipe, and the pause if it has none yet. */
const INPUT_BYTES = 65_536;
const INPUT_MILLISECONDS = 5;

/** An input that can be read from its start more than once. */
export interface Input {
  readonly shown: string;
  /** The name of a session in it that has no id. */
  readonly name: string;
  /** A chunk is valid until the next one is requested. */
  readonly open: () => Iterable<Uint8Array>;
  /** The same for the last time: the content is not kept for another read. */
  readonly last: () => Iterable<Uint8Array>;
}

export const STANDARD_INPUT = "-";

/** A session for those who have none. */
export const SAMPLE = join(rulesFolder, "init", "sample.json");

export const shownAs = (path: string) => (path === STANDARD_INPUT ? "standard input" : path);

/** It becomes the id of a session, which is printed and stored. */
const sessionNameOf = (path: string) =>
  path === STANDARD_INPUT ? "stdin" : masker(ownRules().redactions)(basename(path).replace(/\.(jsonl?|md|txt)$/, ""));

export function inputOf(path: string): Input {
  const common = { shown: shownAs(path), name: sessionNameOf(path) };
  if (path === STANDARD_INPUT) return { ...common, ...replaying(pipeChunks(readInput, common.shown)) };
  forbidFolder(path);
  // A pipe that the user names, such as <(command), has a writer.
  return isFile(path) ? fileInput(path) : { ...common, ...replaying(openPipe(path)) };
}

/** Opens a file that the user may not have named, so only a regular file is read. */
export function fileInput(path: string): Input {
  const open = () => chunksOf(path);
  return { shown: path, name: sessionNameOf(path), open, last: open };
}

/** The start and the end of a long file of JSON lines, and how many bytes between them are left out. Any other file is whole. */
export function endsInput(path: string, most: number): Input & { readonly left: number } {
  const ends = readEnds(path, most);
  const first = ends && new TextDecoder().decode(ends.head.subarray(0, ends.head.indexOf(NEWLINE)));
  if (!ends || !isFields(parseJson(first ?? ""))) return { ...fileInput(path), left: 0 };
  function* open(): Iterable<Uint8Array> {
    tuneFor(most);
    for (const part of [ends?.head, ends?.tail])
      for (let at = 0; part && at < part.length; at += CHUNK_BYTES) yield part.subarray(at, at + CHUNK_BYTES);
  }
  return { ...fileInput(path), open, last: open, left: ends.left };
}

export function listedInput({ path, row }: ListedSession): Input {
  if (!row) return fileInput(path);
  const open = () => [row.read()];
  return { shown: path, name: path, open, last: open };
}

export const openSession = ({ shown, name, open }: Input, needs: Needs, format: string | undefined): ReadSession =>
  orFailure(shown, () => readSessionFrom(open, name, needs, format));

/** No host uses this as the id of a session. It is the mark of a control character, so it stays when the id is cleaned. */
const UNNAMED = "\uFFFD";

/** Reads a session for a command that stores something about it. */
export function readWholeSession(path: string, format: string | undefined, bytes = readBytes(path)): ReadSession {
  const { session, notices } = orFailure(shownAs(path), () => readSession(bytes, UNNAMED, format));
  return { session: { ...withOwnId(session, path), whole: session.whole === true && isFile(path) }, notices };
}

/** A session without an id is identified by its file and its first message: another one must not inherit its facts. */
function withOwnId(session: Session, path: string): Session {
  if (session.id !== UNNAMED) return session;
  const [first] = session.messages;
  const place = JSON.stringify([path === STANDARD_INPUT ? "" : resolve(path), first?.role, first?.text]);
  return { ...session, id: `${sessionNameOf(path)}-${digestOf(place, 8)}` };
}

function orFailure(shown: string, read: () => ReadSession): ReadSession {
  try {
    const done = read();
    if (done.session.messages.filter(({ text }) => text !== "").length >= MANY_TEXTS) untune();
    return done;
  } catch (error) {
    if (error instanceof SessionError) throw new CommandError(`${shown}: ${error.reason}`, error.hint, error.code);
    throw error;
  }
}

export const readBytes = (path: string): Uint8Array => Buffer.concat(Array.from(inputOf(path).last(), (chunk) => chunk.slice()));

export function readSummary(path: string): string {
  const bytes = readBytes(path);
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) throw new CommandError(`${path}: it is a binary file, not a summary`);
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") warn("note: the summary is empty\n");
  if (text.length > AUDIT_CHARACTERS) warn(`note: only the first ${AUDIT_CHARACTERS} characters of the summary are checked\n`);
  return text;
}

/** Is it a regular file? A pipe may deliver only a part of the session. */
export const isFile = (path: string) => path !== STANDARD_INPUT && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function forbidFolder(path: string): void {
  try {
    if (statSync(path).isDirectory()) throw new CommandError(`${path} is a folder`, "name the session files in it");
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(path, error);
  }
}

function* chunksOf(path: string): Iterable<Uint8Array> {
  try {
    tuneFor(statSync(path).size);
    yield* fileChunks(path);
  } catch (error) {
    throw typeof (error as NodeJS.ErrnoException).syscall === "string" ? unreadable(path, error) : error;
  }
}

/** Keeps what can be read only once, for as long as it may be needed again. */
function replaying(chunks: Iterable<Uint8Array>): Pick<Input, "open" | "last"> {
  let held: Uint8Array[] = [];
  const rest = chunks[Symbol.iterator]();
  function* read(keep: boolean): Iterable<Uint8Array> {
    const before = held;
    if (!keep) held = [];
    yield* before;
    for (let next = rest.next(); !next.done; next = rest.next()) {
      if (keep) held.push(next.value);
      yield next.value;
    }
  }
  return { open: () => read(true), last: () => read(false) };
}

function* openPipe(path: string): Iterable<Uint8Array> {
  const handle = openSync(path, "r");
  try {
    yield* pipeChunks((chunk) => readSync(handle, chunk), path);
  } finally {
    closeSync(handle);
  }
}

/** A non-blocking pipe (importing node:process makes it so) returns EAGAIN until its writer has written more. */
function* pipeChunks(read: (chunk: Uint8Array) => number, shown: string): Iterable<Uint8Array> {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const chunk = new Uint8Array(INPUT_BYTES);
    try {
      const length = read(chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return;
      if (code === undefined) throw error;
      if (code !== "EAGAIN") throw unreadable(shown, error);
      Atomics.wait(pause, 0, 0, INPUT_MILLISECONDS);
    }
  }
}

export function unreadable(path: string, error: unknown): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  return new CommandError(code === "ENOENT" ? `${path} is not there` : `${path} cannot be read (${code})`);
}

export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** `bytes` is undefined if the line is too long. */
type InputLine = { readonly number: number; readonly bytes: Uint8Array | undefined };

const NEWLINE = 0x0a;

/** Yields the lines that are not blank. A line of more than `most` bytes is not kept in memory. */
export async function* linesOf(chunks: Chunks, most: number): AsyncIterable<InputLine> {
  let held: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const hold = (part: Uint8Array) => {
    length += part.length;
    if (length > most) held = [];
    else held.push(part.slice());
  };
  function* end(): Iterable<InputLine> {
    number++;
    const bytes = length > most ? undefined : Buffer.concat(held);
    if (!bytes || bytes.some((byte) => byte > 0x20)) yield { number, bytes };
    [held, length] = [[], 0];
  }
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, to));
      yield* end();
      from = to + 1;
    }
    hold(chunk.subarray(from));
  }
  if (length > 0) yield* end();
}

export interface ExtractionInput {
  readonly loaded: LoadedRules;
  readonly project: string | undefined;
  readonly format: string | undefined;
  /** Only the Continuation is needed. */
  readonly typed?: boolean;
}

/** Extracts a session. Without one, only the project's notes and work items are read. */
export function extractFrom(input: Input | undefined, reading: ExtractionInput, step: Step) {
  const { loaded, project, format } = reading;
  const alone = { id: basename(resolve(project ?? ".")), format: "project", messages: [] };
  const read = input ? openSession(input, needsOf(loaded.rules), format) : { session: alone, notices: [] };
  return { session: read.session, extraction: extractRead(read, reading, step) };
}

function extractRead({ session, notices }: ReadSession, { loaded, project, typed }: ExtractionInput, step: Step): Extraction {
  const workspace = project === undefined ? undefined : readWorkspace(project, loaded.rules);
  return extract(session, loaded.rules, {
    ...choicesFor(project ?? "."),
    ...workspace,
    notices: [...notices, ...(workspace?.notices ?? [])],
    statements: typed !== true,
    progress: (done, total) => step(` ${done}/${total}`),
  });
}

type Step = (part: string) => void;

/** The last summary that the agent wrote into a session, and the facts that it had to keep. */
export function ofLastCompaction(input: Input, reading: ExtractionInput, step: Step) {
  const { session, notices } = openSession(input, needsOf(reading.loaded.rules), reading.format);
  const last = ownSummaries(session).at(-1);
  const isHidden = session.messages.some(({ summary }) => summary);
  const what = isHidden ? "has a summary that is empty or encrypted" : "has no summary of a compaction";
  if (!last) throw new CommandError(`${input.shown} ${what}`, "name one with --summary");
  const { message, before } = last;
  const extracted = extractRead({ session: before, notices }, reading, step);
  return { session, text: message.text, extraction: summarised(extracted, message) };
}

// Sets V8 for the size of a session. Flags are read when code is compiled and memory collected, so they work at any time.

/** Loading node:v8 takes as long as the flags save for less. */
const SMALL_SESSION_BYTES = 50_000;
/** From this size of a session file on, memory matters more than time. */
const LARGE_SESSION_BYTES = 16_000_000;
/** How much bytecode a function runs before it is optimised. With V8's 67,584, most of that is for a single use. */
const INTERRUPT_BUDGET = 2_000_000;
/** Percentage by which a small heap may grow before garbage collection. V8's default is a hundred and more. */
const HEAP_GROWTH_PERCENT = 5;

/** From this number of texts on, all code is worth optimising, and so much stays in memory that collecting often takes long. */
const MANY_TEXTS = 10_000;
const V8_FLAGS = ["--interrupt-budget=67584", "--heap-growing-percent=0", "--semi-space-growth-factor=2"];

function tuneFor(bytes: number): void {
  if (process.versions.bun !== undefined || bytes < SMALL_SESSION_BYTES) return;
  // A large session runs the code often enough to optimise it.
  if (bytes < LARGE_SESSION_BYTES) return setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // Do not grow the young generation: it would fill any space.
  setFlagsFromString("--semi-space-growth-factor=1");
}

function untune(): void {
  if (process.versions.bun === undefined) for (const flag of V8_FLAGS) setFlagsFromString(flag);
}
