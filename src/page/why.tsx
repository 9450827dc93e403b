// Why something was found or not: its rule, the signals and their weights, and the candidates that lost.
import type { Trace } from "../extract/facts/to-item.js";
import { type Evidence, type Item, placeKey, type Statement } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { markControls } from "../text/forms.js";
import type { PageModel } from "./page-model.js";
import { Link } from "./text.js";

export function Why({ model }: { readonly model: PageModel }) {
  const { target, items, traces, traced, packs } = model;
  const place = target.value;
  if (!place) return <p class="note">Choose a highlighted fact in the conversation, or press n for the next one.</p>;
  const isHere = (other: Pick<Evidence, "source" | "start"> & { readonly tool?: number }) => placeKey(other) === placeKey(place);
  const here = items.value.filter(({ evidence, also }) => [evidence, ...also].some(isHere));
  const candidates = (traces.value ?? []).filter(({ evidence }) => isHere(evidence));
  const statement = traced.value?.statements.find(isHere);
  return (
    <>
      {here.map((item) => (
        <FactCard key={`${item.kind} ${item.text}`} item={item} candidates={candidates} />
      ))}
      {here.length === 0 && <p class="note">No rule found a fact here.</p>}
      {!traces.value && <p class="note">looking for other candidates…</p>}
      {statement && <Salience statement={statement} rules={packs.value.loaded.rules} />}
      {candidates.length > 0 && <Candidates candidates={candidates} model={model} />}
    </>
  );
}

function FactCard({ item, candidates }: { readonly item: Item; readonly candidates: readonly Trace[] }) {
  const { kind, text, fields, score, by, status, evidence, category, also } = item;
  const sum = candidates.find(({ rule, outcome }) => rule === evidence.rule && outcome === "fired")?.sum;
  const rows = Object.entries({
    rule: evidence.rule,
    score: String(score),
    by,
    ...(status !== "active" && { status }),
    ...(category !== undefined && { category }),
    ...fields,
    ...(also.length > 0 && { "said again": `${also.length} times` }),
  });
  return (
    <div class="card">
      <h2>
        <span class={`tag kind-${kind}`}>{kind}</span> <span dir="auto">{markControls(text)}</span>
      </h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{markControls(name)}</dt>
            <dd dir="auto">{markControls(value)}</dd>
          </div>
        ))}
      </dl>
      {sum && <Bars parts={sum.parts} end={`= ${sum.total} of ${sum.least} needed`} />}
    </div>
  );
}

function Salience({ statement, rules }: { readonly statement: Statement; readonly rules: RuleSet }) {
  const parts = [...(statement.signals ?? [])]
    .map(([name, strength]) => ({ name, worth: Math.round((rules.salience.get(name) ?? 0) * strength) }))
    .filter(({ worth }) => worth !== 0);
  return (
    <div class="card">
      <h2>Salience {statement.salience.toFixed(2)}</h2>
      <p class="note">What the sentence is worth in a brief, from the signals that hold.</p>
      <Bars parts={parts} end="" />
    </div>
  );
}

interface BarsProps {
  readonly parts: readonly { readonly name: string; readonly worth: number }[];
  readonly end: string;
}

/** Weights as bars: to the right what speaks for it, to the left what speaks against it. */
function Bars({ parts, end }: BarsProps) {
  const most = Math.max(1, ...parts.map(({ worth }) => Math.abs(worth)));
  const sorted = [...parts].sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  return (
    <div class="bars">
      {sorted.map(({ name, worth }) => (
        <div key={name} class="weight">
          <span>{markControls(name)}</span>
          <span class="track" aria-hidden="true">
            <i class={worth > 0 ? "for" : "against"} style={{ width: `${(50 * Math.abs(worth)) / most}%` }} />
          </span>
          <span class="worth">{worth > 0 ? `+${worth}` : worth}</span>
        </div>
      ))}
      {end && <p class="note">{end}</p>}
    </div>
  );
}

const Candidates = ({ candidates, model }: { readonly candidates: readonly Trace[]; readonly model: PageModel }) => (
  <div class="card">
    <h2>Candidates</h2>
    <table>
      <thead>
        <tr>
          <th>rule</th>
          <th>outcome</th>
          <th>by</th>
        </tr>
      </thead>
      <tbody>
        {candidates.map(({ rule, outcome, why = "" }, index) => (
          <tr key={index} class={outcome === "fired" ? "fired" : ""}>
            <td>{rule}</td>
            <td>{outcome}</td>
            <td dir="auto">
              <Cause why={why} model={model} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** What decided: a rule or a guard, or the place of another fact. */
function Cause({ why, model }: { readonly why: string; readonly model: PageModel }) {
  const [, source = "", start] = /^(.*):(\d+)$/.exec(why) ?? [];
  const name = model.names.get(source);
  if (name === undefined) return <>{markControls(why)}</>;
  const place = { source, start: Number(start) };
  const winner = model.items.value.find(({ evidence }) => placeKey(evidence) === placeKey(place));
  return (
    <Link go={() => model.show(place, true)}>
      {markControls(name)} {winner && markControls(winner.text)}
    </Link>
  );
}
