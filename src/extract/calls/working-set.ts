// Finds what the agent works with, from its own calls: files, repeated commands, references and names. The most used and
// newest come first.
import { DEED_CHARACTERS } from "../../limits.js";
import type { LastCall, ToolCall, WorkingSet } from "../../model.js";
import { MASK, redactStart } from "../../rules/redact/redact.js";
import type { Tool } from "../../rules/tool-set.js";
import { oneLine } from "../../text/forms.js";
import { listAt, valueAt } from "./input-fields.js";
import type { Line } from "./line.js";

/** A use counts half as much as one that came this many calls later. */
const HALF_LIFE_CALLS = 40;
/** Earlier calls are ignored, because they would count for almost nothing. */
const WORKING_CALLS = 250;
/** Most entries of each list: several times more than a text can show. */
const WORKING_ENTRIES = 60;
/** A word of one command line may be anything: two of them must have it, or another call. */
const MENTION_SHARE = 0.5;

/** A call that ran, and what is known of it. */
export interface DoneCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly lines: readonly Line[];
  readonly paths: readonly string[];
  readonly failed: boolean;
}

export interface WorkingRules {
  readonly masked: (text: string) => string;
  /** One form for all spellings of a path; undefined if it is not worth a mention. */
  readonly toPath: (path: string) => string | undefined;
}

type Lists = Omit<WorkingSet, "running" | "skills">;

export function toWorkingSet(calls: readonly DoneCall[], { masked, toPath }: WorkingRules): Lists {
  const last = calls.slice(-WORKING_CALLS);
  const files = createUses();
  const commands = createUses();
  const references = createUses();
  const names = createUses();
  const homes = createHomes();
  /** Names that the last edit that mentions them removes. */
  const gone = new Set<string>();
  /** File → the names in it when it was last written as a whole. */
  const written = new Map<string, readonly string[]>();
  /** What a command line shows of a path with a blank in it. */
  const pieces = new Set(
    last.flatMap(({ paths }) => paths.flatMap((path) => (path.includes(" ") ? path.split(" ").slice(1) : []))),
  );
  for (const [index, { call, tool, lines, paths, failed }] of last.entries()) {
    const weight = 2 ** ((index - last.length) / HALF_LIFE_CALLS);
    const { mentions, old } = textsOf(call.input, tool, masked);
    const texts = [...lines.map(({ command }) => command), ...mentions];
    const find = (pattern: RegExp) => texts.flatMap((text) => text.match(pattern) ?? []).filter((one) => !one.includes(MASK));
    const named = find(WORD).filter(isName);
    const linked = find(REFERENCE).filter(isReference);
    const isWritten = tool.effect !== undefined && tool.effect !== "read";
    const pathsOf = (found: readonly string[]) => found.flatMap((path) => toPath(path) ?? []);
    const mentioned = find(PATH).filter((path) => !pieces.has(path));
    // What a file's new text names may be an example.
    files.add(pathsOf(isWritten ? paths : [...paths, ...mentioned]), weight);
    // What never passed is not in use.
    commands.add(
      lines.flatMap(({ typed }) => typed),
      weight,
      failed ? 0 : 1,
    );
    const referred = linked.map((one) => one.replace(/[.,;:!?/]+$/, ""));
    references.add(referred, weight, isWritten ? 0 : 1);
    names.add(named, weight, tool.command.length > 0 ? MENTION_SHARE : 1);
    const [home, ...others] = pathsOf(paths);
    if (home !== undefined && others.length === 0) homes.add(named, home, weight);
    if (!isWritten) continue;
    for (const name of named) gone.delete(name);
    const kept = texts.filter((text) => !old.includes(text)).join("\n");
    // A file that is written anew has none of its earlier names.
    if (home !== undefined && tool.effect === "created") {
      for (const name of written.get(home) ?? []) if (!kept.includes(name)) gone.add(name);
      written.set(home, named);
    }
    for (const word of old.flatMap((text) => text.match(WORD) ?? [])) if (isName(word) && !kept.includes(word)) gone.add(word);
  }
  const inUse = names.list().filter((name) => !gone.has(name));
  return { files: files.list(), commands: commands.list(), references: references.list(), names: inUse, homes: homes.of(inUse) };
}

/** Counts uses: what one call names several times counts a little more. */
function createUses() {
  const uses = new Map<string, { readonly worth: number; readonly count: number }>();
  return {
    add(texts: readonly string[], weight: number, share = 1): void {
      const often = new Map<string, number>();
      for (const text of texts) often.set(text, (often.get(text) ?? 0) + 1);
      for (const [text, times] of often) {
        const { worth = 0, count = 0 } = uses.get(text) ?? {};
        uses.set(text, { worth: worth + weight * (1 + Math.log(times)), count: count + share });
      }
    },
    list: (least = 1): readonly string[] =>
      [...uses]
        .filter(([, { count }]) => count >= least)
        .sort(([a, one], [b, other]) => other.worth - one.worth || (a < b ? -1 : 1))
        .slice(0, WORKING_ENTRIES)
        .map(([text]) => text),
  };
}

/** Finds the file in which a name was used most. */
function createHomes() {
  const uses = new Map<string, Map<string, number>>();
  return {
    add(names: readonly string[], file: string, weight: number): void {
      for (const name of new Set(names)) {
        const files = uses.get(name) ?? new Map<string, number>();
        uses.set(name, files.set(file, (files.get(file) ?? 0) + weight));
      }
    },
    of: (names: readonly string[]): Readonly<Record<string, string>> =>
      Object.fromEntries(
        names.flatMap((name) => {
          const [most] = [...(uses.get(name) ?? [])].sort((a, b) => b[1] - a[1]);
          return most ? [[name, most[0]]] : [];
        }),
      ),
  };
}

/** An address, a host with its port, an id. */
const REFERENCE =
  /\bhttps?:\/\/[^\s"'`<>()[\]{}\\,|*]{3,200}|\b(?:localhost|(?:\d{1,3}\.){3}\d{1,3}):\d{2,5}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{7,40}\b(?!-)/g;
/** An id has digits and letters: a number or a word is not one. */
const isReference = (text: string) => /[:-]/.test(text) || (/\d/.test(text) && /[a-f]/.test(text));
const PATH = /(?<![\w/.@:$~-])[~./]{0,3}(?:[\w@+-][\w@.+-]{0,99}\/){1,20}[\w@.+-]{1,100}\.[A-Za-z]\w{0,5}(?![\w/-])/g;
const WORD = /(?<![\w./@\\-]|\w,)[A-Za-z_][\w-]{5,60}(?![\w$/-]|,\w)/g;
/** A word of code: `snake_case`, `camelCase`, or three words joined by hyphens. */
const isName = (word: string) => /[A-Za-z0-9]_+[A-Za-z0-9]|[a-z0-9][A-Z]|\w-\w+-\w/.test(word);

/** The texts in which a tool names what it works on, and those that it replaces. */
function textsOf(input: unknown, tool: Tool, masked: WorkingRules["masked"]) {
  const found: { readonly mentions: string[]; readonly old: string[] } = { mentions: [], old: [] };
  for (const entry of [input, ...tool.list.flatMap((key) => listAt(input, key))])
    for (const key of new Set([...tool.mentions, ...tool.old])) {
      const value = valueAt(entry, key);
      if (typeof value !== "string") continue;
      const text = redactStart(value, DEED_CHARACTERS, masked);
      if (tool.mentions.includes(key)) found.mentions.push(text);
      if (tool.old.includes(key)) found.old.push(text);
    }
  return found;
}

// What the agent did last: where the session stopped.

/** The last command, the last file that was changed, and what was read after both; the oldest first.
 * @param toPath one form for all spellings of a path; undefined if it is not worth a mention */
export function lastCallsOf(calls: readonly DoneCall[], toPath: WorkingRules["toPath"]): readonly LastCall[] {
  const lastCalls = new Map<string, LastCall>();
  const sortOf = ({ did }: LastCall) => (did === "ran" || did === "read" ? did : "changed");
  for (let at = calls.length; at-- > 0 && !(lastCalls.has("ran") && lastCalls.has("changed")); ) {
    const call = toLastCall(calls[at] as DoneCall, toPath);
    if (call && !lastCalls.has(sortOf(call)) && !(call.did === "read" && lastCalls.size > 0)) lastCalls.set(sortOf(call), call);
  }
  return [...lastCalls.values()].reverse();
}

function toLastCall(
  { tool, lines: [line], paths: [path], failed }: DoneCall,
  toPath: WorkingRules["toPath"],
): LastCall | undefined {
  if (line) return { did: "ran", text: oneLine(line.command.replace(/\\(?=\r?\n)/g, "")), failed };
  const file = path === undefined ? undefined : toPath(path);
  return file === undefined || !tool.effect ? undefined : { did: tool.effect, text: file, failed };
}
