// The tools of frames as OpenCode wants them. What they say of themselves is a template each: a description, then a
// line for every argument.

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
  /** JSON schemas by name: OpenCode takes them as well as zod's. */
  readonly args: Readonly<Record<string, object>>;
  readonly execute: (args: ToolArguments, context: ToolContext) => Promise<ToolResult>;
}

const ARGUMENT = /^(\w+): (.*)$/;

export function toolOf(text: string, execute: ToolDefinition["execute"]): ToolDefinition {
  const lines = text.trim().split("\n");
  const args = lines.flatMap((line) => {
    const [, name, description] = ARGUMENT.exec(line) ?? [];
    return name ? [[name, { type: "string", description }] as const] : [];
  });
  const description = lines.filter((line) => !ARGUMENT.test(line)).join("\n");
  return { description, args: Object.fromEntries(args), execute };
}

/** OpenCode takes every argument of such a tool for required; where it can be told otherwise, it is. */
export function makeOptional({ args }: ToolDefinition, required: readonly string[], output: { jsonSchema?: unknown }): void {
  if (output.jsonSchema === undefined) return;
  output.jsonSchema = { type: "object", properties: args, required };
}
