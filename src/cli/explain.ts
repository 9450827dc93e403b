// compaction explain: why something was found, or not.
import { didYouMean } from "../config/suggest.js";
import { extract } from "../extract/extract.js";
import type { Trace } from "../extract/find.js";
import { placeKey } from "../extract/place.js";
import { factId } from "../keep/choices.js";
import type { Failure as CommandFailure, Evidence, Item, Kind, Message, Role, Session } from "../model.js";
import { render } from "../render/render.js";
import { listOf } from "../render/shape.js";
import { usedLists } from "../render/used-lists.js";
import { CUES_PREFIX, OPTIONS_PREFIX } from "../rules/compile-cues.js";
import type { LoadedRules } from "../rules/load.js";
import { SECTION_PREFIX } from "../rules/section-rule.js";
import { readPlainText } from "../source/session.js";
import { readWorkspace } from "../source/workspace.js";
import { type Options, oneOf, parseArguments } from "./arguments.js";
import { choicesFor } from "./choices.js";
import { effective } from "./effective.js";
import { isOff } from "./extraction.js";
import { EXIT, Failure } from "./failure.js";
import { readBytes, toSession } from "./input.js";
import { originPlace } from "./origin.js";
import { say } from "./print.js";
import { rulesFor } from "./rules.js";
import { type Colours, coloursFor } from "./terminal.js";
import { gapLine, workflowLines } from "./work.js";

export const help = `compaction explain SESSION [--rule ID] [--at MESSAGE] [--role user|assistant] [--project DIR] [--format F]

Prints one line for each candidate: fired, guarded, outside its scope, refused, outdone by another rule, merged,
superseded, over budget (of the brief) or too little (its cues do not add up), with its place, its words
and who said it. Before that, commands that failed and the run of the same command that passed. With a project, first why its workflow is at its
stage, which work item is active and why, and what its notes lack. "-" reads standard input, which may be
a session or any text: so a pack author can try a sentence.

  --rule ID         only this rule; of cues, every sum
  --at MESSAGE      only what is said in this message
  --role ROLE       who says the text of standard input; user unless given
  --project DIR     the project whose .compactionrc counts
  --format F        the format of the session; told from the content unless given

Exit status: 0 done, 2 it could not run.
`;

const options: Options = {
  rule: { type: "string" },
  at: { type: "string" },
  role: { type: "string" },
  project: { type: "string" },
  format: { type: "string" },
};

export function explain(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "explain");
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new Failure("name one session", 'a file, or "-" for standard input');
  const role = oneOf(values, "role", ["user", "assistant"], "user") as Role;
  const project = values.project as string | undefined;
  const loaded = rulesFor(project ?? process.cwd());
  if (typeof values.rule === "string") requireRule(values.rule, loaded);

  const session = open(path, values.format as string | undefined, role);
  const workspace = project === undefined ? undefined : readWorkspace(project, loaded.rules);
  const sources = new Set([...(workspace?.files ?? []).map(({ path: file }) => file), ...session.messages.map(({ id }) => id)]);
  if (typeof values.at === "string" && !sources.has(values.at))
    throw new Failure(`there is no message "${values.at}"`, didYouMean(values.at, sources));

  const traces: Trace[] = [];
  const extraction = extract(session, loaded.rules, {
    ...choicesFor(project ?? "."),
    ...workspace,
    trace: Object.assign((trace: Trace) => void traces.push(trace), {
      ...(typeof values.rule === "string" && { asks: values.rule }),
    }),
  });
  const brief = loaded.rules.templates.get("brief");
  const shown = brief ? render(extraction, brief, loaded.rules).shown : [];
  const kept = new Set(shown.map(placeKey));
  const items = extraction.continuation.items.filter(({ status }) => status === "active");
  const used = brief ? usedLists(brief.text, loaded.rules) : new Set();
  const isListed = (kind: Kind) => used.has(listOf(kind)) || used.has("statements");
  for (const { kind, evidence } of brief ? items : []) {
    // What a template has no list for is kept out by no budget.
    if (kind !== "concept" && isListed(kind) && !kept.has(placeKey(evidence)))
      traces.push({ rule: evidence.rule, outcome: "over budget", why: "brief", evidence });
  }

  isOff(loaded);
  const { workflow, gaps = [] } = extraction.continuation;
  if (values.rule === undefined && values.at === undefined) {
    for (const line of workflow ? workflowLines(workflow) : []) say(`${line}\n`);
    for (const gap of gaps) say(`gap         ${gapLine(gap)}\n`);
    for (const failure of extraction.continuation.errors) say(failureLine(failure));
  }

  const order = new Map([...sources].map((id, index) => [id, index]));
  const wanted = traces
    .filter(
      ({ rule, evidence }) =>
        (values.rule === undefined || rule === values.rule) && (values.at === undefined || evidence.source === values.at),
    )
    .sort(
      (a, b) => (order.get(a.evidence.source) ?? 0) - (order.get(b.evidence.source) ?? 0) || a.evidence.start - b.evidence.start,
    );
  const found = new Map(extraction.continuation.items.map((item) => [keyOf(item.evidence), item]));
  for (const trace of wanted) say(line(trace, found.get(keyOf(trace.evidence)), coloursFor(process.stdout)));
  if (wanted.length === 0) say("no rule had anything to say\n");
  return EXIT.fine;
}

/** What is switched off, or only masks, has nothing to explain, but it is there. */
function requireRule(id: string, loaded: LoadedRules): void {
  const { rules, cues, options, redactions } = loaded.rules;
  const ids = [...rules, ...cues, ...options].map((one) => one.id);
  if (ids.includes(id)) return;
  if (redactions.some((one) => one.id === id))
    throw new Failure(`the rule "${id}" masks, before anything is found`, `its examples tell what: compaction test ${id}`);
  const off = DECLARED.flatMap(({ map, prefix }) => effective(map, loaded).filter((one) => !one.on && prefix + one.id === id))[0];
  if (off) throw new Failure(`the rule "${id}" is switched off`, `at ${originPlace(off.at)}`);
  throw new Failure(`there is no rule "${id}"`, didYouMean(id, ids));
}

const DECLARED = [
  { map: "rules", prefix: "" },
  { map: "sections", prefix: SECTION_PREFIX },
  { map: "cues", prefix: CUES_PREFIX },
  { map: "options", prefix: OPTIONS_PREFIX },
] as const;

/** Standard input may be a session or any text; what is no JSON is a text. */
function open(path: string, format: string | undefined, role: Role): Session {
  const bytes = readBytes(path);
  try {
    return toSession(bytes, path, format).session;
  } catch (error) {
    if (path !== "-" || format !== undefined || !(error instanceof Failure) || error.code !== "session-json") throw error;
  }
  const { session } = readPlainText(new TextDecoder().decode(bytes), "stdin");
  return { ...session, messages: session.messages.map((message): Message => ({ ...message, role })) };
}

/** A command that failed, and the run of the same command that ended it. */
function failureLine({ command, source, tool, passed, minor }: CommandFailure): string {
  const [first = ""] = command.split("\n");
  const end = passed ? `, passed ${passed.source}#${passed.tool}` : "";
  return `${passed ? "mended     " : minor ? "failed     " : "failing    "} ${source}#${tool}${end} "${first.slice(0, 100)}"\n`;
}

const keyOf = (evidence: Evidence) => `${placeKey(evidence)}\n${evidence.rule}`;

function line({ rule, outcome, why, evidence }: Trace, item: Item | undefined, { green, yellow, dim }: Colours): string {
  const place = `${evidence.source}${evidence.tool === undefined ? "" : `#${evidence.tool}`}:${evidence.start}-${evidence.end}`;
  const quote = evidence.quote.replace(/\s+/g, " ");
  const short = [...quote].length > 100 ? `${[...quote].slice(0, 100).join("")}…` : quote;
  const word = outcome.padEnd(11);
  const fields =
    item && outcome === "fired"
      ? [
          ` → ${item.kind} by ${item.by} [${factId(item)}]: ${item.text}`,
          ...Object.entries(item.fields).map(([name, value]) => `${name}: ${value}`),
        ].join(", ")
      : "";
  return `${outcome === "fired" ? green(word) : yellow(word)} ${rule}${why ? dim(` (${why})`) : ""} ${dim(place)} "${short}"${fields}\n`;
}
