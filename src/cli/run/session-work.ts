// What `run` does with one session, in this process or in a worker. The result is the text to print.

import { basename, resolve } from "node:path";
import { ownProgram } from "../../hosts/own-program.js";
import type { Continuation } from "../../model.js";
import { render } from "../../render/render.js";
import { isInstant } from "../../render/template-fields.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import type { Template } from "../../rules/rule-set.js";
import { messageNames } from "../../source/session/messages.js";
import { oneLine } from "../../text/forms.js";
import { extractFrom, type Input, inputOf } from "../input/open-session.js";
import { findTemplate } from "../input/project.js";
import { gapLine, notesOf } from "../output/lines.js";
import { CommandError, printable } from "../output/terminal.js";

/** The arguments as plain data, because they are sent to workers. */
export interface RunOptions {
  readonly project: string | undefined;
  readonly format: string | undefined;
  readonly template: string | undefined;
  readonly tokens: number | undefined;
  readonly print: "text" | "json" | "jsonl";
}

/** One session: a file, a line of a file, or standard input. Without any of them, only the project's notes. */
export interface Unit {
  readonly path?: string;
  readonly bytes?: number;
  /** Standard input or a pipe, which can be read only once. */
  readonly input?: Input;
  readonly line?: { readonly shown: string; readonly name: string; readonly number: number; readonly bytes: Uint8Array };
  readonly several: boolean;
}

export interface SessionOutcome {
  readonly out: string;
  readonly notes: string;
  readonly failed: boolean;
  readonly gaps: number;
  readonly several: boolean;
}

export function createWork(loaded: LoadedRules, options: RunOptions, step: (unit: Unit, part: string) => void) {
  const template = options.template === undefined ? undefined : findTemplate(options.template, loaded);
  return (unit: Unit): SessionOutcome => {
    try {
      const { result, hidden } = continuationOf(unit, loaded, options, template, (part) => step(unit, part));
      const { several } = unit;
      return { ...printed(result, options.print, several, hidden), failed: false, gaps: result.gaps?.length ?? 0, several };
    } catch (error) {
      if (error instanceof CommandError) return failure(error, unit.several);
      // A bug. If there are other sessions, continue with them.
      if (!unit.several) throw error;
      return lostOutcome(unit, error as Error);
    }
  };
}

export function failure({ message, hint }: CommandError, several: boolean): SessionOutcome {
  return { out: "", notes: `compaction: ${message}${hint ? ` (${hint})` : ""}\n`, failed: true, gaps: 0, several };
}

export function lostOutcome(unit: Unit, error: Error | undefined): SessionOutcome {
  const why = error?.message ?? "the worker ended";
  return failure(new CommandError(`${unitName(unit)}: it could not be read: ${why}`), unit.several);
}

type ShowStep = (part: string) => void;

export const unitName = ({ path, line, input }: Unit): string | undefined =>
  line ? `${line.shown}:${line.number}` : (input?.shown ?? path);

/** The continuation, and how many facts did not fit into the budget. */
function continuationOf(unit: Unit, loaded: LoadedRules, options: RunOptions, template: Template | undefined, step: ShowStep) {
  const { project, format, tokens } = options;
  const reading = { loaded, project, format, typed: template === undefined };
  const { session, extraction } = extractFrom(toInput(unit), reading, step);
  const { continuation, sources = [] } = extraction;
  if (!template) return { result: continuation, hidden: 0 };
  // A project without notes and work items: its sections would be empty, or ask to read notes that are not there.
  if (session.messages.length + sources.length + continuation.items.length === 0 && !continuation.workflow)
    return { result: continuation, hidden: 0 };
  const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
  const names = messageNames(session);
  const context = { names, project: basename(resolve(project ?? ".")), now, program: ownProgram() };
  const { text, hidden } = render(extraction, template, loaded.rules, { ...context, ...(tokens !== undefined && { tokens }) });
  return { result: { ...continuation, rendered: text }, hidden };
}

function toInput({ path, line, input }: Unit): Input | undefined {
  if (input) return input;
  if (line) {
    const open = () => [line.bytes];
    return { shown: `${line.shown}:${line.number}`, name: `${line.name}:${line.number}`, open, last: open };
  }
  return path === undefined ? undefined : inputOf(path);
}

function printed(result: Continuation, print: RunOptions["print"], titled: boolean, hidden: number) {
  // In one write: another process may print into the same pipe.
  if (print === "jsonl") return { out: `${JSON.stringify(result)}\n`, notes: "" };
  if (print === "json") return { out: JSON.stringify(result, null, 2), notes: "" };
  const { session, rendered = "", gaps = [], items } = result;
  const none = hidden > 0 ? "none of the facts fits into the budget" : "the template shows none of the facts";
  const nothing = items.length === 0 ? "(nothing was found)\n" : `(${none})\n`;
  const text = rendered.trim() === "" ? nothing : rendered.endsWith("\n") ? rendered : `${rendered}\n`;
  const notes = gaps.map((gap) => `gap: ${gapLine(gap)}\n`).join("") + notesOf(result);
  return { out: printable(titled ? `# ${oneLine(session.id)}\n\n${text}\n` : text), notes };
}
