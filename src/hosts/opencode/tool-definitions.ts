// Tools as OpenCode takes them from a plugin.
import type { RecallTool } from "../recall-tools.js";

export interface ToolContext {
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
  readonly abort?: AbortSignal;
  readonly metadata?: (input: { title?: string; metadata?: Record<string, unknown> }) => unknown;
}

export type ToolArguments = Readonly<Record<string, unknown>>;
export interface ToolResult {
  readonly title: string;
  readonly output: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ToolDefinition {
  readonly description: string;
  /** JSON schemas by argument name: OpenCode accepts them as well as zod schemas. */
  readonly args: Readonly<Record<string, object>>;
  readonly execute: (args: ToolArguments, context: ToolContext) => Promise<ToolResult>;
}

const ARGUMENT = /^(\w+): (.*)$/;

/** @param text a description, then one line per argument */
export function toToolDefinition(text: string, execute: ToolDefinition["execute"]): ToolDefinition {
  const lines = text.trim().split("\n");
  const args = lines.flatMap((line) => {
    const [, name, description] = ARGUMENT.exec(line) ?? [];
    return name ? [[name, { type: "string", description }] as const] : [];
  });
  const description = lines.filter((line) => !ARGUMENT.test(line)).join("\n");
  return { description, args: Object.fromEntries(args), execute };
}

/** OpenCode treats every argument of a plugin's tool as required. If the schema can be changed, the others become optional. */
export function makeOptional({ args }: ToolDefinition, required: readonly string[], output: { jsonSchema?: unknown }): void {
  if (output.jsonSchema === undefined) return;
  output.jsonSchema = { type: "object", properties: args, required };
}

/** The tools of recall. @param folder the project's */
export function toDefinitions(tools: readonly RecallTool[], folder: string): Readonly<Record<string, ToolDefinition>> {
  const execute =
    (call: RecallTool["call"]): ToolDefinition["execute"] =>
    async (args, { abort }) => ({ title: "", output: await call(args, folder, abort), metadata: {} });
  return Object.fromEntries(
    tools.map(({ name, description, schema, call }) => [name, { description, args: schema.properties, execute: execute(call) }]),
  );
}
