// Finds what the agent works with, from its own calls: files, repeated commands, references and names. The most used and
// newest come first.
import { DEED_CHARACTERS } from "../../limits.js";
import type { ToolCall, WorkingSet } from "../../model.js";
import type { Program, Tool } from "../../rules/tool-set.js";
import { rememberFor } from "../../text/remember.js";
import { MASK } from "../redact.js";
import { listAt, valueAt } from "./call.js";
import { typedCommands } from "./runs.js";

/** A use counts half as much as one that came this many calls later. */
const HALF_LIFE_CALLS = 40;
/** Earlier calls are ignored, because they would count for almost nothing. */
const WORKING_CALLS = 250;
/** Most entries of each list: several times more than a text can show. */
const WORKING_ENTRIES = 60;
/** How often a command must have run: once is not a habit. */
const COMMAND_RUNS = 2;
/** A word of one command line may be anything. It is a name if two of them have it, or an edit or a search. */
const COMMAND_SHARE = 1 / COMMAND_RUNS;

/** A call that ran, and what is known of it. */
export interface DoneCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** Its command lines, masked. */
  readonly lines: readonly string[];
  /** The paths that it read or changed. */
  readonly paths: readonly string[];
}

export interface WorkingRules {
  readonly shell: readonly Program[];
  readonly masked: (text: string) => string;
  /** One form for all spellings of a path; undefined if it is not worth a mention. */
  readonly toPath: (path: string) => string | undefined;
}

type Lists = Omit<WorkingSet, "running" | "skills">;

export function toWorkingSet(calls: readonly DoneCall[], { shell, masked, toPath }: WorkingRules): Lists {
  const last = calls.slice(-WORKING_CALLS);
  const files = createUses();
  const commands = createUses();
  const references = createUses();
  const names = createUses();
  /** Names that the last edit that mentions them removes. */
  const gone = new Set<string>();
  for (const [index, { call, tool, lines, paths }] of last.entries()) {
    const weight = 2 ** ((index - last.length) / HALF_LIFE_CALLS);
    const mentions = mentionsOf(masked)(call)(tool, lines);
    files.add(
      [...paths, ...mentions.paths].flatMap((path) => toPath(path) ?? []),
      weight,
    );
    commands.add(
      lines.flatMap((line) => typedCommands(line, shell)),
      weight,
    );
    references.add(mentions.references, weight);
    names.add(mentions.names, weight, tool.command.length > 0 ? COMMAND_SHARE : 1);
    if (tool.effect === "read" || tool.effect === undefined) continue;
    for (const name of mentions.names) gone.delete(name);
    for (const name of mentions.removed) gone.add(name);
  }
  return {
    files: files.list(),
    commands: commands.list(COMMAND_RUNS),
    references: references.list(),
    names: names.list().filter((name) => !gone.has(name)),
  };
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

interface Mentions {
  readonly paths: readonly string[];
  readonly references: readonly string[];
  readonly names: readonly string[];
  /** The names that only the replaced text has. */
  readonly removed: readonly string[];
}

/** An address, a host with its port, an id. */
const REFERENCE =
  /\bhttps?:\/\/[^\s"'`<>()[\]{}\\,|*]{3,200}|\b(?:localhost|(?:\d{1,3}\.){3}\d{1,3}):\d{2,5}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{7,40}\b(?!-)/g;
/** An id has digits and letters: a number or a word is not one. */
const isReference = (text: string) => /[:-]/.test(text) || (/\d/.test(text) && /[a-f]/.test(text));
const PATH = /(?<![\w/.@:$~-])[~./]{0,3}(?:[\w@+-][\w@.+-]{0,99}\/){1,20}[\w@.+-]{1,100}\.[A-Za-z]\w{0,5}(?![\w/-])/g;
const WORD = /(?<![\w./@\\-])[A-Za-z_][\w-]{5,60}(?![\w$/-])/g;
/** A word of code: `snake_case`, `camelCase`, or three words joined by hyphens. */
const isName = (word: string) => /[A-Za-z0-9]_+[A-Za-z0-9]|[a-z0-9][A-Z]|\w-\w+-\w/.test(word);

const mentionsOf = rememberFor((masked: WorkingRules["masked"]) =>
  // Cached, because the next compaction has the same calls.
  rememberFor((call: ToolCall) => {
    let known: Mentions | undefined;
    return (tool: Tool, lines: readonly string[]): Mentions => {
      const old = textsOf(call.input, tool, tool.old).map(masked);
      known ??= readMentions([...lines, ...textsOf(call.input, tool, tool.mentions).map(masked)], old);
      return known;
    };
  }),
);

function readMentions(texts: readonly string[], old: readonly string[]): Mentions {
  const added = texts.filter((text) => !old.includes(text)).join("\n");
  const find = (pattern: RegExp, isOne: (text: string) => boolean) =>
    texts.flatMap((text) => (text.match(pattern) ?? []).filter((one) => isOne(one) && !one.includes(MASK)));
  return {
    paths: find(PATH, () => true),
    references: find(REFERENCE, isReference).map((one) => one.replace(/[.,;:!?/]+$/, "")),
    names: find(WORD, isName),
    removed: old.flatMap((text) => (text.match(WORD) ?? []).filter((word) => isName(word) && !added.includes(word))),
  };
}

/** The texts in which a tool names what it works on. */
function textsOf(input: unknown, { list }: Tool, keys: readonly string[]): readonly string[] {
  const entries = [input, ...list.flatMap((key) => listAt(input, key))];
  const texts = entries.flatMap((entry) => keys.map((key) => valueAt(entry, key)));
  return texts.flatMap((text) => (typeof text === "string" ? [text.slice(0, DEED_CHARACTERS)] : []));
}
