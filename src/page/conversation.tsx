// The conversation: a list that draws only the rows in view, with the facts highlighted, and a map beside it.
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import type { ToolCall } from "../model.js";
import { jsonText, markControls, oneLine } from "../text/forms.js";
import { Minimap } from "./minimap.js";
import type { PageModel } from "./page-model.js";
import { heightOf, type Look, type PageRow, toRows } from "./rows.js";
import { textKey } from "./spans.js";
import { Text } from "./text.js";

/** Rows that are drawn beyond the edges of the view. */
const ROWS_AROUND = 8;

const SPEAKERS: Readonly<Record<Look, string>> = {
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
  file: "File",
  meta: "Not typed",
  summary: "Compaction",
};

export function Conversation({ model }: { readonly model: PageModel }) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useMemo(() => toRows(model.data), [model]);
  const list = useVirtualizer(rows, scroller);
  const { target } = model;
  useEffect(() => {
    const at = target.value ? rowAt(rows, target.value) : -1;
    if (at >= 0) list.scrollToIndex(at, { align: "center" });
  }, [target.value, rows, list]);
  const drawn = list.getVirtualItems();
  return (
    <div class="conversation" id="conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section class="scroller" ref={scroller} tabIndex={0} aria-label="Conversation">
        <div class="list" style={{ height: `${list.getTotalSize()}px` }}>
          <div class="drawn" style={{ transform: `translateY(${drawn[0]?.start ?? 0}px)` }}>
            {drawn.map(({ index, key }) => (
              <div key={key} class="row" data-index={index} ref={list.measureElement}>
                <RowView row={rows[index] as PageRow} model={model} />
              </div>
            ))}
          </div>
        </div>
      </section>
      <Minimap
        model={model}
        rows={rows}
        first={list.range?.startIndex ?? 0}
        last={list.range?.endIndex ?? 0}
        go={(index) => list.scrollToIndex(index, { align: "start" })}
      />
    </div>
  );
}

function useVirtualizer(rows: readonly PageRow[], scroller: { readonly current: HTMLElement | null }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const options: VirtualizerOptions<HTMLElement, HTMLDivElement> = {
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index] as PageRow),
    overscan: ROWS_AROUND,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    measureElement,
    onChange: () => redraw(undefined),
  };
  const list = useMemo(() => new Virtualizer(options), []);
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  return list;
}

function rowAt(rows: readonly PageRow[], { source, tool, start }: { source: string; tool?: number; start: number }): number {
  return rows.findIndex((row) => {
    if (row.source !== source || row.tool !== tool) return false;
    return !row.text || (start >= row.text.from && start < row.text.from + row.text.part.length);
  });
}

function RowView({ row, model }: { readonly row: PageRow; readonly model: PageModel }) {
  const { source, head, text, call, tool, look } = row;
  if (call && tool !== undefined) return <Call call={call} source={source} tool={tool} model={model} />;
  return (
    <article class={`message by-${look}`} aria-label={SPEAKERS[look]}>
      {head && (
        <div class="head">
          <strong>{SPEAKERS[look]}</strong> <span class="name">{markControls(head.name)}</span>
          {head.time && <time>{markControls(head.time.slice(0, 16).replace("T", " "))}</time>}
        </div>
      )}
      {text && <Text part={text.part} from={text.from} source={source} model={model} />}
    </article>
  );
}

/** A tool call, folded to one line: characters on that line, and of its input and output when it is open. */
const LINE_CHARACTERS = 160;
const OPEN_CHARACTERS = 20_000;

interface CallProps {
  readonly call: ToolCall;
  readonly source: string;
  readonly tool: number;
  readonly model: PageModel;
}

function Call({ call: { name, input, output, status }, source, tool, model }: CallProps) {
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
