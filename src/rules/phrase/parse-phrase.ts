// Parses a phrase as an author writes it into a tree. See "Phrases" in docs/rules.md.
import { PHRASE_DEPTH, PHRASE_INSTRUCTIONS } from "../../limits.js";

const SLOT_TYPES = ["clause", "rest", "word", "code", "path", "link", "number"] as const;
export type SlotType = (typeof SLOT_TYPES)[number];

export type Element =
  | { readonly type: "literal"; readonly text: string }
  | { readonly type: "choice"; readonly options: readonly (readonly Element[])[] }
  | { readonly type: "slot"; readonly name: string; readonly slot: SlotType }
  | { readonly type: "capture"; readonly name: string; readonly body: readonly Element[] }
  | { readonly type: "gap" }
  | { readonly type: "start" }
  | { readonly type: "stop" };

export type PhraseCode = "phrase-syntax" | "phrase-regex" | "phrase-fragment" | "phrase-slot" | "phrase-size" | "phrase-anchor";

/** A fault of a phrase and its offset. */
export interface PhraseFault {
  readonly code: PhraseCode;
  readonly message: string;
  readonly offset: number;
  readonly hint?: string;
  /** Similar names to suggest. */
  readonly known?: readonly string[];
  readonly word?: string;
}

export class PhraseError extends Error {
  constructor(readonly fault: PhraseFault) {
    super(fault.message);
  }
}

export type Fragments = Readonly<Record<string, string>>;

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;

/** Is it a valid name for a fragment or a slot? */
export function isName(text: string): boolean {
  NAME.lastIndex = 0;
  return NAME.exec(text)?.[0] === text;
}

/** Escapes a text, so that the phrase matches it literally. */
export const toLiteral = (text: string) => text.replace(/[\\[\](){}<>|^$.?*+]/g, "\\$&");

export const parsePhrase = (phrase: string, fragments: Fragments = {}): readonly Element[] =>
  parse(phrase, fragments, [], { elements: 0 });

/** @param chain the names of the fragments around this one
 * @param size counts the elements of all fragments, because they may use each other many times */
function parse(phrase: string, fragments: Fragments, chain: readonly string[], size: { elements: number }): readonly Element[] {
  let at = 0;
  const fail = (message: string, offset = at, more: Partial<PhraseFault> = {}): never => {
    throw new PhraseError({ code: "phrase-syntax", message, offset, ...more });
  };
  const last = chain.at(-1) as string;
  const before = chain.indexOf(last);
  if (before < chain.length - 1) {
    const circle = chain.slice(before).map((one) => `<${one}>`);
    fail(`fragments refer to each other in a circle: ${circle.join(" → ")}`, 0, { code: "phrase-fragment" });
  }
  if (chain.length > PHRASE_DEPTH)
    fail(`fragments refer to each other more than ${PHRASE_DEPTH} deep`, 0, { code: "phrase-fragment" });

  function name(what: string): string {
    NAME.lastIndex = at;
    const found = NAME.exec(phrase)?.[0];
    if (found === undefined) return fail(`${what} needs a name`);
    at += found.length;
    return found;
  }

  function expect(mark: string, opened: number, what: string): void {
    if (phrase[at] !== mark) fail(`${what} is not closed with "${mark}"`, opened);
    at++;
  }

  /** Like `expect`, after a name. If it is closed later, the text in between is not a valid name. */
  function expectAfterName(mark: string, opened: number, what: string): void {
    const given = phrase.slice(opened + 1).split(mark, 1)[0] as string;
    const isClosed = opened + 1 + given.length < phrase.length && !/[<>{}()[\]|]/.test(given);
    if (phrase[at] !== mark && isClosed)
      fail(`"${given}" is not a valid name for ${what}`, opened, { hint: "a name has letters, digits, - and _, and no space" });
    expect(mark, opened, what);
  }

  function group(close: string, level: number): readonly (readonly Element[])[] {
    const opened = at++;
    const options = [sequence(`|${close}`, level + 1)];
    while (phrase[at] === "|") {
      at++;
      options.push(sequence(`|${close}`, level + 1));
    }
    expect(close, opened, close === ")" ? "a choice" : "an optional part");
    return options;
  }

  function slot(level: number): Element {
    const opened = at++;
    const slotName = name("a slot");
    if (phrase[at] === ":") {
      const typeAt = ++at;
      const type = name("a slot's type");
      if (!SLOT_TYPES.includes(type as SlotType))
        fail(`"${type}" is not a slot type`, typeAt, { code: "phrase-slot", known: SLOT_TYPES, word: type });
      expect("}", opened, "a slot");
      return { type: "slot", name: slotName, slot: type as SlotType };
    }
    while (phrase[at] === " ") at++;
    if (phrase[at] === "=") {
      at++;
      while (phrase[at] === " ") at++;
      const body = sequence("}", level + 1);
      expect("}", opened, "a slot");
      return { type: "capture", name: slotName, body };
    }
    expectAfterName("}", opened, "a slot");
    return { type: "slot", name: slotName, slot: "clause" };
  }

  function fragment(): readonly Element[] {
    const opened = at++;
    const fragmentName = name("a fragment");
    expectAfterName(">", opened, "a fragment");
    const body = Object.hasOwn(fragments, fragmentName) ? fragments[fragmentName] : undefined;
    if (body === undefined)
      return fail(`there is no fragment <${fragmentName}>`, opened, {
        code: "phrase-fragment",
        known: Object.keys(fragments),
        word: fragmentName,
      });
    return parse(body, fragments, [...chain, fragmentName], size);
  }

  function sequence(stops: string, level: number): readonly Element[] {
    if (level > PHRASE_DEPTH) fail("groups are nested too deeply", at, { code: "phrase-size" });
    const elements: Element[] = [];
    let literal = "";
    const flush = () => {
      if (literal) elements.push({ type: "literal", text: literal });
      literal = "";
    };
    const add = (...more: Element[]) => {
      size.elements += more.length;
      if (size.elements > PHRASE_INSTRUCTIONS) fail("the phrase and its fragments are too long", 0, { code: "phrase-size" });
      flush();
      elements.push(...more);
    };
    while (at < phrase.length && !stops.includes(phrase[at] as string)) {
      const mark = phrase[at] as string;
      if (mark === "\\") {
        if (at + 1 >= phrase.length) fail("nothing follows the backslash");
        literal += phrase[at + 1];
        at += 2;
      } else if (mark === "(") add({ type: "choice", options: group(")", level) });
      else if (mark === "[") add({ type: "choice", options: [...group("]", level), []] });
      else if (mark === "{") add(slot(level));
      else if (mark === "<") add(...fragment());
      else if (mark === "^") {
        add({ type: "start" });
        at++;
      } else if (mark === "$" && (at + 1 === phrase.length || ")]}|".includes(phrase[at + 1] as string))) {
        add({ type: "stop" });
        at++;
      } else if (phrase.startsWith("...", at)) {
        add({ type: "gap" });
        at += 3;
      } else if (")]}".includes(mark)) fail(`"${mark}" closes nothing; write "\\${mark}" for the mark itself`);
      else if (mark === "|") fail('"|" is only allowed inside (…) and […]');
      else if ("?*+".includes(mark) && elements.length > 0 && literal === "" && ")]}".includes(phrase[at - 1] as string)) {
        fail(`"${mark}" is regex syntax`, at, { code: "phrase-regex", hint: "write go[ing] for go(ing)?, and ... for .*" });
      } else if (mark === "." && phrase[at + 1] === "*") {
        fail('".*" is regex syntax', at, { code: "phrase-regex", hint: "write ... for .*" });
      } else {
        literal += mark;
        at++;
      }
    }
    flush();
    return elements;
  }

  const elements = sequence("", 0);
  if (elements.length === 0) fail("the phrase is empty");
  return elements;
}
