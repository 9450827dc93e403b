// Phrase tree → words. Expands groups that are glued to a word (go[ing], we['ve| have]), then splits into words.
import { PHRASE_VARIANTS } from "../../limits.js";
import { isWordly, sortOf } from "../../text/characters.js";
import { toWords } from "../../text/words.js";
import { type Element, PhraseError, type SlotType } from "./parse-phrase.js";

export interface Slot {
  readonly name: string;
  /** `gap` is what `...` matched. It is not a field, but guards use it. */
  readonly type: SlotType | "capture" | "gap";
}

export type Node =
  | { readonly type: "word"; readonly word: string }
  | { readonly type: "choice"; readonly options: readonly (readonly Node[])[] }
  | { readonly type: "slot"; readonly slot: SlotType; readonly index: number }
  | { readonly type: "open"; readonly index: number }
  | { readonly type: "close"; readonly index: number }
  | { readonly type: "gap"; readonly index: number }
  | { readonly type: "start" }
  | { readonly type: "stop" };

export function toNodes(elements: readonly Element[], slots: Slot[]): readonly Node[] {
  const nodes: Node[] = [];
  let cluster: Element[] = [];
  const flush = () => {
    if (cluster.length > 1) nodes.push({ type: "choice", options: variants(cluster).map((option) => plainNodes(option, slots)) });
    else if (cluster[0]) nodes.push(...plainNodes(cluster, slots));
    cluster = [];
  };
  for (const element of elements) {
    const previous = cluster.at(-1);
    if (!previous || !touches(previous, element)) flush();
    cluster.push(element);
  }
  flush();
  return nodes;
}

function plainNodes(elements: readonly Element[], slots: Slot[]): readonly Node[] {
  return elements.flatMap((element): readonly Node[] => {
    switch (element.type) {
      case "literal":
        return toWords(element.text).folded.map((word) => ({ type: "word", word }));
      case "choice":
        return [{ type: "choice", options: element.options.map((option) => toNodes(option, slots)) }];
      case "capture": {
        const index = slots.push({ name: element.name, type: "capture" }) - 1;
        return [{ type: "open", index }, ...toNodes(element.body, slots), { type: "close", index }];
      }
      case "slot":
        return [{ type: "slot", slot: element.slot, index: slots.push({ name: element.name, type: element.slot }) - 1 }];
      case "gap":
        return [{ type: "gap", index: slots.push({ name: "...", type: "gap" }) - 1 }];
      default:
        return [element];
    }
  });
}

const touches = (left: Element, right: Element) => edge(left, "end") && edge(right, "start");

/** Can the element begin (or end) in the middle of a word? */
function edge(element: Element, side: "start" | "end"): boolean {
  if (element.type === "literal") {
    const outer = [...element.text].at(side === "start" ? 0 : -1) ?? " ";
    return outer === "'" || outer === "’" || isWordly(sortOf(outer.codePointAt(0) as number));
  }
  if (element.type !== "choice") return false;
  return element.options.some((option) => {
    const outer = side === "start" ? option[0] : option.at(-1);
    return outer !== undefined && edge(outer, side);
  });
}

function variants(elements: readonly Element[]): readonly (readonly Element[])[] {
  let all: (readonly Element[])[] = [[]];
  for (const element of elements) {
    const own = element.type === "choice" ? element.options.flatMap(variants) : [[element]];
    all = all.flatMap((before) => own.map((option) => join(before, option)));
    if (all.length > PHRASE_VARIANTS) throw tooLarge();
  }
  return all;
}

function join(before: readonly Element[], after: readonly Element[]): readonly Element[] {
  const left = before.at(-1);
  const right = after[0];
  if (left?.type !== "literal" || right?.type !== "literal") return [...before, ...after];
  return [...before.slice(0, -1), { type: "literal", text: left.text + right.text }, ...after.slice(1)];
}

export const tooLarge = () =>
  new PhraseError({
    code: "phrase-size",
    message: "the phrase can be said in too many ways",
    offset: 0,
    hint: "write several phrases",
  });
