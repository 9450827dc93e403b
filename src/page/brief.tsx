// The brief: a slider for its budget, the tokens of each section, and its lines with links to where they were said.
import { type FactPlace, placeKey, type ToolCall } from "../model.js";
import { countTokens } from "../render/tokens.js";
import { jsonText, markControls } from "../text/forms.js";
import { BUDGET_STEP, type PageModel } from "./page-model.js";
import { Link } from "./text.js";

const LEAST_TOKENS = 60;
const MOST_TOKENS = 3_000;

export function Brief({ model }: { readonly model: PageModel }) {
  const { brief, tokens, stays } = model;
  const rendered = brief.value;
  if (!rendered) return <p class="note">The brief comes when the session is read.</p>;
  const lines = linesOf(rendered.text, rendered.lines ?? []);
  const stay = stays.value;
  const drops = ({ places }: LineOfBrief) => stay && places.length > 0 && !places.some((place) => stay.has(placeKey(place)));
  const leaving = lines.filter(drops).length;
  return (
    <>
      <div class="budget">
        <label for="budget">Budget</label>
        <input
          id="budget"
          type="range"
          min={LEAST_TOKENS}
          max={MOST_TOKENS}
          step={BUDGET_STEP}
          value={tokens.value}
          onInput={({ currentTarget }) => (tokens.value = Number(currentTarget.value))}
        />
        <output for="budget">
          {rendered.tokens} of {tokens.value} tokens
        </output>
      </div>
      <Sections lines={lines} />
      <p class="note">
        {!stay && `There is room for ${tokens.value - rendered.tokens} more tokens.`}
        {leaving > 0 && `Drops out next: ${leaving} ${leaving === 1 ? "line" : "lines"}, marked below.`}{" "}
        {rendered.hidden > 0 && `${rendered.hidden} more facts do not fit.`}
      </p>
      {model.found.value?.continuation.diagnostics.map(({ code, message, source = "" }) => (
        <p key={`${code} ${source}`} class="note">
          Note: {markControls(`${source} ${message}`)}
        </p>
      ))}
      <ol class="lines">
        {lines.map((line, index) => (
          <li key={index} class={drops(line) ? "leaving" : ""} title={drops(line) ? "drops out next" : undefined}>
            <BriefLine line={line} model={model} />
          </li>
        ))}
      </ol>
    </>
  );
}

type LineOfBrief = { readonly text: string; readonly section: string; readonly places: readonly FactPlace[] };

/** The lines, each with its section: the heading above it, or else the label that it begins with. */
function linesOf(text: string, places: readonly (readonly FactPlace[])[]): readonly LineOfBrief[] {
  let heading: string | undefined;
  return text
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
      const section = heading ?? /^([^:]{1,40}):/.exec(line)?.[1] ?? "other";
      return { text: line, section, places: places[index] ?? [] };
    });
}

function BriefLine({ line: { text, places }, model }: { readonly line: LineOfBrief; readonly model: PageModel }) {
  const heading = /^#+ (.*)/.exec(text)?.[1];
  if (heading !== undefined) return <h2>{markControls(heading)}</h2>;
  const place = places[0] ?? callNaming(text, model);
  const name = place && model.names.get(place.source);
  return (
    <Link go={place && (() => model.show(place))}>
      {name && !text.endsWith(` ${name}`) && <span class="at">{markControls(name)}</span>}
      {markControls(text)}
    </Link>
  );
}

/** A line about files and commands was not said by anybody: it comes from the last tool call that names one of them. */
function callNaming(line: string, { found, data }: PageModel): FactPlace | undefined {
  const [, said = ""] = /: (.*)/.exec(line) ?? [];
  const { errors = [], commits = [], todos = [], files, working } = found.value?.continuation ?? {};
  const paths = files ? [...files.created, ...files.modified, ...files.deleted] : [];
  const named = [
    ...errors.map(({ command }) => command),
    ...[...commits, ...todos].map(({ text }) => text),
    ...(working?.unrun ?? []),
    ...paths.map((path) => path.split("/").at(-1) ?? path),
  ].filter((text) => said.includes(text));
  if (named.length === 0) return undefined;
  const isNaming = ({ input }: ToolCall) => named.some((text) => jsonText(input).includes(jsonText(text).slice(1, -1)));
  const message = data.session.messages.findLast(({ toolCalls }) => toolCalls.some(isNaming));
  return message && { source: message.id, tool: message.toolCalls.findLastIndex(isNaming), start: 0 };
}

function Sections({ lines }: { readonly lines: readonly LineOfBrief[] }) {
  const counts = new Map<string, number>();
  for (const { section, text } of lines) if (text !== "") counts.set(section, (counts.get(section) ?? 0) + countTokens(text));
  const sections = [...counts].sort(([, a], [, b]) => b - a);
  return (
    <figure class="sections">
      <div class="bar" aria-hidden="true">
        {sections.map(([name, count], index) => (
          <span
            key={name}
            class={`part part-${index % 8}`}
            style={{ flexGrow: count }}
            title={markControls(`${name}: ${count} tokens`)}
          />
        ))}
      </div>
      <figcaption>
        {sections.map(([name, count], index) => (
          <span key={name}>
            <i class={`part part-${index % 8}`} /> {markControls(name)} {count}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
