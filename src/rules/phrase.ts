// A phrase, compiled: a program over the words of a sentence, and the words one of which must occur.
import { PHRASE_INSTRUCTIONS, PHRASE_VARIANTS } from "../limits.js";
import { type Element, type Fragments, PhraseError, parsePhrase, type SlotType } from "./phrase-syntax.js";
import { DASH, toWords } from "./words.js";

export type Instruction =
  | { readonly op: "word"; readonly word: string }
  | { readonly op: "any" }
  | { readonly op: "clause" }
  | { readonly op: "glued"; readonly among?: readonly string[] }
  | { readonly op: "digits" }
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "open"; readonly slot: number }
  | { readonly op: "close"; readonly slot: number }
  | { readonly op: "start" }
  | { readonly op: "clause-end" }
  | { readonly op: "end" }
  | { readonly op: "match" };

export interface Slot {
  readonly name: string;
  /** `gap` is what `...` went over: it is no field, but guards ask for it. */
  readonly type: SlotType | "capture" | "gap";
}

export interface Phrase {
  readonly source: string;
  readonly program: readonly Instruction[];
  readonly slots: readonly Slot[];
  /** Folded words of which at least one occurs in every text that matches; empty when there is none. */
  readonly anchors: readonly string[];
}

export const CLAUSE_ENDS: readonly string[] = [";", DASH];

type Node =
  | { readonly type: "word"; readonly word: string }
  | { readonly type: "choice"; readonly options: readonly (readonly Node[])[] }
  | { readonly type: "slot"; readonly slot: SlotType; readonly index: number }
  | { readonly type: "open"; readonly index: number }
  | { readonly type: "close"; readonly index: number }
  | { readonly type: "gap"; readonly index: number }
  | { readonly type: "start" };

export function compilePhrase(source: string, fragments: Fragments = {}): Phrase {
  const slots: Slot[] = [];
  const nodes = toNodes(parsePhrase(source, fragments), slots);
  const program: Instruction[] = [];
  emit(nodes, false, true, program);
  program.push({ op: "match" });
  return { source, program, slots, anchors: anchorsOf(nodes) ?? [] };
}

const tooLarge = () =>
  new PhraseError({
    code: "phrase-size",
    message: "the phrase can be said in too many ways",
    offset: 0,
    hint: "write several phrases",
  });

// --- words: groups glued to a word (go[ing], we['ve| have]) are written out, then everything is cut into words

function toNodes(elements: readonly Element[], slots: Slot[]): readonly Node[] {
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

/** Can this begin (or end) in the middle of a word? */
function edge(element: Element, side: "start" | "end"): boolean {
  if (element.type === "literal")
    return side === "start" ? /^[\p{L}\p{M}\p{N}_'’]/u.test(element.text) : /[\p{L}\p{M}\p{N}_'’]$/u.test(element.text);
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

// --- program: `open` says that the last thing matched was a clause, which must then run to the clause's end

/** Emits the nodes and says whether a clause is open behind them; at the phrase's end an open one is closed. */
function emit(nodes: readonly Node[], open: boolean, final: boolean, program: Instruction[]): boolean {
  for (const [index, node] of nodes.entries()) {
    if (program.length > PHRASE_INSTRUCTIONS) throw tooLarge();
    if (node.type !== "choice") {
      emitNode(node, index === nodes.length - 1, program);
      open = opens(node, open);
      continue;
    }
    const ends = outcomes([node], open);
    if (ends.size === 1) {
      emitOptions(node.options, (option) => emit(option, open, false, program), program);
      open = ends.has(true);
      continue;
    }
    // The options end differently, so what follows is compiled for each of them by itself.
    const rest = nodes.slice(index + 1);
    let after = open;
    emitOptions(
      node.options,
      (option) => {
        after = emit([...option, ...rest], open, final, program);
      },
      program,
    );
    return after;
  }
  if (open && final) program.push({ op: "clause-end" });
  return open;
}

const opens = (node: Node, before: boolean): boolean =>
  node.type === "gap" ||
  (node.type === "slot" && node.slot === "clause") ||
  ((node.type === "open" || node.type === "close") && before);

/** The ways in which the nodes can end: with a clause open, or not. */
function outcomes(nodes: readonly Node[], open: boolean): ReadonlySet<boolean> {
  let states = new Set([open]);
  for (const node of nodes) {
    const next = new Set<boolean>();
    for (const state of states) {
      if (node.type !== "choice") next.add(opens(node, state));
      else for (const option of node.options) for (const end of outcomes(option, state)) next.add(end);
    }
    states = next;
  }
  return states;
}

function emitOptions(
  options: readonly (readonly Node[])[],
  each: (option: readonly Node[]) => unknown,
  program: Instruction[],
): void {
  const exits: number[] = [];
  for (const [index, option] of options.entries()) {
    const split = program.length;
    if (index < options.length - 1) program.push({ op: "split", first: split + 1, second: -1 });
    each(option);
    if (index < options.length - 1) {
      exits.push(program.length);
      program.push({ op: "jump", to: -1 });
      program[split] = { op: "split", first: split + 1, second: program.length };
    }
  }
  for (const exit of exits) program[exit] = { op: "jump", to: program.length };
}

function emitNode(node: Exclude<Node, { type: "choice" }>, last: boolean, program: Instruction[]): void {
  const push = (...more: Instruction[]) => program.push(...more);
  const lazily = (body: Instruction) => {
    push(body, { op: "split", first: program.length + 2, second: program.length });
  };
  const repeatedly = (greedy: boolean, ...body: Instruction[]) => {
    const from = program.length;
    const out = from + body.length + 2;
    push({ op: "split", first: greedy ? from + 1 : out, second: greedy ? out : from + 1 }, ...body, { op: "jump", to: from });
  };
  if (node.type === "word") return void push({ op: "word", word: node.word });
  if (node.type === "start") return void push({ op: "start" });
  if (node.type === "open" || node.type === "close") return void push({ op: node.type, slot: node.index });

  const open: Instruction = { op: "open", slot: node.index };
  const close: Instruction = { op: "close", slot: node.index };
  if (node.type === "gap") {
    push(open);
    lazily({ op: "any" });
    return void push(close);
  }
  const between = (before: string, after: string) => {
    push(...[...before].map((word): Instruction => ({ op: "word", word })), open);
    lazily({ op: "any" });
    push(close, ...[...after].map((word): Instruction => ({ op: "word", word })));
  };
  switch (node.slot) {
    case "clause":
      push(open);
      lazily({ op: "clause" });
      return void push(close);
    case "rest":
      push(open);
      lazily({ op: "any" });
      return void push({ op: "end" }, close);
    case "word":
      push(open, { op: "any" });
      repeatedly(last, { op: "glued" });
      return void push(close);
    case "path":
      push(open, { op: "any" });
      repeatedly(false, { op: "glued" });
      push({ op: "glued", among: ["/", ".", "\\"] }, { op: "glued" });
      repeatedly(last, { op: "glued" });
      return void push(close);
    case "number":
      push(open, { op: "digits" });
      repeatedly(true, { op: "glued", among: [".", ","] }, { op: "digits" });
      return void push(close);
    case "code":
      return between("`", "`");
    case "link":
      return between("[[", "]]");
  }
}

// --- anchors: of all the places where a word must stand, the one whose shortest word is longest

function anchorsOf(nodes: readonly Node[]): readonly string[] | undefined {
  let best: readonly string[] | undefined;
  for (const node of nodes) {
    const found = anchorsOfNode(node);
    if (found && worth(found) > worth(best)) best = found;
  }
  return best;
}

function anchorsOfNode(node: Node): readonly string[] | undefined {
  if (node.type === "word") return [node.word];
  if (node.type !== "choice") return undefined;
  const options = node.options.map(anchorsOf);
  return options.every((option) => option !== undefined) ? [...new Set(options.flat())] : undefined;
}

function worth(anchors: readonly string[] | undefined): number {
  return anchors ? Math.min(...anchors.map((anchor) => anchor.length)) : 0;
}
