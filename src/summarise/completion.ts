// What an OpenAI-compatible endpoint answers, streamed or in one piece → text. An answer that was cut off is none.
import { createParser } from "eventsource-parser";
import { ANSWER_BYTES } from "../limits.js";
import { ModelError } from "./model.js";
import { errorIn, quoted } from "./refusal.js";

type Mask = (text: string) => string;

const DONE = "[DONE]";

export async function* readCompletion(
  response: Response,
  alive: () => void,
  mask: Mask,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const type = response.headers.get("content-type") ?? "";
  const finish = createFinish(mask);
  // Some answer in one piece, whatever they are asked.
  if (/\bjson\b/.test(type)) {
    let whole = "";
    for await (const text of texts(response, alive, signal)) whole += text;
    yield finish.take(whole, true);
  } else yield* readEvents(response, alive, finish, signal);
  finish.check();
}

async function* readEvents(response: Response, alive: () => void, finish: Finish, signal: AbortSignal): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  for await (const text of texts(response, alive, signal)) {
    parser.feed(text);
    for (const data of events.splice(0)) yield finish.take(data, false);
    // Some leave the connection open.
    if (finish.done()) return;
  }
  // What stands at the end without the empty line that ends an event: the last word of some, the cut of others.
  parser.feed("\n\n");
  for (const data of events) yield finish.take(data, true);
}

async function* texts({ body }: Response, alive: () => void, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  const reader = body?.getReader();
  // Once the answer has begun, Node may forget that it is to be aborted, and wait for ever.
  signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined), { once: true });
  if (signal.aborted) await reader?.cancel();
  for (;;) {
    // A connection may be lost in the midst of an answer.
    const next = await reader?.read().catch(() => Promise.reject(brokenOff()));
    const value = next?.value;
    if (!value) break;
    alive();
    size += value.length;
    if (size > ANSWER_BYTES) throw new ModelError("garbled", `the answer does not end: more than ${ANSWER_BYTES} bytes`);
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}

interface Finish {
  /** The text in one event, or in the whole answer. */
  readonly take: (data: string, last: boolean) => string;
  /** Whether it was said that nothing more comes. */
  readonly done: () => boolean;
  /** Throws unless the answer has come to its end by itself. */
  readonly check: () => void;
}

interface Choice {
  readonly delta?: { readonly content?: unknown };
  readonly message?: { readonly content?: unknown };
  readonly finish_reason?: unknown;
}

/** What servers call an end that the model itself has come to. Whatever else they say, the answer may lack its rest. */
const WHOLE = /^(?:stop|stop_sequence|end_turn|eos|eos_token|completed?)$/i;

/** Some answer in blocks, of which those with text count. */
function textIn(content: unknown, between: string): string {
  if (typeof content === "string") return content;
  const blocks = (Array.isArray(content) ? content : []) as readonly ({
    readonly type?: unknown;
    readonly text?: unknown;
  } | null)[];
  return blocks.flatMap((block) => (block?.type === "text" && typeof block.text === "string" ? [block.text] : [])).join(between);
}

function createFinish(mask: Mask): Finish {
  let reason: string | undefined;
  let done = false;
  let seen = false;
  return {
    take(data, last) {
      if (data.trim() === DONE) {
        done = true;
        return "";
      }
      const value = parse(data, last);
      const { error, choices } = value as { readonly error?: unknown; readonly choices?: readonly Choice[] };
      if (error) throw new ModelError("refused", `the endpoint breaks off: ${quoted(errorIn({ error }) ?? "", mask)}`);
      if (!Array.isArray(choices)) return "";
      seen = true;
      const [choice] = choices as readonly (Choice | undefined)[];
      // Some write an empty one into every event.
      if (typeof choice?.finish_reason === "string" && choice.finish_reason !== "") reason = choice.finish_reason;
      // An answer in one piece that can be read is whole.
      if (last && choice?.message) done = true;
      return textIn(choice?.delta?.content, "") || textIn(choice?.message?.content, "\n");
    },
    done: () => done,
    check() {
      if (!seen) throw noCompletion();
      if (reason === undefined && !done) throw brokenOff();
      if (reason === undefined || WHOLE.test(reason)) return;
      if (/length|max_tokens/i.test(reason)) throw new ModelError("cut", "the answer was cut off at the model's limit");
      if (/filter|safety/i.test(reason)) throw new ModelError("cut", "the answer was cut off by a filter of the endpoint's");
      throw new ModelError("cut", `the answer did not come to its end: the endpoint says "${quoted(reason, mask)}"`);
    },
  };
}

function parse(data: string, last: boolean): object {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    if (last) throw brokenOff();
  }
  throw noCompletion();
}

const brokenOff = () => new ModelError("cut", "the answer broke off before its end");
const noCompletion = () => new ModelError("garbled", "the endpoint answers something that is no completion");
