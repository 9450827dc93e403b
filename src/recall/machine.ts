// Whether the user of this machine agreed to recall, and under which names its sessions are in a store that others use, too.
// Names of machines repeat, so each has an id of its own.
import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { basename, join } from "node:path";
import { orUndefined } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { PACK_BYTES } from "../limits.js";
import { changeState, readState } from "../state/state.js";

const NAME = "recall";

interface RecallChoice {
  readonly version: 1;
  readonly on?: boolean;
  readonly machine?: string;
}

const choice = () => (readState(NAME).value ?? { version: 1 }) as RecallChoice;
const change = (next: (before: RecallChoice) => RecallChoice) =>
  changeState(NAME, (value) => next((value ?? { version: 1 }) as RecallChoice));

/** Has the user agreed? Who names a store or switches recall on agrees by that. */
export const isOn = ({ on, store }: { readonly on?: boolean | undefined; readonly store?: string | undefined }): boolean =>
  on ?? (store !== undefined || Boolean(process.env.COMPACTION_RECALL_STORE) || choice().on === true);

export const rememberAgreement = (): void => void change((before) => ({ ...before, on: true }));

export interface Machine {
  readonly id: string;
  /** For people, such as ann@laptop. */
  readonly name: string;
}

export function thisMachine(): Machine {
  const known = choice().machine ?? change((before) => ({ machine: randomUUID(), ...before }))?.machine;
  const user = orUndefined(() => userInfo().username) ?? "";
  // People copy their home folder, with the id, to another machine.
  return { id: `${known} ${hostname()}`, name: user === "" ? hostname() : `${user}@${hostname()}` };
}

/**
 * The name of a project that is the same on every machine: where its repository comes from, or else its folder's name.
 * @param home the folder that identifies the project on this machine
 */
export function projectName(home: string): string {
  const settings = orUndefined(() => readRegular(join(home, ".git", "config"), PACK_BYTES).toString("utf8")) ?? "";
  const [, origin = ""] = /^\s*\[remote "origin"\]((?:\n(?!\s*\[).*)*)/m.exec(settings) ?? [];
  const [, url] = /^\s*url\s*=\s*(\S+)/m.exec(origin) ?? [];
  return url === undefined ? basename(home) : withoutAccess(url);
}

/** Host and path: people clone the same repository in several ways, and some with a password in the address. */
function withoutAccess(url: string): string {
  const [, host = "", path = ""] =
    /^[a-z][a-z+.-]*:\/\/(?:[^/]*@)?([^/:]*)(?::\d+)?\/(.*)$/i.exec(url) ?? /^(?:[^/]*@)?([^/:@]+):(.*)$/.exec(url) ?? [];
  const named = host === "" ? basename(url) : `${host.toLowerCase()}/${path.replace(/^\/+|[?#].*$/g, "")}`;
  return named.replace(/\/+$/, "").replace(/\.git$/, "");
}
