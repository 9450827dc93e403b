// Finds the facts of a session and its project, and merges them with the stored memory.

import { type ExtractOptions, extractInSteps } from "../extract/pipeline.js";
import type { ByHand } from "../extract/settle/by-hand.js";
import { type Judged, withJudged } from "../judge/judged.js";
import { HOOK_MESSAGE_CHARACTERS } from "../limits.js";
import type { Extraction, Message, Notice, Session } from "../model.js";
import { cutMiddle, masker } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { literalOf } from "../rules/template/say-text.js";
import { readWorkspace } from "../source/notes/workspace.js";
import { chosenIn, readChoices } from "../state/choices.js";
import type { ListedFiles } from "../state/compaction-state.js";
import { type Memory, type MessageIds, mergeFiles, readMemory, stillKnown, withMemory } from "../state/memory.js";
import type { Steps } from "../steps.js";
import { sameForm } from "../text/paths.js";
import type { Log } from "./catcher.js";

export interface FindOptions extends Pick<ExtractOptions, "late" | "notices" | "progress"> {
  /** The folder may not be the session's project, so only the conversation is read. */
  readonly alone?: boolean;
  /** The messages are the whole session, except those that were undone. */
  readonly whole?: boolean;
  readonly listed?: ListedFiles;
}

export interface FoundFacts {
  readonly now: Extraction;
  /** The ids of the messages, and whether they are the complete session and were all read. */
  readonly ids: MessageIds;
  /** The facts together with the memory of earlier rounds. */
  readonly base: Extraction;
  /** The same with verdicts of a model. */
  readonly withVerdicts: (judged: Judged | undefined) => Extraction;
  /** The same with the verdicts of earlier rounds. */
  readonly extraction: Extraction;
  readonly memory: Memory | undefined;
  readonly notices: readonly Notice[];
}

/** @param judge false ignores what a model judged */
export function createFactFinder(folder: string, rules: RuleSet, log: Log, judge: boolean, stateFolder?: string) {
  const withoutMiddles = createShortener(masker(rules.redactions));

  function remembered(sessionId: string): Memory | undefined {
    const { memory, broken } = readMemory(sessionId, stateFolder);
    if (broken) log("warn", `${broken}; what was remembered of the session is not used`);
    return memory;
  }

  function byHand(): ByHand {
    const { choices, broken } = readChoices(folder, stateFolder);
    if (broken !== undefined) log("warn", `${broken}; pins and drops are not used`);
    return chosenIn(choices);
  }

  function* found(given: Session, { alone, listed, whole, ...options }: FindOptions = {}): Steps<FoundFacts> {
    const { session, notices: cut } = options.late ? withoutMiddles(given) : { session: given, notices: [] };
    const workspace = alone ? { files: [], notices: [] } : readWorkspace(folder, rules);
    const chosen = byHand();
    yield;
    const all = yield* extractInSteps(session, rules, {
      ...workspace,
      ...options,
      notices: [...(options.notices ?? []), ...workspace.notices, ...cut],
      ...chosen,
    });
    yield;
    const memory = remembered(session.id);
    const noted = workspace.files.some(({ name }) => rules.files.some(({ id, state }) => id === name && state));
    const notices = all.continuation.diagnostics;
    const isRead = session.messages.length > 0 && !notices.some(({ code }) => UNREAD.includes(code));
    const { isDropped } = chosen;
    const messages = session.messages.map(({ id }) => ({ id }));
    const ids = { messages, folder: session.folder, whole: whole === true && isRead, isDropped };
    const now = withListed(withoutEmptyNotes(all, noted, rules), listed, stillKnown(memory, ids), session.folder);
    const base = withMemory(now, memory, ids);
    const known = { ...ids, whole: ids.whole && !memory?.given };
    const withVerdicts = (judged: Judged | undefined) => withJudged(base, judged, known);
    const extraction = withVerdicts(judge ? memory?.judged : undefined);
    return { now, ids, base, withVerdicts, extraction, memory, notices };
  }

  return { byHand, remembered, found, withoutMiddles };
}

/** Codes of notices that say that a part of the session was not read. */
const UNREAD = ["deadline", "message-cut"];

/** For a file that the memory knows, the memory wins over the list after a summary. */
function withListed(
  extraction: Extraction,
  listed: ListedFiles | undefined,
  memory: Memory | undefined,
  folder: string | undefined,
): Extraction {
  if (!listed) return extraction;
  const { continuation } = extraction;
  const stored = Object.values<readonly string[]>({ ...memory?.continuation.files }).flat();
  const all = [...stored, ...listed.read, ...listed.modified, ...Object.values(continuation.files).flat()];
  const nameOf = sameForm(all, folder);
  const known = new Set(stored.map(nameOf));
  const others = (paths: readonly string[]) => paths.map(nameOf).filter((path) => !known.has(path));
  const old = { read: others(listed.read), created: [], modified: others(listed.modified), deleted: [] };
  return { ...extraction, continuation: { ...continuation, files: mergeFiles(old, continuation.files, folder) } };
}

/** Without notes and without a workflow there are no sections to show. With notes, keep only sections that quote them. */
function withoutEmptyNotes(extraction: Extraction, noted: boolean, { said }: RuleSet): Extraction {
  const { sections = [], ...continuation } = extraction.continuation;
  if (continuation.workflow) return extraction;
  if (!noted) return { ...extraction, continuation };
  const fallbacks = new Map(said.map(({ id, say }) => [id, new Set((say ?? []).flat().map(literalOf))]));
  const quoting = sections.filter(({ id, lines }) => lines.some((line) => !fallbacks.get(id)?.has(line)));
  return { ...extraction, continuation: { ...continuation, ...(quoting.length > 0 && { sections: quoting }) } };
}

// In a hook, the middle of long texts is cut out, because the host is blocked while a text is read.

function createShortener(mask: Mask) {
  /** Returns the same object each time, because the results of a message are cached by object. */
  const known = new WeakMap<Message, Message>();
  return (session: Session) => {
    const notices: Notice[] = [];
    const messages = session.messages.map((message) => {
      const short = known.get(message) ?? shorten(message, mask);
      const count = lengthOfMessage(message) - lengthOfMessage(short);
      if (count === 0) return message;
      known.set(message, short);
      notices.push({ code: "message-cut", message: "too long for a hook: the middle is not read", source: message.id, count });
      return short;
    });
    return notices.length === 0 ? { session, notices } : { session: { ...session, messages }, notices };
  };
}

type Mask = (text: string) => string;

function shorten(message: Message, mask: Mask): Message {
  const { text, toolCalls } = message;
  if (![text, ...toolCalls.map(({ output }) => output)].some((one) => one.length > HOOK_MESSAGE_CHARACTERS)) return message;
  const calls = toolCalls.map((call) => ({ ...call, output: withoutMiddle(call.output, mask) }));
  return { ...message, text: withoutMiddle(text, mask), toolCalls: calls };
}

export const lengthOfMessage = ({ text, toolCalls }: Message) =>
  toolCalls.reduce((sum, { output }) => sum + output.length, text.length);

/** Half a secret would not be recognised, so a text is cut between lines, or masked where it is cut. */
function withoutMiddle(text: string, mask: Mask): string {
  const half = HOOK_MESSAGE_CHARACTERS / 2;
  return cutMiddle(text, { start: half, end: half, joint: "\n\n" }, mask);
}
