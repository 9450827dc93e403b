// What a compaction is given: the facts for the host's prompt, and those that a model is asked to judge.
import { basename } from "node:path";
import { renderOwnFirst } from "../audit/repair.js";
import { extractInSteps } from "../extract/pipeline.js";
import { PINS } from "../extract/settle/by-hand.js";
import type { Learnt } from "../frames/change.js";
import { factKey } from "../judge/judged.js";
import { HOOK_TEXT_CHARACTERS } from "../limits.js";
import type { Extraction, Item, Kind, Notice, Session, Statement } from "../model.js";
import { render } from "../render/render.js";
import { messageNames } from "../source/session/messages.js";
import { factId } from "../state/choices.js";
import type { Late, Steps } from "../steps.js";
import { normalPath } from "../text/paths.js";
import type { FindOptions, FoundFacts } from "./finder.js";
import { offerFacts } from "./judging.js";
import { type Keeper, nextMemory, rememberRules, store, templateOf, writeDue } from "./keeper.js";
import { forModel, neutral, renderForModel } from "./neutral.js";
import { charactersSaid, LEAST_CHARACTERS, noteSession } from "./note-session.js";
import { ownProgram } from "./own-program.js";

export interface OfferOptions extends FindOptions {
  /** The model that gets the text writes the summary, so it can judge the facts: in a block, or where that would stay, in a line. */
  readonly judged?: boolean | "line";
}

/** These notices are logged as warnings, because the user can fix the notes. */
const WARNED = ["notes-unread", "objective-unknown"];
const noticeLine = ({ code, message, source, count }: Notice) =>
  `${source === undefined ? "" : `${source}: `}${message} (${count}) [${code}]`;

/** The text for the host's compaction prompt; undefined when there is nothing to say. */
export function* inject(
  keeper: Keeper,
  session: Session,
  options: Pick<OfferOptions, "late" | "whole" | "judged"> = {},
): Steps<string | undefined> {
  const { log, open, due, keepDays } = keeper;
  const found = yield* keeper.found(session, options);
  const { now, ids, extraction, memory, notices } = found;
  yield;
  const way = { named: false, line: options.judged === "line" };
  const isEnough = isWorthCarrying(session, found);
  const isAsked = isEnough && keeper.judge && options.judged && !options.late?.();
  const asked = isAsked ? yield* offerFacts(session, found, keeper.rules, way, options.late) : undefined;
  const injected = asked && [injectionOf(keeper, extraction, true, options.late) ?? "", asked.text].join("\n\n").trim();
  // Too long a text would be cut, and its end is the request.
  const offer = way.line && (injected?.length ?? 0) > HOOK_TEXT_CHARACTERS ? undefined : asked;
  const { round, candidates = [] } = offer ?? {};
  open.set(session.id, { now, ids, extraction, ...(offer && { asked: { session, found, offer } }) });
  // The user waits for the text, not for the disk. Until it is written, everything is still in the session.
  due.push(() => {
    const offered = way.line && round !== undefined ? { offered: { round, candidates } } : {};
    store(
      keeper,
      session.id,
      nextMemory(session.id, found, keepDays, () => offered),
    );
    rememberRules(keeper, session, options.whole);
  });
  setImmediate(writeDue, keeper);
  noteSession(keeper, session, extraction, (memory?.round ?? 0) + 1, memory?.noted);
  for (const notice of notices) log(WARNED.includes(notice.code) ? "warn" : "debug", noticeLine(notice));
  yield;
  if (!isEnough) {
    log("debug", `fewer than ${LEAST_CHARACTERS} characters were said, so nothing is injected`);
    return undefined;
  }
  return offer ? injected : injectionOf(keeper, extraction, false, options.late);
}

/** Was enough said or done, or is there something beside it: notes, a workflow, pins, or what earlier compactions found? */
function isWorthCarrying(session: Session, { extraction, memory }: FoundFacts): boolean {
  const { sections, items } = extraction.continuation;
  if (sections || memory || items.some(({ evidence }) => evidence.source === PINS)) return true;
  return session.messages.some(({ toolCalls }) => toolCalls.length > 0) || charactersSaid(session) >= LEAST_CHARACTERS;
}

/** @param isOffered the facts are offered, so only the rest is injected */
export function injectionOf(keeper: Keeper, extraction: Extraction, isOffered: boolean, late?: Late): string | undefined {
  const { rules, log } = keeper;
  const id = isOffered ? "judge-injection" : "injection";
  const template = templateOf(keeper, id);
  // The budget beside an offer is small, so the project's state comes on top of it, with a budget of its own.
  const hasState = isOffered && extraction.continuation.sections;
  const state = hasState ? render(extraction, templateOf(keeper, "continuation"), rules).tokens : 0;
  // Beside an offer too, the budget of the injection holds.
  const tokens = Math.min(template.tokens + state, templateOf(keeper, "injection").tokens);
  const { text, entries, hidden } = renderOwnFirst(extraction, template, rules, { late, tokens });
  log("info", `${extraction.continuation.items.length} facts, ${entries} lines injected, ${hidden} not shown`);
  return entries === 0 ? undefined : forModel(template, text);
}

export function* carry(keeper: Keeper, session: Session, options?: Pick<FindOptions, "late" | "whole">): Steps<string> {
  const { extraction } = yield* keeper.found(session, options);
  yield;
  const carried = asCarried(extraction, session);
  const { text, entries } = render(carried, templateOf(keeper, "carry"), keeper.rules, { late: options?.late });
  return entries === 0 ? "" : neutral(text);
}

export function* handOver(keeper: Keeper, session: Session, options?: Pick<FindOptions, "late" | "whole">): Steps<string> {
  const { extraction } = yield* keeper.found(session, options);
  yield;
  const { folder, rules } = keeper;
  const context = { names: messageNames(session), project: basename(folder), program: ownProgram(folder), late: options?.late };
  const { text, entries } = renderForModel(extraction, templateOf(keeper, "handoff"), rules, context);
  return entries === 0 ? "" : text;
}

/** Each fact with the id that drops it, and messages by number, because nobody knows their ids. */
function asCarried({ continuation, statements }: Extraction, { messages }: Session): Extraction {
  const numbers = new Map(messages.map(({ id }, index) => [id, `message ${index + 1}`]));
  const numbered = (id: string) => numbers.get(id) ?? "an earlier message";
  const sourceOf = (by: Item["by"], source: string) => (by === "file" || source === PINS ? source : numbered(source));
  const items = continuation.items.map((item): Item => {
    const { by, fields, evidence, judged } = item;
    const witness = judged?.witness === undefined ? {} : { witness: numbered(judged.witness) };
    return {
      ...item,
      fields: { ...fields, id: factId(item) },
      evidence: { ...evidence, source: sourceOf(by, evidence.source) },
      ...(judged && { judged: { ...judged, ...witness } }),
    };
  });
  const said = statements.map((one): Statement => ({ ...one, source: sourceOf(one.by, one.source) }));
  return { continuation: { ...continuation, items }, statements: said };
}

/** What a frame learns from the facts of its session. Only what was said in it counts, not the project's notes. */
export function* learn(keeper: Keeper, session: Session, late?: Late): Steps<Learnt & { readonly goal?: string }> {
  const { extraction, base } = yield* keeper.found(session, { late, alone: true });
  const { items, files } = extraction.continuation;
  const isTold = ({ status, judged }: Item) => status === "active" && judged?.marked !== false;
  const active = (kind: Kind) => items.flatMap((item) => (item.kind === kind && isTold(item) ? [item.text] : []));
  const [goal] = active("goal");
  const artifacts = [...files.created, ...files.modified].map((path) => normalPath(path, keeper.folder));
  // Nothing that only a model says becomes a rule for another session.
  const found = new Set(base.continuation.items.map(factKey));
  const demanded = items.filter(({ kind, by, status }) => kind === "constraint" && by === "user" && status === "active");
  const rules = demanded.filter((item) => found.has(factKey(item))).map(({ evidence }) => evidence.quote);
  return { ...(goal !== undefined && { goal }), artifacts, decisions: active("decision"), rules };
}

/** Reads a session only to fill the caches. */
export function* readAhead(keeper: Keeper, given: Session): Steps<void> {
  const { session } = keeper.withoutMiddles(given);
  const extraction = yield* extractInSteps(session, keeper.rules);
  if (keeper.isWarm) return;
  keeper.isWarm = true;
  // Rendering is slow the first time, and a real session warms up the engine better than a sample.
  render(extraction, templateOf(keeper, "injection"), keeper.rules);
}
