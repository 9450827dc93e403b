// A part of a text, with its facts highlighted.

import type { ComponentChildren } from "preact";
import { markControls } from "../text/forms.js";
import type { PageModel } from "./page-model.js";
import { type FactSpan, piecesOf, textKey } from "./spans.js";

interface TextProps {
  readonly part: string;
  readonly from: number;
  readonly source: string;
  readonly tool?: number;
  readonly model: PageModel;
}

export function Text({ part, from, source, tool, model }: TextProps) {
  const spans = model.spans.value.get(textKey(source, tool)) ?? [];
  const { target } = model;
  const aimed = target.value?.source === source && target.value.tool === tool ? target.value.start : -1;
  const isAimed = aimed >= from && aimed < from + part.length;
  return (
    <div class={`text${isAimed ? " aimed" : ""}`} dir="auto">
      {piecesOf(part, from, spans).map(({ text, start, facts }) =>
        facts.length === 0 ? (
          markControls(text)
        ) : (
          <Fact key={start} text={text} facts={facts} model={model} isAimed={facts.some((fact) => fact.start === aimed)} />
        ),
      )}
    </div>
  );
}

interface FactProps {
  readonly text: string;
  readonly facts: readonly FactSpan[];
  readonly model: PageModel;
  readonly isAimed: boolean;
}

function Fact({ text, facts, model, isAimed }: FactProps) {
  const [{ item }] = facts as [FactSpan];
  const kinds = [...new Set(facts.map((fact) => fact.item.kind))].join(", ");
  const explain = () => model.show(item.evidence, true);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button would not wrap inside the text
    <span
      class={`fact kind-${item.kind} is-${item.status}${isAimed ? " aimed" : ""}`}
      role="button"
      tabIndex={0}
      title={`${kinds}: ${item.evidence.rule}${item.status === "active" ? "" : ` (${item.status})`}`}
      onClick={explain}
      onKeyDown={(event) => event.key === "Enter" && explain()}
    >
      {markControls(text)}
    </span>
  );
}

interface Props {
  readonly go?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

export function Link({ go, children }: Props) {
  if (!go) return <span dir="auto">{children}</span>;
  return (
    <button type="button" class="link" dir="auto" onClick={go}>
      {children}
    </button>
  );
}
