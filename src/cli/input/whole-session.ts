// Reads a session for a command that stores something about it.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Notice, Session } from "../../model.js";
import { isFile, readBytes, readInputSession, STANDARD_INPUT, sessionNameOf } from "./input.js";

/** No host uses this as the id of a session. */
const UNNAMED = "\u0000";

export function readWholeSession(
  path: string,
  format: string | undefined,
  bytes = readBytes(path),
): { session: Session; notices: readonly Notice[] } {
  const { session, notices } = readInputSession(bytes, path, format, UNNAMED);
  return { session: { ...withOwnId(session, path), whole: session.whole === true && isFile(path) }, notices };
}

/** A session without an id is identified by its file and its first message: another one must not inherit its facts. */
function withOwnId(session: Session, path: string): Session {
  if (session.id !== UNNAMED) return session;
  const [first] = session.messages;
  const place = path === STANDARD_INPUT ? "" : resolve(path);
  const hash = createHash("sha256")
    .update(JSON.stringify([place, first?.role, first?.text]))
    .digest("hex");
  return { ...session, id: `${sessionNameOf(path)}-${hash.slice(0, 8)}` };
}
