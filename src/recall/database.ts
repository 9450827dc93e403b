// Opens the index: SQLite as Node or Bun has it built in, or else as WebAssembly. Each use holds a lock and is short, so that a
// process that is killed blocks nobody; what it had not finished is rolled back.
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { makeFolder, orUndefined } from "../files/folders.js";
import { ownFolder } from "../files/own-package.js";
import { takeLock, whenFree } from "../state/lock.js";
import { StoreError } from "./store.js";

type Value = string | number | null;
export type StoredRow = Readonly<Record<string, Value>>;

export interface Database {
  readonly run: (sql: string, values?: readonly Value[]) => void;
  readonly all: (sql: string, values?: readonly Value[]) => readonly StoredRow[];
}

interface Opened extends Database {
  readonly close: () => void;
}

/** The index is damaged, or another program wrote it. It can be built again. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

/** Runs the work in one transaction: all of it happens, or nothing. @param schema creates what is missing */
export async function inDatabase<T>(file: string, schema: string, work: (database: Database) => T): Promise<T> {
  makeFolder(dirname(file), 0o700);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new StoreError(`${file} is not a file`, "move it away, and run this again");
  return whenFree(() => {
    const lock = takeLock(`${file}.own`, PATIENCE);
    try {
      // The WebAssembly engine locks with a folder, which stays behind if its process is killed.
      rmSync(`${file}.lock`, { force: true, recursive: true });
      return transacted(file, schema, work);
    } finally {
      lock.release();
    }
  }, PATIENCE);
}

/** Milliseconds that a use may take, and that a process waits for others. Most take a hundredth of it. */
const PATIENCE = 30_000;

function transacted<T>(file: string, schema: string, work: (database: Database) => T): T {
  // The engine would let others read a file that it makes.
  closeSync(openSync(file, "a", 0o600));
  const database = open(file);
  try {
    database.run("begin immediate");
    // Each statement takes time, so an index that is complete is not asked for its tables.
    if (database.all("pragma user_version")[0]?.user_version === 0)
      for (const statement of [...schema.split(";\n"), "pragma user_version = 1"])
        if (statement.trim() !== "") database.run(statement);
    const result = work(database);
    database.run("commit");
    return result;
  } catch (error) {
    try {
      database.run("rollback");
    } catch {
      // There was no transaction.
    }
    if (DAMAGED.test(String((error as Error)?.message))) throw new DamagedError(`${file} is damaged`);
    throw error;
  } finally {
    database.close();
  }
}

const DAMAGED = /malformed|not a database|no such (?:table|column)|database disk image|corrupt/i;

/** Removes a damaged index, so that the next use builds it again. */
export function removeDatabase(file: string): void {
  for (const name of [file, `${file}-journal`, `${file}-wal`, `${file}-shm`, `${file}.lock`])
    rmSync(name, { force: true, recursive: true });
}

/** Rows of a database of another program. Undefined if it cannot be read. */
export function readRows(file: string, sql: string, values: readonly Value[] = []): readonly StoredRow[] | undefined {
  try {
    const database = openOther(file);
    try {
      return database.all(sql, values);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

const COPY_BYTES = 64_000_000;

/**
 * Most programs use a write-ahead log. The WebAssembly engine cannot read it while the program runs, and the others leave files
 * beside a database that no program has open. So a copy is read.
 */
function openOther(file: string): Opened {
  const engine = engineOf();
  const isLarge = statSync(file).size > COPY_BYTES;
  if (isLarge && engine === openWasm) throw new Error("too large");
  if (engine !== openWasm && (isLarge || existsSync(`${file}-shm`))) return engine(file, true);
  const folder = mkdtempSync(join(tmpdir(), "compaction-rules-"));
  const remove = () => rmSync(folder, { force: true, recursive: true });
  try {
    const own = join(folder, "copy");
    // The log first: what is moved from it into the database meanwhile is then in both, which does no harm.
    for (const end of ["-wal", ""]) if (end === "" || existsSync(file + end)) copyFileSync(file + end, own + end);
    const database = engine(own);
    database.run("pragma locking_mode = exclusive");
    const close = () => {
      database.close();
      remove();
    };
    return { ...database, close };
  } catch (error) {
    remove();
    throw error;
  }
}

const require = createRequire(import.meta.url);

const open = (file: string): Opened => engineOf()(file);

function engineOf(): (file: string, readOnly?: boolean) => Opened {
  if (process.versions.bun !== undefined) return openBun;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // From here on without a flag.
  return major > 22 || (major === 22 && minor >= 13) ? openNode : openWasm;
}

function openNode(file: string, readOnly = false): Opened {
  // Node 22 would warn that it is new.
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return opened(new (require("node:sqlite").DatabaseSync)(file, { readOnly }));
  } finally {
    process.emitWarning = emitWarning;
  }
}

const openBun = (file: string, readOnly = false) =>
  opened(new (require("bun:sqlite").Database)(file, readOnly ? { readonly: true } : undefined));

/** What Node and Bun have in common. */
interface NativeDatabase {
  prepare(sql: string): { run(...values: readonly Value[]): unknown; all(...values: readonly Value[]): readonly StoredRow[] };
  close(): void;
}

const opened = (database: NativeDatabase): Opened => ({
  run: (sql, values = []) => void database.prepare(sql).run(...values),
  all: (sql, values = []) => database.prepare(sql).all(...values),
  close: () => database.close(),
});

function openWasm(file: string): Opened {
  // As a plugin of Claude Code, the program comes without its dependency.
  const engine = orUndefined(() => require.resolve("node-sqlite3-wasm"));
  if (engine === undefined)
    throw new StoreError(
      "searching needs Node 22.13 or the whole package",
      `npm install --ignore-scripts --omit=dev, in ${ownFolder() ?? "the folder of the package"}`,
    );
  // V8 would compile it a second time, which takes longer than a query.
  setFlagsFromString("--liftoff-only");
  const { Database: Wasm } = require(engine);
  const database = new Wasm(file);
  return {
    run: (sql, values = []) => void database.run(sql, [...values]),
    all: (sql, values = []) => database.all(sql, [...values]),
    close: () => database.close(),
  };
}
