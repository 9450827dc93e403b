// Stores the standing rules of a project: rules that the user typed and that new sessions see.
import type { Item, Session } from "../model.js";
import { factId, isItem, projectFileName } from "./choices.js";
import { changeState, readState } from "./state.js";

/** The newest rules of a project that are kept. */
const STANDING_RULES = 40;

export interface StandingRule {
  readonly session: string;
  /** When the user said it, if the host reports it. */
  readonly time?: string;
  readonly item: Item;
}

interface Standing {
  readonly version: 1;
  readonly folder: string;
  readonly rules: readonly StandingRule[];
  /** Places of rules that a later session took back. The session that gave the rule still contains it. */
  readonly lifted?: readonly string[];
}

/** Applies a session to rules from earlier sessions: those that it takes back become superseded. */
type Settle = (earlier: readonly Item[]) => readonly Item[];

const nameOf = (folder: string) => projectFileName("rules", folder);

export const readStanding = (folder: string, state?: string): readonly StandingRule[] => storedStanding(folder, state).rules;

/** The standing rules, and a message if they cannot be read. */
export function storedStanding(folder: string, state?: string) {
  const { value, broken } = readState(nameOf(folder), state, isStanding);
  return { rules: listsIn(value)[0], ...(broken !== undefined && { broken }) };
}

function isStanding(value: unknown): boolean {
  const { rules, lifted = [] } = value as Partial<Standing>;
  const isRule = (one: StandingRule | null) => typeof one?.session === "string" && isItem(one.item);
  return Array.isArray(rules) && rules.every(isRule) && Array.isArray(lifted);
}

function listsIn(value: unknown): Lists {
  const { rules = [], lifted = [] } = (value ?? {}) as Partial<Standing>;
  return [rules, lifted];
}

/** Adds the session, because messages of two sessions may have the same ids. */
const placesOf = (session: string, { evidence, also }: Item) =>
  [evidence, ...also].map(({ source, start }) => `${session}/${source}:${start}`);

interface Remembering {
  readonly settle?: Settle;
  /** Messages that are missing were undone. */
  readonly whole?: boolean;
  /** The messages whose rules are given; all by default. Rules of the others stay as they are. */
  readonly searched?: ReadonlySet<string>;
}

/** Remembers the rules that the user gave in this session. A repeated rule counts as new. */
export function rememberStanding(
  folder: string,
  { id, messages }: Pick<Session, "id" | "messages">,
  given: readonly Item[],
  { settle = (earlier) => earlier, whole = false, searched }: Remembering = {},
  state?: string,
): void {
  const times = new Map(messages.map(({ id: message, time }) => [message, time]));
  const began = messages.find(({ time }) => time !== undefined)?.time;
  const change = (...[known, before]: Lists): Lists => {
    // The session's words are not about rules that other sessions added after it began.
    const earlier = known.filter(({ session, time }) => session !== id && !(began && time && time >= began));
    const gone = new Set(takenBack(earlier, settle));
    const lifted = [...before, ...[...gone].flatMap(({ session, item }) => placesOf(session, item))];
    const again = new Set(given.map(factId));
    const isUnread = (item: Item) => {
      const { source } = item.evidence;
      return (times.has(source) ? searched?.has(source) === false : !whole) && !again.has(factId(item));
    };
    const own = known.filter(({ session }) => session === id);
    const rules = [...own.map(({ item }) => item).filter(isUnread), ...given]
      .filter((item) => !placesOf(id, item).every((place) => lifted.includes(place)))
      .map((item): StandingRule => {
        const same = own.find((one) => factId(one.item) === factId(item));
        const time = times.get(item.evidence.source) ?? same?.time;
        return { session: id, ...(time && { time }), item };
      });
    const ids = new Set(rules.map(({ item }) => factId(item)));
    const others = known.filter((one) => one.session !== id && !gone.has(one) && !ids.has(factId(one.item)));
    return [[...others, ...rules], lifted];
  };
  changeRules(folder, change, state);
}

function takenBack(earlier: readonly StandingRule[], settle: Settle): readonly StandingRule[] {
  if (earlier.length === 0) return [];
  const renamed = earlier.map(({ session, item }) => {
    const { evidence, also } = item;
    return { ...item, evidence: { ...evidence, source: `${session}/${evidence.source}` }, also: also.filter(() => false) };
  });
  const startKey = ({ evidence: { source, start } }: Item) => `${source}:${start}`;
  const superseded = new Set(settle(renamed).flatMap((item) => (item.status === "superseded" ? [startKey(item)] : [])));
  return earlier.filter((_, index) => superseded.has(startKey(renamed[index] as Item)));
}

export function forgetStanding(folder: string, session: string, state?: string): void {
  changeRules(folder, (known, lifted) => [known.filter((one) => one.session !== session), lifted], state);
}

type Lists = readonly [rules: readonly StandingRule[], lifted: readonly string[]];

function changeRules(folder: string, change: (...before: Lists) => Lists, state?: string): void {
  const next = (value: unknown): Standing | undefined => {
    const before = listsIn(value);
    const [rules, lifted] = change(...before).map((list) => list.slice(-STANDING_RULES)) as [StandingRule[], string[]];
    if (JSON.stringify([rules, lifted]) === JSON.stringify(before)) return undefined;
    return { version: 1, folder, rules, ...(lifted.length > 0 && { lifted }) };
  };
  changeState(nameOf(folder), next, state, isStanding);
}
