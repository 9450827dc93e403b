// What doctor proves: that an agent can load what its settings name. It starts the program, imports the plugin, and asks the MCP
// server. What may have come with the project is not run.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { homeFolder, inside, isFolder, orUndefined, projectRoot } from "../files/folders.js";
import { ownFolder, SERVER } from "../files/own-package.js";
import { readRegular } from "../files/regular-file.js";
import { installPlugin } from "../hosts/claude-code/claude-code.js";
import { MCP_SETUPS, piPackages } from "../hosts/hosts.js";
import { isPlugin } from "../hosts/opencode/setup.js";
import { BIN, type HostFiles, installCommand, PACKAGE } from "../hosts/setup.js";
import { PACK_BYTES } from "../limits.js";
import { asFields, asList, asText, parseJson } from "../text/json.js";
import { type AgentHere, findProgram } from "./first/agents-here.js";
import { installedIn, isTracked } from "./init/host-entries.js";
import { parseJsonc } from "./init/jsonc.js";
import { shownPath } from "./output/report.js";

export interface Proof {
  readonly says: string;
  /** It is broken: how to fix it. */
  readonly fix?: string;
}

const MILLISECONDS = 15_000;

/** @param file a file of settings that names our package */
export function proveAgent({ setup }: AgentHere, file: string, project: string, again: string): readonly Proof[] {
  const text = orUndefined(() => readRegular(file, PACK_BYTES).toString("utf8")) ?? "";
  if (setup.name === "pi")
    return piPackages(text, file).map(({ entry, folder }) =>
      folder === undefined
        ? { says: `${entry} is not tried: pi installs it itself` }
        : proveModule(join(folder, "dist/pi.js"), project, setup.name === "pi" && "install" in setup ? setup.install() : again),
    );
  if ("install" in setup) return [];
  const parsed = parseJsonc(text);
  const value = "flaw" in parsed ? undefined : asFields(parsed.value);
  if (setup.name === "opencode") {
    const entries = value ? asList(value.plugin).filter(isPlugin) : [file];
    return entries.map((entry) => provePlugin(String(asList(entry)[0] ?? entry), file, project, again));
  }
  const hooks = value ? hookCommands(setup, value) : [];
  return [...new Set(hooks)]
    .map((command) => proveProgram(programOf(command, project), ["hook", setup.name], project))
    .concat(setup.name === "claude-code" && value ? claudePlugins(value, setup) : []);
}

/** The commands of our hooks, without what follows the program. */
const hookCommands = (setup: HostFiles, value: Readonly<Record<string, unknown>>): readonly string[] =>
  setup.entries(undefined).flatMap(({ path, isOurs }) => {
    const groups = asList(path.reduce<unknown>((inner, key) => asFields(inner)[key], value)).filter(isOurs);
    const commands = groups.flatMap((group) => asList(asFields(group).hooks).map((hook) => asText(asFields(hook).command) ?? ""));
    return commands.flatMap((command) => /^(.*) hook [\w-]+/.exec(command)?.[1] ?? []);
  });

/** The file that a command of ours starts; undefined if it is not found. */
function programOf(command: string, project: string): string | undefined {
  if (command.includes(BIN)) return installedIn(project);
  const word = command.replace(/^["']|["']$/g, "");
  return isAbsolute(word) ? word : findProgram(word, process.env);
}

/** Whatever is in the project may have come with it, unless git says that it did not, or it is this program. */
function isForeign(file: string, project: string): boolean {
  const root = projectRoot(project);
  const own = ownFolder();
  if (!inside(file, root) || (own !== undefined && inside(file, own))) return false;
  return !existsSync(join(root, ".git")) || isTracked(file, root);
}

const notTried = (file: string): Proof => ({
  says: `${shownPath(file)} is not tried: it may have come with this project`,
});

function proveProgram(program: string | undefined, args: readonly string[], project: string): Proof {
  if (program === undefined) return { says: `the agent does not find ${PACKAGE}`, fix: installCommand() };
  if (isForeign(program, project)) return notTried(program);
  const isServer = args[0] === "mcp";
  const started = start(program, args, project, isServer ? ASK : '{ "hook_event_name": "Doctor" }\n');
  const fault = isServer && started.fault === undefined && !started.stdout.includes('"serverInfo"') ? NONE : started.fault;
  const what = isServer ? "the MCP server" : "the hook";
  return fault === undefined
    ? { says: `${what} answers: ${program}` }
    : { says: `${what} does not answer: ${program}: ${fault}`, fix: installCommand() };
}

const NONE = "it is another program";
const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "doctor", version: "1" } };
const ASK = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE })}\n`;

function start(program: string, args: readonly string[], cwd: string, input = "") {
  const shell = process.platform === "win32" && !program.endsWith(".exe");
  const options = { cwd, input, encoding: "utf8", timeout: MILLISECONDS, shell } as const;
  const { status, stdout, stderr, error } = spawnSync(program, [...args], options);
  const [line] = (stderr ?? "").trim().split("\n").slice(-1);
  // A program that ends without reading what it is told may still be ours.
  const fault = status === null ? (error?.message ?? "it is ended") : status === 0 ? undefined : line || `it ends with ${status}`;
  return { stdout: stdout ?? "", fault };
}

function provePlugin(entry: string, file: string, project: string, again: string): Proof {
  if (entry.startsWith("file:")) return proveModule(fileURLToPath(entry), project, again);
  if (isAbsolute(entry) || entry.startsWith(".")) return proveModule(resolve(dirname(file), entry), project, again);
  const fetched = join(process.env.XDG_CACHE_HOME || join(homeFolder() ?? "", ".cache"), "opencode", "packages");
  const [server] = (orUndefined(() => readdirSync(fetched)) ?? [])
    .filter((name) => name.startsWith(PACKAGE))
    .map((name) => join(fetched, name, "node_modules", PACKAGE, SERVER))
    .filter((path) => existsSync(path));
  if (server !== undefined) return proveModule(server, project, again);
  return { says: `OpenCode has not fetched "${entry}" from a registry of packages yet`, fix: again };
}

/** Imports it, in a process of its own. */
const IMPORT = `import(process.argv[1]).then(({ default: all }) => {
  if (typeof (all?.server ?? all) !== "function") throw new Error("${NONE}");
}).then(() => process.exit(0), (error) => {
  console.error(String(error?.message ?? error).split("\\n")[0]);
  process.exit(1);
})`;

function proveModule(path: string, project: string, fix: string): Proof {
  const file = isFolder(path) ? join(path, SERVER) : path;
  if (!existsSync(file)) return { says: `${shownPath(file)} is not there`, fix };
  if (isForeign(file, project)) return notTried(file);
  const { fault } = start(process.execPath, ["--input-type=module", "-e", IMPORT, pathToFileURL(file).href], project);
  return fault === undefined
    ? { says: `the plugin loads: ${file}` }
    : { says: `the plugin cannot be loaded: ${file}: ${fault}`, fix };
}

/** Plugins are installed for the user, whichever settings switch them on. */
function claudePlugins({ enabledPlugins }: Readonly<Record<string, unknown>>, { agent }: AgentHere["setup"]): readonly Proof[] {
  const folder = join(dirname(agent.folder(homeFolder() ?? "", process.env)), "plugins");
  const read = (name: string) =>
    asFields(parseJson(orUndefined(() => readRegular(join(folder, name), PACK_BYTES).toString("utf8")) ?? ""));
  const on = Object.entries(asFields(enabledPlugins)).filter(([name, is]) => is === true && name.startsWith(PACKAGE));
  return on.map(([name]): Proof => {
    const [plugin = "", market = ""] = name.split("@");
    const { source } = asFields(read("known_marketplaces.json")[market]);
    const copied = asText(asFields(asList(asFields(read("installed_plugins.json").plugins)[name])[0]).installPath);
    // A plugin of a folder is loaded from there.
    const root = (plugin.endsWith("-local") ? asText(asFields(source).path) : undefined) ?? copied;
    const starter = root === undefined ? undefined : join(root, "src/hosts/claude-code/plugin/hooks/start.mjs");
    const fix = installPlugin(ownFolder() ?? "FOLDER");
    if (starter === undefined || !existsSync(starter)) return { says: `the plugin ${name} is not installed`, fix };
    const { fault } = start(process.execPath, [starter, "--version"], dirname(starter));
    return fault === undefined
      ? { says: `the plugin answers: ${root}` }
      : { says: `the plugin does not answer: ${root}: ${fault}`, fix };
  });
}

/** The MCP servers that init wrote for the project. */
export const proveServers = (project: string): readonly Proof[] =>
  MCP_SETUPS.flatMap(({ files, entries }) =>
    files.flatMap((name) => {
      const text = orUndefined(() => readRegular(join(project, name), PACK_BYTES).toString("utf8")) ?? "";
      const command = entries(undefined).flatMap((entry) =>
        commandIn(text, entry.table === true, [...entry.path, entry.key ?? ""]),
      )[0];
      if (command === undefined) return [];
      const { says, ...rest } = proveProgram(programOf(command, project), ["mcp", "--project", project], project);
      return [{ says: `${name}: ${says}`, ...rest }];
    }),
  );

function commandIn(text: string, isToml: boolean, path: readonly string[]): readonly string[] {
  if (isToml) return new RegExp(`\\[${path.join("\\.")}\\]\\s*command = "([^"]+)"`).exec(text)?.slice(1) ?? [];
  const parsed = parseJsonc(text);
  const entry = "flaw" in parsed ? undefined : path.reduce<unknown>((inner, key) => asFields(inner)[key], parsed.value);
  const { command } = asFields(entry);
  return [asText(command) ?? asText(asList(command)[0])].filter((one) => one !== undefined);
}
