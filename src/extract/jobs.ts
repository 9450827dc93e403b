// What a program was asked to build, test, check, install or deploy, and whether a later run takes that in.
import { posix } from "node:path";
import type { Program } from "../rules/tool-set.js";
import type { Word } from "./shell.js";
import { nameLength, operandsOf } from "./shell-effects.js";

export interface Job {
  /** Program and subcommand. */
  readonly name: string;
  readonly targets: readonly string[];
  /** Options with which it takes less, with their values. */
  readonly narrowed: readonly string[];
  readonly program: Program;
}

export function jobOf(words: readonly Word[], program: Program | undefined): { readonly job: Job } | undefined {
  if (!program || !(program.job || program.scripts.length > 0)) return undefined;
  const length = nameLength(program, words);
  const rest = words.slice(length);
  // What narrows a run is no target.
  const operands = operandsOf(rest, { ...program, values: [...program.values, ...program.narrow] }).map(({ text }) => text);
  const typed = [posix.basename(words[0]?.text ?? ""), ...words.slice(1, length).map(({ text }) => text)].join(" ");
  const named = operands.filter((text) => !text.startsWith("-"));
  const script = program.scripts.length > 0 ? named.shift() : "";
  if (script === undefined || (script && !partsOf(script).some((part) => program.scripts.includes(part)))) return undefined;
  const name = `${program.as ?? typed} ${script}`.trim();
  const isNarrow = (text: string) => program.narrow.includes(text.replace(/=.*$/, ""));
  const narrowed = rest.flatMap(({ text }, at) =>
    isNarrow(text) ? [text.includes("=") ? text : `${text}=${rest[at + 1]?.text ?? ""}`] : [],
  );
  return { job: { name, targets: named.map(tidied).filter((target) => target !== "."), narrowed, program } };
}

/** The words of a script's name: `test:unit`, `scripts/build-all.sh`. */
const partsOf = (script: string) =>
  posix
    .basename(script)
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** `./src/`, `src/...` and `src` are the same. */
const tidied = (target: string) => posix.normalize(target.replace(/\/?\.\.\.$/, "") || ".").replace(/(?<=.)\/$/, "");

/** The same program with a target as wide or wider, whatever its other options: a narrower run tells nothing of a wider one. */
export function isSameJob(later: Job, earlier: Job): boolean {
  const { program, targets } = later;
  if (later.name !== earlier.name || later.narrowed.some((option) => !earlier.narrowed.includes(option))) return false;
  if (program.job === "any") return true;
  if (targets.length === 0) return earlier.targets.length === 0 || program.job !== "named";
  if (earlier.targets.length === 0) return targets.some((target) => program.roots.includes(target));
  return earlier.targets.every((target) => targets.some((wide) => isWithin(target, wide)));
}

const isWithin = (target: string, wide: string) =>
  target === wide || target.startsWith(`${wide}/`) || target.startsWith(`${wide}::`);
