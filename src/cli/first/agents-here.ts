// Finds the agents of this machine: where they are configured, and their sessions, newest first. Only reads.
import { spawn } from "node:child_process";
import { closeSync, type Dirent, mkdtempSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { isFolder, orUndefined } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { SETUPS } from "../../hosts/hosts.js";
import { type Agent, PACKAGE } from "../../hosts/setup.js";
import { PACK_BYTES } from "../../limits.js";
import { isFields, parseJson } from "../../source/session/parse-json.js";

/** Files that are looked at for each agent. */
const FILES = 20_000;
/** Larger files are not listed. */
const BYTES = 64_000_000;

export interface Here {
  readonly setup: (typeof SETUPS)[number];
  /** Where its program is; undefined if it is not on the path. */
  readonly program: string | undefined;
  readonly folder: string;
  /** Newest first. */
  readonly files: readonly SessionFile[];
  /** The settings that name our program. */
  readonly configured: readonly string[];
}

export interface SessionFile {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly bytes: number;
}

/** The session files of all agents, newest first. */
export const findFiles = (home: string, environment: NodeJS.ProcessEnv): readonly SessionFile[] =>
  SETUPS.flatMap(({ agent }) => sessionsOf(agent, agent.folder(home, environment))).sort((a, b) => b.time - a.time);

function sessionsOf({ isSession }: Agent, folder: string): readonly SessionFile[] {
  return isSession ? filesBelow(folder).filter(({ path }) => isSession(relative(folder, path))) : [];
}

/** The agents that are installed, have sessions or are configured. */
export function findAgents(home: string, project: string, environment: NodeJS.ProcessEnv): readonly Here[] {
  return SETUPS.flatMap((setup) => {
    const { agent } = setup;
    const folder = agent.folder(home, environment);
    const program = findProgram(agent.program, environment);
    const files = sessionsOf(agent, folder);
    const configured = agent.settings(home, project, environment).filter(namesUs);
    return program !== undefined || isFolder(folder) || configured.length > 0
      ? [{ setup, program, folder, files, configured }]
      : [];
  });
}

/** An MCP server keeps nothing through a compaction, so its entry does not count. */
const SERVER = new RegExp(`"${PACKAGE}"\\s*:\\s*\\{[^{}]*\\}`, "g");

const namesUs = (file: string) =>
  orUndefined(() => readRegular(file, PACK_BYTES).toString("utf8").replace(SERVER, "").includes(PACKAGE)) === true;

/** The file of a program on the path. */
export function findProgram(name: string, { PATH = "", PATHEXT = "" }: NodeJS.ProcessEnv): string | undefined {
  const endings = process.platform === "win32" ? PATHEXT.split(";") : [""];
  return PATH.split(delimiter)
    .flatMap((folder) => (folder === "" ? [] : endings.map((ending) => join(folder, name + ending))))
    .find((file) => orUndefined(() => statSync(file).isFile()) === true);
}

/** The files in a folder and below it, newest first. */
export function filesBelow(folder: string): readonly SessionFile[] {
  const found: SessionFile[] = [];
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

/** Does a file hold one of the texts? Most sessions have no compaction, and reading them as a session takes long. */
export function holdsMark({ setup }: Here, { path }: SessionFile): boolean {
  const bytes = orUndefined(() => readRegular(path, BYTES));
  return bytes !== undefined && setup.agent.marks.some((mark) => bytes.includes(mark));
}

/** The newest sessions of an agent that keeps them in a database: its program prints them. Fails with nothing. */
export async function exportedBy({ setup, program }: Here, milliseconds: number): Promise<readonly Uint8Array[]> {
  const { exports } = setup.agent;
  const folder = exports && program && orUndefined(() => mkdtempSync(join(tmpdir(), "compaction-rules-")));
  if (!folder) return [];
  const until = Date.now() + milliseconds;
  const print = async (args: readonly string[], name: string) => {
    // Into a file: the program may end before a pipe is empty.
    const file = join(folder, name);
    const handle = openSync(file, "w", 0o600);
    try {
      const child = spawn(program, args, { stdio: ["ignore", handle, "ignore"], timeout: Math.max(1, until - Date.now()) });
      await new Promise((resolve) => child.once("close", resolve).once("error", resolve));
      return readRegular(file, BYTES);
    } finally {
      closeSync(handle);
    }
  };
  try {
    const listed = parseJson((await print(exports.list, "list")).toString("utf8"));
    const ids = (Array.isArray(listed) ? listed : []).flatMap((one) =>
      isFields(one) && typeof one.id === "string" ? [one.id] : [],
    );
    const all = await Promise.all(ids.map((id, index) => print(exports.one(id), `${index}`)));
    return all.filter(({ length }) => length > 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
