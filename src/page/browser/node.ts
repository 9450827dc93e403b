// What the engine uses of other modules of Node, made for a page.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import ansiRegex from "ansi-regex";
import path from "path-browserify";

// node:path
export const { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } = path;
export const posix = path;

// node:crypto, node:os, node:url, node:buffer, node:util
export const createHash = (_: "sha256") => ({
  update: (text: string) => ({ digest: (_: "hex") => bytesToHex(sha256(utf8ToBytes(text))) }),
});
export const randomUUID = () => crypto.randomUUID();
export const homedir = () => "";
export const fileURLToPath = (url: URL) => url.pathname;
export const isUtf8 = () => true;
export const stripVTControlCharacters = (text: string) => text.replace(ansiRegex(), "");
