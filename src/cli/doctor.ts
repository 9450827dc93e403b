// compaction doctor: for every agent of this machine, whether it uses this program in the project, and what is wrong.

import { resolve } from "node:path";
import { unusedConfigs } from "../config/search-config.js";
import { homeFolder, orUndefined } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { guardSets } from "../hosts/calls/prepare.js";
import { SETUPS } from "../hosts/hosts.js";
import { ownProgram } from "../hosts/own-program.js";
import { PACK_BYTES } from "../limits.js";
import { loadRules } from "../rules/load-rules.js";
import { readHistories, receiptOf } from "../state/history.js";
import { readUnread } from "../state/spoken.js";
import { listAside, NO_FOLDER, stateFolder } from "../state/state.js";
import { counted } from "../text/forms.js";
import { asFields, asList, defined } from "../text/json.js";
import { groupBy } from "../text/lists.js";
import { type AgentHere, findAgents, namesUs } from "./first/agents-here.js";
import { commandFor } from "./first/first.js";
import { hasEntry } from "./init/host-entries.js";
import { toolsGuarded } from "./init/init-host.js";
import { parseJsonc } from "./init/jsonc.js";
import { type Arguments, inStateFolder, noPositional } from "./input/arguments.js";
import { requireFolder, SWITCHED_OFF } from "./input/project.js";
import { masked, shownPath } from "./output/report.js";
import { type Colours, coloursOf, EXIT, printJson, say } from "./output/terminal.js";
import { proveAgent, proveServers } from "./prove.js";

interface Finding {
  readonly about: string;
  readonly says: string;
  /** It is broken: how to fix it. */
  readonly fix?: string;
  /** It is not broken: what the user may do. */
  readonly hint?: string;
}

export async function doctor({ values, flags, positionals }: Arguments): Promise<number> {
  noPositional(positionals, "doctor");
  const project = resolve(requireFolder(values.project ?? "."));
  const home = homeFolder() ?? "";
  const agents = findAgents(home, project, process.env);
  const [history] = await inStateFolder(() => readHistories(project));
  const findings = [
    ...agents.flatMap((here) => ofAgent(here, project, home, history?.tallies ?? [])),
    ...(agents.length === 0 ? [{ about: "agents", says: "none of the known agents is on this machine" }] : []),
    ...proveServers(project).map((proof) => ({ about: "tools", ...proof })),
    ...ofRules(project),
    ...ofGuards(project, agents),
    ...(await inStateFolder(ofState)),
  ];
  if (flags.json) printJson({ version: 1, findings });
  else say(toText(findings, coloursOf()));
  return findings.some(({ fix }) => fix !== undefined) ? EXIT.findings : EXIT.fine;
}

type Tallies = ReturnType<typeof readHistories>[number]["tallies"];

function ofAgent(here: AgentHere, project: string, home: string, tallies: Tallies): readonly Finding[] {
  const { setup, program, configured } = here;
  const { title, isTrusted } = setup.agent;
  const about = (says: string, fix?: string): Finding => defined({ about: title, says, fix });
  const last = tallies.findLast(({ host }) => host === setup.name);
  const untrusted = isTrusted ? configured.filter((file) => !isTrusted(file, home, process.env)) : [];
  return [
    about(program === undefined ? "its program is not on the path" : `its program is ${program}`),
    configured.length === 0
      ? { ...about("it does not use compaction-rules in this project"), hint: commandFor(setup) }
      : about(`configured in ${configured.map(shownPath).join(", ")}${isTrusted && untrusted.length === 0 ? ", trusted" : ""}`),
    ...flawsOf(setup, configured, toolsGuarded(project)).map(([says, fix]) => about(says, fix)),
    ...configured.flatMap((file) => proveAgent(here, file, project, againFor(setup))).map(({ says, fix }) => about(says, fix)),
    ...untrusted.map((file) =>
      about(`its user has not trusted ${shownPath(file)} yet`, ("next" in setup && setup.next?.()) || ""),
    ),
    ...(last ? [about(`the last compaction, ${last.time}: ${receiptOf(last)}`, last.fault && validateHint())] : []),
    ...(!last && configured.length > 0 ? [about("no compaction in this project yet")] : []),
  ];
}

/** Writes the entries anew. */
const againFor = (setup: AgentHere["setup"]) => `${commandFor(setup)} --remove, and again without --remove`;
const validateHint = () => `${ownProgram()} validate`;

/** The agents whose settings in this project have our hooks, but not all of them. */
export function lackingHooks(project: string): readonly { readonly says: string; readonly fix: string }[] {
  const home = homeFolder() ?? "";
  return SETUPS.flatMap((setup) => {
    const files = setup.agent.settings(home, project, process.env).filter((file) => namesUs(setup.agent, file));
    return flawsOf(setup, files, toolsGuarded(project)).map(([says, fix]) => ({ says, fix }));
  });
}

type Flaw = readonly [says: string, fix: string];

/** Those of each file, and of an agent that has us only as a plugin, which hears of no calls. */
function flawsOf(setup: AgentHere["setup"], files: readonly string[], guarded: readonly string[]): readonly Flaw[] {
  const flaws = files.flatMap((file) => flawsIn(setup, file, guarded));
  const calls = "install" in setup ? [] : setup.entries(undefined, guarded).filter(({ missingIn }) => missingIn !== undefined);
  if (flaws.length > 0 || files.length === 0 || calls.length === 0) return flaws;
  const textOf = (file: string) => readRegular(file, PACK_BYTES).toString("utf8");
  const hears = (file: string) => orUndefined(() => hasEntry({ name: file, text: textOf(file), byHand: "" }, calls)) === true;
  return files.some(hears) ? [] : [[`${setup.agent.title} has the plugin, but no hook before calls`, commandFor(setup)]];
}

function flawsIn(setup: AgentHere["setup"], file: string, guarded: readonly string[]): readonly Flaw[] {
  if (!/\.jsonc?$/.test(file)) return [];
  const name = shownPath(file);
  const text = readRegular(file, PACK_BYTES).toString("utf8");
  const parsed = parseJsonc(text);
  if ("flaw" in parsed)
    return [[`${name} cannot be parsed: ${parsed.flaw}`, `look at line ${text.slice(0, parsed.offset).split("\n").length}`]];
  const entries = "install" in setup ? [] : setup.entries(undefined, guarded);
  const here = entries.filter((entry) => orUndefined(() => hasEntry({ name, text, byHand: "" }, [entry])) === true);
  const missing = entries.flatMap(({ path, missingIn, isOurs }) => {
    const groups = asList(path.reduce<unknown>((value, key) => asFields(value)[key], parsed.value)).filter(isOurs);
    return missingIn ? groups.flatMap(missingIn) : [];
  });
  if (missing.length > 0) return [[`${name} leaves out guarded tools: ${missing.join(", ")}`, againFor(setup)]];
  return here.length > 0 && here.length < entries.length
    ? [[`${name} has only ${here.length} of ${entries.length} hooks`, commandFor(setup)]]
    : [];
}

function ofRules(project: string): readonly Finding[] {
  const { enabled, diagnostics, rules, file } = loadRules(project);
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const where = file === undefined ? "the built-in ones" : `those of ${shownPath(file)}`;
  return [
    { about: "rules", says: `${where}; ${rules.rules.length + rules.redactions.length} rules, ${rules.signals.size} signals` },
    ...(errors > 0 ? [{ about: "rules", says: counted(errors, "error"), fix: validateHint() }] : []),
    ...unusedConfigs(project).map(({ at, message, hint = "" }) => {
      return { about: "rules", says: `${shownPath(at?.file ?? "")}: ${message}`, hint };
    }),
    ...(enabled ? [] : [{ about: "rules", says: SWITCHED_OFF }]),
  ];
}

function ofGuards(project: string, agents: readonly AgentHere[]): readonly Finding[] {
  const loaded = loadRules(project);
  const guards = guardSets(loaded, project).flatMap((set) => set.guards);
  const untrusted = guards.filter((guard) => guard.untrusted).map(({ id }) => masked(id));
  if (guards.length === 0) return [];
  const about = "guards";
  const unread = readUnread();
  const untold = `only tell until you trust their pack: ${untrusted.join(", ")}`;
  return [
    { about, says: counted(guards.length, "guard") },
    ...(untrusted.length > 0 ? [{ about, says: untold, hint: `${ownProgram()} trust` }] : []),
    ...agents.flatMap(({ setup: { agent }, configured }) =>
      configured.length > 0 && agent.guards !== undefined ? [{ about, says: `${agent.title}: ${agent.guards}` }] : [],
    ),
    ...(unread > 0 ? [{ about, says: `${counted(unread, "call")} could not be read, so no guard spoke there` }] : []),
  ];
}

function ofState(): readonly Finding[] {
  const about = "data";
  const folder = stateFolder();
  const fix = "look at it, and remove it";
  return [
    folder === undefined ? { about, says: NO_FOLDER, fix: "set XDG_STATE_HOME" } : { about, says: `is stored in ${folder}` },
    ...listAside().map((file) => ({ about, says: `${file} could not be read and was set aside`, fix })),
  ];
}

function toText(findings: readonly Finding[], { bold, red, green }: Colours): string {
  const lineOf = ({ says, fix, hint }: Finding) => {
    const next = fix ?? hint;
    return `  ${fix === undefined ? says : red(says)}${next === undefined ? "" : `\n    → ${green(next)}`}`;
  };
  const groups = [...groupBy(findings, ({ about }) => about)];
  return groups.map(([title, own]) => `${bold(title)}\n${own.map(lineOf).join("\n")}\n`).join("");
}
