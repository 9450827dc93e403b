// What is found in a session and its project as they are now, and what is remembered of them.
import type { ByHand } from "../extract/by-hand.js";
import { checkSession } from "../extract/check-session.js";
import { type ExtractOptions, extractInSteps } from "../extract/extract.js";
import type { Steps } from "../extract/steps.js";
import type { Stores } from "../extract/stored-finds.js";
import { chosenIn, readChoices } from "../keep/choices.js";
import type { ListedFiles } from "../keep/compaction-state.js";
import { type Memory, type MessageIds, mergeFiles, readMemory, stillKnown, withMemory } from "../keep/memory.js";
import type { Extraction, Notice, Session } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Text } from "../rules/text.js";
import { readWorkspace } from "../source/workspace.js";
import type { Log } from "./log.js";
import { withoutMiddles } from "./shortened.js";

export interface FindOptions extends Pick<ExtractOptions, "late" | "notices" | "progress"> {
  /** The folder is not known to be the session's project: only the conversation counts. */
  readonly alone?: boolean;
  /** The messages are all there ever were, but for those that were undone. */
  readonly whole?: boolean;
  /** Files that an earlier summary lists. */
  readonly listed?: ListedFiles;
}

export interface Found {
  /** What its messages and the project give, */
  readonly now: Extraction;
  /** Its messages, and whether they are all there ever were and were all read, */
  readonly ids: MessageIds;
  /** and the same with what is remembered. */
  readonly extraction: Extraction;
  readonly memory: Memory | undefined;
  readonly notices: readonly Notice[];
}

export function createFinder(folder: string, rules: RuleSet, log: Log, stateFolder?: string, stores?: Stores) {
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

  function* found(given: Session, { alone, listed, whole, ...options }: FindOptions = {}): Steps<Found> {
    checkSession(given);
    const { session, notices: cut } = options.late ? withoutMiddles(given) : { session: given, notices: [] };
    const workspace = alone ? { files: [] } : readWorkspace(folder, rules);
    const chosen = byHand();
    yield;
    const all = yield* extractInSteps(session, rules, {
      statements: true,
      ...workspace,
      ...options,
      notices: [...(options.notices ?? []), ...cut],
      stores,
      ...chosen,
    });
    yield;
    // They are put together when somebody asks for them first.
    void all.statements;
    yield;
    const memory = remembered(session.id);
    const noted = workspace.files.some(({ name }) => rules.files.some(({ id, state }) => id === name && state));
    const notices = all.continuation.diagnostics;
    const isRead = session.messages.length > 0 && !notices.some(({ code }) => UNREAD.includes(code));
    const { isDropped } = chosen;
    const messages = session.messages.map(({ id }) => ({ id }));
    const ids = { messages, whole: whole === true && isRead, ...(isDropped && { isDropped }) };
    const now = withListed(withoutEmptyNotes(all, noted, rules), listed, stillKnown(memory, ids));
    return { now, ids, extraction: withMemory(now, memory, ids), memory, notices };
  }

  return { byHand, remembered, found };
}

/** Time was up before all was read. */
const UNREAD = ["deadline", "message-cut"];

/** What the memory knows of a file is surer than what a list behind a summary says. */
function withListed(extraction: Extraction, listed: ListedFiles | undefined, memory: Memory | undefined): Extraction {
  if (!listed) return extraction;
  const known = new Set(Object.values(memory?.continuation.files ?? {}).flat());
  const others = (paths: readonly string[]) => paths.filter((path) => !known.has(path));
  const old = { read: others(listed.read), created: [], modified: others(listed.modified), deleted: [] };
  const { continuation } = extraction;
  return { ...extraction, continuation: { ...continuation, files: mergeFiles(old, continuation.files) } };
}

/** A project without notes and without a workflow has no state to tell of; of one with notes, only what they say is told. */
function withoutEmptyNotes(extraction: Extraction, noted: boolean, { said }: RuleSet): Extraction {
  const { sections = [], ...continuation } = extraction.continuation;
  if (continuation.workflow) return extraction;
  if (!noted) return { ...extraction, continuation };
  const fallbacks = new Map(said.map(({ id, say }) => [id, new Set((say ?? []).flat().flatMap(literalOf))]));
  const told = sections.filter(({ id, lines }) => lines.some((line) => !fallbacks.get(id)?.has(line)));
  return { ...extraction, continuation: { ...continuation, ...(told.length > 0 && { sections: told }) } };
}

/** What a text says whatever the notes say. */
function literalOf({ nodes }: Text): readonly string[] {
  const literals = nodes.flatMap((node) => ("literal" in node ? [node.literal] : []));
  return literals.length === nodes.length ? [literals.join("")] : [];
}
