// What init writes into the configuration of an agent. Each host says where its entries go and what they say.
import { lastingFolder, PACKAGE } from "../files/own-package.js";
import type { AgentDatabase } from "../recall/listed.js";
import { shellWord } from "../text/forms.js";
import { asFields, asList, asText } from "../text/json.js";

export interface HostEntry {
  /** The keys that lead to the list or map. */
  readonly path: readonly string[];
  /** The entry's own key, in a map. */
  readonly key?: string;
  /** It is a table of a TOML file: its value is its text. */
  readonly table?: true;
  readonly text: string;
  /** Does an existing entry have the same effect? */
  readonly isOurs: (value: unknown) => boolean;
  /** Is the entry exactly as init writes it? Nothing else is removed. */
  readonly isWritten: (value: unknown) => boolean;
  /** The tools that an existing entry of ours leaves out. */
  readonly missingIn?: (value: unknown) => readonly string[];
}

/** The program as it is installed in the project, with slashes. No path of this machine: others have the same files. */
export interface Installed {
  /** From the folder of the agent's files. */
  readonly path: string;
  /** From the root of the repository. */
  readonly rooted: string;
  /** The plugin of OpenCode, from the folder of the agent's files. */
  readonly server?: string;
}

/** An agent on this machine: what it is called, how it is started, and where it keeps its sessions. */
export interface Agent {
  readonly title: string;
  readonly program: string;
  /** Starts it with a first message, which follows. */
  readonly starts: string;
  readonly folder: (home: string, environment: NodeJS.ProcessEnv) => string;
  /** Files of the user and of a project that may name our program. */
  readonly settings: (home: string, project: string, environment: NodeJS.ProcessEnv) => readonly string[];
  /** Does the agent run what this file of settings names? For an agent that asks its user first. */
  readonly isTrusted?: (file: string, home: string, environment: NodeJS.ProcessEnv) => boolean;
  /** Does a file of settings name our package? By default if it has its name. */
  readonly names?: (text: string, file: string) => boolean;
  /** Is this file below the folder a session? Undefined if the sessions are in a database. */
  readonly isSession?: (path: string) => boolean;
  /** A session without any of these texts has no compaction. */
  readonly marks: readonly string[];
  /** What its guards cannot do, and what they do instead. */
  readonly guards?: string;
  /** Where in the folder its sessions are, if they are in a database. */
  readonly database?: AgentDatabase;
}

export interface HostFiles {
  readonly name: string;
  /** Tells these entries apart from others in the same file. */
  readonly part?: string;
  /** The files that the agent reads. The first is created if none exists. */
  readonly files: readonly string[];
  readonly fresh: string;
  /** @param installed undefined if the agent must find the program on its path
   * @param guarded names of the tools that guards are for; undefined for any */
  readonly entries: (installed: Installed | undefined, guarded?: readonly string[]) => readonly HostEntry[];
  /** The effect of a file with our entry. */
  readonly does: string;
  readonly otherForm: string;
  readonly byHand: string;
  readonly starts?: true;
  /** The folders whose files the agent reads: by default the one in which it is started. */
  readonly reads?: "above" | "root";
  /** Folders of which the agent loads every file. */
  readonly loads?: readonly string[];
  /** What the agent still needs from the user. */
  readonly next?: () => string;
  /** For an agent that takes a path and no program: where that goes if the project does not have the program. These are files
   * of the user's own, so they may name a path of this machine. */
  readonly own?: (server: string, home: string, environment: NodeJS.ProcessEnv) => OwnFiles;
}

export type OwnFiles = Pick<HostFiles, "files" | "entries" | "byHand"> & { readonly folder: string };

export type HostSetup = HostFiles & { readonly agent: Agent };

/** For an agent that installs packages itself: the commands that do it. */
export interface OwnInstaller {
  readonly name: string;
  readonly agent: Agent;
  readonly install: () => string;
  readonly remove: () => string;
}

export { PACKAGE };
export const BIN = `node_modules/.bin/${PACKAGE}`;
export const EMPTY_MAP = "{\n}\n";

/** Puts the program on the path: from where it runs now, as the package may be in no registry. */
export const installCommand = (): string => `npm install --global ${shellWord(lastingFolder() ?? PACKAGE)}`;

/** Seconds until the agent ends a hook: more than the hook's own deadline. */
const HOOK_SECONDS = 20;
/** Agents give all hooks together no more at the end of a session. */
const END_SECONDS = 3;
const EVENTS: Readonly<Record<string, number>> = {
  PreCompact: HOOK_SECONDS,
  SessionStart: HOOK_SECONDS,
  PostCompact: HOOK_SECONDS,
  SessionEnd: END_SECONDS,
};

const ANY_TOOL = "*";

/** The event before a call. A hook for it is written only if there are guards, and only for their tools. */
interface CallEvents {
  readonly events: readonly string[];
  /** In the agent's own unit. */
  readonly time: number;
  /** Ends the command where a hook that fails would refuse the call. */
  readonly end?: string;
  /** How the agent's own tools, and those of its servers, are named: by default as in most agents. */
  readonly tools?: RegExp;
}
const USUAL_TOOLS = /^(?:[A-Z]\w*$|mcp__)/;

/** @param startOf how the agent starts the installed program, for a shell
 * @param events the time for each, in the agent's own unit */
export function hookSetup(
  name: string,
  agent: Agent,
  file: string,
  startOf: (installed: Installed) => string,
  events = EVENTS,
  calls?: CallEvents,
): HostSetup {
  const call = `hook ${name}`;
  const entryOf = (program: string, event: string, rest: string, seconds: number, tools?: readonly string[]): HostEntry => {
    // Earlier versions wrote the program's other name.
    const ends = new RegExp(`compaction(?:-rules)?(?:\\.cmd)?["']? ${rest.replace(/\W/g, "\\$&")}$`);
    /** For each command of a group of hooks: is it ours? */
    const ours = (group: unknown) => asList(asFields(group).hooks).map((hook) => ends.test(asText(asFields(hook).command) ?? ""));
    const command = JSON.stringify(`${program} ${rest}`);
    const matcher = tools ? `"matcher": ${JSON.stringify(tools.join("|"))}, ` : "";
    const listed = (group: unknown) => (asText(asFields(group).matcher) ?? ANY_TOOL).split("|");
    return {
      path: ["hooks", event],
      text: `{ ${matcher}"hooks": [{ "type": "command", "command": ${command}, "timeout": ${seconds} }] }`,
      isOurs: (group) => ours(group).includes(true),
      isWritten: (group) => ours(group).includes(true) && !ours(group).includes(false),
      ...(tools && {
        missingIn: (group) => (listed(group).includes(ANY_TOOL) ? [] : tools.filter((tool) => !listed(group).includes(tool))),
      }),
    };
  };
  return {
    name,
    agent,
    files: [file],
    fresh: EMPTY_MAP,
    entries: (installed, guarded) => {
      const program = installed ? startOf(installed) : PACKAGE;
      const usual = Object.entries(events).map(([event, seconds]) => entryOf(program, event, call, seconds));
      const tools = calls && (guarded?.filter((tool) => (calls.tools ?? USUAL_TOOLS).test(tool)) ?? [ANY_TOOL]);
      if (!calls || !tools || tools.length === 0) return usual;
      const rest = `${call} --call${calls.end ?? ""}`;
      return [...usual, ...calls.events.map((event) => entryOf(program, event, rest, calls.time, tools))];
    },
    does: `runs ${PACKAGE} ${call}`,
    otherForm: "together with other commands",
    byHand: `add the hooks by hand: ${PACKAGE} ${call} answers them`,
    starts: true,
  };
}

// What init --mcp writes into the configuration of an agent: how it starts our MCP server.

interface McpFiles {
  readonly name: string;
  readonly files: readonly string[];
  readonly fresh?: string;
  readonly servers: string;
  readonly startOf: (installed: Installed) => string;
  readonly textOf?: (program: string) => string;
  readonly reads?: HostFiles["reads"];
  readonly next?: HostFiles["next"];
}

/** For an agent whose configuration is JSON. */
export function mcpSetup({ textOf = usualText, fresh = EMPTY_MAP, ...files }: McpFiles): HostFiles {
  const isWritten = (value: unknown) => {
    const { command } = asFields(value);
    const program = asText(command) ?? asText(asList(command)[0]) ?? "";
    return isProgram(program) && JSON.stringify(value) === JSON.stringify(JSON.parse(textOf(JSON.stringify(program))));
  };
  return mcpFiles({ ...files, fresh }, { textOf, isWritten });
}

/** For an agent whose configuration is TOML: a table at its end. */
export function mcpTable(files: Omit<McpFiles, "fresh" | "textOf">): HostFiles {
  const textOf = (program: string) => `[${files.servers}.${PACKAGE}]\ncommand = ${program}\nargs = ["mcp"]\n`;
  const isWritten = (text: unknown) => {
    const lines = String(text).trim().split(/\r?\n/);
    const [, program = ""] = /^command = (".*")$/.exec(lines[1] ?? "") ?? [];
    return isProgram(program.slice(0, -1)) && `${lines.join("\n")}\n` === textOf(program);
  };
  return mcpFiles({ ...files, fresh: "" }, { table: true, textOf, isWritten });
}

type McpEntry = Pick<HostEntry, "table" | "isWritten"> & { readonly textOf: (program: string) => string };

const mcpFiles = ({ servers, startOf, ...files }: McpFiles & { fresh: string }, { textOf, ...entry }: McpEntry): HostFiles => ({
  part: "mcp",
  does: `starts ${PACKAGE} mcp`,
  otherForm: "with other settings",
  byHand: `add the server by hand: ${PACKAGE} mcp starts it`,
  starts: true,
  ...files,
  entries: (installed) => {
    const text = textOf(JSON.stringify(installed ? startOf(installed) : PACKAGE));
    // There can be only one entry with our key, so each is ours.
    return [{ path: [servers], key: PACKAGE, text, isOurs: () => true, ...entry }];
  },
});

const isProgram = (path: string) => path.endsWith(PACKAGE);

const usualText = (program: string) => `{ "command": ${program}, "args": ["mcp"] }`;
