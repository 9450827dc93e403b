// Collects what tool calls prove: files, commands and the todo list, by the `tools` and `shell` tables of the packs.
import { LATE_CALLS } from "../../limits.js";
import type {
  Command,
  Commit,
  DocumentLine,
  Failure,
  FileLists,
  LastCall,
  Message,
  Session,
  Todo,
  ToolCall,
  WorkingSet,
} from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tool } from "../../rules/tool-set.js";
import { type Late, STAGES, type Steps } from "../../steps.js";
import { oneLine } from "../../text/forms.js";
import { inferFolder, isAbsolutePath, pathsIn } from "../../text/paths.js";
import { remember, rememberFor } from "../../text/remember.js";
import { plainWords } from "../../text/topic.js";
import { type ReadCall, readCall } from "./call.js";
import { createCommits } from "./commits.js";
import { createDocuments } from "./documents.js";
import { effectsOf, type FileEffect } from "./effects.js";
import { type Ran, toFailures } from "./failures.js";
import { toFileLists } from "./file-lists.js";
import { firstText } from "./input-fields.js";
import { type Line, lineReader } from "./line.js";
import { createRunning } from "./running.js";
import { errorIn, saysPassed } from "./said.js";
import { createSwitches, type Switched } from "./switches.js";
import { createTodoList } from "./todos.js";
import { type DoneCall, lastCallsOf, toWorkingSet } from "./working-set.js";

export interface ToolFacts {
  readonly files: FileLists;
  readonly commands: readonly Command[];
  readonly errors: readonly Failure[];
  readonly todos: readonly Todo[];
  readonly commits?: readonly Commit[];
  readonly working: WorkingSet;
  readonly switched?: Switched;
  readonly documents: readonly DocumentLine[];
  readonly lastCalls: readonly LastCall[];
  /** The messages with calls that changed a file. */
  readonly changedIn: ReadonlySet<string>;
  /** The failures, together with those from before the session. */
  readonly errorsAfter: (earlier: readonly Failure[]) => readonly Failure[];
}

/** @param masked masks secrets. Inputs are read as they were: a masked path or line would be another one.
 * @param unread gets the messages whose calls were not read in time: those before the newest */
export function* readTools(session: Session, rules: RuleSet, masked: Masked, unread: Set<string>, late?: Late): Steps<ToolFacts> {
  const { messages } = session;
  const read = lineReader(rules.shell);
  const readOnce = (call: ToolCall, tool: Tool) => readCall(call, tool, read, masked);
  const remembered = rememberFor((tool: Tool) => rememberFor((call: ToolCall) => readOnce(call, tool)));
  const reader = late ? (call: ToolCall, tool: Tool) => remembered(tool)(call) : readOnce;
  const from = late ? yield* readNewest(messages, rules, reader, late) : 0;
  for (const { id, toolCalls } of messages.slice(0, from)) if (toolCalls.length > 0) unread.add(id);

  const done = nothingDone(rules, masked);
  for (const [place, message] of messages.entries()) {
    if (place < from) continue;
    done.running.hear(message);
    for (const [index, call] of message.toolCalls.entries()) {
      yield;
      const tool = rules.tools.get(call.name);
      done.running.addCall(call, tool);
      if (tool) add(done, call, tool, reader(call, tool), { source: message.id, tool: index, place }, masked);
      else done.unknownAfter = done.calls.length;
    }
  }
  yield;
  return yield* listFacts(done, session, rules, read, masked);
}

type Masked = (text: string) => string;

/** Reads the calls from the newest on, and returns the first message whose calls were read in time. */
function* readNewest(
  messages: readonly Message[],
  { tools }: RuleSet,
  reader: (call: ToolCall, tool: Tool) => ReadCall,
  isUp: Late,
): Steps<number> {
  let left = LATE_CALLS;
  for (let place = messages.length; place-- > 0; ) {
    for (const call of (messages[place] as Message).toolCalls) {
      yield;
      if (left-- <= 0 && isUp(STAGES.calls)) return place + 1;
      const tool = tools.get(call.name);
      if (tool) reader(call, tool);
    }
  }
  return 0;
}

type Done = ReturnType<typeof nothingDone>;

/** What calls did, in the order of the session. */
const nothingDone = (rules: RuleSet, masked: Masked) => ({
  effects: [] as FileEffect[],
  changes: [] as { readonly path: string; readonly source: string }[],
  commands: [] as Ran[],
  calls: [] as DoneCall[],
  /** So many known calls come before the last one of a tool that no pack knows. */
  unknownAfter: -1,
  skills: [] as string[],
  todos: createTodoList(masked),
  running: createRunning(masked, plainWords(rules)),
  commits: createCommits(masked),
  switches: createSwitches(masked),
  worktrees: [] as string[],
  documents: createDocuments(rules.documents),
});

/** Adds what one call did. */
function add(
  done: Done,
  call: ToolCall,
  tool: Tool,
  { ending, script, lines, failedByOutput }: ReadCall,
  { place, ...at }: { readonly source: string; readonly tool: number; readonly place: number },
  masked: Masked,
): void {
  const { input, output } = call;
  for (const line of lines) done.running.stop(line, ending === "unrun");
  if (ending === "unrun") return;
  const failed = ending === "failed";
  if (tool.command.length > 0) done.switches.addCall(call, tool, lines, at.source, ending === "passed");
  if (!failed) for (const line of lines) done.worktrees.push(...line.worktrees);
  const ofLines = lines.flatMap(({ effects }) => effects);
  // Of a failed call, only what it restored counts: a stash comes back even with a conflict.
  const effects = failed
    ? ofLines.filter(({ effect }) => effect === "restores")
    : [...ofLines, ...script.effects, ...effectsOf(call, tool)];
  const paths: string[] = [];
  for (const one of effects) {
    const { path, effect } = one;
    done.effects.push(one);
    if (effect === "created" || effect === "modified") done.changes.push({ path, source: at.source });
    if (effect === "created" || effect === "modified" || effect === "read") paths.push(path);
  }
  // What is only looked at does no task.
  const ran = failed ? [] : lines.flatMap(({ harmless, command }) => (harmless ? [] : [command]));
  done.running.did(
    effects.flatMap(({ path, effect }) => (effect === "created" || effect === "modified" ? [path] : [])),
    ran,
  );
  for (const line of lines)
    done.commands.push({
      line,
      done: { command: line.command, status: failedByOutput ? "failed" : ending, ...at },
      failedByOutput,
      saysPassed: () => saysPassed(output, tool),
      error: () => errorIn(masked(output), tool),
      changes: done.changes.length,
    });
  addCommits(done.commits, call, tool, lines, { ...at, passed: ending === "passed" });
  // What was searched for and not found is not worked on.
  if (!failed || tool.effect || lines.length > 0) done.calls.push({ call, tool, lines, paths, failed: failed || failedByOutput });
  if (!failed && tool.effect && tool.effect !== "read") done.documents.addCall(call, tool, paths, place);
  if (failed) return;
  const skill = firstText(input, tool.skill);
  if (skill !== undefined) done.skills.push(masked(oneLine(skill)));
  if (tool.todo) done.todos.addCall(call, tool, at);
}

function addCommits(
  commits: Done["commits"],
  call: ToolCall,
  tool: Tool,
  lines: readonly Line[],
  { passed, ...at }: { readonly source: string; readonly tool: number; readonly passed: boolean },
): void {
  const asked = lines.flatMap((line) => line.commits);
  // Without command lines, only the output can tell of a commit.
  if (asked.length > 0 || tool.command.length === 0)
    commits.addCall(asked, call, tool, { ...at, proven: passed && lines.every(provesCommit) });
  if (passed) for (const { sends } of lines.filter(provesSending)) for (const command of sends) commits.send(command);
}

/** If the line passes, did it commit? */
const provesSending = ({ runs }: Line) => runs.some(({ proven, job }) => proven && job?.program.sends);
const provesCommit = ({ runs }: Line) => runs.some(({ proven, job }) => proven && job?.program.commits);

/** Gives paths one form, leaves out what is not the project's, and makes the lists. */
function* listFacts(
  done: Done,
  session: Session,
  rules: RuleSet,
  read: (line: string) => Line,
  masked: Masked,
): Steps<ToolFacts> {
  const { effects, changes, commands, calls, skills, todos, running, commits, switches, documents, unknownAfter } = done;
  const folder = session.folder ?? inferFolder(effects.map(({ path }) => path));
  // Mask first: normalising removes what tells an address from a path.
  const inTree = pathsIn(done.worktrees, folder);
  const nameOf = remember((path) => inTree(masked(path)));
  const { files, isScratch } = toFileLists(effects, folder, rules.scratch, nameOf);
  yield;
  const gone = new Set(files.deleted);
  const isGone = (name: string) => {
    for (let end = name.length; end > 0; end = name.lastIndexOf("/", end - 1)) if (gone.has(name.slice(0, end))) return true;
    return false;
  };
  const toPath = remember((path: string) => {
    const name = nameOf(path);
    return name === "" || name.startsWith("../") || isGone(name) || isScratch(name) ? undefined : name;
  });
  // A plan or a note of the host's is outside the project.
  const isInside = ({ path }: { readonly path: string }) => !isAbsolutePath(nameOf(path));
  const inside = changes.filter(isInside);
  const changedIn = new Set((inside.length > 0 ? inside : changes).map((one) => one.source));
  const lists = toWorkingSet(calls, { masked, toPath });
  const working = { ...lists, ...running.lists(), skills: [...new Set(skills.reverse())] };
  yield;
  const errorsAfter = (earlier: readonly Failure[]) => toFailures(commands, earlier, read, changes.length);
  const made = commits.list((path) => isScratch(nameOf(path)));
  const isHere = (path: string) => path === "" || !/^(?:\.\.(?:\/|$)|\/|[a-z]:|~)/i.test(nameOf(path));
  const switched = switches.last(isHere);
  return {
    files,
    ...(switched && { switched }),
    commands: commands.map((one) => one.done),
    errors: errorsAfter([]),
    todos: todos.toTodos(),
    ...(made.length > 0 && { commits: made }),
    working,
    documents: [...documents.lines(session.messages.length, toPath, masked)],
    // What no pack knows may have been the last step.
    lastCalls: unknownAfter === calls.length ? [] : lastCallsOf(calls, toPath),
    changedIn,
    errorsAfter,
  };
}
