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
import { isAbsolutePath } from "../../text/paths.js";
import { remember, rememberFor } from "../../text/remember.js";
import { endingOf } from "./call.js";
import { createCommits } from "./commits.js";
import { createDocuments } from "./documents.js";
import { effectsOf, type FileEffect, readScript } from "./effects.js";
import { leavesOpen, type Ran, toFailures } from "./failures.js";
import { inferFolder, normalPath, toFileLists } from "./file-lists.js";
import { firstText } from "./input-fields.js";
import { type Line, lineReader } from "./line.js";
import { createRunning } from "./running.js";
import { errorIn, saysBroke, saysPassed } from "./said.js";
import { createTodoList } from "./todos.js";
import { type DoneCall, lastCallsOf, toWorkingSet } from "./working-set.js";

export interface ToolFacts {
  readonly files: FileLists;
  readonly commands: readonly Command[];
  readonly errors: readonly Failure[];
  readonly todos: readonly Todo[];
  readonly commits?: readonly Commit[];
  readonly working: WorkingSet;
  readonly documents: readonly DocumentLine[];
  readonly lastCalls: readonly LastCall[];
  /** The messages with calls that changed a file. */
  readonly changedIn: ReadonlySet<string>;
  /** The failures, together with those from before the session. */
  readonly errorsAfter: (earlier: readonly Failure[]) => readonly Failure[];
}

/** @param masked masks secrets. Inputs are read as they were: a masked path or line would be another one.
 * @param unread gets the messages whose calls were not read in time: those before the newest */
export function* readTools(
  session: Session,
  rules: RuleSet,
  masked: (text: string) => string,
  unread: Set<string>,
  late?: Late,
): Steps<ToolFacts> {
  const found: FileEffect[] = [];
  const commands: Ran[] = [];
  const read = lineReader(rules.shell);
  const todos = createTodoList(masked);
  const running = createRunning(masked);
  const commits = createCommits(masked);
  const documents = createDocuments(rules.documents);
  const calls: DoneCall[] = [];
  /** So many known calls come before the last one of a tool that no pack knows. */
  let unknownAfter = -1;
  const skills: string[] = [];
  const changes: { readonly path: string; readonly source: string }[] = [];
  const readOnce = (call: ToolCall, tool: Tool): ReadCall => {
    const ending = endingOf(call, tool);
    const { input, output } = call;
    const script = readScript(firstText(input, tool.script) ?? "", tool.command);
    const given = firstText(input, tool.command);
    const lines = (given === undefined ? script.commands : [given]).map((line) => read(masked(line)));
    // With several lines, it is unknown which one the output is about.
    const isOpen = ending !== "unrun" && ending !== "failed" && lines.length === 1 && leavesOpen(lines[0] as Line, ending);
    return { ending, script, lines, told: isOpen && saysBroke(output, given ?? "", tool) };
  };
  const remembered = rememberFor((tool: Tool) => rememberFor((call: ToolCall) => readOnce(call, tool)));
  const readCall = late ? (call: ToolCall, tool: Tool) => remembered(tool)(call) : readOnce;

  /** Reads the calls from the newest on, and returns the first message whose calls were read in time. */
  function* readNewest({ messages }: Session, isUp: Late): Steps<number> {
    let left = LATE_CALLS;
    for (let place = messages.length; place-- > 0; ) {
      for (const call of (messages[place] as Message).toolCalls) {
        yield;
        if (left-- <= 0 && isUp(STAGES.calls)) return place + 1;
        const tool = rules.tools.get(call.name);
        if (tool) readCall(call, tool);
      }
    }
    return 0;
  }

  const from = late ? yield* readNewest(session, late) : 0;
  for (const { id, toolCalls } of session.messages.slice(0, from)) if (toolCalls.length > 0) unread.add(id);
  for (const [place, message] of session.messages.entries()) {
    if (place < from) continue;
    const source = message.id;
    running.hear(message);
    for (const [index, call] of message.toolCalls.entries()) {
      yield;
      const tool = rules.tools.get(call.name);
      running.take(call, tool);
      if (!tool) {
        unknownAfter = calls.length;
        continue;
      }
      const at = { source, tool: index };
      const { input, output } = call;
      const { ending, script, lines, told } = readCall(call, tool);
      for (const line of lines) running.stop(line, ending === "unrun");
      if (ending === "unrun") continue;
      const failed = ending === "failed";
      const ofLines = lines.flatMap(({ effects }) => effects);
      // Of a failed call, only what it restored counts: a stash comes back even with a conflict.
      const effects = failed
        ? ofLines.filter(({ effect }) => effect === "restores")
        : [...ofLines, ...script.effects, ...effectsOf(call, tool)];
      const paths: string[] = [];
      for (const one of effects) {
        const { path, effect } = one;
        found.push(one);
        if (effect === "created" || effect === "modified") changes.push({ path, source });
        if (effect === "created" || effect === "modified" || effect === "read") paths.push(path);
      }
      for (const line of lines) {
        const done = { command: line.command, status: told ? "failed" : ending, ...at } as const;
        commands.push({
          line,
          done,
          told,
          saysPassed: () => saysPassed(output, tool),
          error: () => errorIn(masked(output), tool),
          changes: changes.length,
        });
      }
      const asked = lines.flatMap((line) => line.commits);
      // Without command lines, only the output can tell of a commit.
      if (asked.length > 0 || tool.command.length === 0)
        commits.take(asked, call, tool, { ...at, proven: ending === "passed" && lines.every(provesCommit) });
      if (ending === "passed")
        for (const { sends } of lines.filter(provesSending)) for (const command of sends) commits.send(command);
      // What was searched for and not found is not worked on.
      if (!failed || tool.effect || lines.length > 0) calls.push({ call, tool, lines, paths, failed: failed || told });
      if (!failed && tool.effect && tool.effect !== "read") documents.take(call, tool, paths, place);
      if (failed) continue;
      const skill = firstText(input, tool.skill);
      if (skill !== undefined) skills.push(masked(oneLine(skill)));
      if (tool.todo) todos.take(call, tool, at);
    }
  }
  yield;
  const folder = session.folder ?? inferFolder(found.map(({ path }) => path));
  // Mask first: normalising removes what tells an address from a path.
  const nameOf = remember((path) => normalPath(masked(path), folder));
  const { files, isScratch } = toFileLists(found, folder, rules.scratch, nameOf);
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
  const isInside = ({ path }: { readonly path: string }) => !isAbsolutePath(normalPath(path, folder));
  const inside = changes.filter(isInside);
  const changedIn = new Set((inside.length > 0 ? inside : changes).map((one) => one.source));
  const lists = toWorkingSet(calls, { masked, toPath });
  const working = { ...lists, ...running.lists(), skills: [...new Set(skills.reverse())] };
  yield;
  const errorsAfter = (earlier: readonly Failure[]) => toFailures(commands, earlier, read, changes.length);
  const made = commits.list((path) => isScratch(nameOf(path)));
  const done = commands.map((one) => one.done);
  return {
    files,
    commands: done,
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

/** What a call says by itself. */
interface ReadCall {
  readonly ending: ReturnType<typeof endingOf>;
  readonly script: ReturnType<typeof readScript>;
  readonly lines: readonly Line[];
  /** Only its output says that it failed. */
  readonly told: boolean;
}

/** If the line passes, did it commit? */
const provesSending = ({ runs }: Line) => runs.some(({ proven, job }) => proven && job?.program.sends);
const provesCommit = ({ runs }: Line) => runs.some(({ proven, job }) => proven && job?.program.commits);
