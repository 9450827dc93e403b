// The sessions that an agent keeps: each in a file, or all in a database.
import { existsSync } from "node:fs";
import { readRows } from "./database.js";

/** A session before it is read. */
export interface Listed {
  /** Of a session in a database: that of the database, "#", and the id of the session. */
  readonly path: string;
  readonly row?: {
    readonly folder: string;
    /** When it was changed. */
    readonly time: number;
    /** What the agent would export. */
    readonly read: () => Buffer;
  };
  /** A database that cannot be read here. What is known of its sessions stays. */
  readonly isClosed?: true;
}

/** How a database of an agent is asked. */
export interface AgentDatabase {
  readonly name: string;
  /** Gives id, folder and time of each session. */
  readonly list: string;
  /** Gives one session, by its id, as JSON in the column `text`. */
  readonly one: string;
}

export function sessionsIn(file: string, { list, one }: AgentDatabase): readonly Listed[] {
  if (!existsSync(file)) return [];
  const rows = readRows(file, list);
  if (!rows) return [{ path: file, isClosed: true }];
  return rows.map(({ id, folder, time }) => ({
    path: `${file}#${id}`,
    row: {
      folder: String(folder),
      time: Number(time),
      read: () => Buffer.from(String(readRows(file, one, [id ?? null])?.[0]?.text ?? "")),
    },
  }));
}
