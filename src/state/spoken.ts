// What guards said in a session, so that a sentence is told once, and which packs the user trusts to do more than tell.
import type { Spoken } from "../rules/guard.js";
import { changeState, fileNameOf, listState, readState } from "./state.js";

/** `untrusted` counts the characters that came from files which the user does not trust. */
type Heard = { readonly version: 1; readonly spoken: Spoken; readonly untrusted: number; readonly unread: number };
type Said = Pick<Heard, "spoken" | "untrusted">;

const PREFIX = "guards-";
const nameOf = (session: string) => `${PREFIX}${fileNameOf(session)}`;

function heardIn(value: unknown): Heard {
  const { spoken, untrusted, unread } = (value ?? {}) as Partial<Heard>;
  const isMap = typeof spoken === "object" && spoken !== null;
  const count = (number: unknown) => (typeof number === "number" ? number : 0);
  return { version: 1, spoken: isMap ? spoken : {}, untrusted: count(untrusted), unread: count(unread) };
}

export const readHeard = (session: string, folder?: string): Heard => heardIn(readState(nameOf(session), folder).value);

/** Changes what was said under a lock, because an agent may make several calls at once. @returns what the change gives */
export function changeHeard<T extends Said>(session: string, change: (before: Said) => T, unread: boolean, folder?: string): T {
  let result: T | undefined;
  changeState(
    nameOf(session),
    (value) => {
      const before = heardIn(value);
      result = change(before);
      const { spoken, untrusted } = result;
      return { version: 1, spoken, untrusted, unread: before.unread + Number(unread) } satisfies Heard;
    },
    folder,
  );
  return result as T;
}

/** Calls of all sessions that could not be read. */
export const readUnread = (folder?: string): number =>
  listState(folder)
    .filter(({ name }) => name.startsWith(PREFIX))
    .reduce((sum, { name }) => sum + heardIn(readState(name, folder).value).unread, 0);

// Trust. It is in the user's own folder, never in a project.

/** By the digest of the pack: the file, and when the user trusted it. */
export type TrustedPacks = Readonly<Record<string, { readonly file: string; readonly time: string }>>;

export const TRUSTED = "trusted";

export function readTrusted(folder?: string): TrustedPacks {
  const { packs } = (readState(TRUSTED, folder).value ?? {}) as { readonly packs?: TrustedPacks };
  return typeof packs === "object" && packs !== null ? packs : {};
}

export const changeTrusted = (change: (before: TrustedPacks) => TrustedPacks, folder?: string) =>
  void changeState(TRUSTED, (value) => ({ version: 1, packs: change((value as { packs?: TrustedPacks })?.packs ?? {}) }), folder);
