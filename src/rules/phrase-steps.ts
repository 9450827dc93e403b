// Many phrases at once, word by word, where only counts whether they occur. A step knows all the phrases that go on with
// the next word, so that a text costs the same whether there are ten phrases or a thousand.
import type { Phrase } from "./phrase.js";
import type { Instruction } from "./phrase-program.js";

export interface Step {
  /** The phrases that have occurred, by their numbers. */
  readonly met: readonly number[];
  readonly next: (word: string) => Step | undefined;
}

/** Where in a phrase one is. */
interface Place {
  readonly phrase: number;
  readonly at: number;
}

/** How phrases go on that begin with a word. */
export interface Beginning {
  readonly step: () => Step;
}

export interface Steps {
  /**
   * Takes in a plain phrase. Its number is how many were taken in before it.
   * @returns the words with which it may begin
   */
  readonly add: (phrase: Phrase) => ReadonlySet<string>;
  /** By the word, anywhere in a text and where it begins. */
  readonly inside: ReadonlyMap<string, Beginning>;
  readonly atStart: ReadonlyMap<string, Beginning>;
}

/** Is a phrase made of words alone? Gaps and slots have to be tried out. What a last gap takes does not matter here. */
export function isPlain({ program }: Phrase): boolean {
  const sure = surely(program);
  const seen = new Set<number>();
  const waiting = [0];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at) || sure(at)) continue;
    seen.add(at);
    const instruction = program[at] as Instruction;
    if (!PLAIN.has(instruction.op)) return false;
    waiting.push(...(instruction.op === "word" ? [at + 1] : without(instruction, at)));
  }
  return true;
}

const PLAIN: ReadonlySet<Instruction["op"]> = new Set(["word", "switch", "split", "jump", "open", "close", "start", "match"]);

export function createSteps(): Steps {
  const programs: (readonly Instruction[])[] = [];
  const sure: ((at: number) => boolean)[] = [];

  /** What is met without another word, and where each next word leads. */
  function reach(from: readonly Place[], atStart: boolean) {
    const met = new Set<number>();
    const next = new Map<string, Place[]>();
    const seen = new Set<string>();
    const waiting = [...from];
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      const { phrase, at } = place;
      const key = `${phrase} ${at}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (sure[phrase]?.(at)) {
        met.add(phrase);
        continue;
      }
      const instruction = programs[phrase]?.[at] as Instruction;
      if (instruction.op === "word") {
        const list = next.get(instruction.word);
        if (list) list.push({ phrase, at: at + 1 });
        else next.set(instruction.word, [{ phrase, at: at + 1 }]);
      } else if (instruction.op !== "start" || atStart)
        for (const target of without(instruction, at)) waiting.push({ phrase, at: target });
    }
    return { met: [...met], next };
  }

  function toStep(from: readonly Place[]): Step {
    const { met, next } = reach(from, false);
    // Most steps are never taken.
    const made = new Map<string, Step>();
    return {
      met,
      next(word) {
        const before = made.get(word);
        if (before) return before;
        const places = next.get(word);
        if (!places) return undefined;
        const step = toStep(places);
        made.set(word, step);
        return step;
      },
    };
  }

  function begin(places: Place[]) {
    let step: Step | undefined;
    return {
      step() {
        step ??= toStep(places);
        return step;
      },
      add(more: readonly Place[]) {
        places.push(...more);
        step = undefined;
      },
    };
  }
  const inside = new Map<string, ReturnType<typeof begin>>();
  const atStart = new Map<string, ReturnType<typeof begin>>();

  return {
    inside,
    atStart,
    add({ program }) {
      const phrase = programs.push(program) - 1;
      sure.push(surely(program));
      const words = new Set<string>();
      for (const beginnings of [inside, atStart])
        for (const [word, places] of reach([{ phrase, at: 0 }], beginnings === atStart).next) {
          const before = beginnings.get(word);
          if (before) before.add(places);
          else beginnings.set(word, begin(places));
          words.add(word);
        }
      return words;
    },
  };
}

/** Where one may go on without a word. */
function without(instruction: Instruction, at: number): readonly number[] {
  switch (instruction.op) {
    case "switch":
      return [...new Set([...instruction.to.values(), instruction.otherwise].flat())];
    case "split":
      return [instruction.first, instruction.second];
    case "jump":
      return [instruction.to];
    default:
      return [at + 1];
  }
}

/** Tells of a place in a program whether a match is certain from there, whatever follows. */
function surely(program: readonly Instruction[]): (at: number) => boolean {
  const leads = (at: number, behindGap: boolean): boolean => {
    const instruction = program[at];
    switch (instruction?.op) {
      case "match":
        return true;
      case "open":
      case "close":
        return leads(at + 1, behindGap);
      case "jump":
        return instruction.to > at && leads(instruction.to, behindGap);
      case "clause-end":
        // A gap takes all there is, and where the text ends, so does the clause.
        return behindGap && leads(at + 1, behindGap);
      case "split":
        return isGap(program, at) && leads(instruction.first, true);
      default:
        return false;
    }
  };
  return (at) => leads(at, false);
}

/** A gap: out, or any word and back. */
function isGap(program: readonly Instruction[], at: number): boolean {
  const split = program[at];
  const back = program[at + 2];
  return (
    split?.op === "split" &&
    split.first === at + 3 &&
    split.second === at + 1 &&
    program[at + 1]?.op === "any" &&
    back?.op === "jump" &&
    back.to === at
  );
}
