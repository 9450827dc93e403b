// Reads which files git tracks, from its index. Git itself is not started: a repository can tell it to run programs.
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readRegular } from "./regular-file.js";

/** A repository of a million files has an index of this size. */
const INDEX_BYTES = 200_000_000;

/** The files, links and submodules that git tracks in a repository, with slashes, relative to its folder. Empty if it has no index
 * yet; undefined if nobody can tell: there is no repository, or its index cannot be understood. */
export function trackedNames(root: string): ReadonlySet<string> | undefined {
  if (!existsSync(join(root, ".git"))) return undefined;
  try {
    const bytes = readRegular(join(gitFolder(root), "index"), INDEX_BYTES + 1);
    // Nothing says how long a digest is. Only one length fits.
    return namesIn(bytes, SHA1_BYTES) ?? namesIn(bytes, SHA256_BYTES);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? new Set() : undefined;
  }
}

/** In another working tree and in a submodule, `.git` is a file that names the folder. */
function gitFolder(root: string): string {
  const path = join(root, ".git");
  if (statSync(path).isDirectory()) return path;
  const named = readRegular(path, INDEX_BYTES).toString("utf8");
  return resolve(root, named.replace(/^gitdir: /, "").trim());
}

const SHA1_BYTES = 20;
const SHA256_BYTES = 32;
/** The times, the size and so on of a file. */
const STAT_BYTES = 40;
const HEADER_BYTES = 12;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;

/** Undefined for another format, and for an index that is split over two files. */
function namesIn(bytes: Buffer, digest: number): ReadonlySet<string> | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.length > INDEX_BYTES || bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined;
  const names = new Set<string>();
  let at = HEADER_BYTES;
  let before = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    at += STAT_BYTES + digest;
    if (at + 2 > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(at);
    at += flags & EXTENDED ? 4 : 2;
    let kept = 0;
    // Version 4 says how many bytes of the name before are cut off, in groups of seven bits.
    if (version === 4) {
      let cut = bytes[at] ?? 0;
      let more = cut & 0x80;
      cut &= 0x7f;
      for (at++; more; at++) {
        cut = ((cut + 1) << 7) | ((bytes[at] ?? 0) & 0x7f);
        more = (bytes[at] ?? 0) & 0x80;
      }
      kept = before.length - cut;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0) return undefined;
    const name = Buffer.concat([before.subarray(0, kept), bytes.subarray(at, end)]);
    if (Math.min(name.length, LENGTH) !== (flags & LENGTH)) return undefined;
    names.add(name.toString("utf8"));
    before = name;
    at = version === 4 ? end + 1 : start + Math.ceil((end + 1 - start) / 8) * 8;
  }
  return bytes.toString("latin1", at, at + 4) === "link" ? undefined : names;
}
