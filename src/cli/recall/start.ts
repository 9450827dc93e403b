// What a new session is told with its first message: decisions and open work of the last sessions that share a rare name with it,
// such as a path, an option or "phase 14". What shares only words with it is mostly about something else.
import { neutral } from "../../hosts/neutral.js";
import { KINDS } from "../../model.js";
import type { SearchHit } from "../../recall/store.js";
import { termsOf } from "../../render/news.js";
import { countTokens } from "../../render/tokens.js";
import { readChoices } from "../../state/choices.js";
import { type IsPlain, plainWords } from "../../text/topic.js";
import { enabledRules } from "./bring-up-to-date.js";
import { DATA, PLAIN, resultText } from "./find.js";
import { searchProject } from "./recall.js";

const TOLD: readonly string[] = ["decision", "rejection", "remaining", "blocker"];
const LAST_SESSIONS = 5;
const TOKENS = 200;
/** A plan is longer, and names everything. */
const MESSAGE_CHARACTERS = 600;
/** A name is rare if so few of the newest facts have it, or so small a share of them. */
const NEWEST_FACTS = 2_000;
const RARE_FACTS = 2;
const RARE_SHARE = 0.02;
/** The user waits. What is not read in this time is read with the next search. */
const MILLISECONDS = 5_000;

/** The text for the model; empty if nothing fits. @param session the new one */
export async function startText(folder: string, session: string, message: string): Promise<string> {
  const { rules, recall } = enabledRules(folder);
  const isPlain = plainWords(rules);
  const wanted = namesOf(message.slice(0, MESSAGE_CHARACTERS), isPlain);
  if (!recall.start || wanted.size === 0) return "";
  const found = await searchProject(folder, undefined, { kinds: KINDS, most: NEWEST_FACTS }, () => undefined, MILLISECONDS);
  const { drops } = readChoices(folder).choices;
  const facts = (found ?? []).filter((one) => one.session !== session && one.status === "active" && !drops.includes(one.fact));
  const text = sharing(wanted, facts, isPlain).reduce((before, one) => {
    const longer = before + neutral(resultText({ ...one, near: "" }, PLAIN, "> "));
    return countTokens(longer) <= TOKENS ? longer : before;
  }, `${DATA}\n`);
  return text === `${DATA}\n` ? "" : text.trim();
}

const NUMBERED = /(?<![\p{L}\p{N}])\p{L}{2,} \d+(?![\p{L}\p{N}]|\.\d)/gu;

/** Names, and numbered things. A number alone names nothing. */
function namesOf(text: string, isPlain: IsPlain): ReadonlySet<string> {
  const names = [...termsOf(text, isPlain)].flatMap(([term, telling]) => (telling === "word" ? [] : [term]));
  return new Set([...names.filter((name) => /\p{L}{2}|^#/u.test(name)), ...(text.toLowerCase().match(NUMBERED) ?? [])]);
}

/** Those with the rarest names first. @param facts newest first */
function sharing(wanted: ReadonlySet<string>, facts: readonly SearchHit[], isPlain: IsPlain): readonly SearchHit[] {
  const last = [...new Set(facts.map(({ session }) => session))].slice(0, LAST_SESSIONS);
  const most = Math.max(RARE_FACTS, RARE_SHARE * facts.length);
  const counts = new Map<string, number>();
  const shared = facts.map((one) => {
    const names = [...namesOf(one.own, isPlain)].filter((name) => wanted.has(name));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return { one, names };
  });
  const worthOf = (count: number) => (count > most ? 0 : Math.log(1 + facts.length / count));
  return shared
    .filter(({ one }) => TOLD.includes(one.kind) && last.includes(one.session))
    .map(({ one, names }) => ({ one, worth: names.reduce((sum, name) => sum + worthOf(counts.get(name) ?? 1), 0) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .map(({ one }) => one);
}
