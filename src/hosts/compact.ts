// A whole compaction of a session, carried out here: what was found, a summary by a model or by the rules alone, the
// files, the audit, and the state for the next round. What fails leaves the state as it was.
import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { checkSession } from "../extract/check-session.js";
import { masker, redactValue } from "../extract/redact.js";
import { jsonText } from "../json-text.js";
import type { FactVerdict } from "../keep/audit.js";
import { withoutBlocks } from "../keep/block.js";
import { asFileLists, type CompactionState, type ListedFiles, listedFiles, storeRound } from "../keep/compaction-state.js";
import { type Memory, mergeFiles, readMemory } from "../keep/memory.js";
import type { FileLists, Message, Notice, Session } from "../model.js";
import { isInstant } from "../render/view.js";
import { type LoadedRules, loadRules } from "../rules/load.js";
import { askModel, forbidAborted, proseOf } from "../summarise/answer.js";
import { splitFileLists, withFileLists } from "../summarise/file-lists.js";
import { type Model, ModelError } from "../summarise/model.js";
import { renderForHook } from "../summarise/rendered.js";
import { toPrompt, toRequest } from "../summarise/request.js";
import { shownFiles, withShownFiles } from "../summarise/shown-files.js";
import { createKeeper } from "./keeper.js";
import type { Log } from "./log.js";
import { neutral, neutralSummary } from "./neutral.js";
import { withOwnTemplates } from "./own-templates.js";

export interface CompactOptions {
  /** The project: its rules, pins and drops count, and its notes and work items are read. */
  readonly folder: string;
  /** The session may be of another project: notes and work items are not read. */
  readonly alone?: boolean;
  /** The rules of the folder, where they are at hand. */
  readonly loaded?: LoadedRules;
  /** Writes the summary; without one, the rules alone do. */
  readonly model?: Model;
  readonly focus?: string;
  /** Other texts for the model, as they are. */
  readonly contexts?: readonly string[];
  /** Gives up, with a ModelError of the code `aborted`; nothing is stored then. */
  readonly signal?: AbortSignal;
  readonly notices?: readonly Notice[];
  readonly log?: Log;
  readonly stateFolder?: string;
  /** How many sources of the session are read, of how many. */
  readonly progress?: (done: number, total: number) => void;
  /** How many characters the model has written. */
  readonly heard?: (characters: number) => void;
}

export interface Compacted {
  /** The prose, the two lists of files, and what the prose lost. */
  readonly summary: string;
  /** How many compactions the session has seen. */
  readonly round: number;
  readonly state: CompactionState;
  /** What the model, or the rendering, made of each fact. */
  readonly verdicts: readonly FactVerdict[];
  /** Facts that did not fit behind the summary. */
  readonly hidden: number;
  /** Messages that did not fit into the request. */
  readonly omitted: number;
  /** What the model was asked, without the conversation. */
  readonly prompt?: string;
  readonly notices: readonly Notice[];
  /** Why what the next round needs could not be stored; the summary is as good as any. */
  readonly unstored?: string;
  /** Nothing was said since the last summary, so nobody was asked for another. */
  readonly unchanged?: true;
}

export async function compactSession(session: Session, options: CompactOptions): Promise<Compacted> {
  const { alone = false, model, focus = "", contexts = [], stateFolder, notices = [], progress, signal } = options;
  // It is told by its name, too.
  const folder = resolve(options.folder);
  forbidAborted(signal);
  checkSession(session);
  const loaded = withOwnTemplates(options.loaded ?? loadRules(folder));
  const keeper = createKeeper(folder, options.log ?? (() => {}), stateFolder, loaded, true);
  const { memory } = readMemory(session.id, stateFolder);
  const mask = masker(loaded.rules.redactions);
  const before = earlier(session, mask, memory?.told);
  const { messages } = before;
  const { prose: previous, ...listed } = splitFileLists(before.summary);
  const round = keeper.begin(session, { alone, listed, notices, whole: session.whole === true, ...(progress && { progress }) });
  const { extraction } = round;
  const files = listedFiles(extraction.continuation.files);
  const { diagnostics } = extraction.continuation;

  const shown = (summary: string, verdicts: readonly FactVerdict[] = []) => withShownFiles(summary, verdicts, files, session);
  const structured = () => {
    const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
    const context = { project: basename(folder), ...(now !== undefined && { now }) };
    // The lists are written behind it; a tag in it is something that was said.
    return neutral(renderForHook(extraction, files, session, loaded.rules, context));
  };
  const complete = (text: string, written?: { readonly through?: string }) => {
    const prose = withoutBlocks(splitFileLists(text).prose);
    forbidAborted(signal);
    // Lists and blocks alone say nothing.
    if (prose === "") throw new ModelError("empty", `No text in response (got: ${text === "" ? "empty" : "what it was given"})`);
    const completed = round.complete(withFileLists(prose, files), written);
    const { summary, verdicts, hidden, round: number, unstored } = completed;
    const made = { ...shown(summary, verdicts), state: toState(summary, files), hidden, round: number, notices: diagnostics };
    return { ...made, ...(unstored !== undefined && { unstored }) };
  };
  // Of nothing a model would make up something.
  if (!model || (messages.length === 0 && before.summary === "")) return { ...complete(structured()), omitted: 0 };

  if (messages.length === 0 && memory?.told && focus === "" && contexts.length === 0) {
    const { summary } = before;
    const nothing = { hidden: 0, omitted: 0, notices: diagnostics, unchanged: true as const };
    return { ...nothing, ...shown(summary), state: toState(summary, files), round: memory.round };
  }
  const old = listedThen(listed, memory, extraction.continuation.files);
  const { more, ...newest } = shownFiles(old, session, previous.length);
  const told = previous && neutralSummary(withFileLists(previous, newest, more));
  const prompt = toPrompt({ previous: told, focus: mask(focus) }, loaded.rules);
  const given = [...(round.injection === undefined ? [] : [round.injection]), ...contexts.map(mask)];
  const request = toRequest({ prompt, messages, contexts: given, rules: loaded.rules, quote: neutral });
  // An answer costs: that it can be kept is known before.
  storeRound(session.id, stateFolder);
  const { heard } = options;
  const answer = await askModel(model, [{ role: "user", content: request.text }], {
    ...(signal && { signal }),
    ...(heard && { heard }),
  });
  const last = session.messages.at(-1);
  return { ...complete(proseOf(answer), last ? { through: markOf(last, mask) } : {}), omitted: request.omitted, prompt };
}

const NO_FILES: ListedFiles = { read: [], modified: [] };

const toState = (lastSummary: string, { read, modified }: ListedFiles): CompactionState => ({
  lastSummary,
  readFiles: read,
  modifiedFiles: modified,
});

/** The files as they were listed behind the last summary, without those of turns that were undone. */
function listedThen(listed: ListedFiles, memory: Memory | undefined, now: FileLists): ListedFiles {
  const { read, modified } = listedFiles(mergeFiles(asFileLists(listed), memory?.continuation.files ?? asFileLists(NO_FILES)));
  const known = new Set(Object.values(now).flat());
  const there = (paths: readonly string[]) => paths.filter((path) => known.has(path));
  return { read: there(read), modified: there(modified) };
}

interface Earlier {
  readonly summary: string;
  /** Those of the session that it does not cover. */
  readonly messages: readonly Message[];
}

/** The last summary: that of an earlier round here, or the host's own when it is later. */
function earlier(session: Session, mask: Mask, told?: Memory["told"]): Earlier {
  const { messages } = session;
  const seen = told && coveredBy(told, session, mask);
  const host = messages.findLastIndex((message) => message.summary === true && !isEmptySummary(message));
  const after = (place: number) => messages.slice(place).filter((message) => !isEmptySummary(message));
  if (host + 1 > (seen ?? 0)) {
    const { text, keeps } = messages[host] as Message;
    const kept = new Set(keeps);
    const beside = messages.slice(0, host).filter(({ id, summary }) => kept.has(id) && summary !== true);
    return { summary: mask(text), messages: [...beside, ...after(host + 1)] };
  }
  return { summary: seen === undefined ? "" : (told?.summary ?? ""), messages: after(seen ?? 0) };
}

/** Some hosts keep what it says to themselves, or store what a model that said nothing said: it covers nothing. */
const isEmptySummary = ({ summary, text }: Message) => summary === true && text.trim() === "";

/** How many messages it covers; undefined when the last of them was undone, of which it tells. */
function coveredBy({ through }: NonNullable<Memory["told"]>, { messages, whole }: Session, mask: Mask): number | undefined {
  if (through === undefined) return 0;
  const isIt = ({ id }: Message) => through.startsWith(`${id} `);
  const seen = messages.findLastIndex((message) => isIt(message) && markOf(message, mask) === through) + 1;
  if (seen > 0 || !whole) return seen;
  // It is still there and has grown since: calls that follow are put to it.
  const grown = messages.findLastIndex(isIt);
  return grown < 0 ? undefined : grown;
}

type Mask = (text: string) => string;

/** Ids that are mere numbers come again when a host begins a file anew: what was said tells. No digest of a secret is stored. */
function markOf({ id, role, text, toolCalls }: Message, mask: Mask): string {
  const calls = toolCalls.map(({ name, input }) => [name, jsonText(redactValue(input, mask))]);
  return `${id} ${createHash("sha256")
    .update(JSON.stringify([role, mask(text), calls]))
    .digest("hex")
    .slice(0, 16)}`;
}
