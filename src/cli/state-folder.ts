// What is done in the user's state folder: where that cannot be, it is said, with what to do.
import { BrokenChoicesError } from "../keep/choices.js";
import { stateFolder } from "../keep/state.js";
import { Failure } from "./failure.js";

export const OTHER_FOLDER = "XDG_STATE_HOME names another folder";

export function inStateFolder<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BrokenChoicesError)
      throw new Failure(
        `${error.message}; nothing is changed`,
        "mend the file, or move it away: what it holds was pinned and dropped by you",
      );
    // The system's errors and those of the store are plain; any other is a slip of ours.
    if (!(error instanceof Error) || error.name !== "Error" || error instanceof Failure) throw error;
    if (stateFolder() === undefined) throw new Failure(`nothing can be stored: ${error.message}`, OTHER_FOLDER);
    throw new Failure(`the state folder ${stateFolder()} cannot be used: ${error.message}`, OTHER_FOLDER);
  }
}
