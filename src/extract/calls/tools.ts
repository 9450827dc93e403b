// Collects what tool calls prove: files, commands and the todo list, by the `tools` and `shell` tables of the packs.
import type { Command, Commit, Failure, FileLists, Session, Todo, ToolCall, WorkingSet } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tool } from "../../rules/tool-set.js";
import { oneLine } from "../../text/forms.js";
import { remember, rememberFor } from "../../text/remember.js";
import { masker } from "../redact.js";
import type { Steps } from "../steps.js";
import { firstText, hasFailed, isUnrun, listAt, PASSED } from "./call.js";
import { createCommits } from "./commits.js";
import { isJob, leavesOpen, provesCommit, type Ran, saysBroke, saysPassed, toFailures } from "./failures.js";
import { inferFolder, normalPath, scratchOf, toFileLists } from "./file-lists.js";
import { type FileEffect, readPatch, readPatchReport, readScript } from "./patch.js";
import { createRunning } from "./running.js";
import { readShell } from "./shell-effects.js";
import { createTodoList } from "./todos.js";
import { type DoneCall, toWorkingSet } from "./working-set.js";

export interface ToolFacts {
  readonly files: FileLists;
  readonly commands: readonly Command[];
  readonly errors: readonly Failure[];
  readonly todos: readonly Todo[];
  readonly commits?: readonly Commit[];
  readonly working: WorkingSet;
  /** The message of the first call that changed a file. */
  readonly firstChange?: string | undefined;
  /** The failures, together with those from before the session. */
  readonly errorsAfter: (earlier: readonly Failure[]) => readonly Failure[];
}

export function* readTools(session: Session, rules: RuleSet): Steps<ToolFacts> {
  const found: FileEffect[] = [];
  const commands: Ran[] = [];
  const harmless = new Set<string>();
  // Cached, because command lines repeat.
  const masked = masker(rules.redactions);
  const shell = shellReader(rules.shell);
  const todos = createTodoList(masked);
  const running = createRunning(masked);
  const commits = createCommits(masked);
  const calls: DoneCall[] = [];
  const skills: string[] = [];
  const changes: { readonly path: string; readonly source: string }[] = [];
  for (const message of session.messages) {
    running.hear(message);
    for (const [index, call] of message.toolCalls.entries()) {
      yield;
      const tool = rules.tools.get(call.name);
      running.take(call, tool);
      if (!tool) continue;
      const { lines, effects, failed, unrun, broke } = factsOf(call, tool, masked, shell);
      for (const { command } of lines) running.stop(command, unrun);
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
      for (const { path, effect } of effects) if (CHANGED.has(effect)) changes.push({ path, source: message.id });
      const asked = lines.flatMap(({ facts }) => facts.commits);
      const proven = given === "passed" && lines.every(({ command }) => provesCommit(command, rules.shell));
      commits.take(asked, call, tool, { source: message.id, tool: index, proven });
      const paths = effects.flatMap(({ path, effect }) => (USED.has(effect) ? [path] : []));
      calls.push({ call, tool, lines: lines.map(({ command }) => command), paths });
      if (failed) continue;
      skills.push(...[firstText(call.input, tool.skill) ?? []].flat().map((skill) => masked(oneLine(skill))));
      if (tool.todo) todos.take(call, tool, { source: message.id, tool: index });
    }
  }
  yield;
  const folder = session.folder ?? inferFolder(found.map(({ path }) => path));
  const files = toFileLists(found, folder, rules.scratch, masked);
  yield;
  const isScratch = scratchOf([...files.created, ...files.modified, ...files.deleted], rules.scratch, folder);
  const gone = new Set(files.deleted);
  const toPath = (path: string) => {
    const normal = normalPath(masked(path), folder);
    return normal === "" || gone.has(normal) || isScratch(normal) ? undefined : normal;
  };
  // A plan or a note of the host's is outside the project.
  const isInside = ({ path }: { readonly path: string }) => !normalPath(path, folder).startsWith("/");
  const firstChange = (changes.find(isInside) ?? changes[0])?.source;
  const lists = toWorkingSet(calls, { shell: rules.shell, masked, toPath });
  const working = { ...lists, ...running.lists(), skills: [...new Set(skills.reverse())] };
  yield;
  const telling = commands.filter(({ command, status, told }) => status !== "failed" || told || !harmless.has(command));
  const errorsAfter = (earlier: readonly Failure[]) => toFailures(telling, rules.shell, earlier);
  const made = commits.list().length > 0 ? { commits: commits.list() } : {};
  const plain = commands.map(({ saysPassed: _, told: __, ...command }): Command => command);
  return { files, commands: plain, errors: errorsAfter([]), todos: todos.toTodos(), ...made, working, firstChange, errorsAfter };
}

/** Effects on files that the agent goes on to use. */
const USED: ReadonlySet<FileEffect["effect"]> = new Set(["read", "created", "modified"]);

const CHANGED: ReadonlySet<FileEffect["effect"]> = new Set(["created", "modified"]);

type Shell = (line: string) => ReturnType<typeof readShell>;

interface CallFacts {
  readonly failed: boolean;
  readonly unrun: boolean;
  /** Only the end of the output says that it failed. */
  readonly broke: boolean;
  readonly lines: readonly { readonly command: string; readonly facts: ReturnType<Shell> }[];
  /** Of a failed call, only what it restored. */
  readonly effects: readonly FileEffect[];
}

type Mask = (text: string) => string;

/** The facts with what they depend on. */
interface KnownFacts extends CallFacts {
  readonly tool: Tool;
  readonly masked: Mask;
  readonly shell: Shell;
}

const known = new WeakMap<ToolCall, KnownFacts>();

/** What a call proves by itself. Cached, because the next compaction has the same calls. */
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
  // A stash comes back even with a conflict.
  const effects = failed
    ? ofLines.filter(({ effect }) => effect === "restores")
    : [...ofLines, ...script.effects, ...effectsOf(call, tool)];
  // With several lines, it is unknown which one the output is about.
  const broke = !failed && lines.length === 1 && saysBroke(call.output, given ?? "", tool);
  const facts = { failed, unrun, broke, lines, effects, tool, masked, shell };
  known.set(call, facts);
  return facts;
}

const shellReader = rememberFor((shell: RuleSet["shell"]): Shell => remember((line) => readShell(line, shell)));

function effectsOf({ input, output }: ToolCall, tool: Tool): readonly FileEffect[] {
  const effects: FileEffect[] = [];
  const isText = typeof input === "string";
  const patch = isText ? input : firstText(input, tool.patch);
  // A host may have removed the patch and kept the report.
  if (tool.patch.length > 0) for (const effect of [...readPatch(patch ?? ""), ...readPatchReport(output)]) effects.push(effect);
  const { effect } = tool;
  if (!effect) return effects;
  const entries = tool.list.flatMap((key) => listAt(input, key));
  // Bare text for a patch tool is the patch, not a path.
  const inputs = isText && tool.patch.length > 0 ? entries : [input, ...entries];
  const paths = inputs.flatMap((one) => (typeof one === "string" ? [one] : (firstText(one, tool.file) ?? [])));
  return [...effects, ...paths.map((path) => ({ path, effect }))];
}
