// What tool calls prove: files and commands, by the tools table of the packs.
import { posix } from "node:path";
import type { Command, Failure, FileLists, Session, ToolCall } from "../model.js";
import { matchPhrase } from "../rules/phrase-match.js";
import type { RuleSet, Tool } from "../rules/rule-set.js";
import { toWords } from "../rules/words.js";

export interface ToolFacts {
  readonly files: FileLists;
  readonly commands: readonly Command[];
  readonly errors: readonly Failure[];
}

type Effect = keyof FileLists;

export function readTools(session: Session, rules: RuleSet): ToolFacts {
  const effects = new Map<string, Effect>();
  const commands: Command[] = [];
  for (const message of session.messages) {
    for (const [index, call] of message.toolCalls.entries()) {
      const tool = rules.tools.get(call.name);
      if (!tool) continue;
      const failed = hasFailed(call, tool);
      const path = firstText(call.input, tool.file);
      if (path !== undefined && tool.effect && !failed) record(effects, normalPath(path), tool.effect);
      const command = firstText(call.input, tool.command);
      if (command !== undefined) {
        const status = failed ? "failed" : PASSED.test(call.status ?? "") ? "passed" : "unknown";
        commands.push({ command, status, source: message.id, tool: index });
      }
    }
  }
  return { files: toLists(effects), commands, errors: toFailures(commands) };
}

// The words with which hosts report on a call. A call without a report counts as done, but not as passed.
const FAILED = /^(?:error|failed|failure|denied|rejected|cancelled|canceled|timeout)$/i;
const PASSED = /^(?:completed|success|succeeded|ok|done|passed)$/i;

function hasFailed(call: ToolCall, tool: Tool): boolean {
  if (FAILED.test(call.status ?? "")) return true;
  if (tool.failed.length === 0) return false;
  const words = toWords(call.output.slice(0, 2_000));
  return tool.failed.some((phrase) => matchPhrase(phrase, words) !== undefined);
}

function firstText(input: unknown, keys: readonly string[]): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  for (const key of keys) {
    const value = Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined;
    // Some agents give a command line as its words.
    const text = Array.isArray(value) && value.every((word) => typeof word === "string") ? value.join(" ") : value;
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return undefined;
}

const normalPath = (path: string) => posix.normalize(path.trim().replaceAll("\\", "/")).replace(/^\.\//, "");

/** A path is in one list: what was done last to it counts, but reading changes nothing, and what is new stays new. */
function record(effects: Map<string, Effect>, path: string, effect: Effect): void {
  const before = effects.get(path);
  if (effect === "read" && before !== undefined) return;
  if (effect === "modified" && before === "created") return;
  const known = before === "read" || before === "modified";
  effects.set(path, effect === "created" && known ? "modified" : effect);
}

function toLists(effects: ReadonlyMap<string, Effect>): FileLists {
  const of = (wanted: Effect) =>
    [...effects]
      .filter(([, effect]) => effect === wanted)
      .map(([path]) => path)
      .sort();
  return { read: of("read"), created: of("created"), modified: of("modified"), deleted: of("deleted") };
}

function toFailures(commands: readonly Command[]): readonly Failure[] {
  const lastPass = new Map<string, number>();
  for (const [index, { command, status }] of commands.entries()) if (status === "passed") lastPass.set(command, index);
  return commands.flatMap(({ command, status, source, tool }, index) =>
    status === "failed" ? [{ command, source, tool, resolved: (lastPass.get(command) ?? -1) > index }] : [],
  );
}
