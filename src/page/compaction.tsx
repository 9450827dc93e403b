// Before and after a compaction: what the summary kept, altered, contradicted or lost, and what is put behind it.
import { useState } from "preact/hooks";
import { countVerdicts, type FactVerdict } from "../audit/audit.js";
import type { AuditVerdict } from "../audit/verdict.js";
import type { Item } from "../model.js";
import { factId } from "../state/choices.js";
import { markControls } from "../text/forms.js";
import type { CheckedSummary, Compaction } from "./engine.js";
import type { PageModel } from "./page-model.js";
import { Link } from "./text.js";

const SIGNS: Readonly<Record<AuditVerdict, string>> = { missing: "−", contradicted: "✗", altered: "~", unsure: "?", kept: "✓" };
const VERDICTS = Object.keys(SIGNS) as readonly AuditVerdict[];

export function CompactionPanel({ model }: { readonly model: PageModel }) {
  const { compactions, compaction, checked } = model;
  const current = compactions[compaction.value] as Compaction;
  return (
    <>
      {compactions.length > 1 && (
        <label class="choice">
          Summary{" "}
          <select value={compaction.value} onChange={({ currentTarget }) => (compaction.value = Number(currentTarget.value))}>
            {compactions.map(({ name, session }, index) => (
              <option key={name} value={index}>
                {markControls(name)} (after {session.messages.length} messages)
              </option>
            ))}
          </select>
        </label>
      )}
      {checked.value ? <Comparison compaction={current} checked={checked.value} model={model} /> : <p class="note">comparing…</p>}
    </>
  );
}

type Props = { readonly compaction: Compaction; readonly checked: CheckedSummary; readonly model: PageModel };

function Comparison({ compaction: { summary }, checked: { extraction, verdicts, block }, model }: Props) {
  const [only, setOnly] = useState<AuditVerdict | undefined>(undefined);
  const counts = countVerdicts(verdicts);
  const items = new Map(extraction.continuation.items.map((item) => [factId(item), item]));
  const shown = VERDICTS.filter((verdict) => only === undefined || only === verdict);
  const added = block.split("\n").filter((line) => line !== "");
  const judged = model.items.value.filter((item) => item.judged);
  return (
    <>
      <div class="bar verdicts" aria-hidden="true">
        {VERDICTS.map((verdict) => (
          <span key={verdict} class={`part is-${verdict}`} style={{ flexGrow: counts[verdict] }} />
        ))}
      </div>
      <fieldset class="kinds">
        <legend>Verdicts on {verdicts.length} facts</legend>
        {VERDICTS.map((verdict) => (
          <button
            key={verdict}
            type="button"
            class={`verdict is-${verdict}`}
            aria-pressed={only === verdict}
            onClick={() => setOnly(only === verdict ? undefined : verdict)}
          >
            {SIGNS[verdict]} {verdict === "unsure" ? "perhaps in other words" : verdict}{" "}
            <span class="count">{counts[verdict]}</span>
          </button>
        ))}
      </fieldset>
      {added.length > 0 && (
        <>
          <h2>
            Put behind the summary: {added.length} {added.length === 1 ? "line" : "lines"}
          </h2>
          <div class="diff added" dir="auto">
            {added.map((line, index) => (
              <ins key={index}>{markControls(line)}</ins>
            ))}
          </div>
        </>
      )}
      <h2>The summary</h2>
      <div class="diff" dir="auto">
        <Marked summary={summary} verdicts={verdicts} />
      </div>
      <h2>The facts</h2>
      <ul class="facts">
        {shown.flatMap((verdict) =>
          verdicts
            .filter((one) => one.verdict === verdict)
            .map((one) => <Fact key={`${one.kind} ${one.text}`} fact={one} item={items.get(one.id ?? "")} model={model} />),
        )}
      </ul>
      {judged.length > 0 && (
        <>
          <h2>What the model judged</h2>
          <ul class="facts">
            {judged.map((item) => (
              <li key={factId(item)}>
                <Link go={() => model.show(item.evidence)}>
                  <b>{item.status === "active" ? "holds" : item.status}</b> {item.kind}: {markControls(item.text)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Fact(props: { readonly fact: FactVerdict; readonly item: Item | undefined; readonly model: PageModel }) {
  const { fact, item, model } = props;
  const { verdict, kind, text, why } = fact;
  const showPlaces = (at: Item) => {
    model.show(at.evidence);
    document.getElementById(`place-${fact.where?.start}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <li data-verdict={verdict}>
      <Link go={item && (() => showPlaces(item))}>
        <b class={`sign is-${verdict}`} title={verdict}>
          {SIGNS[verdict]}
        </b>{" "}
        <span class={`tag kind-${kind}`}>{kind}</span> {markControls(text)}{" "}
        {verdict !== "missing" && <small>{markControls(why)}</small>}
      </Link>
    </li>
  );
}

/** The summary, with the places that the verdicts are about. */
function Marked({ summary, verdicts }: { readonly summary: string; readonly verdicts: readonly FactVerdict[] }) {
  const places = verdicts
    .flatMap(({ where, verdict, text, why }) => (where ? [{ ...where, verdict, title: `${verdict}: ${text} (${why})` }] : []))
    .sort((a, b) => a.start - b.start);
  const parts = [];
  let at = 0;
  for (const { start, end, verdict, title } of places) {
    if (start < at) continue;
    parts.push(
      markControls(summary.slice(at, start)),
      <mark key={start} id={`place-${start}`} class={`is-${verdict}`} title={markControls(title)}>
        {markControls(summary.slice(start, end))}
      </mark>,
    );
    at = end;
  }
  return (
    <div class="text">
      {parts}
      {markControls(summary.slice(at))}
    </div>
  );
}
