// compaction explain: shows why something was found or not.
import type { Trace } from "../extract/match/to-item.js";
import { extractInSteps } from "../extract/pipeline.js";
import { placeKey } from "../extract/place.js";
import { redact } from "../extract/redact.js";
import { atOnce } from "../extract/steps.js";
import { withJudged } from "../judge/judged.js";
import type { Failure as CommandFailure, Evidence, Item, Kind, Message, Role, Session } from "../model.js";
import { render } from "../render/render.js";
import { listOf, usedLists } from "../render/shape.js";
import { SECTION_PREFIX } from "../rules/compile/continuity.js";
import { CUES_PREFIX, OPTIONS_PREFIX } from "../rules/compile/signals.js";
import type { LoadedRules } from "../rules/load-rules.js";
import { readWorkspace } from "../source/notes/workspace.js";
import { readPlainText } from "../source/session/read-session.js";
import { messageNamed } from "../source/session/sources.js";
import { readMemory } from "../state/memory.js";
import { didYouMean } from "../text/did-you-mean.js";
import { effective } from "./effective.js";
import { oneOf, oneSession, parseArguments } from "./input/arguments.js";
import { readBytes, readWholeSession } from "./input/input.js";
import { choicesFor, isOff, rulesFor } from "./input/project.js";
import { countLines, factText, judgedLine, placeText, shownLine, trySignal } from "./output/explained.js";
import { gapLine, messageText, shortLine, workflowLines } from "./output/lines.js";
import { originPlace } from "./output/report.js";
import { type Colours, CommandError, coloursOf, EXIT, say } from "./output/terminal.js";

export const help = `npx compaction-rules explain SESSION [--all] [--rule ID] [--at MESSAGE] [--signal NAME[=WEIGHT]] [--project DIR]
npx compaction-rules explain - [--role user|assistant]
npx compaction-rules explain --project DIR

Prints commands that failed, and the run of the same command that passed; then every line of the brief with the reason
why it is there: its rule, or its salience and the signals that weigh most; then how often each rule found a fact, and
what became of other candidates. With a project, first the stage of its workflow, the active work item, the reason for
both, and what its notes lack. Facts that a model judged are printed with its verdict, the round, and the message that
ends a stale fact; compactions use these verdicts, and run does not. "-" reads standard input, which may be a session
or any text, so you can try a sentence.

For a text, and with --all, --rule or --at, prints one line for each candidate instead: fired, guarded, outside its
scope, refused, outdone by another rule, merged, superseded, over budget (of the brief) or too little (its cues do not
add up), with its place and its words; and what the brief shows although no rule fired.

  --all             every candidate of the session
  --rule ID         only this rule; for cues, every sum
  --at MESSAGE      only what is said in this message, after its text; its id, or its name in a brief: m12 is the
                    twelfth
  --signal NAME     where this signal holds; with NAME=WEIGHT, what the brief would be with this weight
  --role ROLE       who says the text on standard input; user unless given
  --project DIR     the project whose .compactionrc is used
  --format F        the format of the session; detected unless given

Exit status: 0 done, 2 it could not run.
`;

export function explain(args: readonly string[]): number {
  const given = parseArguments(args, help);
  const { project, format, rule, at: name } = given.values;
  const path = given.positionals.length === 0 && project !== undefined ? undefined : oneSession(given.positionals);
  const role = oneOf(given, "role", ["user", "assistant"], "user") as Role;
  const loaded = rulesFor(project ?? process.cwd());
  if (rule !== undefined) requireRule(rule, loaded);

  const session: Session = path === undefined ? { id: "", format: "", messages: [] } : open(path, format, role);
  const at = name === undefined ? undefined : messageNamed(name, session);
  const workspace = project === undefined ? undefined : readWorkspace(project, loaded.rules);
  const sources = new Set([...(workspace?.files ?? []).map(({ path: file }) => file), ...session.messages.map(({ id }) => id)]);
  if (at !== undefined && !sources.has(at)) throw new CommandError(`there is no message "${at}"`, didYouMean(at, sources));

  const options = { ...choicesFor(project ?? "."), ...workspace, signals: true };
  const brief = loaded.rules.templates.get("brief");
  if (given.values.signal !== undefined) {
    const lines = trySignal(given.values.signal, loaded.rules, (rules) => {
      const tried = atOnce(extractInSteps(session, rules, options));
      return { tried, shown: brief ? render(tried, brief, rules).shown : [] };
    });
    say(lines);
    return EXIT.fine;
  }
  const traces: Trace[] = [];
  const trace = Object.assign((one: Trace) => void traces.push(one), rule === undefined ? {} : { asks: rule });
  const extraction = atOnce(extractInSteps(session, loaded.rules, { ...options, trace }));
  const { shown, listed: entries } = brief ? render(extraction, brief, loaded.rules) : { shown: [], listed: [] };
  // A line may hold several sentences of a message.
  const listed = entries.flatMap((entry) => [entry, ...(entry.place?.joined ?? []).map((place) => ({ ...entry, place }))]);
  const kept = new Set(shown.map(placeKey));
  const items = extraction.continuation.items.filter(({ status }) => status === "active");
  const used = brief ? usedLists(brief.text, loaded.rules) : new Set();
  const isListed = (kind: Kind) => used.has(listOf(kind)) || used.has("statements");
  for (const { kind, evidence } of brief ? items : []) {
    // Facts without a list in the template are not left out because of the budget.
    if (kind !== "concept" && isListed(kind) && !kept.has(placeKey(evidence)))
      traces.push({ rule: evidence.rule, outcome: "over budget", why: "brief", evidence });
  }

  isOff(loaded);
  const { workflow, gaps = [] } = extraction.continuation;
  const isAll = rule === undefined && at === undefined;
  if (isAll) {
    for (const line of workflow ? workflowLines(workflow) : []) say(`${line}\n`);
    for (const gap of gaps) say(`gap         ${gapLine(gap)}\n`);
    for (const failure of extraction.continuation.errors) say(failureLine(failure));
  }

  const message = rule === undefined ? session.messages.find(({ id }) => id === at) : undefined;
  if (message) say(messageText(message, redact(message.text, loaded.rules.redactions)));

  const order = new Map([...sources].map((id, index) => [id, index]));
  const isAsked = (place: Pick<Evidence, "rule" | "source">) =>
    (rule === undefined || place.rule === rule) && (at === undefined || place.source === at);
  const wanted = traces
    .filter((one) => isAsked({ rule: one.rule, source: one.evidence.source }))
    .sort(
      (a, b) => (order.get(a.evidence.source) ?? 0) - (order.get(b.evidence.source) ?? 0) || a.evidence.start - b.evidence.start,
    );
  const colours = coloursOf();
  const { memory } = readMemory(session.id);
  const known = { ...session, ...options, whole: session.whole === true && !memory?.given };
  const after = withJudged(extraction, loaded.judge ? memory?.judged : undefined, known).continuation.items;
  const judged = after.filter((item) => item.judged && isAsked(item.evidence));
  if (isAll && !given.flags.all && session.format !== TEXT) {
    for (const entry of listed) say(shownLine(entry, extraction, loaded.rules, colours));
    for (const item of judged) say(judgedLine(item, colours));
    say(countLines(traces, extraction.continuation.items));
    return EXIT.fine;
  }
  const found = new Map(extraction.continuation.items.map((item) => [keyOf(item.evidence), item]));
  for (const one of wanted) say(line(one, found.get(keyOf(one.evidence)), colours));
  // What no rule found may still be in the brief.
  const ruled = new Set(traces.flatMap((one) => (one.outcome === "fired" ? [placeKey(one.evidence)] : [])));
  const unruled = listed.filter(({ place }) => place && !ruled.has(placeKey(place)) && (at === undefined || place.source === at));
  const quoted = rule === undefined ? unruled : [];
  for (const entry of quoted) say(shownLine(entry, extraction, loaded.rules, colours));
  for (const item of judged) say(judgedLine(item, colours));
  if (wanted.length + quoted.length + judged.length === 0) say("no rule had anything to say\n");
  return EXIT.fine;
}

const TEXT = "text";

/** Requires an active rule. A rule that is switched off or only masks exists, but there is nothing to explain. */
function requireRule(id: string, loaded: LoadedRules): void {
  const { rules, cues, options, redactions } = loaded.rules;
  const ids = [...rules, ...cues, ...options].map((one) => one.id);
  if (ids.includes(id)) return;
  if (redactions.some((one) => one.id === id))
    throw new CommandError(
      `the rule "${id}" masks text before facts are found`,
      `its examples show what: npx compaction-rules test ${id}`,
    );
  const off = DECLARED.flatMap(({ map, prefix }) => effective(map, loaded).filter((one) => !one.on && prefix + one.id === id))[0];
  if (off) throw new CommandError(`the rule "${id}" is switched off`, `at ${originPlace(off.at)}`);
  throw new CommandError(`there is no rule "${id}"`, didYouMean(id, ids));
}

const DECLARED = [
  { map: "rules", prefix: "" },
  { map: "sections", prefix: SECTION_PREFIX },
  { map: "cues", prefix: CUES_PREFIX },
  { map: "options", prefix: OPTIONS_PREFIX },
] as const;

/** Reads a session. Standard input may also be any text: if it is not JSON, it is a text. */
function open(path: string, format: string | undefined, role: Role): Session {
  const bytes = readBytes(path);
  try {
    return readWholeSession(path, format, bytes).session;
  } catch (error) {
    if (path !== "-" || format !== undefined || !(error instanceof CommandError) || error.code !== "session-json") throw error;
  }
  const { session } = readPlainText(new TextDecoder().decode(bytes), "stdin");
  return { ...session, messages: session.messages.map((message): Message => ({ ...message, role })) };
}

/** A command that failed, and the later run of it that passed. */
function failureLine({ command, source, tool, passed, minor }: CommandFailure): string {
  const [first = ""] = command.split("\n");
  const end = passed ? `, passed ${passed.source}#${passed.tool}` : "";
  return `${passed ? "fixed      " : minor ? "failed     " : "failing    "} ${source}#${tool}${end} "${first.slice(0, 100)}"\n`;
}

const keyOf = (evidence: Evidence) => `${placeKey(evidence)}\n${evidence.rule}`;

function line({ rule, outcome, why, evidence }: Trace, item: Item | undefined, { green, yellow, dim }: Colours): string {
  const place = placeText(evidence);
  const word = outcome.padEnd(11);
  const fields = item && outcome === "fired" ? factText(item) : "";
  return `${outcome === "fired" ? green(word) : yellow(word)} ${rule}${why ? dim(` (${why})`) : ""} ${dim(place)} "${shortLine(evidence.quote, 100)}"${fields}\n`;
}
