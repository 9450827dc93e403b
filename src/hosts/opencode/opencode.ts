// OpenCode's plugin hooks. A thin layer: messages go to the keeper, texts come back, and errors never reach OpenCode.
import { orUndefined } from "../../files/folders.js";
import { recallTools } from "../recall-tools.js";
import { offerCommands, onCommand } from "./commands.js";
import { onCompacting, onContinue, onText } from "./compaction.js";
import { createContext } from "./context.js";
import { type CalledTool, createGuarding } from "./guarding.js";
import type { CommandConfig, CommandPart, OpenCodeEvent, OpenCodeMessage, TypedCommand } from "./messages.js";
import type { OpenCodeInput, OpenCodeOptions } from "./options.js";
import { onEvent, onRequest } from "./requests.js";
import { makeOptional, type ToolDefinition, toDefinitions } from "./tool-definitions.js";

type OfSession = { readonly sessionID: string };

/** @param command our command line */
export function openCodeHooks(input: OpenCodeInput, options: OpenCodeOptions = {}, command?: URL) {
  const context = createContext(input, options, command);
  const { framed, ifOn } = context;
  const recalled = orUndefined(ifOn(({ recall }) => toDefinitions(recallTools(command, recall), input.directory)));
  const tools: Readonly<Record<string, ToolDefinition>> = { ...recalled, ...framed?.tools };
  const guarding = createGuarding(context, input.directory);
  let commands: ReadonlySet<string> = new Set();

  return {
    ...(Object.keys(tools).length > 0 && { tool: tools }),
    "experimental.session.compacting": async ({ sessionID }: OfSession, output: { context: string[]; prompt?: string }) =>
      onCompacting(context, sessionID, output),
    "experimental.compaction.autocontinue": async ({ sessionID }: OfSession, output: { enabled: boolean }) =>
      onContinue(context, sessionID, output),
    "tool.definition": async ({ toolID }: { toolID: string }, output: { jsonSchema?: unknown }) => {
      const tool = tools[toolID];
      if (tool) makeOptional(tool, Object.keys(tool.args).slice(0, 1), output);
    },
    "tool.execute.before": async (called: CalledTool, output: { args?: unknown }) => guarding.before(called, output),
    "tool.execute.after": async (called: CalledTool, output: { output?: unknown }) => guarding.after(called, output),
    "experimental.text.complete": async (written: OfSession & { messageID: string }, output: { text: string }) =>
      onText(context, written, output),
    "experimental.chat.messages.transform": async (_: unknown, output: { messages: OpenCodeMessage[] }) =>
      onRequest(context, output),
    config: async (config: CommandConfig) => {
      // Without these commands, OpenCode still works.
      commands = orUndefined(ifOn((own) => offerCommands(config, own))) ?? commands;
    },
    "command.execute.before": async (typed: TypedCommand, output: { parts: CommandPart[] }) =>
      onCommand(context, typed, output.parts, commands.has(typed.command)),
    event: async ({ event }: { event: OpenCodeEvent }) => onEvent(context, event),
  };
}
