// The statements that a brief can show: standing ones, with the cells of a row and the sentences of a short message joined.
import { type Extraction, type FactPlace, type Item, type Kind, placeKey, type Statement } from "../model.js";
import { CUES_PREFIX } from "../rules/compile/signals.js";
import { countBefore, groupBy } from "../text/lists.js";
import { sameText } from "../text/words.js";

/** Longer messages of the user's are split into sentences. */
const MESSAGE_CHARACTERS = 160;

/** The line above a list is shown with its items, never alone. So what an assistant says with a colon at its end is left out. */
export function withoutIntros(statements: readonly Statement[]): readonly Statement[] {
  const key = (source: string, text: string) => `${source}\n${sameText(text)}`;
  const intros = new Set(statements.flatMap(({ source, under }) => (under === undefined ? [] : [key(source, under)])));
  const isIntro = ({ source, text, by }: Statement) =>
    intros.has(key(source, text)) || (by === "assistant" && text.endsWith(":"));
  return statements.filter((one) => one.kinds.length > 0 || !isIntro(one));
}

/** Below this salience, what is said between steps is not shown. Tuned on labelled sessions. */
const STEP_SALIENCE = 0.2;

/** The same for what says little without the sentence before it. */
const ALONE_SALIENCE = 0.35;

/** Is it about a step, and unlikely to be missed: "All files created.", "Now replace the calls."? */
export const isNarration = ({ fills, needsBefore, by, places, salience }: Statement) =>
  fills === true ||
  (by === "assistant" &&
    !places.has("session-end") &&
    ((places.has("before-tool") && salience < STEP_SALIENCE) || (needsBefore === true && salience < ALONE_SALIENCE)));

/** A line needs a letter, digit, pictograph or question mark: lone rules, brackets and quotation marks say nothing. */
const SAYS = /[\p{L}\p{N}\p{Extended_Pictographic}?？]/u;
/** Compiling the classes takes time, and few texts need them. */
const says = (text: string) => /[A-Za-z0-9]/.test(text) || SAYS.test(text);

/** What is worth less, such as a sentence that later edits overtook, is not shown however much room there is. */
const LEAST_SALIENCE = 0.01;

/** The statements that say something and are not superseded. */
export function standingStatements({ continuation, statements }: Extraction): readonly Statement[] {
  const gone = continuation.items.filter(({ status }) => status !== "active").flatMap((one) => [one.evidence, ...one.also]);
  const places = new Set(gone.map(placeKey));
  return statements.filter(
    (one) => (one.salience > LEAST_SALIENCE || one.places.has("last-request")) && says(one.text) && !places.has(placeKey(one)),
  );
}

// What the assistant says early in a session is often overtaken: a guess, a plan, a count. What the user says stays.

/** Leaves out sentences of the assistant's before the last part of a session. What the rules call a fact stays. @param share of the session */
export function withoutOldSentences(statements: readonly Statement[], share: number): readonly Statement[] {
  const last = statements.reduce((most, { ordinal }) => Math.max(most, ordinal), 0);
  return statements.filter(({ by, ordinal }) => by !== "assistant" || ordinal >= last * (1 - share));
}

/** Work that is left may be done later, without a word about it. */
const PASSING: ReadonlySet<Kind> = new Set<Kind>(["remaining", "blocker"]);

/** Leaves out facts of the assistant's whose sentence is not shown, because it is old or later edits overtook it: those that only
 * cues call a fact, and open work that no model judged and after which something was committed.
 * @param over statements before a commit */
export function withoutFallen(
  items: readonly Item[],
  statements: readonly Statement[],
  over: readonly Statement[],
): readonly Item[] {
  const places = new Set(statements.map(placeKey));
  const passed = new Set(over.map(placeKey));
  const falls = ({ kind, evidence, judged }: Item) =>
    evidence.rule.startsWith(CUES_PREFIX) || (!judged && PASSING.has(kind) && passed.has(placeKey(evidence)));
  return items.filter(
    (one) => one.by !== "assistant" || one.status !== "active" || !falls(one) || places.has(placeKey(one.evidence)),
  );
}

// A table cell makes sense only next to the other cells of its row, and "is fine" only in its message.

/** Did the user state a rule in so many words? What only cues suggest is not sure enough. */
export const isInstruction = ({ kind, by, evidence }: Item) =>
  by === "user" && kind === "constraint" && !evidence.rule.startsWith(CUES_PREFIX);

export const joinRows = (statements: readonly Statement[]): readonly Statement[] => joinBy(statements, isBeside, " | ");

/** The newest task is told as the last request, not as the goal. A first request may be both. */
export const isOnlyLast = (places: Statement["places"]) => places.has("last-request") && !places.has("first-request");

/** Joins the sentences of a short message of the user's, unless it has the goal, which has a line of its own. */
export function joinMessages(statements: readonly Statement[], items: readonly Item[]): readonly Statement[] {
  const goals = new Set(items.flatMap(({ kind, evidence }) => (kind === "goal" ? [evidence.source] : [])));
  // A rule has a line of its own, and what else the message says is none.
  const rulesIn = groupBy(items.filter(isInstruction), ({ evidence }) => evidence.source);
  const isRule = ({ source, start, end }: Statement) =>
    rulesIn.get(source)?.some(({ evidence }) => start <= evidence.start && evidence.start < end) === true;
  const said = new Map<string, number>();
  for (const one of statements)
    if (one.by === "user") said.set(messageKey(one), (said.get(messageKey(one)) ?? 0) + one.text.length + 1);
  const hasGoal = (one: Statement) => goals.has(one.source) && !isOnlyLast(one.places);
  const isShort = (one: Statement) => !hasGoal(one) && (said.get(messageKey(one)) ?? 0) <= MESSAGE_CHARACTERS;
  const isSameMessage = (last: Statement, one: Statement) =>
    one.by === "user" &&
    isSentence(one) &&
    isSentence(last) &&
    !isRule(one) &&
    !isRule(last) &&
    messageKey(last) === messageKey(one) &&
    last.pasted === one.pasted &&
    isShort(one);
  return joinBy(statements, isSameMessage, " ");
}

function joinBy(statements: readonly Statement[], isNext: (last: Statement, one: Statement) => boolean, between: string) {
  const joined: Statement[] = [];
  for (const one of statements) {
    const last = joined.at(-1);
    if (last && isNext(last, one)) joined[joined.length - 1] = joinTwo(last, one, between);
    else joined.push(one);
  }
  return joined;
}

const isSentence = ({ node }: Statement) => node === "sentence";
const messageKey = ({ source, tool, by }: Statement) => `${by}\n${source}\n${tool ?? ""}`;

const isBeside = (last: Statement, { row, source, tool }: Statement) =>
  row !== undefined && row === last.row && source === last.source && tool === last.tool;

/** One statement with the highest salience of the two. */
const joinTwo = (last: Statement, next: Statement, between: string): Statement => ({
  ...last,
  text: `${last.text}${between}${next.text}`,
  end: next.end,
  joined: [...(last.joined ?? []), next],
  settled: last.settled === true && next.settled === true,
  salience: Math.max(last.salience, next.salience),
  kinds: [...new Set([...last.kinds, ...next.kinds])],
});

/** Finds the table row or the short message of a fact that is only a part of it: alone, the part may say something else. */
export function createJoinedOf(statements: readonly Statement[]): (item: Item) => Statement | undefined {
  const joined = new Map<string, Statement[]>();
  const textOf = ({ source, tool }: FactPlace) => `${source}\n${tool ?? ""}`;
  for (const one of statements) {
    if (one.row === undefined && !one.joined) continue;
    const own = joined.get(textOf(one));
    if (own) own.push(one);
    else joined.set(textOf(one), [one]);
  }
  return ({ kind, evidence }) => {
    // A name says the same alone.
    if (kind === "concept") return undefined;
    const own = joined.get(textOf(evidence)) ?? [];
    const whole = own[countBefore(own, ({ start }) => start <= evidence.start) - 1];
    return whole && evidence.end <= whole.end && evidence.end - evidence.start < whole.end - whole.start ? whole : undefined;
  };
}
