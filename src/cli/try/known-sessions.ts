// What was found in sessions before: one stored file, by the content of the session, the rules and the program.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { fileStamp } from "../../files/folders.js";
import { fileChunks } from "../../files/regular-file.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { changeState, readState } from "../../state/state.js";
import { digestOf } from "../../text/forms.js";
import { isFields } from "../../text/json.js";
import type { TriedRules } from "./tried-rules.js";
import type { TriedSession, TryUnit } from "./try-session.js";

const NAME = "try";
/** Characters of the stored file. What was not asked for last gives way first. */
const CHARACTERS = 20_000_000;

type Known = Readonly<Record<string, TriedSession>>;

export function knownSessions({ now, before, declared, isRevision, asked }: TriedRules) {
  const packsOf = ({ packs }: LoadedRules) => packs.packs.map(({ file, yaml }) => [isRevision ? "" : file, yaml.text]);
  const program = fileStamp(fileURLToPath(import.meta.url));
  const rules = digestOf(JSON.stringify([program, packsOf(now), packsOf(before), [...declared], isRevision, asked]), 16);
  const { value } = readState(NAME);
  const stored = (isFields(value) && isFields(value.sessions) ? value.sessions : {}) as Known;
  return {
    keyOf({ path, bytes }: Pick<TryUnit, "path" | "bytes">): string {
      const hash = createHash("sha256");
      for (const chunk of bytes ? [bytes] : fileChunks(path)) hash.update(chunk);
      return `${rules}${hash.digest("hex").slice(0, 32)}`;
    },
    get: (key: string): TriedSession | undefined => (Object.hasOwn(stored, key) ? stored[key] : undefined),
    /** Nothing is stored if that fails: the sessions are read again. */
    store(found: Known): void {
      if (Object.keys(found).every((key) => Object.hasOwn(stored, key))) return;
      let left = CHARACTERS;
      const kept = Object.entries({ ...found, ...stored }).filter(([, one]) => {
        left -= JSON.stringify(one).length;
        return left >= 0;
      });
      try {
        changeState(NAME, () => ({ version: 1, sessions: Object.fromEntries(kept) }));
      } catch {}
    },
  };
}
