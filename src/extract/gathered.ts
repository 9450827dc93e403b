// What the texts of a session tell, one after the other, before it is clear what of it stands.
import type { Item } from "../model.js";
import { type RuleSet, TURNS } from "../rules/rule-set.js";
import { CORRECTS } from "./correct-items.js";
import { findItems, type Tracer } from "./find.js";
import type { FoundText } from "./finds.js";
import type { Matcher } from "./matcher.js";
import { isStatement } from "./packed-statements.js";
import { createNear, type Near, type Weighed } from "./salience.js";
import type { Subject } from "./subject.js";
import { type Retraction, retractionIn } from "./take-back.js";
import { kindsOf, type Taken } from "./taken.js";

export interface Gathered {
  readonly found: readonly Item[];
  readonly weighed: readonly Weighed[];
  /** What may take something back. */
  readonly turns: readonly Subject[];
  /** What the user said. */
  readonly told: readonly Subject[];
  readonly retractions: readonly Retraction[];
  take(subject: Subject, text?: FoundText): FoundText;
  /** What an earlier reading told of a source, without reading it again. */
  takeStored(taken: Taken): void;
  /** What a text weighs by itself, worked out once. */
  nearIn(subject: Subject, text: FoundText): Near;
  /** Puts what was read out of its order into it. */
  sort(): void;
}

interface Wish {
  readonly statements?: boolean;
  readonly trace?: Tracer;
}

export function createGathered(rules: RuleSet, matcher: Matcher, { statements, trace }: Wish): Gathered {
  const found: Item[] = [];
  const weighed: Weighed[] = [];
  const turns: Subject[] = [];
  const told: Subject[] = [];
  const retractions: Retraction[] = [];
  const nearOf = createNear(rules, matcher);

  function nearIn(subject: Subject, text: FoundText): Near {
    text.near ??= nearOf(subject);
    return text.near;
  }

  function read(subject: Subject): FoundText {
    const items = findItems(subject, rules, matcher, trace);
    const { role } = subject.source;
    const isTurn = matcher.holds(subject, role === "user" ? TURNS : CORRECTS);
    return { items, kinds: kindsOf(items), retraction: retractionIn(subject, matcher), isTurn };
  }

  function take(subject: Subject, text = read(subject)): FoundText {
    for (const item of text.items) found.push(item);
    if (text.retraction) retractions.push(text.retraction);
    if (text.isTurn) turns.push(subject);
    if (!isStatement(subject.segment)) return text;
    if (subject.source.role === "user") told.push(subject);
    if (statements === false) return text;
    const near = () => nearIn(subject, text);
    const { kinds } = text;
    // Where they are wanted, before the words are let go.
    if (statements) weighed.push({ subject, kinds, near: near() });
    else
      weighed.push({
        subject,
        kinds,
        get near() {
          return near();
        },
      });
    return text;
  }

  function takeStored(taken: Taken): void {
    for (const items of taken.items.values()) found.push(...items);
    retractions.push(...taken.retractions);
    turns.push(...taken.turns);
    told.push(...taken.told);
    for (const one of taken.statements) weighed.push(one);
  }

  function sort(): void {
    weighed.sort((a, b) => a.subject.source.ordinal - b.subject.source.ordinal);
    told.sort((a, b) => a.source.ordinal - b.source.ordinal);
  }

  return { found, weighed, turns, told, retractions, take, takeStored, nearIn, sort };
}
