// A map of the whole conversation: where facts are dense, and where compactions fell. A click scrolls there.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { PageModel } from "./page-model.js";
import { heightOf, type PageRow } from "./rows.js";
import { textKey } from "./spans.js";

interface Props {
  readonly model: PageModel;
  readonly rows: readonly PageRow[];
  readonly first: number;
  readonly last: number;
  readonly go: (index: number) => void;
}

export function Minimap({ model, rows, first, last, go }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Where each row ends, as a part of the whole. Heights are estimates, so the map does not move while rows are measured.
  const ends = useMemo(() => {
    let sum = 0;
    const sums = rows.map((row) => (sum += heightOf(row)));
    return sums.map((end) => end / sum);
  }, [rows]);
  const spans = model.spans.value;
  useEffect(() => {
    const draw = () => canvas.current && drawMap(canvas.current, rows, ends, spans);
    draw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    const sized = new ResizeObserver(draw);
    if (canvas.current) sized.observe(canvas.current);
    return () => {
      dark.removeEventListener("change", draw);
      sized.disconnect();
    };
  }, [rows, ends, spans]);
  const top = first === 0 ? 0 : (ends[first - 1] ?? 0);
  const compactions = rows.filter(({ look, head }) => look === "summary" && head).length;
  const label = `Map: ${spans.size} texts with facts, ${compactions} ${compactions === 1 ? "compaction" : "compactions"}`;
  return (
    // The keys n and p, and the keys of the list, do the same.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      class="minimap"
      role="img"
      aria-label={label}
      onClick={({ currentTarget, clientY }) => {
        const { top: edge, height } = currentTarget.getBoundingClientRect();
        const at = (clientY - edge) / height;
        go(ends.findIndex((end) => end >= at));
      }}
    >
      <canvas ref={canvas} />
      <div class="view" style={{ top: `${100 * top}%`, height: `${100 * ((ends[last] ?? 1) - top)}%` }} />
    </div>
  );
}

function drawMap(
  canvas: HTMLCanvasElement,
  rows: readonly PageRow[],
  ends: readonly number[],
  spans: PageModel["spans"]["value"],
) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(`--${name}`);
  for (const [index, row] of rows.entries()) {
    const top = height * (index === 0 ? 0 : (ends[index - 1] as number));
    const size = Math.max(0.5, height * (ends[index] as number) - top);
    context.fillStyle = colour(`map-${row.look}`);
    context.fillRect(row.look === "user" ? 4 : 10, top, width - (row.look === "user" ? 8 : 20), size);
    if (row.look === "summary" && row.head) {
      context.fillStyle = colour("accent");
      context.fillRect(0, top, width, 2);
    }
    const { from = 0, part = "" } = row.text ?? {};
    for (const { start, item } of spans.get(textKey(row.source, row.tool)) ?? []) {
      if (row.text && (start < from || start >= from + part.length)) continue;
      const at = top + (row.text ? (size * (start - from)) / part.length : 0);
      context.fillStyle = colour(`${item.kind}-solid`);
      context.fillRect(width / 2 - 14, at, 28, 2);
    }
  }
}
