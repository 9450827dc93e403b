// A model's answer → the prose of a summary. An empty summary taken for a good one is the loss of the whole session.
import { endOfThoughts } from "../keep/thoughts.js";
import { ANSWER_CHARACTERS } from "../limits.js";
import { type Model, ModelError, type ModelMessage } from "./model.js";

export interface Listening {
  readonly signal?: AbortSignal;
  /** Called with how many characters have come. */
  readonly heard?: (characters: number) => void;
}

/** Whoever gives up is not kept waiting by a model that does not notice it. */
export async function askModel(model: Model, messages: readonly ModelMessage[], listening: Listening): Promise<string> {
  const { signal } = listening;
  forbidAborted(signal);
  let giveUp = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = () => reject(new ModelError("aborted", GIVEN_UP));
  });
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([answerOf(model, messages, listening), givenUp]);
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

const GIVEN_UP = "it was given up";

export function forbidAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ModelError("aborted", GIVEN_UP);
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
  forbidAborted(signal);
  return parts.join("");
}

/** Where a server's template opens them, only their end is in the answer. */
const THOUGHTS_END = /^<\/think(?:ing)?>[ \t]*$/m;
/** A prompt may ask for it around the whole. */
const WRAPPED = /^<summary>([\s\S]*)<\/summary>$/;

/** What the model thought aloud, and the earlier summary that it gave back, are no part of its answer. */
export function proseOf(answer: string): string {
  const thought = endOfThoughts(answer);
  const end = thought === 0 ? THOUGHTS_END.exec(answer) : null;
  const said = answer.slice(end ? end.index + end[0].length : thought).trim();
  return withoutPrevious((WRAPPED.exec(said)?.[1] ?? said).trim());
}

/** Tags on lines of their own; a summary may well name them in a sentence. */
const PREVIOUS = "previous-summary";
const PREVIOUS_OPEN = new RegExp(`^<${PREVIOUS}>[ \\t]*$`, "m");
const PREVIOUS_CLOSE = new RegExp(`^</${PREVIOUS}>[ \\t]*$`, "gm");

/** Where there is nothing beside an earlier summary that was copied, it is the answer. */
function withoutPrevious(text: string): string {
  const open = PREVIOUS_OPEN.exec(text);
  const close = [...text.matchAll(PREVIOUS_CLOSE)].at(-1);
  if (!open || !close || close.index < open.index) return text;
  const rest = `${text.slice(0, open.index).trimEnd()}\n\n${text.slice(close.index + close[0].length).trimStart()}`.trim();
  return rest === "" ? withoutPrevious(text.slice(open.index + open[0].length, close.index).trim()) : rest;
}
