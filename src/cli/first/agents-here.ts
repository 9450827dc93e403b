// Finds the agents of this machine: where they are configured, and their sessions, newest first. Only reads.
import { type Dirent, readdirSync, statSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { homeFolder, isFolder, orUndefined } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { SETUPS } from "../../hosts/hosts.js";
import { type Agent, PACKAGE } from "../../hosts/setup.js";
import { PACK_BYTES } from "../../limits.js";
import { type ListedSession, sessionsIn } from "../../recall/listed.js";
import { pluginCopy } from "../init/host-entries.js";

const FILES = 20_000;
const BYTES = 64_000_000;

export interface AgentHere {
  readonly setup: (typeof SETUPS)[number];
  /** Where its program is; undefined if it is not on the path. */
  readonly program: string | undefined;
  readonly folder: string;
  /** Newest first. */
  readonly sessions: readonly SessionHere[];
  /** The settings that name our program. */
  readonly configured: readonly string[];
}

export interface SessionHere extends ListedSession {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly bytes: number;
}

export const listSessions = (): readonly SessionHere[] =>
  SETUPS.flatMap(({ agent }) => sessionsOf(agent, agent.folder(homeFolder() ?? "", process.env))).sort((a, b) => b.time - a.time);

const SESSION_FILE = /\.(?:jsonl?|md)$/;

/** The sessions in a folder, or of all agents on this machine, newest first. */
export const findSessions = (folder: string | undefined): readonly SessionHere[] =>
  folder === undefined
    ? listSessions().filter(({ isClosed }) => !isClosed)
    : filesBelow(folder).filter(({ path }) => SESSION_FILE.test(path));

function sessionsOf({ isSession, database }: Agent, folder: string): readonly SessionHere[] {
  const files = isSession ? filesBelow(folder).filter(({ path }) => isSession(relative(folder, path))) : [];
  const rows = database ? sessionsIn(join(folder, database.name), database) : [];
  return [...files, ...rows.map((one) => ({ ...one, time: one.row?.time ?? 0, bytes: 0 }))];
}

export function findAgents(home: string, project: string, environment: NodeJS.ProcessEnv): readonly AgentHere[] {
  return SETUPS.flatMap((setup) => {
    const { agent } = setup;
    const folder = agent.folder(home, environment);
    const program = findProgram(agent.program, environment);
    const sessions = sessionsOf(agent, folder);
    const copy = "loads" in setup ? pluginCopy(project, setup.loads) : undefined;
    const settings = agent.settings(home, project, environment).filter((file) => namesUs(agent, file));
    const configured = copy === undefined ? settings : [...settings, join(project, copy)];
    return program !== undefined || isFolder(folder) || configured.length > 0
      ? [{ setup, program, folder, sessions, configured }]
      : [];
  });
}

/** An MCP server keeps nothing through a compaction, and a plugin may be switched off: these entries do not count. */
const IDLE = new RegExp(`"${PACKAGE}(?:-local)?(?:@[^"]*)?"\\s*:\\s*(?:\\{[^{}]*\\}|false)`, "g");

export const namesUs = ({ names = (text) => text.includes(PACKAGE) }: Agent, file: string) =>
  orUndefined(() => names(readRegular(file, PACK_BYTES).toString("utf8").replace(IDLE, ""), file)) === true;

/** npx and npm put the folders of their own programs first, which no agent has on its path. */
const OF_NPM = /[/\\]node_modules[/\\]\.bin[/\\]?$/;

export function findProgram(name: string, { PATH = "", PATHEXT = "" }: NodeJS.ProcessEnv): string | undefined {
  const endings = process.platform === "win32" ? PATHEXT.split(";") : [""];
  return PATH.split(delimiter)
    .flatMap((folder) => (folder === "" || OF_NPM.test(folder) ? [] : endings.map((ending) => join(folder, name + ending))))
    .find((file) => orUndefined(() => statSync(file).isFile()) === true);
}

/** The files in a folder and below it, newest first. */
export function filesBelow(folder: string): readonly SessionHere[] {
  const found: SessionHere[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined && found.length < FILES; next = folders.pop()) {
    const here = next;
    const entries: readonly Dirent[] = orUndefined(() => readdirSync(here, { withFileTypes: true })) ?? [];
    for (const entry of entries) {
      const path = join(here, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const info = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined;
      if (info && info.size > 0 && info.size <= BYTES) found.push({ path, time: info.mtimeMs, bytes: info.size });
    }
  }
  return found.sort((a, b) => b.time - a.time);
}

/** Does a session hold one of the texts? Most have no compaction, and reading them as a session takes long. */
export function holdsMark({ setup }: AgentHere, { path, row }: ListedSession): boolean {
  const bytes = orUndefined(() => row?.read() ?? readRegular(path, BYTES));
  return bytes !== undefined && setup.agent.marks.some((mark) => bytes.includes(mark));
}
