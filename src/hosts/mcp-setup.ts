// What init --mcp writes into the configuration of an agent: how it starts our MCP server.
import { asList, asText, isFields } from "../source/session/parse-json.js";
import { EMPTY_MAP, type HostFiles, type Installed, PACKAGE } from "./setup.js";

export interface McpFiles {
  readonly name: string;
  readonly files: readonly string[];
  readonly fresh?: string;
  /** The key of all servers. */
  readonly servers: string;
  /** How the agent starts the installed program. */
  readonly startOf: (installed: Installed) => string;
  /** The entry. @param program as JSON */
  readonly textOf?: (program: string) => string;
  readonly reads?: HostFiles["reads"];
  readonly next?: string;
}

/** For an agent whose configuration is JSON. */
export function mcpSetup({ servers, startOf, textOf = usualText, fresh = EMPTY_MAP, ...more }: McpFiles): HostFiles {
  const isWritten = (value: unknown) => {
    const { command } = isFields(value) ? value : {};
    const program = asText(command) ?? asText(asList(command)[0]) ?? "";
    return isProgram(program) && JSON.stringify(value) === JSON.stringify(JSON.parse(textOf(JSON.stringify(program))));
  };
  return {
    ...common,
    ...more,
    fresh,
    entries: (installed) => [
      {
        path: [servers],
        key: PACKAGE,
        text: textOf(JSON.stringify(installed ? startOf(installed) : PACKAGE)),
        // There can be only one with this key.
        isOurs: () => true,
        isWritten,
      },
    ],
  };
}

/** For an agent whose configuration is TOML: a table at its end. */
export function mcpTable({ servers, startOf, ...more }: Omit<McpFiles, "fresh" | "textOf">): HostFiles {
  const heading = `[${servers}.${PACKAGE}]`;
  return {
    ...common,
    ...more,
    fresh: "",
    entries: (installed) => [
      {
        path: [servers],
        key: PACKAGE,
        table: true,
        text: `${heading}\ncommand = ${JSON.stringify(installed ? startOf(installed) : PACKAGE)}\nargs = ["mcp"]\n`,
        isOurs: () => true,
        isWritten: (text) => {
          const [first, command = "", ...rest] = String(text).trim().split(/\r?\n/);
          return (
            first === heading &&
            /^command = ".*"$/.test(command) &&
            isProgram(command.slice(0, -1)) &&
            rest.join() === 'args = ["mcp"]'
          );
        },
      },
    ],
  };
}

const common = {
  part: "mcp",
  does: `starts ${PACKAGE} mcp`,
  otherForm: "with other settings",
  byHand: `add the server by hand: ${PACKAGE} mcp starts it`,
  starts: true,
} as const;

const isProgram = (path: string) => path.endsWith(PACKAGE);

const usualText = (program: string) => `{ "command": ${program}, "args": ["mcp"] }`;
