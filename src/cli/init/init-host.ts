// compaction init --host: adds the plugin, the hooks or the MCP server to the project's configuration of an agent, or removes them.

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { homeFolder, projectRoot } from "../../files/folders.js";
import { lastingFolder, PACKAGE, SERVER } from "../../files/own-package.js";
import { guardedTools, guardSets } from "../../hosts/calls/prepare.js";
import { MCP_SETUPS, SETUPS } from "../../hosts/hosts.js";
import { ownProgram } from "../../hosts/own-program.js";
import { BIN, type HostFiles, type Installed, installCommand, type OwnInstaller } from "../../hosts/setup.js";
import { loadRules } from "../../rules/load-rules.js";
import { shellWord } from "../../text/forms.js";
import { commonEnds } from "../../text/lists.js";
import { findProgram } from "../first/agents-here.js";
import { type Arguments, oneOf } from "../input/arguments.js";
import { requireFolder } from "../input/project.js";
import { type Colours, CommandError, coloursOf, EXIT, say } from "../output/terminal.js";
import { additions, configuredAbove, type HostChange, removals, writeHostFile } from "./host-changes.js";
import { installedIn, isTracked } from "./host-entries.js";

export type Given = Pick<Arguments, "values" | "flags">;

/** What init would do for an agent. */
interface HostPlan {
  readonly kind: HostFiles;
  readonly folder: string;
  readonly shown: (file: string) => string;
  readonly changes: readonly HostChange[];
  /** Why there are no changes. */
  readonly idle?: string;
  /** What the agent still needs from the user. */
  readonly needs: readonly string[];
  /** Does the entry name a program of the project? */
  readonly isInstalled: boolean;
}

const INSTALLED = "node_modules/";

export function initHost(given: Given): number {
  const { values, flags } = given;
  const { yes = false, remove = false, mcp = false } = flags;
  const setups = mcp ? MCP_SETUPS : SETUPS;
  const named = setups.map((setup) => setup.name);
  const host = oneOf(given, "host", named, "");
  if (values.name !== undefined) throw new CommandError("--name cannot be used with --host", `see ${ownProgram()} init --help`);
  const kind = setups[named.indexOf(host)] as (typeof setups)[number];
  requireFolder(values.project ?? ".");
  if ("install" in kind) {
    say(`${host} ${ownInstall(kind, remove)}\n`);
    return EXIT.fine;
  }
  const plan = planHost(kind, given);
  if (plan.idle !== undefined) say(`${plan.idle}\n`);
  if (yes) writePlan(plan);
  say(planText(plan, yes));
  if (plan.changes.length === 0) return EXIT.fine;
  const call = `--host ${host}${mcp ? " --mcp" : ""}`;
  if (!yes) say(notYet(call, given));
  say(plan.needs.map((need) => `\n${need}\n`).join(""));
  return EXIT.fine;
}

export const ownInstall = (kind: OwnInstaller, remove: boolean) =>
  `${remove ? "removes" : "installs"} it itself:\n  ${remove ? kind.remove() : kind.install()}`;

export function planHost(kind: HostFiles, given: Given): HostPlan {
  const plan = planIn(kind, given);
  const own = ownPlan(kind, given, plan);
  return own ?? plan;
}

/** The plan for the user's own files, if the project's have no place for the entry: its program is not in the project. */
function ownPlan(kind: HostFiles, { values: { project = "." }, flags: { remove } }: Given, plan: HostPlan): HostPlan | undefined {
  const [install, home] = [lastingFolder(), homeFolder()];
  const isHere = remove ? plan.changes.length > 0 : plan.idle !== undefined || plan.isInstalled;
  if (!kind.own || install === undefined || home === undefined || isHere) return undefined;
  const { folder, ...own } = kind.own(join(install, SERVER), home, process.env);
  const { loads: _, ...files } = { ...kind, ...own };
  const shown = (file: string) => join("~", relative(home, join(folder, file))).replaceAll("\\", "/");
  const entries = files.entries(undefined);
  const found = remove ? removals(files, entries, folder, shown, [entries]) : additions(files, entries, folder, shown);
  const needs = remove
    ? []
    : [`It is for all your projects. In one that must not have it, write enabled: false into ${join(project, ".compactionrc")}.`];
  const made = { kind: files, folder, shown, changes: [], needs, isInstalled: false };
  return typeof found === "string" ? { ...made, idle: found } : { ...made, changes: found };
}

function planIn(kind: HostFiles, { values, flags }: Given): HostPlan {
  const { project = "." } = values;
  const { remove = false, mcp = false } = flags;
  const started = realpathSync(project);
  const root = projectRoot(started);
  const folder = kind.reads === "root" ? root : started;
  const program = installedIn(started);
  const tracked = program !== undefined && isTracked(program, root);
  const installed = program === undefined || tracked ? undefined : installedAt(program, folder, root);
  // The server's entry is the same with and without guards.
  const guarded = mcp ? [] : toolsGuarded(started);
  const entries = kind.entries(installed, remove ? undefined : guarded);
  const shown = (file: string) => join(project, relative(started, folder), file).replaceAll("\\", "/");
  const plan = { kind, folder, shown, changes: [], needs: [], isInstalled: entries.some(({ text }) => text.includes(INSTALLED)) };
  const above = remove ? undefined : configuredAbove(kind, entries, started, root);
  if (above !== undefined) {
    const file = join(project, relative(started, above)).replaceAll("\\", "/");
    return { ...plan, idle: `${file} ${kind.does} already: nothing to do` };
  }
  // Guards may have changed since init wrote the file.
  const written = [guarded, []].map((tools) => kind.entries(installed, tools));
  const changes = remove ? removals(kind, entries, folder, shown, written) : additions(kind, entries, folder, shown);
  if (typeof changes === "string") return { ...plan, idle: changes };
  if (remove) return { ...plan, changes };
  const needs: string[] = [];
  if (kind.starts && tracked) needs.push(`${relative(started, program)} may have come with this project, so it is not used.`);
  if (kind.starts && !entries.some(({ text }) => text.includes(BIN)) && findProgram(PACKAGE, process.env) === undefined)
    needs.push(`The agent must find compaction-rules on its path: ${installCommand()}`);
  if (kind.starts && folder !== root) {
    const again = `${ownProgram()} init --host ${kind.name}${mcp ? " --mcp" : ""} --project`;
    const below = kind.reads === "above" ? " or below" : "";
    needs.push(
      `The agent reads it only when it is started in this folder${below}. For the repository's folder:\n  ${again} ${shellWord(join(project, relative(started, root)))} --yes`,
    );
  }
  return { ...plan, changes, needs: kind.next ? [...needs, kind.next()] : needs };
}

/** The tools that guards of the project, of the user's own settings or of pins are for. */
export function toolsGuarded(folder: string): readonly string[] {
  const loaded = loadRules(folder);
  return [...new Set(guardSets(loaded, folder).flatMap(({ guards, rules }) => guardedTools(guards, rules)))];
}

function installedAt(program: string, folder: string, root: string): Installed {
  const from = (place: string, file = program) => relative(place, file).replaceAll("\\", "/");
  const server = join(dirname(program), "..", PACKAGE, SERVER);
  return {
    path: from(folder),
    rooted: from(root),
    ...(existsSync(server) && { server: from(folder, server).replace(/^(?!\.)/, "./") }),
  };
}

export function writePlan({ kind, folder, changes }: HostPlan): void {
  for (const change of changes) writeHostFile(folder, change, kind.part);
}

/** Each change, in colour. @param isDone it is written already */
export function planText({ changes, shown }: Pick<HostPlan, "changes" | "shown">, isDone: boolean): string {
  const colours = coloursOf();
  const lines = changes.map(({ name, before = "", after }) => {
    const [would, done] = after === undefined ? ["would remove", "removed"] : ["would write", "wrote"];
    return `${isDone ? colours.green(done) : would} ${shown(name)}\n${showChanges(before, after ?? "", colours)}`;
  });
  return lines.join("");
}

/** @param call the options that name the agents */
export function notYet(call: string, { values: { project = "." }, flags: { remove } }: Given): string {
  const where = project === "." ? "" : ` --project ${shellWord(project)}`;
  return `\nNothing is written yet; this does it:\n  ${ownProgram()} init ${call}${remove ? " --remove" : ""}${where} --yes\n`;
}

const NEIGHBOURS = 2;
/** Lines of a new text that are shown. No configuration is longer, a skill is. */
const SHOWN_LINES = 20;

/** The changed lines with their neighbours, as one block: init edits one place. */
function showChanges(before: string, after: string, { red, green, dim }: Colours): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const { start: head, end: tail } = commonEnds(old, now);
  const cut = (lines: readonly string[]) => {
    const more = lines.length - SHOWN_LINES;
    return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… (${more} more lines)`] : lines;
  };
  const marked = (mark: string, lines: readonly string[]) => cut(lines).map((line) => `  ${mark} ${line}`.trimEnd());
  const shown = [
    ...marked(" ", now.slice(Math.max(0, head - NEIGHBOURS), head)).map(dim),
    ...marked("-", old.slice(head, old.length - tail)).map(red),
    ...marked("+", now.slice(head, now.length - tail)).map(green),
    ...marked(" ", now.slice(now.length - tail).slice(0, NEIGHBOURS)).map(dim),
  ];
  return shown.map((line) => `${line}\n`).join("");
}

const linesOf = (text: string) =>
  text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .filter((line, _, all) => line !== "" || all.length > 1);
