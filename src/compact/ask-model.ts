// The interface to a language model: messages in, text out, piece by piece. Also extracts the prose of its answer.
import { endOfThoughts } from "../audit/block.js";
import { ANSWER_CHARACTERS } from "../limits.js";
import { untilAborted } from "../steps.js";

/** A message to a model. */
export type ModelMessage = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** A model that writes summaries. */
export interface Model {
  /** The model's name, as its provider spells it. */
  readonly name: string;
  /** Streams the answer. Throws if anything goes wrong, a ModelError if the reason is known. */
  readonly write: (messages: readonly ModelMessage[], signal?: AbortSignal) => AsyncIterable<string>;
}

/** `aborted`: the caller gave up. `timeout`: no answer, or not all of it, in time. `unreachable`: no connection. `refused`: an
 * error response, with its `status`. `empty`: an answer without text. `cut`: an incomplete answer. `garbled`: a response that is
 * not a model's answer. */
export type ModelFault = "aborted" | "timeout" | "unreachable" | "refused" | "empty" | "cut" | "garbled";

/** Why a model wrote no summary. */
export class ModelError extends Error {
  constructor(
    readonly code: ModelFault,
    message: string,
    readonly status?: number,
  ) {
    super(message);
    this.name = "ModelError";
  }
}

// Turns a model's answer into the prose of a summary. Accepting an empty summary would lose the whole session.

interface Listening {
  readonly signal?: AbortSignal;
  /** Called with the number of characters received so far. */
  readonly heard?: (characters: number) => void;
}

/** Asks the model. Rejects at once when the caller aborts, even if the model does not notice. */
export async function askModel(model: Model, messages: readonly ModelMessage[], listening: Listening): Promise<string> {
  const { signal } = listening;
  forbidAborted(signal);
  const answer = await untilAborted(answerOf(model, messages, listening), signal);
  forbidAborted(signal);
  return answer as string;
}

export function forbidAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ModelError("aborted", "it was given up");
}

async function answerOf(model: Model, messages: readonly ModelMessage[], { signal, heard }: Listening): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of model.write(messages, signal)) {
    forbidAborted(signal);
    parts.push(part);
    length += part.length;
    if (length > ANSWER_CHARACTERS)
      throw new ModelError("garbled", `the answer does not end: more than ${ANSWER_CHARACTERS} characters`);
    heard?.(length);
  }
  return parts.join("");
}

/** If the server's template opens the thoughts, the answer contains only their end. */
const THOUGHTS_END = /^<\/think(?:ing)?>[ \t]*$/m;
/** A prompt may ask for this tag around the whole summary. */
const WRAPPED = /^<summary>([\s\S]*)<\/summary>$/;

/** The answer without the model's thoughts and without the earlier summary that it repeated. */
export function proseOf(answer: string): string {
  const thought = endOfThoughts(answer);
  const end = thought === 0 ? THOUGHTS_END.exec(answer) : null;
  const said = answer.slice(end ? end.index + end[0].length : thought).trim();
  return withoutPrevious((WRAPPED.exec(said)?.[1] ?? said).trim());
}

/** The tags count only on their own lines; a summary may mention them in a sentence. */
const PREVIOUS = "previous-summary";
const PREVIOUS_OPEN = new RegExp(`^<${PREVIOUS}>[ \\t]*$`, "m");
const PREVIOUS_CLOSE = new RegExp(`^</${PREVIOUS}>[ \\t]*$`, "gm");

/** If the answer is only a copy of the earlier summary, that copy is the answer. */
function withoutPrevious(text: string): string {
  const open = PREVIOUS_OPEN.exec(text);
  const close = [...text.matchAll(PREVIOUS_CLOSE)].at(-1);
  if (!open || !close || close.index < open.index) return text;
  const rest = `${text.slice(0, open.index).trimEnd()}\n\n${text.slice(close.index + close[0].length).trimStart()}`.trim();
  return rest === "" ? withoutPrevious(text.slice(open.index + open[0].length, close.index).trim()) : rest;
}
