// compaction init --all: wires every agent of this machine, and undoes all of it.

import { resolve } from "node:path";
import { homeFolder } from "../../files/folders.js";
import { MCP_SETUPS, SETUPS } from "../../hosts/hosts.js";
import { ownProgram } from "../../hosts/own-program.js";
import { findAgents } from "../first/agents-here.js";
import type { Arguments } from "../input/arguments.js";
import { requireFolder } from "../input/project.js";
import { ask, CommandError, coloursOf, EXIT, say, warn } from "../output/terminal.js";
import { notYet, ownInstall, planHost, planText, writePlan } from "./init-host.js";

export async function initAll(given: Pick<Arguments, "values" | "flags">): Promise<number> {
  const { values, flags } = given;
  const { yes = false, remove = false, mcp = false } = flags;
  for (const option of ["host", "name"] as const)
    if (values[option] !== undefined)
      throw new CommandError(`--${option} cannot be used with --all`, `see ${ownProgram()} init --help`);
  const project = resolve(requireFolder(values.project ?? "."));
  const agents = findAgents(homeFolder() ?? "", project, process.env).map(({ setup }) => setup);
  if (agents.length === 0)
    throw new CommandError("none of the known agents is on this machine", `${ownProgram()} init --host NAME`);
  const here = new Set(agents.map(({ name }) => name));
  const { bold, red } = coloursOf();
  const titled = (name: string) => bold(SETUPS.find((setup) => setup.name === name)?.agent.title ?? name);

  // Whatever is undone may be of an agent that is gone.
  const setups = (mcp ? MCP_SETUPS : SETUPS).filter(({ name }) => remove || here.has(name));
  const failed: string[] = [];
  const plans = setups.flatMap((kind) => {
    if ("install" in kind) {
      if (here.has(kind.name)) say(`${titled(kind.name)}: ${ownInstall(kind, remove)}\n`);
      return [];
    }
    try {
      const plan = planHost(kind, given);
      if (plan.idle !== undefined && !remove) say(`${titled(kind.name)}: ${plan.idle}\n`);
      return plan.changes.length > 0 ? [plan] : [];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failed.push(kind.name);
      warn(`${titled(kind.name)}: ${red(error.message)}\n${error.hint ? `  → ${error.hint}\n` : ""}`);
      return [];
    }
  });

  for (const plan of plans) say(`${titled(plan.kind.name)}: ${planText(plan, false)}`);
  const status = failed.length > 0 ? EXIT.findings : EXIT.fine;
  if (plans.length === 0) {
    if (failed.length === 0) say("Nothing to do.\n");
    return status;
  }
  const answer = yes ? "" : await ask(`${remove ? "Remove" : "Write"} all of this? [Y/n] `);
  if (answer === undefined) say(notYet(`--all${mcp ? " --mcp" : ""}`, given));
  else if (/^\s*n/i.test(answer)) say("Nothing is written.\n");
  else {
    for (const plan of plans) writePlan(plan);
    say(`Done for ${plans.map(({ kind }) => titled(kind.name)).join(", ")}.\n`);
  }
  for (const { kind, needs } of plans) say(needs.map((need) => `\n${titled(kind.name)}: ${need}\n`).join(""));
  return status;
}
