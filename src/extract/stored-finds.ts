// Sources that were read before, here or by another process: what they gave is looked up by all that it hangs on.
import { engine } from "../generated/engine.js";
import type { Message, Session, Source } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Around } from "./around.js";
import { deedsOf } from "./deeds.js";
import { DIGEST_CHARACTERS, digestOf, digestOfSome } from "./digest.js";
import { REACH } from "./finds.js";
import type { Matcher } from "./matcher.js";
import { createPacking, type Packing, type Taken, type ToStore } from "./taken.js";

/** Values of JSON by their keys. Losing them costs time and nothing else. */
export interface Store {
  readonly get: (key: string) => unknown;
  readonly has: (key: string) => boolean;
  readonly keys: () => Iterable<string>;
  readonly put: (key: string, value: unknown) => void;
  /** Nothing more will be put. */
  readonly save: () => void;
}

export interface Stores {
  /** Characters of a session from which it is worth it. */
  readonly least: number;
  /**
   * Of a host that runs on, and whose user waits: what is found is stored when this calls back. It remembers what it found,
   * too, until it is stored.
   */
  readonly later?: (work: () => void) => void;
  /** @param head what stands for this program and for the beginning of a session: what has another head is of no use */
  readonly open: (head: string) => Store;
}

/** A store, for a session that is worth it. */
export interface Stored {
  /** Is a text known to hold no secret? */
  readonly isClean: (text: string) => boolean;
  readonly finds: (masked: Session, around: Around, rules: RuleSet, matcher: Matcher, weighs: boolean) => StoredFinds;
}

export interface StoredFinds {
  readonly of: (source: Source) => Taken | undefined;
  /** @param taken asked for if it is not stored yet; undefined when it must not be */
  readonly keep: (source: Source, taken: () => ToStore | undefined) => void;
  readonly save: () => void;
}

/** Behind the digest of a text in which there was nothing to mask. No digest of any other text is ever a secret's. */
const CLEAN = "=";
const MASKED = "~";

export function openStored({ messages }: Session, mask: (text: string) => string, { least, open }: Stores): Stored | undefined {
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  const places = new Map(messages.map(({ id }, place) => [id, place]));
  // Which of two messages of one name is meant cannot be told.
  if (characters < least || places.size < messages.length) return undefined;
  const first = messages.find(({ text }) => text.trim() !== "")?.text ?? "";
  const store = open(digestOf(`${engine}\n${mask(first)}`));
  // What is put while this session is read is for the next one.
  const isEmpty = isNothing(store.keys());
  const clean = new Set<string>();
  for (const key of store.keys()) if (key[DIGEST_CHARACTERS] === CLEAN) clean.add(key.slice(0, DIGEST_CHARACTERS));
  const digests = new Map<string, string>();
  const digest = (text: string) => {
    const known = digests.get(text) ?? digestOf(text);
    digests.set(text, known);
    return known;
  };
  return {
    isClean: (text) => clean.size > 0 && clean.has(digest(text)),
    finds(masked, around, rules, matcher, weighs) {
      const isUnmasked = ({ id, tool, text }: Source) => tool === undefined && messages[places.get(id) ?? NOWHERE]?.text === text;
      const finds = openFinds(
        store,
        masked,
        places,
        digest,
        isUnmasked,
        around,
        rules,
        createPacking(rules, matcher, around, weighs),
      );
      return isEmpty ? { ...finds, of: () => undefined } : finds;
    },
  };
}

function openFinds(
  store: Store,
  { messages }: Session,
  places: ReadonlyMap<string, number>,
  digest: (text: string) => string,
  isUnmasked: (source: Source) => boolean,
  around: Pick<Around, "before" | "reply">,
  rules: RuleSet,
  { pack, unpack }: Packing,
): StoredFinds {
  const placeIn = (source: Source) => (source.role === "file" ? undefined : places.get(source.id));

  const sorts = new Map<string, string>();
  /** Everything that a selector may ask of a message beside its text, in few characters: there are not many sorts. */
  function sortOf({ role, places: ofSource }: Source): string {
    let sort: string = role;
    for (const place of ofSource) sort += ` ${place}`;
    const known = sorts.get(sort) ?? digestOf(sort).slice(0, SORT_CHARACTERS);
    sorts.set(sort, known);
    return known;
  }
  const nameOf = (source: Source | undefined) => (source ? digest(source.text) + sortOf(source) : "");

  /** What the calls of each message did, where there are any, and how many such messages stand before each. */
  const calls: (string | undefined)[] = messages.map(({ toolCalls }) => (toolCalls.length === 0 ? "" : undefined));
  const calling = new Int32Array(messages.length + 1);
  for (const [place, known] of calls.entries()) calling[place + 1] = (calling[place] as number) + (known === "" ? 0 : 1);
  function callsOf(place: number): string {
    const known = calls[place] ?? digestOfSome(deedsOf(messages[place] as Message, rules));
    calls[place] = known;
    return known;
  }

  /** What tools did near by, and how near. */
  function callsAround(at: number): string {
    const from = Math.max(0, at - REACH);
    const to = Math.min(messages.length, at + REACH + 1);
    if (calling[from] === calling[to]) return "";
    let all = "";
    for (let place = from; place < to; place++) {
      const own = callsOf(place);
      if (own !== "") all += `${place - at}${own}`;
    }
    return digestOfSome(all);
  }

  /** All that finding something in a source hangs on. */
  function keyOf(source: Source, at: number): string {
    const reply = around.reply(source);
    const isAnswered = reply !== undefined && around.before(reply) === source;
    const own = `${digest(source.text)}${isUnmasked(source) ? CLEAN : MASKED}${sortOf(source)}`;
    return `${own}.${nameOf(around.before(source))}.${nameOf(reply)}${isAnswered ? "!" : "."}${callsAround(at)}`;
  }

  return {
    of(source) {
      const at = placeIn(source);
      const packed = at === undefined ? undefined : store.get(keyOf(source, at));
      return packed === undefined ? undefined : unpack({ source, reply: around.reply(source) }, packed);
    },
    keep(source, taken) {
      const at = placeIn(source);
      const key = at === undefined ? undefined : keyOf(source, at);
      if (key === undefined || store.has(key)) return;
      const told = taken();
      const packed = told && pack({ source, reply: around.reply(source) }, told);
      if (packed !== undefined) store.put(key, packed);
    },
    save: store.save,
  };
}

const NOWHERE = -1;
const isNothing = (some: Iterable<unknown>) => some[Symbol.iterator]().next().done === true;
const SORT_CHARACTERS = 8;
