// Runs a whole compaction of a session: facts, a summary by a model or by the rules alone, file lists, audit, and the state for
// the next round. A failure leaves the state unchanged.
import { basename, resolve } from "node:path";
import type { FactVerdict } from "../audit/audit.js";
import { withoutBlocks } from "../audit/block.js";
import { askModel, forbidAborted, type Model, ModelError, proseOf } from "../compact/ask-model.js";
import { renderForHook, shownFiles, splitFileLists, withFileLists, withShownFiles } from "../compact/file-lists.js";
import { type SummaryMessage, summaryIn, toPrompt, toRequest, toSummaryMessage } from "../compact/request.js";
import { completeSession, type GivenSession } from "../extract/check-session.js";
import type { JudgedCounts } from "../judge/apply-answer.js";
import type { FileLists, Message, Notice, Session } from "../model.js";
import { isInstant } from "../render/template-fields.js";
import { type LoadedRules, loadRules } from "../rules/load-rules.js";
import { masker, redactValue } from "../rules/redact/redact.js";
import { messageNames } from "../source/session/messages.js";
import type { CompactionState, ListedFiles } from "../state/compaction-state.js";
import { asFileLists, carryCompactionState, listedFiles, storeRound } from "../state/compaction-state.js";
import { whenFree } from "../state/lock.js";
import { type Memory, mergeFiles, readMemory } from "../state/memory.js";
import { digestOf, jsonText } from "../text/forms.js";
import { defined } from "../text/json.js";
import { neutralSummary } from "../text/neutral-tags.js";
import { sameForm } from "../text/paths.js";
import type { Log } from "./catcher.js";
import { withOwnTemplates } from "./host-rules.js";
import { type Fact, toFact } from "./judging.js";
import { createKeeper, templateOf } from "./keeper.js";
import { forModel, neutral } from "./neutral.js";
import { beginRound } from "./round.js";

/** What a compaction needs besides the session. */
export interface CompactOptions {
  /** The project folder: its rules, pins and drops apply, and its notes and work items are read. */
  readonly folder: string;
  /** The session may belong to another project, so notes and work items are not read. */
  readonly alone?: boolean;
  readonly loaded?: LoadedRules;
  /** Writes the summary. Without a model, the rules write it. */
  readonly model?: Model;
  /** false: the model is not asked to judge the facts. Default: as the configuration says. */
  readonly judge?: boolean;
  readonly focus?: string;
  /** Other texts for the model, passed on with secrets masked. */
  readonly contexts?: readonly string[];
  /** Aborts with a ModelError of code `aborted`; nothing is stored then. */
  readonly signal?: AbortSignal;
  readonly notices?: readonly Notice[];
  readonly log?: Log;
  readonly stateFolder?: string;
  /** Reports how many sources of the session are read, and how many there are. */
  readonly progress?: (done: number, total: number) => void;
  /** Reports how many characters the model has written. */
  readonly heard?: (characters: number) => void;
}

/** The result of a compaction. */
export interface Compacted {
  /** The prose, the two file lists, and the facts that the prose lost. */
  readonly summary: string;
  /** The summary as the message that replaces the conversation. */
  readonly message: SummaryMessage;
  /** How many compactions the session has had. */
  readonly round: number;
  readonly state: CompactionState;
  /** The audit's verdict on each fact. */
  readonly verdicts: readonly FactVerdict[];
  readonly facts: readonly Fact[];
  /** How the model of this round judged them. */
  readonly judged: JudgedCounts;
  /** Number of facts that did not fit after the summary. */
  readonly hidden: number;
  /** Number of messages that did not fit into the request. */
  readonly omitted: number;
  /** The prompt for the model, without the conversation. */
  readonly prompt?: string;
  readonly notices: readonly Notice[];
  /** Why the state for the next round could not be stored. The summary is still complete. */
  readonly unstored?: string;
  /** Nothing was said since the last summary, so the model was not asked for a new one. */
  readonly unchanged?: true;
}

/** Compacts a session: finds its facts, gets a summary, repairs it, and stores what the next round needs. */
export async function compactSession(given: GivenSession, options: CompactOptions): Promise<Compacted> {
  const { alone = false, model, focus = "", contexts = [], stateFolder, notices = [], progress, signal } = options;
  // Absolute, because the summary shows the name of the folder.
  const folder = resolve(options.folder);
  forbidAborted(signal);
  const session = completeSession(given);
  const loaded = withOwnTemplates(options.loaded ?? loadRules(folder));
  const judged = options.judge !== false && model !== undefined;
  const keeper = createKeeper(folder, options.log ?? (() => {}), "", stateFolder, loaded);
  const { memory } = readMemory(session.id, stateFolder);
  const mask = masker(loaded.rules.redactions);
  const before = earlier(session, mask, memory?.told);
  const { messages } = before;
  const { prose: previous, ...listed } = splitFileLists(before.summary);
  const finding = { alone, listed, notices, whole: session.whole === true, progress };
  const round = beginRound(keeper, session, { ...finding, judged: judged && messages.length > 0 });
  const { extraction } = round;
  const files = listedFiles(extraction.continuation.files);
  const { diagnostics } = extraction.continuation;

  const shown = (whole: string, verdicts: readonly FactVerdict[] = []) => {
    const given = withShownFiles(whole, verdicts, files, session);
    return { ...given, message: toSummaryMessage(given.summary, loaded.rules) };
  };
  const judgedFacts = () => ({ facts: round.extraction.continuation.items.map(toFact), judged: round.counts });
  const structured = () => {
    const context = { project: basename(folder), now: session.messages.findLast(({ time }) => isInstant(time))?.time };
    // The file lists come after this text, so a tag inside it is quoted text and is made harmless.
    return forModel(templateOf(keeper, "structured"), renderForHook(extraction, files, session, loaded.rules, context));
  };
  const complete = async (text: string, written?: { readonly through?: string }) => {
    const prose = withoutBlocks(splitFileLists(text).prose);
    forbidAborted(signal);
    // A summary with only file lists and blocks says nothing.
    if (prose === "") throw new ModelError("empty", `No text in response (got: ${text === "" ? "empty" : "what it was given"})`);
    const completed = await round.complete(withFileLists(prose, files), written);
    const { summary, verdicts, hidden, round: number, unstored } = completed;
    const made = { ...shown(summary, verdicts), state: toState(summary, files), hidden, round: number, notices: diagnostics };
    return defined({ ...made, ...judgedFacts(), unstored });
  };
  // A model that gets nothing to summarise would invent something.
  if (!model || (messages.length === 0 && before.summary === "")) return { ...(await complete(structured())), omitted: 0 };

  if (messages.length === 0 && memory?.told && focus === "" && contexts.length === 0) {
    const { summary } = before;
    const nothing = { hidden: 0, omitted: 0, notices: diagnostics, unchanged: true as const };
    return { ...nothing, ...shown(summary), ...judgedFacts(), state: toState(summary, files), round: memory.round };
  }
  const old = listedThen(listed, memory, extraction.continuation.files, session.folder);
  const { more, ...newest } = shownFiles(old, session, previous.length);
  const neutralPrevious = previous && neutralSummary(withFileLists(previous, newest, more));
  const prompt = toPrompt({ previous: neutralPrevious, focus: mask(focus) }, loaded.rules);
  const injection = round.injection();
  const texts = [...(injection === undefined ? [] : [injection]), ...contexts.map(mask)];
  const { offer } = round;
  const asking = { messages, contexts: texts, rules: loaded.rules, quote: neutral };
  const request = toRequest(
    offer ? { ...asking, prompt: `${prompt}\n\n${offer.text}`, names: messageNames(session) } : { ...asking, prompt },
  );
  // A model's answer costs money, so check first that the state can be stored.
  await storeRound(session.id, stateFolder);
  const answer = await askModel(model, [{ role: "user", content: request.text }], { signal, heard: options.heard });
  const last = session.messages.at(-1);
  const summary = round.judge(proseOf(answer));
  return { ...(await complete(summary, last ? { through: markOf(last, mask) } : {})), omitted: request.omitted, prompt };
}

const toState = (lastSummary: string, { read, modified }: ListedFiles): CompactionState => ({
  lastSummary,
  readFiles: read,
  modifiedFiles: modified,
});

/** The files listed after the last summary, without those of undone turns. */
function listedThen(listed: ListedFiles, memory: Memory | undefined, now: FileLists, folder?: string): ListedFiles {
  const { read, modified } = listedFiles(
    mergeFiles(asFileLists(listed), memory?.continuation.files ?? asFileLists({ read: [], modified: [] }), folder),
  );
  const all = Object.values(now).flat();
  const nameOf = sameForm([...read, ...modified, ...all], folder);
  const known = new Set(all.map(nameOf));
  const there = (paths: readonly string[]) => paths.map(nameOf).filter((path) => known.has(path));
  return { read: there(read), modified: there(modified) };
}

/** The last summary, from an earlier round of this program or a later one of the host's own, and the messages that it does not cover. */
function earlier(session: Session, mask: Mask, told?: Memory["told"]) {
  const { messages } = session;
  const seen = told && coveredBy(told, session, mask);
  const host = messages.findLastIndex((message) => message.summary === true && !isEmptySummary(message));
  const after = (place: number) => messages.slice(place).filter((message) => !isEmptySummary(message));
  if (host + 1 > (seen ?? 0)) {
    const { text, keeps, removed = {} } = messages[host] as Message;
    const kept = new Set(keeps);
    const beside = messages.slice(0, host).flatMap((one) => {
      const [from, to] = removed[one.id] ?? [0, 0];
      const left = { ...one, text: `${one.text.slice(0, from)}${one.text.slice(to)}` };
      return kept.has(one.id) && one.summary !== true ? [left] : [];
    });
    return { summary: mask(summaryIn(text)), messages: [...beside, ...after(host + 1)] };
  }
  return { summary: seen === undefined ? "" : (told?.summary ?? ""), messages: after(seen ?? 0) };
}

/** An empty summary covers nothing: some hosts hide its text, or store it although the model said nothing. */
const isEmptySummary = ({ summary, text }: Message) => summary === true && text.trim() === "";

/** How many messages the summary covers; undefined if the last of them was undone, because the summary still mentions it. */
function coveredBy({ through }: NonNullable<Memory["told"]>, { messages, whole }: Session, mask: Mask): number | undefined {
  if (through === undefined) return 0;
  const isIt = ({ id }: Message) => through.startsWith(`${id} `);
  const seen = messages.findLastIndex((message) => isIt(message) && markOf(message, mask) === through) + 1;
  if (seen > 0 || !whole) return seen;
  // The message is still there but has grown: later tool calls were added to it.
  const grown = messages.findLastIndex(isIt);
  return grown < 0 ? undefined : grown;
}

type Mask = (text: string) => string;

/** Identifies a message by id and content, because numeric ids repeat when a host restarts a file. Secrets are masked first. */
function markOf({ id, role, text, toolCalls }: Message, mask: Mask): string {
  const calls = toolCalls.map(({ name, input }) => [name, jsonText(redactValue(input, mask))]);
  return `${id} ${digestOf(JSON.stringify([role, mask(text), calls]), 16)}`;
}

// Continues after a compaction in a new session, for hosts that keep one conversation per session.

/** What a host does when it continues in a new session. */
export interface SwitchingHost {
  /** Starts a new session and returns its id. */
  startSession(): string | Promise<string>;
  appendMessage(session: string, message: SummaryMessage): unknown;
  /** Replaces what the agent has in its context. */
  replaceMessages(messages: readonly SummaryMessage[]): unknown;
}

/** The new session, and whether it knows what the old one remembered. */
export type Switched = { readonly session: string; readonly carried: boolean };

/** Starts a new session with the summary as its first message, and passes on what the next compaction needs. The agent's context
 * is replaced last: if the host fails before, the agent continues as it was.
 * @param from the id of the session that was compacted */
export async function switchSession(
  from: string,
  { message }: Pick<Compacted, "message">,
  host: SwitchingHost,
  stateFolder?: string,
): Promise<Switched> {
  const session = await host.startSession();
  await host.appendMessage(session, message);
  // Without it, the next compaction counts as the first, and the message still has the summary.
  const carried = await whenFree(() => carryCompactionState(from, session, stateFolder)).catch(() => false);
  await host.replaceMessages([message]);
  return { session, carried };
}
