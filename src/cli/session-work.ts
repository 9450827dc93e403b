// What `run` does with one session, here or in a worker: everything that is printed of it, as text.
import { basename, resolve } from "node:path";
import { LARGE_SESSION_BYTES } from "../limits.js";
import type { Continuation } from "../model.js";
import { render } from "../render/render.js";
import { isInstant } from "../render/view.js";
import type { LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { extractFrom, notesOf } from "./extraction.js";
import { Failure } from "./failure.js";
import { keepHeapSmall } from "./heap.js";
import { type Input, inputOf, lineOf } from "./input.js";
import { findTemplate } from "./template.js";
import { printable } from "./terminal.js";
import { gapLine } from "./work.js";

/** As the arguments say it: data, for it is sent to workers. */
export interface Wish {
  readonly project: string | undefined;
  readonly format: string | undefined;
  readonly template: string | undefined;
  readonly tokens: number | undefined;
  readonly print: "text" | "json" | "jsonl";
  readonly cache: boolean;
}

/** A session: a file, a line of one, what was read of standard input, or none but the project's notes. */
export interface Unit {
  readonly path?: string;
  /** Of the file. */
  readonly bytes?: number;
  /** Standard input or a pipe, which can be read only once. */
  readonly input?: Input;
  readonly line?: { readonly shown: string; readonly name: string; readonly number: number; readonly bytes: Uint8Array };
  /** It is one of several. */
  readonly several: boolean;
}

export interface Outcome {
  readonly out: string;
  readonly notes: string;
  readonly failed: boolean;
  readonly gaps: number;
  readonly several: boolean;
}

export function createWork(loaded: LoadedRules, wish: Wish, step: (unit: Unit, part: string) => void) {
  const template = wish.template === undefined ? undefined : findTemplate(wish.template, loaded);
  return (unit: Unit): Outcome => {
    if ((unit.bytes ?? 0) > LARGE_SESSION_BYTES) keepHeapSmall();
    try {
      const { result, hidden } = continuationOf(unit, loaded, wish, template, (part) => step(unit, part));
      const { several } = unit;
      return { ...printed(result, wish.print, several, hidden), failed: false, gaps: result.gaps?.length ?? 0, several };
    } catch (error) {
      if (error instanceof Failure) return failureOf(error, unit.several);
      // A bug: where there are other sessions it must not stop them.
      if (!unit.several) throw error;
      return failureOf(unreadable(unit, error as Error), true);
    }
  };
}

export function failureOf({ message, hint }: Failure, several: boolean): Outcome {
  return { out: "", notes: `compaction: ${message}${hint ? ` (${hint})` : ""}\n`, failed: true, gaps: 0, several };
}

export const unreadable = (unit: Unit, error: Error | undefined): Failure =>
  new Failure(`${shownAs(unit)}: it could not be read: ${error?.message ?? "the worker ended"}`);

export const shownAs = ({ path, line, input }: Unit): string | undefined =>
  line ? `${line.shown}:${line.number}` : (input?.shown ?? path);

function continuationOf(
  unit: Unit,
  loaded: LoadedRules,
  { project, format, tokens, cache }: Wish,
  template: Template | undefined,
  step: (part: string) => void,
): { readonly result: Continuation; readonly hidden: number } {
  const reading = { loaded, project, format, typed: template === undefined, cache };
  const { session, ...extraction } = extractFrom(toInput(unit), reading, step);
  if (!template) return { result: extraction.continuation, hidden: 0 };
  const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
  const { text, hidden } = render(extraction, template, loaded.rules, {
    project: basename(resolve(project ?? ".")),
    ...(now !== undefined && { now }),
    ...(tokens !== undefined && { tokens }),
  });
  return { result: { ...extraction.continuation, rendered: text }, hidden };
}

function toInput({ path, line, input }: Unit): Input | undefined {
  if (input) return input;
  if (line) return lineOf(line, line.number, line.bytes);
  return path === undefined ? undefined : inputOf(path);
}

/** @param hidden facts that the template would show if there were room */
function printed(result: Continuation, print: Wish["print"], titled: boolean, hidden: number): Pick<Outcome, "out" | "notes"> {
  // In one piece: another process may print into the same pipe.
  if (print === "jsonl") return { out: `${JSON.stringify(result)}\n`, notes: "" };
  if (print === "json") return { out: JSON.stringify(result, null, 2), notes: "" };
  const { session, rendered = "", gaps = [], items } = result;
  const none = hidden > 0 ? "nothing of what was found fits into so few tokens" : "the template shows nothing of what was found";
  const nothing = items.length === 0 ? "(nothing was found)\n" : `(${none})\n`;
  const text = rendered.trim() === "" ? nothing : rendered.endsWith("\n") ? rendered : `${rendered}\n`;
  const notes = gaps.map((gap) => `gap: ${gapLine(gap)}\n`).join("") + notesOf(result);
  return { out: printable(titled ? `# ${session.id}\n\n${text}\n` : text), notes };
}
