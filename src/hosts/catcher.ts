// Keeps errors inside a hook: it never throws or hangs, and logging cannot fail.
import { AsyncLocalStorage } from "node:async_hooks";
import { cut } from "../extract/facts/field.js";
import { QUOTED_CODE_POINTS } from "../limits.js";

export type LogClient = { readonly app: { log(request: { body: object }): Promise<unknown> } };

const SERVICE = "compaction-rules";
const STARTUP = "startup";

export const messageOf = (error: unknown) => cut(error instanceof Error ? error.message : "unknown error", QUOTED_CODE_POINTS);

type Level = "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string) => void;

/** A host's client does not answer during startup, so log messages are held back until the first hook. */
export function createCatcher(client: LogClient, deadline: number) {
  let started = false;
  const waiting: (() => void)[] = [];
  const hooks = new AsyncLocalStorage<string>();

  const log: Log = (level, message) => {
    const extra = { hook: hooks.getStore() ?? STARTUP };
    const send = () =>
      void Promise.resolve()
        .then(() => client.app.log({ body: { service: SERVICE, level, message, extra } }))
        .catch(() => undefined);
    if (started) send();
    else waiting.push(send);
  };

  const inHook = <T>(what: string, work: () => Promise<T>): Promise<T> => hooks.run(hooks.getStore() ?? what, work);

  /** The result of the work, or undefined if it fails. For work that stops by itself when its time is up. */
  function caught<T>(what: string, work: () => Promise<T> | T): Promise<T | undefined> {
    return inHook(what, async () => {
      started = true;
      for (const send of waiting.splice(0)) send();
      try {
        return await work();
      } catch (error) {
        log("error", `${what}: ${messageOf(error)}`);
        return undefined;
      }
    });
  }

  /** The same, also undefined if the work takes longer than `milliseconds` (by default the deadline): the host may not answer. */
  function attempt<T>(what: string, work: () => Promise<T> | T, milliseconds = deadline): Promise<T | undefined> {
    return inHook(what, async () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          log("warn", `${what}: not ready after ${Math.round(milliseconds)} ms; the session goes on without it`);
          resolve(undefined);
        }, milliseconds);
        timer.unref?.();
      });
      const result = await Promise.race([caught(what, work), late]);
      clearTimeout(timer);
      return result;
    });
  }

  return { log, caught, attempt };
}
