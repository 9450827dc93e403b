// compaction init --skill: puts the skill that writes rules where the agents look for skills, or removes it.

import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { rulesFolder } from "../../config/load-pack.js";
import { homeFolder } from "../../files/folders.js";
import { SKILL_FOLDERS } from "../../hosts/hosts.js";
import { ownProgram, withOwnProgram } from "../../hosts/own-program.js";
import { findAgents } from "../first/agents-here.js";
import { oneOf } from "../input/arguments.js";
import { requireFolder } from "../input/project.js";
import { CommandError, EXIT, say } from "../output/terminal.js";
import { type HostChange, readHostFile, undone, writeHostFile } from "./host-changes.js";
import { type Given, notYet, planText } from "./init-host.js";

const SKILL = "write-rules/SKILL.md";

export function initSkill(given: Given): number {
  const { values, flags } = given;
  const { project = ".", host } = values;
  const { all = false, remove = false, yes = false } = flags;
  const other = [...(flags.mcp ? ["mcp"] : []), ...(values.name === undefined ? [] : ["name"])][0];
  if (other) throw new CommandError(`--${other} cannot be used with --skill`, `see ${ownProgram()} init --help`);
  const folder = realpathSync(requireFolder(project));
  const shown = (file: string) => join(project, file).replaceAll("\\", "/");
  // An agent runs its commands inside the project.
  const text = withOwnProgram(readFileSync(join(rulesFolder, "..", "skills", SKILL), "utf8"), folder);

  const changes = [...new Set(agentsOf(given, folder))].flatMap((place): readonly HostChange[] => {
    const name = `${place}/${SKILL}`;
    const { text: before, foreign } = readHostFile(folder, name);
    // An earlier version that init wrote is replaced, what somebody changed is not.
    const isOurs = before === undefined || before === text || undone(join(folder, name), SKILL, before) !== undefined;
    if (foreign || !isOurs)
      throw new CommandError(
        `${shown(name)} ${foreign ? "leads outside the project" : "was changed"}: nothing was written`,
        "remove it by hand, and run this again",
      );
    const after = remove ? undefined : text;
    return before === after ? [] : [{ name, before, after, undo: [] }];
  });
  if (yes) for (const change of changes) writeHostFile(folder, change, SKILL);
  say(
    changes.length > 0
      ? planText({ changes, shown }, yes)
      : `the skill is ${remove ? "not there" : "there already"}: nothing to do\n`,
  );
  const call = `${all ? "--all " : ""}${host === undefined ? "" : `--host ${host} `}--skill`;
  if (changes.length > 0 && !yes) say(notYet(call, given));
  return EXIT.fine;
}

/** The folders of the agent that is named, of those on this machine, or of all. */
function agentsOf(given: Given, folder: string): readonly string[] {
  const { values, flags } = given;
  const known = Object.keys(SKILL_FOLDERS);
  // What is undone may be of an agent that is gone.
  const here = () => findAgents(homeFolder() ?? "", folder, process.env).map(({ setup }) => setup.name);
  const agents = values.host !== undefined ? [oneOf(given, "host", known, "")] : flags.all && !flags.remove ? here() : known;
  return agents.flatMap((agent) => SKILL_FOLDERS[agent] ?? []);
}
