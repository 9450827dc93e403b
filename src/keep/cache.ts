// What was found in messages, kept over runs: one line for each message in the user's cache folder, readable by the user
// alone. It may be gone, cut or someone else's at any time: then it is found again.
import * as crypto from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FindsCache } from "../extract/source-finds.js";
import { CACHE_BYTES } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";

/** What the engine makes of a text and a rule set; another number where that changes. */
const ENGINE = 1;
const NAME = "messages.jsonl";
const HEAD = '["';
const KEY_CHARACTERS = 27;

export interface DiskCache extends FindsCache {
  /** Writes what is new. */
  readonly flush: () => void;
}

/** XDG's cache folder, else the platform's usual one. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = environment;
  const base = XDG_CACHE_HOME || (process.platform === "win32" && LOCALAPPDATA) || join(homedir(), ".cache");
  return join(base, "compaction-rules");
}

export const cacheFile = (folder = cacheFolder()) => join(folder, NAME);

export function openCache(rules: RuleSet, folder = cacheFolder(), bytes = CACHE_BYTES): DiskCache {
  const seed = fingerprint(rules);
  const file = cacheFile(folder);
  let lines: Map<string, string> | undefined;
  let fresh = "";
  const keyOf = (text: string, context: string) => digest(`${seed}${context}\n${text}`).slice(0, KEY_CHARACTERS);
  return {
    get: (text, context) => {
      lines ??= readLines(file);
      const line = lines.get(keyOf(text, context));
      return line?.slice(HEAD.length + KEY_CHARACTERS + 2, -1);
    },
    put: (text, context, finds) => {
      fresh += `${HEAD}${keyOf(text, context)}",${finds}]\n`;
    },
    flush: () => {
      if (fresh === "") return;
      const written = fresh;
      fresh = "";
      lines = undefined;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (append(file, written) > bytes) shorten(file, bytes / 2);
      } catch {
        // A cache that cannot be written costs time, nothing else.
      }
    },
  };
}

/** Lines by their key; what does not look like one of ours is passed over. */
function readLines(file: string): Map<string, string> {
  const lines = new Map<string, string>();
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return lines;
  }
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    // What has no end was not written to its end.
    if (found < 0) break;
    if (text.startsWith(HEAD, start) && text[found - 1] === "]" && text.startsWith('",[', start + HEAD.length + KEY_CHARACTERS))
      lines.set(text.slice(start + HEAD.length, start + HEAD.length + KEY_CHARACTERS), text.slice(start, found));
    start = found + 1;
  }
  return lines;
}

/** In one write at the end, so that what others write at the same time stands before or behind it. Answers the size. */
function append(file: string, lines: string): number {
  for (;;) {
    const handle = openSync(file, "a", 0o600);
    try {
      writeSync(handle, lines);
      const { ino, size } = fstatSync(handle);
      // Somebody has put a shorter file in its place meanwhile: there it goes again.
      if (statSync(file).ino === ino) return size;
    } finally {
      closeSync(handle);
    }
  }
}

/** Keeps the newest lines. What is added while this goes on is taken over. */
function shorten(file: string, bytes: number): void {
  const old = openSync(file, "r");
  const draft = `${file}.${process.pid}`;
  try {
    const text = readFileSync(old);
    const from = text.indexOf(10, Math.max(0, text.length - bytes)) + 1;
    const handle = openSync(draft, "w", 0o600);
    writeSync(handle, text.subarray(from));
    closeSync(handle);
    renameSync(draft, file);
    const more = Buffer.alloc(Math.max(0, fstatSync(old).size - text.length));
    if (more.length > 0 && readSync(old, more, 0, more.length, text.length) > 0) append(file, more.toString("utf8"));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(old);
  }
}

/** In one go where the runtime can: it is done for every message. */
function digest(text: string): string {
  const { hash } = crypto as { readonly hash?: (name: string, data: string, form: "base64") => string };
  return hash ? hash("sha256", text, "base64") : crypto.createHash("sha256").update(text).digest("base64");
}

const fingerprints = new WeakMap<RuleSet, string>();

/** Two rule sets with the same fingerprint find the same. */
function fingerprint(rules: RuleSet): string {
  const before = fingerprints.get(rules);
  if (before !== undefined) return before;
  const plain = (_: string, value: unknown) => (value instanceof Set || value instanceof Map ? [...value] : value);
  const { rules: own, redactions, signals, categories, abbreviations, nothing } = rules;
  const text = JSON.stringify([ENGINE, own, redactions, signals, categories, abbreviations, nothing], plain);
  const made = digest(text);
  fingerprints.set(rules, made);
  return made;
}

/** Bytes of the cache; undefined when there is none. */
export function cacheSize(folder = cacheFolder()): number | undefined {
  return statSync(cacheFile(folder), { throwIfNoEntry: false })?.size;
}

export function clearCache(folder = cacheFolder()): void {
  rmSync(cacheFile(folder), { force: true });
}
