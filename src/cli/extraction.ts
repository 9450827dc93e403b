// What a command that reads sessions gets from one: the same for each of them.
import { basename, resolve } from "node:path";
import { extract } from "../extract/extract.js";
import { needsOf } from "../extract/needs.js";
import { findsStores } from "../keep/finds-stores.js";
import type { Continuation, Extraction, Notice, Session } from "../model.js";
import type { LoadedRules } from "../rules/load.js";
import { readWorkspace } from "../source/workspace.js";
import { choicesFor } from "./choices.js";
import { type Input, openSession } from "./input.js";
import { warn } from "./print.js";

export interface Reading {
  readonly loaded: LoadedRules;
  readonly project: string | undefined;
  readonly format: string | undefined;
  /** Only the Continuation is wanted. */
  readonly typed?: boolean;
  /** false neither looks up nor stores what is found in a message. */
  readonly cache: boolean;
}

/** Without a session, the project's notes and work items are all there is. */
export function extractFrom(
  input: Input | undefined,
  { loaded, project, format, typed, cache }: Reading,
  step: (part: string) => void,
): Extraction & { readonly session: Session } {
  const { session, notices } = input ? openSession(input, needsOf(loaded.rules), format) : noSession(project);
  const extraction = extract(session, loaded.rules, {
    ...choicesFor(project ?? "."),
    ...(project !== undefined && readWorkspace(project, loaded.rules)),
    notices,
    statements: typed !== true,
    stores: cache ? findsStores(loaded) : undefined,
    progress: (done, total) => step(` ${done}/${total}`),
  });
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
  if (!enabled) warn("compaction: switched off, by enabled: false in .compactionrc or by COMPACTION_RULES=off\n");
  return !enabled;
}

export function notesOf({ session, diagnostics }: Pick<Continuation, "session" | "diagnostics">): string {
  return diagnostics
    .map(({ code, message, source, count }) => {
      const times = count > 1 ? ` (${count})` : "";
      return `note: ${session.id}${source ? ` ${source}` : ""}: ${message}${times} [${code}]\n`;
    })
    .join("");
}
