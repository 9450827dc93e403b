// Hooks for agents that run a command for each event. Each run handles one event, and the agent reads what it prints. A thin
// layer over the keeper; what differs between the agents is in the folder of each.
import { basename, extname } from "node:path";
import type { Session } from "../model.js";
import { claimEvent, claimText, isAnsweredInside } from "../state/claim-event.js";
import { atOnce, type Late } from "../steps.js";
import { inject } from "./inject.js";
import { type Keeper, readRules, receiptFor, standingRulesText } from "./keeper.js";
import { remind, repairSummary } from "./repair-summary.js";

export interface HookEvent {
  readonly hook_event_name?: unknown;
  readonly session_id?: unknown;
  readonly transcript_path?: unknown;
  readonly cwd?: unknown;
  readonly source?: unknown;
  readonly [field: string]: unknown;
}

/** The session that an event is about: its file, and the id under which it is remembered. */
export interface HookedSession {
  readonly file: string;
  readonly id: string;
  /** Another session opened it, so a model speaks in it as the user. */
  readonly below?: true;
}

/** The session whose file an event names. Without an id, the file's name is one. */
export function sessionIn({ transcript_path: file, session_id: id }: HookEvent): HookedSession | undefined {
  if (typeof file !== "string") return undefined;
  return { file, id: typeof id === "string" ? id : basename(file, extname(file)) };
}

/** What the events of an agent mean to it. */
export interface CommandHost {
  readonly name: string;
  /** What is printed before a compaction reaches the model that writes the summary. */
  readonly injects: boolean;
  /** Undefined if the event does not say. */
  readonly sessionOf: (event: HookEvent, environment: Environment) => HookedSession | undefined;
  /** The summary of the compaction, if the session does not have it; undefined if it cannot be read yet. */
  readonly summaryOf?: (event: HookEvent) => string | undefined;
  /** What the model answered, of which the summary is a part. */
  readonly answerOf?: (event: HookEvent) => string | undefined;
  /** Is the model that writes the summary asked to judge the facts? */
  readonly asks?: (event: HookEvent) => boolean;
  /** The event of a prompt, for an agent that has no event behind a compaction: what the summary lost is told there. */
  readonly prompt?: string;
  /** What is printed for a text, unless it is the text itself. */
  readonly printed?: (text: string) => string;
  /** What is printed after a compaction so that the user sees the notice, and the model does not. */
  readonly tells?: (notice: string) => string;
  /** A hook inside the agent asks, and does more with the answer than a command can. */
  readonly isInside?: (event: HookEvent) => boolean;
  /** Events that only such a hook sends, and what it is told beside the text. */
  readonly answerInside?: (hooked: Hooked, session: HookedSession) => Promise<HookAnswer>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface HookAnswer {
  /** For the model. */
  readonly text?: string;
  /** For the user. */
  readonly notice?: string;
}

export interface Hooked {
  readonly host: CommandHost;
  readonly event: HookEvent;
  readonly keeper: Keeper;
  readonly read: (session: HookedSession) => Session;
  /** Returns true when time is up and the facts found so far must do. */
  readonly late: Late;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly environment: Environment;
  /** What earlier sessions say about the first message of this one. */
  readonly start: (session: string, message: string) => Promise<string>;
  /** Where a guard does not speak yet, and what changes that. */
  readonly unheard: () => Promise<string>;
}

const PROMPT = "UserPromptSubmit";
const ANSWERED = ["PreCompact", "PostCompact", "SessionStart", "SessionEnd", PROMPT];

/** All other events are ignored, so that they cost no time. */
export const isAnswered = ({ prompt, isInside }: CommandHost, event: HookEvent) =>
  (prompt === undefined ? ANSWERED : [prompt]).includes(String(event.hook_event_name)) || isInside?.(event) === true;

export async function answerHook(hooked: Hooked): Promise<HookAnswer> {
  const { host, event, keeper, read, now, environment } = hooked;
  const { hook_event_name: name, source } = event;
  const about = host.sessionOf(event, environment);
  if (!about) return {};
  if (host.prompt !== undefined) return { text: joined(answerPrompt(hooked, about), await firstMessage(hooked, about)) };
  if (name === PROMPT) return { text: await firstMessage(hooked, about) };
  const inside = host.isInside?.(event) === true;
  if (inside && host.answerInside && !ANSWERED.includes(String(name))) return host.answerInside(hooked, about);
  if (name === "SessionStart" && source !== "compact") return { text: standing(about, hooked) };
  if (name === "SessionEnd") {
    atOnce(readRules(keeper, read(about)));
    return {};
  }
  // Ask before the session is read, which takes most of the time.
  if (!inside && isAnsweredInside(about.id, String(name), now)) return {};
  const session = read(about);
  const mark = session.messages.at(-1)?.id ?? "";
  if (!claimEvent({ session: about.id, event: String(name), mark, time: now, ...(inside && { inside }) })) return {};
  const text = answerStep(hooked, about, session);
  if (inside && host.answerInside) return { text, ...(await host.answerInside(hooked, about)) };
  const notice = name === "PostCompact" ? receiptFor(keeper, about.id) : undefined;
  return { text: notice !== undefined && host.tells ? host.tells(notice) : text };
}

/** The rules of earlier sessions, unless the session was already told the same. */
function standing({ id, below }: HookedSession, { keeper, now }: Hooked, again = false): string {
  const text = below ? "" : (standingRulesText(keeper, id) ?? "");
  return text !== "" && claimText(id, "told", text, now, again) ? text : "";
}

/** With the first prompt behind a compaction, what its summary lost. */
function answerPrompt(hooked: Hooked, about: HookedSession): string {
  const { keeper, read, late, now } = hooked;
  const session = read(about);
  const summary = summaryIn(session);
  if (!summary || !claimText(about.id, "repaired", summary.id, now)) return standing(about, hooked);
  atOnce(inject(keeper, session, { late, whole: session.whole === true }));
  atOnce(repairSummary(keeper, session.id, summary.text, late));
  return behind(hooked, about, session, summary.text);
}

const summaryIn = ({ messages }: Session) => messages.findLast(({ summary }) => summary === true);

/** What goes into the context behind a compaction. */
function behind(hooked: Hooked, about: HookedSession, session: Session, summary: string | undefined): string {
  const { keeper, late } = hooked;
  const block = atOnce(remind(keeper, session, summary, { late, whole: session.whole === true })) ?? "";
  return joined(block, standing(about, hooked, true));
}

const joined = (...texts: readonly string[]) => texts.filter((text) => text !== "").join("\n\n");

async function firstMessage({ keeper, event, read, now, start }: Hooked, { id, below, file }: HookedSession): Promise<string> {
  const { prompt } = event;
  if (!keeper.recall.start || below || typeof prompt !== "string" || !claimText(id, "start", "", now)) return "";
  // A session that goes on after a restart began before. The agent may have stored the message already.
  const said = read({ file, id }).messages.filter(({ role, meta }) => role === "user" && meta !== true);
  if (said.some(({ text }) => text.trim() !== prompt.trim())) return "";
  try {
    return await start(id, prompt);
  } catch (error) {
    keeper.log("warn", (error as Error).message);
    return "";
  }
}

function answerStep(hooked: Hooked, about: HookedSession, session: Session): string {
  const { host, event, keeper, late } = hooked;
  // Only the provider's servers may be able to read it.
  const summary = host.summaryOf ? host.summaryOf(event) : summaryIn(session)?.text.trim() || undefined;
  switch (event.hook_event_name) {
    case "PreCompact": {
      // Nobody can take a block out of the summary again.
      const judged = host.asks?.(event) && "line";
      const text = atOnce(inject(keeper, session, { late, whole: session.whole === true, judged })) ?? "";
      return host.injects ? text : "";
    }
    case "PostCompact":
      if (summary !== undefined)
        atOnce(repairSummary(keeper, session.id, summary, late, { session, answer: host.answerOf?.(event) }));
      // Print nothing: the model would see it as the output of a command.
      return "";
    default:
      return behind(hooked, about, session, summary);
  }
}
