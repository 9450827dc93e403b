// compaction handoff: everything that another agent or person needs to go on with the work of a session.

import { basename, resolve } from "node:path";
import { projectHome } from "../../files/folders.js";
import { withOwnTemplates } from "../../hosts/host-rules.js";
import { SETUPS } from "../../hosts/hosts.js";
import { renderForModel } from "../../hosts/neutral.js";
import { ownProgram } from "../../hosts/own-program.js";
import { isOfProject } from "../../recall/listed.js";
import { isInstant } from "../../render/template-fields.js";
import { messageNames } from "../../source/session/messages.js";
import { shellWord } from "../../text/forms.js";
import { listSessions } from "../first/agents-here.js";
import { type Arguments, oneOf, oneSession, wholeNumber } from "../input/arguments.js";
import { extractFrom, type Input, inputOf, listedInput, STANDARD_INPUT } from "../input/open-session.js";
import { findTemplate, isOff, requireFolder, rulesFor } from "../input/project.js";
import { CommandError, print, printJson, say, warn } from "../output/terminal.js";
import { writeOut } from "../output/write-out.js";

const AGENTS = new Map(SETUPS.map(({ name, agent }) => [name as string, agent]));

export function handoff(given: Arguments): undefined {
  const { values, flags, positionals } = given;
  const project = requireFolder(values.project ?? process.cwd());
  const to = values.to === undefined ? undefined : AGENTS.get(oneOf(given, "to", [...AGENTS.keys()], ""));
  if (to && positionals[0] === STANDARD_INPUT && values.out === undefined)
    throw new CommandError("standard input can be read only once", "write the handoff to a file with --out");
  const loaded = withOwnTemplates(rulesFor(project));
  if (isOff(loaded)) return undefined;
  const template = findTemplate("handoff", loaded);
  const tokens = wholeNumber(given, "tokens") ?? template.tokens;
  const input = positionals.length > 0 ? inputOf(oneSession(positionals)) : newestIn(project);
  const { session, extraction } = extractFrom(input, { loaded, project, format: values.format }, () => {});
  const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
  // The agent is started in either folder.
  const program = ownProgram(process.cwd(), project);
  const context = { names: messageNames(session), project: basename(resolve(project)), now, program };
  const { text, entries, hidden } = renderForModel(extraction, template, loaded.rules, { ...context, tokens });
  if (entries === 0) throw new CommandError(`${input.shown}: nothing was found that could be handed over`);
  if (values.out !== undefined) writeOut(values.out, text);
  // Started without a file, the agent gets what this command prints.
  const source = values.out === undefined ? commandLine(program, positionals, values) : `cat ${shellWord(values.out)}`;
  const command = to && `${to.starts} "$(${source})"`;
  if (flags.json) printJson({ version: 1, session: session.id, path: input.shown, text, hidden, ...(command && { command }) });
  else if (command) say(`${command}\n`);
  else if (values.out === undefined) print(text);
  if (values.out !== undefined) warn(`wrote ${values.out}\n`);
  return undefined;
}

export function newestIn(project: string): Input {
  const isOurs = isOfProject(projectHome(project));
  const found = listSessions().find((one) => !one.isClosed && isOurs(one));
  if (!found) throw new CommandError("no agent on this machine has a session of this project", "name a session file");
  return listedInput(found);
}

function commandLine(program: string, [path]: readonly string[], values: Arguments["values"]): string {
  const options = ["project", "format", "tokens"].flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, shellWord(value)];
  });
  return [`${program} handoff`, ...(path === undefined ? [] : [shellWord(path)]), ...options].join(" ");
}
