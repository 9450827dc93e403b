// The frame of the page: the kinds above, the conversation on the left, one panel on the right.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { KINDS, type Kind } from "../model.js";
import { markControls } from "../text/forms.js";
import { Brief } from "./brief.js";
import { CompactionPanel } from "./compaction.js";
import { Conversation } from "./conversation.js";
import type { PageModel, Tab } from "./page-model.js";
import type { Playground } from "./playground.js";
import { Rules } from "./rules.js";
import { UserRules } from "./user-rules.js";
import { Why } from "./why.js";

interface Props {
  readonly model: PageModel;
  readonly playground?: Playground | undefined;
}

export function App({ model, playground }: Props) {
  const { tab, data, compactions } = model;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable=true]");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "n") step(model, 1);
      else if (event.key === "p") step(model, -1);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [model]);
  const tabs: readonly (readonly [Tab, string])[] = [
    ["conversation", "Conversation"],
    ["brief", "Brief"],
    ...(compactions.length > 0 ? ([["compaction", "Before / after"]] as const) : []),
    ["why", "Why"],
    ...(data.lives.length > 0 ? ([["lives", "Your rules"]] as const) : []),
    ...(playground ? ([["rules", "Rules"]] as const) : []),
  ];
  return (
    <div class="page" data-tab={tab.value}>
      <header>
        <h1 dir="auto">{markControls(data.session.id || data.project)}</h1>
        <Kinds model={model} />
        <Steps model={model} />
      </header>
      <div role="tablist" aria-label="Panels" class="tabs" onKeyDown={(event) => moveTab(event, tabs, model)}>
        {tabs.map(([id, title]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            class={`tab tab-${id}`}
            aria-selected={tab.value === id}
            aria-controls={id === "conversation" ? "conversation" : "panel"}
            tabIndex={tab.value === id ? 0 : -1}
            onClick={() => (tab.value = id)}
          >
            {title}
          </button>
        ))}
      </div>
      <Conversation model={model} />
      <Panel tab={tab.value}>
        {tab.value === "brief" && <Brief model={model} />}
        {tab.value === "compaction" && <CompactionPanel model={model} />}
        {tab.value === "why" && <Why model={model} />}
        {tab.value === "lives" && <UserRules rules={data.lives} model={model} />}
        {tab.value === "rules" && playground && <Rules model={model} playground={playground} />}
      </Panel>
    </div>
  );
}

const Panel = ({ tab, children }: { readonly tab: Tab; readonly children: ComponentChildren }) => (
  <section id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
    {children}
  </section>
);

function moveTab(event: KeyboardEvent, tabs: readonly (readonly [Tab, string])[], { tab }: PageModel): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  const seen = tabs.filter(([id]) => document.getElementById(`tab-${id}`)?.offsetParent);
  const at = seen.findIndex(([id]) => id === tab.value);
  const [next] = seen[(at + by + seen.length) % seen.length] ?? [tab.value];
  tab.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}

/** One button for each kind of fact in the session. It shows or hides the kind. */
function Kinds({ model: { items, hidden } }: { readonly model: PageModel }) {
  const counts = new Map<Kind, number>();
  for (const { kind } of items.value) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const toggle = (kind: Kind) => {
    const next = new Set(hidden.value);
    if (!next.delete(kind)) next.add(kind);
    hidden.value = next;
  };
  return (
    <fieldset class="kinds">
      <legend>Facts</legend>
      {KINDS.filter((kind) => counts.has(kind)).map((kind) => (
        <button
          key={kind}
          type="button"
          class={`kind kind-${kind}`}
          aria-pressed={!hidden.value.has(kind)}
          onClick={() => toggle(kind)}
        >
          {kind} <span class="count">{counts.get(kind)}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** The facts in the order of the conversation, one after the other. */
function step({ items, hidden, target, show }: PageModel, by: number): void {
  const seen = items.value.filter(({ kind, evidence }) => !hidden.value.has(kind) && evidence.rule !== "pinned");
  const { source, start } = target.value ?? {};
  const at = seen.findIndex(({ evidence }) => evidence.source === source && evidence.start === start);
  const next = seen[at < 0 ? (by > 0 ? 0 : seen.length - 1) : (at + by + seen.length) % seen.length];
  if (next) show(next.evidence);
}

function Steps({ model }: { readonly model: PageModel }) {
  const { progress } = model;
  return (
    <div class="moves">
      <output aria-live="polite">{progress.value < 100 && `reading… ${progress.value} %`}</output>
      <button type="button" title="previous fact (p)" aria-label="previous fact" onClick={() => step(model, -1)}>
        ↑
      </button>
      <button type="button" title="next fact (n)" aria-label="next fact" onClick={() => step(model, 1)}>
        ↓
      </button>
    </div>
  );
}
