// Writes a file that the user named in an option.
import { replaceFile } from "../../files/regular-file.js";
import { CommandError } from "./terminal.js";

/** Sessions are private: nobody else may read the file. */
export function writeOut(file: string, text: string, option = "out"): void {
  try {
    replaceFile(file, text, { mode: 0o600 });
  } catch (error) {
    throw new CommandError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code})`,
      `--${option} names another file`,
    );
  }
}
