// What a command of OpenCode's or of the project's own makes of its template is no word of the user's; what was typed behind
// it is. A stored message does not tell the two apart, so the plugin marks it: OpenCode keeps what a part has in `metadata`,
// and sends none of it to a model.
import type { CommandPart } from "./opencode-commands.js";

const MARK = "compaction-rules";

export function markCommand(parts: CommandPart[], typed: string): void {
  const isText = ({ type, synthetic, ignored }: CommandPart) => type === "text" && !synthetic && !ignored;
  const first = parts.findIndex(isText);
  const marked = parts.map((part, index) => {
    const mark = { command: true, typed: index === first ? typed.trim() : "" };
    return isText(part) ? { ...part, metadata: { ...part.metadata, [MARK]: mark } } : part;
  });
  // In place: OpenCode goes on with the list it gave.
  parts.splice(0, parts.length, ...marked);
}

/** The messages with what the user typed in the place of what a command made of it. */
export const asTyped = (messages: readonly unknown[]): readonly unknown[] =>
  messages.map((message) => {
    const { parts } = (message ?? {}) as { parts?: unknown };
    if (!Array.isArray(parts) || !parts.some(markOf)) return message;
    return { ...(message as object), parts: parts.flatMap(typedIn) };
  });

function typedIn(part: CommandPart): readonly CommandPart[] {
  const mark = markOf(part);
  if (!mark) return [part];
  const typed = typeof mark.typed === "string" && mark.typed !== "" ? [{ type: "text", text: mark.typed }] : [];
  return [{ ...part, synthetic: true }, ...typed];
}

function markOf(part: unknown): { readonly typed?: unknown } | undefined {
  const { metadata } = (part ?? {}) as Partial<CommandPart>;
  const mark = metadata?.[MARK];
  return typeof mark === "object" && mark !== null ? mark : undefined;
}
