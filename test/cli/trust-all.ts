// Trusts the packs of a project as a user does: reads what `trust` prints, and repeats its digest.
import type { Outcome } from "./run-command.js";

export async function trustAll(command: (...args: string[]) => Outcome | Promise<Outcome>): Promise<void> {
  const { digest } = JSON.parse((await command("trust", "--json")).stdout) as { digest: string };
  const { exit, stderr } = await command("trust", "--yes", "--digest", digest);
  if (exit !== 0) throw new Error(stderr);
}
