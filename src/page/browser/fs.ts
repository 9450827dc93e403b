// The file system of a page: it has only the packs of the project, as texts.

/** Path → text. A folder exists if a file is in it. The page replaces a text when it is edited. */
export const files = new Map<string, string>();

const isFolder = (path: string) => [...files.keys()].some((file) => file.startsWith(path.endsWith("/") ? path : `${path}/`));
const missing = (path: string) => Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT", syscall: "open" });

export const existsSync = (path: string) => files.has(path) || isFolder(path);

export function statSync(path: string, options?: { throwIfNoEntry?: boolean }) {
  if (!existsSync(path)) {
    if (options?.throwIfNoEntry === false) return undefined;
    throw missing(path);
  }
  return { isFile: () => files.has(path), isDirectory: () => !files.has(path), size: files.get(path)?.length ?? 0 };
}
export const lstatSync = statSync;
export const accessSync = (path: string) => statSync(path);
export const constants = { R_OK: 4 };

const real = (path: string) => {
  if (!existsSync(path)) throw missing(path);
  return path;
};
export const realpathSync = Object.assign(real, { native: real });

/** All that callers do with the bytes is to decode them. */
export function readRegular(path: string) {
  const text = files.get(path);
  if (text === undefined) throw missing(path);
  return { length: text.length, indexOf: () => -1, toString: () => text };
}

export const readFileSync = (path: string) => readRegular(path).toString();

/** Nothing else is in reach of the page. */
const refuse = (): never => {
  throw new Error("a page has no files");
};

export {
  refuse as readdirSync,
  refuse as mkdirSync,
  refuse as openSync,
  refuse as closeSync,
  refuse as readSync,
  refuse as writeFileSync,
  refuse as renameSync,
  refuse as rmSync,
  refuse as linkSync,
  refuse as fileChunks,
  refuse as replaceFile,
  refuse as changeState,
  refuse as mayBeStored,
  refuse as readState,
  refuse as listState,
};
