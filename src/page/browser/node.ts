// Stands in for other modules of Node in the page: what the engine uses of them, with the same results.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import path from "path-browserify";

// node:path
export const { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } = path;
export const posix = path;
export const win32 = {
  sep: "\\",
  /** Keeps the drive, or the two backslashes before a server. */
  normalize(given: string) {
    const [start = ""] = /^(?:[A-Za-z]:|\\(?=\\))?/.exec(given) ?? [];
    return start + path.normalize(given.slice(start.length).replaceAll("\\", "/")).replaceAll("/", "\\");
  },
};

// node:crypto, node:os, node:url, node:buffer, node:util
export const createHash = (_: "sha256") => ({
  update: (text: string) => ({ digest: (_: "hex") => bytesToHex(sha256(utf8ToBytes(text))) }),
});
export const randomUUID = () => crypto.randomUUID();
export const homedir = () => "";
export const fileURLToPath = (url: URL) => url.pathname;
export const isUtf8 = () => true;
// The pattern of Node itself, from chalk/ansi-regex.
const CONTROLS = new RegExp(
  "[\\u001B\\u009B][[\\]()#;?]*" +
    "(?:(?:(?:(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]+)*|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]*)*)?(?:\\u0007|\\u001B\\u005C|\\u009C))" +
    "|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))",
  "g",
);
export const stripVTControlCharacters = (text: string) => text.replace(CONTROLS, "");
