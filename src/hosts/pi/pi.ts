// pi's extension hooks. pi writes its summary itself. The hooks add the lost facts after it in every request and leave the
// session's file unchanged. Errors never reach pi, which waits for its extensions without a timeout.
import { withoutBlocks } from "../../audit/block.js";
import { needsOf } from "../../extract/calls/call.js";
import { inSlices } from "../../extract/steps.js";
import { fileChunks } from "../../files/regular-file.js";
import { HOOK_MILLISECONDS } from "../../limits.js";
import type { Session } from "../../model.js";
import { readSessionFrom } from "../../source/session/read-session.js";
import { createKeeper, type Keeper } from "../keeper.js";

/** The part of pi's context that is used. */
export interface PiContext {
  readonly cwd: string;
  readonly sessionManager: { getSessionFile(): string | undefined };
}

/** A message of a request. The summary is the one with the role `compactionSummary`. */
export interface PiMessage {
  readonly role: string;
  readonly summary?: string;
}

export interface PiApi {
  on(event: "context", handler: (event: { messages: PiMessage[] }, context: PiContext) => unknown): void;
  on(event: "session_compact", handler: (event: unknown, context: PiContext) => unknown): void;
}

export function piHooks(pi: PiApi): void {
  let keeper: Keeper | undefined;
  // Cached for the current summary, because there are many requests.
  let last: { readonly file: string; readonly summary: string; readonly behind: string | undefined } | undefined;

  async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch {
      // pi would show the error in the middle of the user's work, and the user could do nothing about it.
      return undefined;
    }
  }

  function open({ cwd, sessionManager }: PiContext): { keeper: Keeper; session: Session; file: string } | undefined {
    keeper ??= createKeeper(cwd, () => {});
    const file = sessionManager.getSessionFile();
    if (!keeper.enabled || file === undefined) return undefined;
    const { session } = readSessionFrom(() => fileChunks(file), "pi", needsOf(keeper.rules), "pi");
    return { keeper, session, file };
  }

  const options = (session: Session) => {
    const end = performance.now() + HOOK_MILLISECONDS;
    return { late: () => performance.now() > end, whole: session.whole === true };
  };

  async function behind(summary: string, context: PiContext): Promise<string | undefined> {
    if (last && last.summary === summary && last.file === context.sessionManager.getSessionFile()) return last.behind;
    const opened = open(context);
    const block = opened && (await inSlices(opened.keeper.remind(opened.session, summary, options(opened.session))));
    last = { file: opened?.file ?? "", summary, behind: block };
    return block;
  }

  pi.on("session_compact", (_, context) =>
    quietly(async () => {
      const opened = open(context);
      const summary = opened?.session.messages.findLast((message) => message.summary === true)?.text;
      if (!opened || summary === undefined) return;
      await inSlices(opened.keeper.inject(opened.session, options(opened.session)));
      await inSlices(opened.keeper.repair(opened.session.id, summary, options(opened.session)));
    }),
  );
  pi.on("context", ({ messages }, context) =>
    quietly(async () => {
      const at = messages.findIndex(({ role, summary }) => role === "compactionSummary" && typeof summary === "string");
      const { summary = "" } = messages[at] ?? {};
      const block = at < 0 ? undefined : await behind(summary, context);
      if (block === undefined) return undefined;
      return {
        messages: messages.with(at, { ...(messages[at] as PiMessage), summary: `${withoutBlocks(summary)}\n\n${block}` }),
      };
    }),
  );
}
