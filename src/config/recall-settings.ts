// Whether sessions are indexed, and where. A project's configuration may come with a clone: it can say off, and nothing else.
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import { isNo } from "./check-shape.js";
import { USER_FILE } from "./find-config.js";
import type { LoadedPack } from "./pack.js";

export interface RecallSettings {
  /** Undefined if nobody says so; then the user is asked. */
  readonly on?: boolean;
  /** The address of a team's server, with its password. */
  readonly store?: string;
}

export function resolveRecall(project: LoadedPack | undefined, user: LoadedPack | undefined) {
  const asked = project?.body.recall;
  const own = user?.body.recall;
  const isOff = isNo(asked?.use) || isNo(own?.use);
  const recall: RecallSettings = isOff
    ? { on: false }
    : { ...(own && { on: true }), ...(own?.store !== undefined && { store: own.store }) };
  return { recall, diagnostics: project && asked && !isNo(asked.use) ? refused(project, user?.file ?? USER_FILE) : [] };
}

function refused({ body, yaml }: LoadedPack, users: string): readonly Diagnostic[] {
  const hint = `if you want it, put recall into ${users}`;
  return body.recall?.store === undefined
    ? [diagnostic("unused-key", "a project may only switch recall off", yaml.locate(["recall"], "key"), hint)]
    : [
        diagnostic(
          "file-reach",
          "a project may not say where sessions are stored",
          yaml.locate(["recall", "store"], "key"),
          hint,
        ),
      ];
}
