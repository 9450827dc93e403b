// A tool call, folded to one line.
import type { ToolCall } from "../model.js";
import { jsonText, markControls, oneLine } from "../text/forms.js";
import type { PageModel } from "./page-model.js";
import { textKey } from "./spans.js";
import { Text } from "./text.js";

/** Characters of a call on its line, and of its input and output when it is open. */
const LINE_CHARACTERS = 160;
const OPEN_CHARACTERS = 20_000;

interface Props {
  readonly call: ToolCall;
  readonly source: string;
  readonly tool: number;
  readonly model: PageModel;
}

export function Call({ call: { name, input, output, status }, source, tool, model }: Props) {
  const key = textKey(source, tool);
  // What the user answered to a tool is part of the conversation.
  const isOpen = model.folds.value.get(key) ?? model.spans.value.has(key);
  const { target } = model;
  const isAimed = target.value?.source === source && target.value.tool === tool;
  const setOpen = (open: boolean) => {
    if (open !== isOpen) model.folds.value = new Map([...model.folds.value, [key, open]]);
  };
  const written = typeof input === "string" ? input : jsonText(input);
  return (
    <details class={`call${isAimed ? " aimed" : ""}`} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="tool">{markControls(name)}</span>
        <span class="input">{markControls(oneLine(shownInput(input, written)).slice(0, LINE_CHARACTERS))}</span>
        {status !== undefined && (
          <span class={`status is-${/^[a-z]+$/.test(status) ? status : "other"}`}>{markControls(status)}</span>
        )}
      </summary>
      {isOpen && (
        <>
          <pre dir="auto">{markControls(pretty(input, written).slice(0, OPEN_CHARACTERS))}</pre>
          <Text part={output.slice(0, OPEN_CHARACTERS)} from={0} source={source} tool={tool} model={model} />
          {output.length > OPEN_CHARACTERS && <p class="note">{output.length - OPEN_CHARACTERS} more characters</p>}
        </>
      )}
    </details>
  );
}

/** The first text of the input says most: a command, a path, a query. */
function shownInput(input: unknown, written: string): string {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [];
  return values.find((value) => typeof value === "string") ?? written;
}

function pretty(input: unknown, written: string): string {
  if (typeof input !== "object" || input === null || written === "") return written;
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : jsonText(value)}`)
    .join("\n");
}
