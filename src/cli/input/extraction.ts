// Extracts one session for a command. All commands that read sessions use this.
import { basename, resolve } from "node:path";
import { needsOf } from "../../extract/calls/call.js";
import { extract } from "../../extract/pipeline.js";
import type { Extraction, Notice, Session } from "../../model.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { readWorkspace } from "../../source/notes/workspace.js";
import { type Input, openSession } from "./input.js";
import { choicesFor } from "./project.js";

export interface ExtractionInput {
  readonly loaded: LoadedRules;
  readonly project: string | undefined;
  readonly format: string | undefined;
  /** Only the Continuation is needed. */
  readonly typed?: boolean;
}

/** Extracts a session. Without one, only the project's notes and work items are read. */
export function extractFrom(
  input: Input | undefined,
  { loaded, project, format, typed }: ExtractionInput,
  step: (part: string) => void,
): Extraction & { readonly session: Session } {
  const { session, notices } = input ? openSession(input, needsOf(loaded.rules), format) : noSession(project);
  const extraction = extract(session, loaded.rules, {
    ...choicesFor(project ?? "."),
    ...(project !== undefined && readWorkspace(project, loaded.rules)),
    notices,
    statements: typed !== true,
    progress: (done, total) => step(` ${done}/${total}`),
  });
  // Statements are computed on first access.
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
