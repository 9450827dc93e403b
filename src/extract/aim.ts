// What a message is for: its words that ask for something, behind greetings and introductions.
import { AIM_CHARACTERS, AIM_TEXTS } from "../limits.js";
import type { Evidence, Source } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Around } from "./around.js";
import { matcherFor } from "./matcher.js";
import { TALK } from "./selector.js";
import { evidenceAt, type Subject } from "./subject.js";

/** The signals by which packs say what asks for something, what only begins the talk, and what only introduces. */
const REQUESTS = "requests";
const GREETS = "greets";
const PRELUDES = "preludes";
/** And what asks for something that was named before: "Can you fix it?" */
export const POINTS_BACK = "points-back";

/** One text or some that follow each other. */
export type Aim = readonly [Subject, ...Subject[]];

export interface Aims {
  /** The aim of its message, where it begins with this text. */
  readonly of: (subject: Subject) => Aim | undefined;
}

export function createAims(rules: RuleSet, around: () => Around): Aims {
  const known = new WeakMap<Source, { readonly aim: Aim | undefined }>();
  return {
    of(subject) {
      const { source } = subject;
      if (source.role !== "user" || source.tool !== undefined) return undefined;
      const { aim } = known.get(source) ?? { aim: aimIn(around().subjects(source), rules, around().isPasted) };
      known.set(source, { aim });
      return aim?.[0].segment === subject.segment ? aim : undefined;
    },
  };
}

function aimIn(subjects: readonly Subject[], rules: RuleSet, isPasted: (subject: Subject) => boolean): Aim | undefined {
  const holds = (subject: Subject, name: string) => matcherFor(rules).holds(subject, name);
  const own = subjects.filter((subject) => TALK.has(subject.segment.node) && !isPasted(subject)).slice(0, AIM_TEXTS);
  const said = own.filter((subject) => !holds(subject, GREETS));
  const first = Math.max(
    0,
    said.findIndex((subject) => !holds(subject, PRELUDES)),
  );
  const wish = said.findIndex((subject) => subject.segment.question || holds(subject, REQUESTS));
  const one = said[wish < 0 ? first : wish];
  if (!one) return undefined;
  if (wish <= 0 || !holds(one, POINTS_BACK)) return [one];
  const whole = said.slice(Math.min(first, wish - 1), wish + 1) as unknown as Aim;
  if (isJoined(whole)) return whole;
  const near = whole.slice(-2) as unknown as Aim;
  return isJoined(near) ? near : [whole[0]];
}

/** Short enough to be shown, and with nothing between the texts, such as code. */
export function isJoined(texts: Aim): boolean {
  const { text } = texts[0].source;
  const between = texts.slice(1).map(({ segment }, index) => text.slice(texts[index]?.segment.end, segment.start));
  const length = (texts.at(-1) as Subject).segment.end - texts[0].segment.start;
  return length <= AIM_CHARACTERS && between.every((gap) => !/[\p{L}\p{N}]/u.test(gap));
}

/** What an aim says, and where. */
export function tellAim(aim: Aim, rule: string): { readonly said: string; readonly evidence: Evidence } {
  const { source, segment } = aim[0];
  const end = (aim.at(-1) as Subject).segment.end;
  return { said: aim.map((one) => one.segment.text).join(" "), evidence: evidenceAt(source, segment.start, end, rule) };
}
