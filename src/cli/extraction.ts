// What a command that reads sessions gets from one: the same for each of them.
import { basename, resolve } from "node:path";
import { extract } from "../extract/extract.js";
import { openCache } from "../keep/cache.js";
import type { Continuation, Extraction, Notice, Session } from "../model.js";
import type { LoadedRules } from "../rules/load.js";
import { readWorkspace } from "../source/workspace.js";
import { choicesFor } from "./choices.js";
import { openSession } from "./input.js";

export interface Reading {
  readonly loaded: LoadedRules;
  readonly project: string | undefined;
  readonly format: string | undefined;
  /** Unless false, what was found before is not looked for again. */
  readonly useCache?: boolean;
}

/** Without a session, the project's notes and work items are all there is. */
export function extractFrom(
  path: string | undefined,
  { loaded, project, format, useCache }: Reading,
  step: (part: string) => void,
): Extraction & { readonly session: Session } {
  const { session, notices } = path === undefined ? noSession(project) : openSession(path, format);
  const cache = useCache === false ? undefined : openCache(loaded.rules);
  const extraction = extract(session, loaded.rules, {
    ...choicesFor(project ?? "."),
    ...(project !== undefined && readWorkspace(project, loaded.rules)),
    notices,
    progress: (done, total) => step(` ${done}/${total}`),
    cache,
  });
  cache?.flush();
  // Statements are not made before somebody asks for them.
  return {
    session,
    continuation: extraction.continuation,
    get statements() {
      return extraction.statements;
    },
  };
}

function noSession(project: string | undefined): { session: Session; notices: readonly Notice[] } {
  return { session: { id: basename(resolve(project ?? ".")), format: "project", messages: [] }, notices: [] };
}

/** Says on standard error that the user has switched everything off. */
export function isOff({ enabled }: LoadedRules): boolean {
  if (!enabled) process.stderr.write("compaction: switched off, by enabled: false in .compactionrc or by COMPACTION_RULES=off\n");
  return !enabled;
}

export function printNotes({ session, diagnostics }: Continuation): void {
  for (const { code, message, source, count } of diagnostics) {
    const times = count > 1 ? ` (${count})` : "";
    process.stderr.write(`note: ${session.id}${source ? ` ${source}` : ""}: ${message}${times} [${code}]\n`);
  }
}
