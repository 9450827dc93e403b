// Whatever goes wrong in a hook stays in the hook: no throw, no hang, and a log that cannot fail.
import { cut } from "../extract/field.js";
import { QUOTED_CODE_POINTS } from "../limits.js";
import type { Level } from "./log.js";

export interface LogClient {
  readonly app: { log(request: { body: { service: string; level: Level; message: string } }): Promise<unknown> };
}

const SERVICE = "compaction-rules";

/** What an error says, or that it says nothing. */
export const messageOf = (error: unknown) => cut(error instanceof Error ? error.message : "unknown error", QUOTED_CODE_POINTS);

export interface Guard {
  readonly log: (level: Level, message: string) => void;
  /** The result of the work, or undefined when it fails or takes longer than the deadline, or its own. */
  readonly guarded: <T>(what: string, work: () => Promise<T> | T, milliseconds?: number) => Promise<T | undefined>;
}

/** A host's client does not answer while the host starts: what is logged before the first hook waits for it. */
export function createGuard(client: LogClient, deadline: number): Guard {
  let started = false;
  const waiting: (() => void)[] = [];

  const log = (level: Level, message: string): void => {
    const send = () =>
      void Promise.resolve()
        .then(() => client.app.log({ body: { service: SERVICE, level, message } }))
        .catch(() => undefined);
    if (started) send();
    else waiting.push(send);
  };

  async function guarded<T>(what: string, work: () => Promise<T> | T, milliseconds = deadline): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    started = true;
    for (const send of waiting.splice(0)) send();
    try {
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          log("warn", `${what}: not ready after ${Math.round(milliseconds)} ms; the session goes on without it`);
          resolve(undefined);
        }, milliseconds);
        timer.unref?.();
      });
      return await Promise.race([Promise.resolve().then(work), late]);
    } catch (error) {
      log("error", `${what}: ${messageOf(error)}`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  return { log, guarded };
}
