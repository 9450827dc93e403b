// The user's home folder; undefined for a user who has none, such as a container's that no list of users knows.
import { homedir } from "node:os";

export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
