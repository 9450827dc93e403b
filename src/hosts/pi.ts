// pi's extension hooks. pi writes its summary by itself, whatever happens here; what the summary lost is put behind it in every
// request, and the session's file stays as it is. Whatever goes wrong stays here: pi waits for its extensions without an end.
import { needsOf } from "../extract/needs.js";
import { inSlices } from "../extract/steps.js";
import { withoutBlocks } from "../keep/block.js";
import { HOOK_MILLISECONDS } from "../limits.js";
import type { Session } from "../model.js";
import { fileChunks } from "../source/file-chunks.js";
import { readSessionFrom } from "../source/session.js";
import { createKeeper, type Keeper } from "./keeper.js";

/** As much of pi as is used. */
export interface PiContext {
  readonly cwd: string;
  readonly sessionManager: { getSessionFile(): string | undefined };
}

/** Of the messages of a request, the summary is the one of this role. */
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
  // Of the summary that is in use: requests are many.
  let last: { readonly file: string; readonly summary: string; readonly behind: string | undefined } | undefined;

  async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch {
      // pi would show it in the middle of the user's work, and he could do nothing about it.
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
      await inSlices(opened.keeper.mend(opened.session.id, summary, options(opened.session)));
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
