// What a summary needs of a language model: messages in, text out, piece by piece.

export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface Model {
  /** As its makers call it. */
  readonly name: string;
  /** The answer as it comes. Whatever goes wrong is thrown, a ModelError where the reason is known. */
  readonly write: (messages: readonly ModelMessage[], signal?: AbortSignal) => AsyncIterable<string>;
}

/**
 * `aborted`: the caller gave up. `timeout`: no answer, or not all of it, in time. `unreachable`: nobody answers there.
 * `refused`: an answer that is none, with its `status`. `empty`: an answer without text. `cut`: one that ends too early.
 * `garbled`: one that is no answer of a model.
 */
export type ModelFault = "aborted" | "timeout" | "unreachable" | "refused" | "empty" | "cut" | "garbled";

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
