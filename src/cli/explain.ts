// compaction explain: shows why something was found or not.

import { resolve } from "node:path";
import type { Trace } from "../extract/facts/to-item.js";
import { type ExtractOptions, extractInSteps } from "../extract/pipeline.js";
import { guardSession } from "../guards/guard-session.js";
import { guardSets } from "../hosts/calls/prepare.js";
import { sessionContext } from "../hosts/calls/prepared.js";
import { ownProgram } from "../hosts/own-program.js";
import { withJudged } from "../judge/judged.js";
import { type Message, placeKey, type Role, type Session } from "../model.js";
import { render } from "../render/render.js";
import { listOf, usedLists } from "../render/template-names.js";
import { SECTION_PREFIX } from "../rules/compile/continuity.js";
import { CUES_PREFIX, OPTIONS_PREFIX } from "../rules/compile/signals.js";
import type { LoadedRules } from "../rules/load-rules.js";
import { redact } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readWorkspace } from "../source/notes/workspace.js";
import { messageNamed } from "../source/session/messages.js";
import { readPlainText } from "../source/session/read-session.js";
import { readMemory } from "../state/memory.js";
import { atOnce } from "../steps.js";
import { didYouMean } from "../text/did-you-mean.js";
import { effective } from "./effective.js";
import { type Arguments, oneOf, oneSession } from "./input/arguments.js";
import { readBytes, readWholeSession } from "./input/open-session.js";
import { choicesFor, isOff, rulesFor } from "./input/project.js";
import { briefLines, candidateLines, type Explained, guardLines, stateLines, trySignal } from "./output/explained.js";
import { messageText } from "./output/lines.js";
import { originPlace } from "./output/report.js";
import { CommandError, say } from "./output/terminal.js";

export function explain(given: Arguments): undefined {
  const { project, format, rule, at: name, signal } = given.values;
  const path = given.positionals.length === 0 && project !== undefined ? undefined : oneSession(given.positionals);
  const role = oneOf(given, "role", ["user", "assistant"], "user") as Role;
  const loaded = rulesFor(project ?? process.cwd());
  // Names of files and tools are told, too.
  const tell = (text: string) => say(redact(text, loaded.rules.redactions));
  if (rule !== undefined) requireRule(rule, loaded);

  const session: Session = path === undefined ? { id: "", format: "", messages: [] } : open(path, format, role);
  const at = name === undefined ? undefined : messageNamed(name, session);
  const workspace = project === undefined ? undefined : readWorkspace(project, loaded.rules);
  const sources = new Set([...(workspace?.files ?? []).map(({ path: file }) => file), ...session.messages.map(({ id }) => id)]);
  if (at !== undefined && !sources.has(at)) throw new CommandError(`there is no message "${at}"`, didYouMean(at, sources));

  const options = { ...choicesFor(project ?? "."), ...workspace, signals: true };
  if (signal !== undefined) {
    const brief = loaded.rules.templates.get("brief");
    const run = (rules: RuleSet) => {
      const tried = atOnce(extractInSteps(session, rules, options));
      return { tried, shown: brief ? render(tried, brief, rules).shown : [] };
    };
    return tell(trySignal(signal, loaded.rules, run));
  }
  const collected = collect(session, options, loaded, rule);
  isOff(loaded);
  const isWhole = rule === undefined && at === undefined;
  if (isWhole) tell(stateLines(collected.extraction.continuation));
  if (rule === undefined) tell(guardLines(guardsIn(session, loaded, project ?? process.cwd()), at));
  const message = rule === undefined ? session.messages.find(({ id }) => id === at) : undefined;
  if (message) tell(messageText(message, message.text));
  const isBrief = isWhole && !given.flags.all && session.format !== TEXT;
  tell(isBrief ? briefLines(collected, loaded.rules) : candidateLines(collected, loaded.rules, sources, rule, at));
}

function guardsIn(session: Session, loaded: LoadedRules, project: string) {
  const folder = resolve(project);
  return guardSession(guardSets(loaded, folder), session, sessionContext(folder));
}

function collect(session: Session, options: ExtractOptions, { rules, judge }: LoadedRules, rule: string | undefined): Explained {
  const traces: Trace[] = [];
  const trace = Object.assign((one: Trace) => void traces.push(one), rule === undefined ? {} : { asks: rule });
  const extraction = atOnce(extractInSteps(session, rules, { ...options, trace }));
  const brief = rules.templates.get("brief");
  const { shown, listed } = brief ? render(extraction, brief, rules) : { shown: [], listed: [] };
  if (brief) {
    const kept = new Set(shown.map(placeKey));
    const used = usedLists(brief.text, rules);
    for (const { kind, status, evidence } of extraction.continuation.items) {
      // Facts without a list in the template are not left out because of the budget.
      const isListed = kind !== "concept" && (used.has(listOf(kind)) || used.has("statements"));
      if (status === "active" && isListed && !kept.has(placeKey(evidence)))
        traces.push({ rule: evidence.rule, outcome: "over budget", why: "brief", evidence });
    }
  }
  const { memory } = readMemory(session.id);
  const known = { ...session, ...options, whole: session.whole === true && !memory?.given };
  const { items } = withJudged(extraction, judge ? memory?.judged : undefined, known).continuation;
  return {
    extraction,
    traces,
    listed: listed.flatMap((entry) => [entry, ...(entry.place?.joined ?? []).map((place) => ({ ...entry, place }))]),
    judged: items.filter((item) => item.judged),
  };
}

const TEXT = "text";

/** Requires an active rule. A rule that is switched off or only masks exists, but there is nothing to explain. */
function requireRule(id: string, loaded: LoadedRules): void {
  const { rules, cues, options, redactions } = loaded.rules;
  const ids = [...rules, ...cues, ...options].map((one) => one.id);
  if (ids.includes(id)) return;
  const hint = `its examples show what: ${ownProgram()} test ${id}`;
  if (redactions.some((one) => one.id === id)) throw new CommandError(`the rule "${id}" masks text before facts are found`, hint);
  const declared = Object.entries(PREFIXES) as [keyof typeof PREFIXES, string][];
  const [off] = declared.flatMap(([map, prefix]) => effective(map, loaded).filter((one) => !one.on && prefix + one.id === id));
  if (off) throw new CommandError(`the rule "${id}" is switched off`, `at ${originPlace(off.at)}`);
  const near = loaded.rules.signals.has(id) ? `it is a signal: use --signal ${id}` : didYouMean(id, ids);
  throw new CommandError(`there is no rule "${id}"`, near);
}

const PREFIXES = { rules: "", sections: SECTION_PREFIX, cues: CUES_PREFIX, options: OPTIONS_PREFIX };

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
