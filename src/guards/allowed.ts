// Did the user allow a call? A signal of the packs must hold in one of the last messages, in a sentence that names what the call is
// about, or that answers the guard.
import { extractInSteps } from "../extract/pipeline.js";
import type { Message } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { atOnce } from "../steps.js";
import { rememberFor } from "../text/remember.js";
import type { Met } from "./match-guards.js";

/** The last messages of the user that count. */
const MESSAGES = 3;
/** An answer without a name is short: "Yes, go ahead." A longer one is about something else. */
const ANSWER_WORDS = 5;
/** Characters of a message that are read: what allows a call is short. */
const CHARACTERS = 4_000;

/** Are there as many messages of the user as can count? */
export const mayAllow = (messages: readonly Message[]): boolean => typedIn(messages).length >= MESSAGES;

const typedIn = (messages: readonly Message[]) =>
  messages.filter(({ role, text, meta, summary }) => role === "user" && !meta && !summary && text.trim() !== "");

/** @param messages the end of the session
 * @param spoke did the guard speak before? Then the last message may answer it without a name. */
export function createAllowance(messages: readonly Message[], rules: RuleSet, spoke: (id: string) => boolean) {
  const last = typedIn(messages)
    .slice(-MESSAGES)
    .map((message) => ({ ...message, text: message.text.slice(0, CHARACTERS), toolCalls: [] }));
  const session = { id: "guards", format: "neutral", messages: last };
  let found: ReturnType<typeof sentencesOf> | undefined;
  const sentencesOf = () => atOnce(extractInSteps(session, withAllSignals(rules), { signals: true })).statements;

  return ({ guard, what }: Met): boolean => {
    if (guard.unless.length === 0 || last.length === 0) return false;
    found ??= sentencesOf();
    const names = namesOf(guard, what);
    for (const [index, message] of [...last].reverse().entries()) {
      const said = found.filter(({ source }) => source === message.id);
      const about = said.filter(({ text }) => isNamed(names, text));
      // The newest message that names it decides.
      const answers = said.filter(({ text }) => wordsOf(text).length <= ANSWER_WORDS);
      const counted = about.length > 0 ? about : index === 0 && spoke(guard.id) ? answers : [];
      if (counted.some(({ signals }) => guard.unless.some((name) => (signals?.get(name) ?? 0) > 0))) return true;
      if (about.length > 0) return false;
    }
    return false;
  };
}

/** Only signals that count for the salience of a sentence are kept with it. Nothing is masked: it leaves this module nowhere, and
 * a mask of a project could take a word away that forbids. */
const withAllSignals = rememberFor((rules: RuleSet): RuleSet => {
  return { ...rules, redactions: [], salience: new Map([...rules.signals.keys()].map((name) => [name, 1])) };
});

type Words = readonly string[];
const wordsOf = (text: string): Words => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** What the file or the command may be called: each name is several words. */
function namesOf({ paths, commands, has }: Met["guard"], what: string): readonly Words[] {
  const folders = paths.map((path) => path.split("/").findLast((step) => step !== "" && !/[*?{]/.test(step)) ?? "");
  const said = commands.flatMap(({ words, options }) => [...words.slice(1), ...options]);
  // What a command line names, a guard for commands names itself.
  const files = commands.length + has.length === 0 ? [what.split(/[/\\]/).at(-1) ?? "", nameOf(what)] : [];
  return [...folders, ...said, ...has, ...files].map(wordsOf).filter((words) => words.some((word) => word.length > 1));
}

const nameOf = (path: string) => (path.split(/[/\\]/).at(-1) ?? "").replace(/\.\w+$/, "");

function isNamed(names: readonly Words[], text: string): boolean {
  const said = new Set(wordsOf(text));
  return names.some((words) => words.every((word) => said.has(word)));
}
