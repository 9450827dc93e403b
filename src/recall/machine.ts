// Whether the user of this machine agreed to recall, and which machine puts sessions into a store that others use, too. Names of
// machines repeat, so each has an id of its own.
import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { orUndefined } from "../files/folders.js";
import { changeState, readState } from "../state/state.js";

/** The stored choice of the user, and the machine's id. */
const NAME = "recall";

interface Choice {
  readonly version: 1;
  readonly on?: boolean;
  readonly machine?: string;
}

const choice = () => (readState(NAME).value ?? { version: 1 }) as Choice;
const change = (next: (before: Choice) => Choice) => changeState(NAME, (value) => next((value ?? { version: 1 }) as Choice));

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
