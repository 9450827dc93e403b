// What tool calls prove: files, commands and the todo list, by the `tools` and `shell` tables of the packs.
import { OUTPUT_CHARACTERS, SEEN_CHARACTERS } from "../limits.js";
import type { Command, Failure, FileLists, Session, Todo, ToolCall } from "../model.js";
import type { Phrase } from "../rules/phrase.js";
import { mayOccur } from "../rules/phrase-look.js";
import { matchPhrase } from "../rules/phrase-match.js";
import { remember } from "../rules/remember.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Tool } from "../rules/tool-set.js";
import { toWords } from "../rules/words.js";
import { firstText, listAt } from "./call.js";
import { isJob, leavesOpen, type Ran, saysBroke, saysPassed, toFailures } from "./failures.js";
import { toFileLists } from "./file-lists.js";
import { type FileEffect, readPatch, readPatchReport } from "./patch.js";
import { masker } from "./redact.js";
import { readScript } from "./script.js";
import { readShell } from "./shell-effects.js";
import type { Steps } from "./steps.js";
import { createTodoList } from "./todos.js";

export interface ToolFacts {
  readonly files: FileLists;
  readonly commands: readonly Command[];
  readonly errors: readonly Failure[];
  readonly todos: readonly Todo[];
}

export function* readTools(session: Session, rules: RuleSet): Steps<ToolFacts> {
  const found: FileEffect[] = [];
  const commands: Ran[] = [];
  const harmless = new Set<string>();
  // The same command line is run again and again.
  const masked = masker(rules.redactions);
  const shell = shellReader(rules.shell);
  const todos = createTodoList(masked);
  for (const message of session.messages) {
    for (const [index, call] of message.toolCalls.entries()) {
      yield;
      const tool = rules.tools.get(call.name);
      if (!tool) continue;
      const { lines, effects, failed, unrun, broke } = factsOf(call, tool, masked, shell);
      if (unrun) continue;
      const given = failed ? "failed" : PASSED.test(call.status ?? "") ? "passed" : "unknown";
      for (const { command, facts } of lines) {
        const told = broke && leavesOpen(command, given, rules.shell);
        const status = told ? "failed" : given;
        const says = () => saysPassed(call.output, tool);
        commands.push({ command, status, source: message.id, tool: index, saysPassed: says, told });
        if (failed && facts.harmless && !isJob(command, rules.shell)) harmless.add(command);
      }
      for (const effect of effects) found.push(effect);
      if (failed) continue;
      if (tool.todo) todos.take(call, tool, { source: message.id, tool: index });
    }
  }
  yield;
  const files = toFileLists(found, session.folder, rules.scratch, masked);
  yield;
  const errors = toFailures(
    commands.filter(({ command, status, told }) => status !== "failed" || told || !harmless.has(command)),
    rules.shell,
  );
  const plain = commands.map(({ saysPassed: _, told: __, ...command }): Command => command);
  return { files, commands: plain, errors, todos: todos.toTodos() };
}

type Shell = (line: string) => ReturnType<typeof readShell>;

interface CallFacts {
  readonly failed: boolean;
  readonly unrun: boolean;
  /** No result says so, but the end of the output does. */
  readonly broke: boolean;
  readonly lines: readonly { readonly command: string; readonly facts: ReturnType<Shell> }[];
  /** Of a call that failed, only what it brought back. */
  readonly effects: readonly FileEffect[];
}

type Mask = (text: string) => string;

/** With what they hang on. */
interface KnownFacts extends CallFacts {
  readonly tool: Tool;
  readonly masked: Mask;
  readonly shell: Shell;
}

const known = new WeakMap<ToolCall, KnownFacts>();

/** What a call proves by itself. Calls that come again at the next compaction are the same. */
function factsOf(call: ToolCall, tool: Tool, masked: Mask, shell: Shell): CallFacts {
  const before = known.get(call);
  if (before?.tool === tool && before.masked === masked && before.shell === shell) return before;
  const failed = hasFailed(call, tool);
  const unrun = failed && isUnrun(call, tool);
  const script = readScript(firstText(call.input, tool.script) ?? "", tool.command);
  const given = firstText(call.input, tool.command);
  const lines = (given === undefined ? script.commands : [given]).map((line) => {
    const command = masked(line);
    return { command, facts: shell(command) };
  });
  const ofLines = lines.flatMap(({ facts }) => facts.effects);
  // What was set aside comes back even with a conflict.
  const effects = failed
    ? ofLines.filter(({ effect }) => effect === "restores")
    : [...ofLines, ...script.effects, ...effectsOf(call, tool)];
  // Of several lines, which one the output tells of is not known.
  const broke = !failed && lines.length === 1 && saysBroke(call.output, given ?? "", tool);
  const facts = { failed, unrun, broke, lines, effects, tool, masked, shell };
  known.set(call, facts);
  return facts;
}

const readers = new WeakMap<RuleSet["shell"], Shell>();

function shellReader(shell: RuleSet["shell"]): Shell {
  const read = readers.get(shell) ?? remember((line) => readShell(line, shell));
  readers.set(shell, read);
  return read;
}

function effectsOf({ input, output }: ToolCall, tool: Tool): readonly FileEffect[] {
  const effects: FileEffect[] = [];
  const isText = typeof input === "string";
  const patch = isText ? input : firstText(input, tool.patch);
  // A host may have cut the patch away and kept the report.
  if (tool.patch.length > 0) for (const effect of [...readPatch(patch ?? ""), ...readPatchReport(output)]) effects.push(effect);
  const { effect } = tool;
  if (!effect) return effects;
  const entries = tool.list.flatMap((key) => listAt(input, key));
  // What a patch tool is given as bare text is the patch.
  const inputs = isText && tool.patch.length > 0 ? entries : [input, ...entries];
  const paths = inputs.flatMap((one) => (typeof one === "string" ? [one] : (firstText(one, tool.file) ?? [])));
  return [...effects, ...paths.map((path) => ({ path, effect }))];
}

// The words with which hosts report on a call. A call without a report counts as done, but not as passed.
const FAILED = /^(?:error|failed|failure|timeout)$/i;
const UNRUN = /^(?:denied|rejected|declined|refused|blocked|skipped|cancelled|canceled|aborted|interrupted)$/i;
const REJECTED = /^(?:rejected|declined)$/i;
const PASSED = /^(?:completed|success|succeeded|ok|done|passed)$/i;

const verdicts = new WeakMap<ToolCall, { readonly tool: Tool; readonly failed: boolean }>();

/** Asked for the files, and for what a call did with the words of a sentence. */
export function hasFailed(call: ToolCall, tool: Tool): boolean {
  const known = verdicts.get(call);
  if (known?.tool === tool) return known.failed;
  const failed = saysFailed(call, tool);
  verdicts.set(call, { tool, failed });
  return failed;
}

function saysFailed(call: ToolCall, tool: Tool): boolean {
  if (FAILED.test(call.status ?? "") || isUnrun(call, tool)) return true;
  return says(tool.failed, call.output.slice(0, OUTPUT_CHARACTERS));
}

/** Never begun, or broken off by the user: it proves nothing, not even a failure. */
function isUnrun(call: ToolCall, { unrun }: Tool): boolean {
  return UNRUN.test(call.status ?? "") || says(unrun, call.output.slice(0, SEEN_CHARACTERS));
}

/** Its host says in the call's status that the user refused it; what a failed call prints may only look so. */
export const isRefused = ({ status = "" }: ToolCall): boolean => REJECTED.test(status);

function says(phrases: readonly Phrase[], output: string): boolean {
  const may = phrases.filter((phrase) => mayOccur(phrase, output));
  if (may.length === 0) return false;
  const words = toWords(output);
  return may.some((phrase) => matchPhrase(phrase, words) !== undefined);
}
