// The sessions of all agents on this machine, before they are read.
import { join } from "node:path";
import { homeFolder } from "../../files/folders.js";
import { SETUPS } from "../../hosts/hosts.js";
import { type Listed, sessionsIn } from "../../recall/listed.js";
import { findFiles } from "../first/agents-here.js";

/** Files first, and the newest first in each agent's database. */
export function listSessions(): readonly Listed[] {
  const home = homeFolder() ?? "";
  const inDatabases = SETUPS.flatMap(({ agent: { folder, database } }) =>
    database ? sessionsIn(join(folder(home, process.env), database.name), database) : [],
  );
  return [...findFiles(home, process.env), ...inDatabases];
}
