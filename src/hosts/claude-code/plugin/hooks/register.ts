// The hooks module of the plugin ("mod"), which runs inside Claude Code. It has no Node and no files: it asks the program, puts
// the texts in their places, and never changes what the compaction returns. Whatever fails, the session goes on, and one line
// says why. Claude Code reads this source before it runs it: event names are literals, and `$` goes to functions of this level only.

interface Base {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly agent_id?: string;
}

interface HookAnswer {
  readonly text: string;
  readonly notice?: string;
}

/** The part of Claude Code's interface that is used. */
interface Engine {
  readonly plugin: { readonly root: string };
  readonly process: {
    run(
      command: readonly string[],
      options: { stdin: string; timeoutMs: number },
    ): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  };
  readonly command: { register(command: { name: string; description: string; argumentHint?: string }): Promise<unknown> };
  readonly ui: { toast(text: string): unknown; status(text: string | undefined): unknown };
}

type Next<E, R> = (event: E) => Promise<R>;
type Texts = readonly string[];
type Hook<E, R> = ($: Engine, event: E, next: Next<E, R>) => Promise<R>;
type Context = { readonly context?: Texts };
/** What is called if a hook fails; without an answer, the hook counts as absent. */
type Registered = { catch(handler: ($: Engine, event: unknown, next: Failed) => undefined): unknown };
type Failed = { readonly error: { readonly kind: "throw" | "timeout"; readonly message?: string } };

interface Hooks {
  "session.start": Hook<object, unknown>;
  "session.compact": Hook<{ readonly trigger: string; readonly agentId?: string; readonly instructions?: string }, unknown>;
  "classic.SessionStart": Hook<Base & { readonly source: string }, { readonly additionalContext?: Texts } | undefined>;
  "classic.PostCompact": Hook<Base & { readonly compact_summary?: string }, unknown>;
  "prompt.submit": Hook<Context & { readonly command?: unknown }, unknown>;
  "tool.call": Hook<{ readonly agentId?: string }, (Context & { readonly deny?: string }) | undefined>;
}

interface On {
  <E extends keyof Hooks>(event: E, hook: Hooks[E]): Registered;
  (event: "command.run", which: { command: string }, hook: Hook<{ readonly args: string }, { text: string }>): Registered;
}

/** More than the program's own deadline. */
const HOOK_MILLISECONDS = 10_000;

/** Never throws. Undefined if there is no answer. */
async function ask($: Engine, event: object): Promise<HookAnswer | undefined> {
  try {
    const command = ["node", `${$.plugin.root}/src/hosts/claude-code/plugin/hooks/start.mjs`, "hook", "claude-code"];
    const stdin = JSON.stringify({ ...event, inside: true });
    const { stdout, stderr } = await $.process.run(command, { stdin, timeoutMs: HOOK_MILLISECONDS });
    const [fault = ""] = stderr.trim().split("\n");
    if (fault !== "") $.ui.toast(fault);
    if (stdout === "" && fault !== "") return undefined;
    const answer = JSON.parse(stdout);
    if (typeof answer?.text !== "string") throw new Error("it is none of the program's");
    return answer;
  } catch (error) {
    $.ui.toast(
      `compaction: no answer (${error instanceof Error ? error.message : "unknown error"}); the session goes on without it`,
    );
    return undefined;
  }
}

/** Claude Code goes on without a hook that fails, and says nothing about it. */
function tell($: Engine, _: unknown, { error: { kind, message } }: Failed): undefined {
  const why = kind === "timeout" ? "it takes too long" : (message ?? "unknown error");
  $.ui.toast(`compaction: the plugin failed (${why}); the session goes on without it`);
}

export const register = (on: On): void => {
  /** The session, as its start names it. */
  let here: Base | undefined;
  /** By the id of a sub-agent; empty for the session itself. */
  const given = new Map<string, string>();
  const lost = new Map<string, string>();

  /** What the summary and the brief lack goes to the model once, with the next thing that it reads. */
  const takeLost = (agent: string): Texts => {
    const text = lost.get(agent);
    lost.delete(agent);
    return text ? [text] : [];
  };

  on("session.start", async ($, event, next) => {
    await $.command.register({
      name: "pin",
      description: "Keep a text through every compaction of this project",
      argumentHint: "TEXT",
    });
    await $.command.register({ name: "carry", description: "Show what the next compaction would carry" });
    await $.command.register({ name: "handoff", description: "Show what another agent needs to go on with this session" });
    return next(event);
  }).catch(tell);

  on("session.compact", async ($, event, next) => {
    const { agentId, instructions, trigger } = event;
    // A summary that is made in advance may never be used.
    if (!here || trigger === "precompute") return next(event);
    const from = { ...here, ...(agentId && { agent_id: agentId }) };
    const { text = "" } = (await ask($, { ...from, hook_event_name: "PreCompact" })) ?? {};
    return next(text === "" ? event : { ...event, instructions: instructions ? `${instructions}\n\n${text}` : text });
  }).catch(tell);

  on("classic.SessionStart", async ($, event, next) => {
    const { session_id, transcript_path, cwd, agent_id = "", source } = event;
    if (agent_id === "") here = { session_id, transcript_path, cwd };
    if (source !== "compact") return next(event);
    const { text = "" } = (await ask($, event)) ?? {};
    given.set(agent_id, text);
    const result = await next(event);
    return text === "" ? result : { ...result, additionalContext: [...(result?.additionalContext ?? []), text] };
  }).catch(tell);

  on("classic.PostCompact", async ($, event, next) => {
    const { agent_id = "" } = event;
    const { text = "", notice } = (await ask($, { ...event, given: given.get(agent_id) ?? "" })) ?? {};
    lost.set(agent_id, text);
    if (notice && agent_id === "") {
      $.ui.toast(notice);
      $.ui.status(notice);
    }
    return next(event);
  }).catch(tell);

  on("prompt.submit", async ($, event, next) => {
    // The line about the last compaction stays until the user goes on.
    if (!event.command) $.ui.status(undefined);
    const texts = event.command ? [] : takeLost("");
    return next(texts.length === 0 ? event : { ...event, context: [...(event.context ?? []), ...texts] });
  }).catch(tell);

  on("tool.call", async (_, event, next) => {
    const result = await next(event);
    const texts = result === undefined || result.deny !== undefined ? [] : takeLost(event.agentId ?? "");
    return texts.length === 0 ? result : { ...result, context: [...(result?.context ?? []), ...texts] };
  }).catch(tell);

  on("command.run", { command: "pin" }, async ($, { args }) => ({
    text: (await ask($, { ...here, hook_event_name: "Pin", text: args }))?.notice ?? "nothing is pinned: there is no answer",
  })).catch(tell);

  on("command.run", { command: "carry" }, async ($) => ({
    text: (await ask($, { ...here, hook_event_name: "Carry" }))?.notice ?? "there is no answer",
  })).catch(tell);

  on("command.run", { command: "handoff" }, async ($) => ({
    text: (await ask($, { ...here, hook_event_name: "Handoff" }))?.notice ?? "there is no answer",
  })).catch(tell);
};
