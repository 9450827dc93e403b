// Starts the page: unpacks its data, then shows it.
import { render } from "preact";
import { App } from "./app.js";
import { type BuiltIn, usePrepared } from "./browser/built-in.js";
import type { PageData } from "./data.js";
import { createModel } from "./page-model.js";
import { createPlayground } from "./playground.js";

/** The data of an element: JSON, compressed, in Base64. */
async function unpack(id: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(document.getElementById(id)?.textContent ?? ""), (unit) => unit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

async function start(): Promise<void> {
  const [built, data] = await Promise.all([unpack("built-in"), unpack("data")]);
  usePrepared(built as BuiltIn);
  const model = createModel(data as PageData);
  const { play } = model.data;
  const playground = play && createPlayground(model, play);
  if (playground) model.tab.value = "rules";
  // For the console, and for tests.
  Object.assign(globalThis, { compactionPage: model });
  render(<App model={model} playground={playground} />, document.getElementById("app") as HTMLElement);
}

start().catch((error) => {
  (document.getElementById("app") as HTMLElement).textContent = `This page cannot be shown: ${error}`;
});
