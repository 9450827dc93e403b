// What the hooks of OpenCode share: the keeper of the project, the sessions that are being compacted, and what was read of them.

import { orUndefined } from "../../files/folders.js";
import { frameSettings } from "../../frames/context.js";
import { HOOK_MILLISECONDS } from "../../limits.js";
import type { Session } from "../../model.js";
import { readMessages } from "../../source/session/read-session.js";
import { inSlices, type Late, lateIn, type Steps } from "../../steps.js";
import { createCatcher } from "../catcher.js";
import { learn } from "../inject.js";
import { createKeeper, type Keeper } from "../keeper.js";
import { startTeller } from "../recall-tools.js";
import { createFrames } from "./frames/frames.js";
import { listIn } from "./frames/sessions.js";
import { createHistory, createReadAhead } from "./history.js";
import { asTyped, sessionInfos, withoutUndone } from "./messages.js";
import { checkOptions, type OpenCodeInput, type OpenCodeOptions } from "./options.js";

export type OpenCodeContext = ReturnType<typeof createContext>;

export function createContext({ client, directory }: OpenCodeInput, options: OpenCodeOptions, command?: URL) {
  const { deadline = HOOK_MILLISECONDS, frames, refused } = checkOptions(options);
  const catcher = createCatcher(client, deadline);
  const { log, attempt } = catcher;
  for (const what of refused) log("warn", what);

  let keeper: Keeper | undefined;
  const keep = (): Keeper => (keeper ??= createKeeper(directory, log, "opencode"));
  /** Work that is not done if the project switched the program off. */
  const ifOn =
    <T>(work: (keeper: Keeper) => T) =>
    () =>
      keep().enabled ? work(keep()) : undefined;
  const inTime = <T>(work: (late: Late) => Steps<T>, late = lateIn(deadline)) => inSlices(work(late), late);

  const toSession = (id: string, messages: readonly unknown[]): Session => {
    const session =
      messages.length === 0 ? { format: "opencode", messages: [] } : readMessages(asTyped(messages), id, "opencode").session;
    return { ...session, id, folder: directory };
  };

  async function ask(id: string, limit?: number): Promise<readonly unknown[] | undefined> {
    return listIn(await client.session.messages({ path: { id }, ...(limit !== undefined && { query: { limit } }) }));
  }

  const history = createHistory(async (id, limit) => {
    const messages = await ask(id, limit);
    log("info", `${messages?.length ?? 0} messages read, ${limit === undefined ? "all that there are" : "the newest"}`);
    return messages;
  }, toSession);
  const infos = sessionInfos(client.session);

  /** The session without what was undone, and what OpenCode knows about it. Either is undefined if it does not arrive in time. */
  async function readSession(id: string, what = "messages", milliseconds = deadline) {
    const [read, info] = await Promise.all([
      attempt(what, () => history.read(id), milliseconds),
      attempt("session", () => infos.infoOf(id), milliseconds),
    ]);
    return { session: read && withoutUndone(read, info), info };
  }

  // OpenCode asks for tools only once, at startup.
  const framesOf = (own: Keeper) => {
    const { rules } = own;
    const settings = frameSettings(frames ?? own.frames);
    if (!settings) return undefined;
    const learnt = (id: string, messages: readonly unknown[]) => inTime((late) => learn(own, toSession(id, messages), late));
    return createFrames({ client: client.session, settings, rules, log, learn: learnt });
  };

  return {
    ...catcher,
    ...infos,
    client,
    deadline,
    keep,
    ifOn,
    inTime,
    toSession,
    ask,
    history,
    readSession,
    // If it fails, the first hook meets the same error and logs it.
    framed: orUndefined(ifOn(framesOf)),
    /** Ids of messages that are summaries, known before their text arrives. */
    summaries: new Set<string>(),
    /** Sessions whose summary is being written. */
    compacting: new Set<string>(),
    ahead: createReadAhead(),
    idle: createReadAhead(1),
    /** What sessions were told with their first message, by its id: each request begins the same. */
    started: new Map<string, Promise<string>>(),
    tellStart: startTeller(command, directory),
    /** The last messages sent in each working session. */
    sent: new Map<string, readonly unknown[]>(),
  };
}
