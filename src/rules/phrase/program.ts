// Compiles the words of a phrase into a program that match-phrase.ts runs.
import { PHRASE_INSTRUCTIONS } from "../../limits.js";
import { type Node, tooLarge } from "./nodes.js";

export type Instruction =
  | { readonly op: "word"; readonly word: string }
  | { readonly op: "any" }
  | { readonly op: "clause" }
  | { readonly op: "glued"; readonly among?: readonly string[] }
  | { readonly op: "digits"; readonly glued?: true }
  | { readonly op: "split"; readonly first: number; readonly second: number }
  /** Where to continue for a word, in this order. For any other word, or at the end: `otherwise`. */
  | { readonly op: "switch"; readonly to: ReadonlyMap<string, readonly number[]>; readonly otherwise: readonly number[] }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "open"; readonly slot: number }
  | { readonly op: "close"; readonly slot: number }
  | { readonly op: "start" }
  /** Only punctuation follows. */
  | { readonly op: "stop" }
  | { readonly op: "clause-end" }
  | { readonly op: "end" }
  | { readonly op: "match" };

export function toProgram(nodes: readonly Node[]): readonly Instruction[] {
  const program: Instruction[] = [];
  emit(nodes, false, true, program);
  program.push({ op: "match" });
  return program;
}

/**
 * Emits the nodes. `open`: the last match was a clause, which must reach the clause's end if the phrase ends there.
 * Returns whether a clause is open after the nodes.
 */
function emit(nodes: readonly Node[], open: boolean, final: boolean, program: Instruction[]): boolean {
  for (const [index, node] of nodes.entries()) {
    if (program.length > PHRASE_INSTRUCTIONS) throw tooLarge();
    if (node.type !== "choice") {
      emitNode(node, program);
      open = opens(node, open);
      continue;
    }
    const ends = outcomes([node], open);
    if (ends.size === 1) {
      emitOptions(node.options, (option) => emit(option, open, false, program), program);
      open = ends.has(true);
      continue;
    }
    // The options end differently, so the rest is compiled separately for each of them.
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

/** How the nodes can end: with an open clause, without one, or both. */
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

/** Emits a switch: the next word selects the options that can match, so that not all are tried. */
function emitOptions(
  options: readonly (readonly Node[])[],
  each: (option: readonly Node[]) => unknown,
  program: Instruction[],
): void {
  const at = program.push({ op: "match" }) - 1;
  const to = new Map<string, number[]>();
  const otherwise: number[] = [];
  const exits: number[] = [];
  for (const [index, option] of options.entries()) {
    const [first] = option;
    const begin = program.length;
    if (first?.type === "word") to.set(first.word, [...(to.get(first.word) ?? otherwise), begin]);
    else for (const targets of [otherwise, ...to.values()]) targets.push(begin);
    each(option);
    if (index < options.length - 1) exits.push(program.push({ op: "jump", to: -1 }) - 1);
  }
  program[at] = { op: "switch", to, otherwise };
  for (const exit of exits) program[exit] = { op: "jump", to: program.length };
}

function emitNode(node: Exclude<Node, { type: "choice" }>, program: Instruction[]): void {
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
  if (node.type === "start" || node.type === "stop") return void push({ op: node.type });
  if (node.type === "open" || node.type === "close") return void push({ op: node.type, slot: node.index });

  const open: Instruction = { op: "open", slot: node.index };
  const close: Instruction = { op: "close", slot: node.index };
  if (node.type === "gap") {
    push(open);
    repeatedly(false, { op: "any" });
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
      repeatedly(true, { op: "glued" });
      return void push(close);
    case "path":
      push(open, { op: "any" });
      repeatedly(false, { op: "glued" });
      push({ op: "glued", among: ["/", ".", "\\"] }, { op: "glued" });
      repeatedly(true, { op: "glued" });
      return void push(close);
    case "number":
      push(open, { op: "digits" });
      repeatedly(true, { op: "glued", among: [".", ","] }, { op: "digits", glued: true });
      return void push(close);
    case "code":
      return between("`", "`");
    case "link":
      return between("[[", "]]");
  }
}
