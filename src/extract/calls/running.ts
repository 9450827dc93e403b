// Finds what a session waits for: agents and background commands that it never heard of again, questions
// to the user, and commands that the user refused.
import { SEEN_CHARACTERS } from "../../limits.js";
import type { Message, ToolCall, WorkingSet } from "../../model.js";
import type { Tool } from "../../rules/tool-set.js";
import { jsonText, oneLine } from "../../text/forms.js";
import { type IsPlain, namesIn, termsIn, topicOf } from "../../text/topic.js";
import { firstText, listAt } from "./input-fields.js";
import type { Line } from "./line.js";
import { isSameRun, type ProgramRun } from "./runs.js";
import { saidIn } from "./said.js";

/** Most of them that are followed at once: each later text is searched for each id. */
const FOLLOWED = 50;
/** A host reports such a call while it goes on. */
const UNDER_WAY = /^(?:running|pending|in_progress|in-progress)$/i;

/** @param isPlain tells words that no task is about */
export function createRunning(masked: (text: string) => string, isPlain: IsPlain) {
  /** Id → what it is for. */
  const followed = new Map<string, string>();
  const underWay = new Set<string>();
  /** What the last message asks the user, and the agents that it started. */
  let asked: string[] = [];
  let unheard: string[] = [];
  /** What agents were started for, by the line that tells it. */
  const tasks = new Map<string, Task>();
  const unrun = new Map<string, readonly ProgramRun[]>();
  const end = (text: string) => {
    for (const id of followed.keys()) if (text.includes(id)) followed.delete(id);
  };
  return {
    /** A message that names the id may say that it ended, so it is no longer known to run. */
    hear({ text }: Message): void {
      asked = [];
      unheard = [];
      if (followed.size > 0) end(text);
    },
    addCall(call: ToolCall, tool: Tool | undefined): void {
      if (followed.size > 0) for (const text of [jsonText(call.input), call.output]) end(text);
      if (!tool) return;
      if (call.output.trim() === "") asked.push(...askedBy(call.input, tool).map((text) => masked(oneLine(text))));
      const isUnderWay = tool.agent.length > 0 && UNDER_WAY.test(call.status ?? "");
      const id = followed.size < FOLLOWED ? startedId(call, tool) : undefined;
      const isUnheard = tool.agent.length > 0 && call.status === undefined && call.output === "";
      const what =
        isUnderWay || isUnheard || id !== undefined ? firstText(call.input, [...tool.agent, ...tool.command]) : undefined;
      if (what === undefined) return;
      const label = masked(oneLine(what));
      const told = id === undefined ? label : `${label} (${masked(id)})`;
      if (isUnheard) unheard.push(told);
      if (isUnderWay) underWay.add(told);
      if (id !== undefined) followed.set(id, told);
      if (tool.agent.length > 0 && tasks.size < FOLLOWED) tasks.set(told, toTask(what, call, tool, isPlain));
    },
    /** What a call wrote and ran: the session may have done a task itself, for which it had started an agent. */
    did(written: readonly string[], ran: readonly string[]): void {
      if (tasks.size === 0 || written.length + ran.length === 0) return;
      const known = new Set([...termsIn([...written, ...ran].join(" "))].map(withoutPlural));
      for (const [told, task] of tasks) {
        if (!isDoneBy(task, written, known)) continue;
        tasks.delete(told);
        underWay.delete(told);
        unheard = unheard.filter((one) => one !== told);
        for (const [id, one] of followed) if (one === told) followed.delete(id);
      }
    },
    /** A command that the user refused or stopped may run later. */
    stop({ command, runs }: Line, isStopped: boolean): void {
      const jobs = runs.filter(({ job }) => job);
      for (const [text, stopped] of unrun)
        if (jobs.some((run) => stopped.some((earlier) => isSameRun(run, earlier)))) unrun.delete(text);
      // What is no job, such as `mkdir`, is done in another way.
      if (isStopped && jobs.length > 0) unrun.set(oneLine(command), jobs);
    },
    lists: (): Pick<WorkingSet, "running" | "asked" | "unrun"> => ({
      running: [...underWay, ...followed.values(), ...unheard].reverse(),
      ...(asked.length > 0 && { asked }),
      ...(unrun.size > 0 && { unrun: [...unrun.keys()].reverse().slice(0, FOLLOWED) }),
    }),
  };
}

/** What an agent was started for. */
interface Task {
  /** What its title is about, without the verb that begins it. */
  readonly terms: readonly string[];
  /** The files that it names and that nobody has written yet, and how many of them a done task may leave. */
  readonly files: Set<string>;
  readonly rest: number;
}

/** With fewer words in common, a call may be about anything. */
const TASK_WORDS = 2;
const FILE = /\.[a-z]\w{0,5}$/;

function toTask(title: string, { input }: ToolCall, tool: Tool, isPlain: IsPlain): Task {
  const filesIn = (text: string) => namesIn(text.slice(0, SEEN_CHARACTERS)).filter((name) => FILE.test(name));
  const named = filesIn(title);
  // What a prompt names beside what is to be written is to be read.
  const others = tool.agent.flatMap((key) => filesIn(firstText(input, [key]) ?? ""));
  const files = new Set(named.length > 0 ? named : others);
  const least = named.length > 0 ? files.size : Math.ceil(files.size / 2);
  return { terms: topicOf(title.replace(/^\s*\p{L}+/u, ""), isPlain).terms, files, rest: files.size - least };
}

/** Are its files written, or is all that its title is about in the paths and the command lines of one call? */
function isDoneBy({ terms, files, rest }: Task, written: readonly string[], known: ReadonlySet<string>): boolean {
  const before = files.size;
  for (const path of written)
    for (const file of files) if (path === file || path.toLowerCase().endsWith(`/${file}`)) files.delete(file);
  if (files.size < before && files.size <= rest) return true;
  return terms.length >= TASK_WORDS && terms.every((term) => known.has(withoutPlural(term)));
}

const withoutPlural = (word: string) => word.replace(/s$/, "");

const askedBy = (input: unknown, { asks, list }: Tool): readonly string[] =>
  [input, ...list.flatMap((key) => listAt(input, key))].flatMap((one) => firstText(one, asks) ?? []);

/** The id, if the output says that something goes on. */
function startedId({ output }: ToolCall, { started }: Tool): string | undefined {
  const seen = output.slice(0, SEEN_CHARACTERS);
  const slot = saidIn(started, seen)?.slots.find(({ name }) => name === "id");
  // Behind a key of JSON, marks come first: {"agent_id":"1a2b"}.
  return slot && ID.exec(seen.slice(slot.start, slot.start + ID_CHARACTERS))?.[0];
}
const ID = /[\w-]{2,}/;
const ID_CHARACTERS = 100;
