import { isAbsolute, join } from "node:path";
import { isOwnPackage, SERVER } from "../../files/own-package.js";
import { type HostEntry, type HostSetup, mcpSetup, PACKAGE } from "../setup.js";

/** Paths inside the package that a plugin entry may name. */
const OWN_FILES = [SERVER, "dist"] as const;

/** Is it our plugin? The entry may have a version, be a path or URL of a file, or be a list with options. */
export function isPlugin(entry: unknown): boolean {
  const [value] = Array.isArray(entry) ? entry : [entry];
  if (typeof value !== "string") return false;
  const path = value.replaceAll("\\", "/");
  return [path, ...OWN_FILES.flatMap((file) => (path.endsWith(`/${file}`) ? [path.slice(0, -file.length - 1)] : []))].some(
    // A clone may be in a folder of any name.
    (one) =>
      one === PACKAGE || one.startsWith(`${PACKAGE}@`) || one.endsWith(`/${PACKAGE}`) || (isAbsolute(one) && isOwnPackage(one)),
  );
}

/** Does init write it? Only a bare string is: the name, or the path of the plugin's file. */
const isBare = (value: unknown) =>
  typeof value === "string" && (value === PACKAGE || (isPlugin(value) && value.endsWith(`/${SERVER}`)));

const entryFor = (text: string): HostEntry => ({
  path: ["plugin"],
  text: JSON.stringify(text),
  isOurs: isPlugin,
  isWritten: isBare,
});

const settingsFolder = (home: string, { XDG_CONFIG_HOME }: NodeJS.ProcessEnv) =>
  join(XDG_CONFIG_HOME || join(home, ".config"), "opencode");

const OWN_SETTINGS = ["opencode.json", "opencode.jsonc"];
const FILES = ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"];

const LIST = `select s.id, s.directory as folder,
    max(s.time_updated, coalesce((select max(p.time_updated) from part p where p.session_id = s.id), 0)) as time
  from session s order by 3 desc`;
/** As `opencode export` prints it. */
const ONE = `select json_object('info', json_object('id', s.id, 'directory', s.directory, 'parentID', s.parent_id), 'messages', (
    select json_group_array(json_object('info', json_patch(m.data, json_object('id', m.id, 'sessionID', s.id)), 'parts', (
      select json_group_array(json(p.data)) from (select data from part where message_id = m.id order by id) p)))
    from (select id, data from message where session_id = s.id order by time_created, id) m)) as text
  from session s where s.id = ?`;

export const openCodeSetup: HostSetup = {
  name: "opencode",
  agent: {
    title: "OpenCode",
    program: "opencode",
    starts: "opencode --prompt",
    folder: (home, { XDG_DATA_HOME }) => join(XDG_DATA_HOME || join(home, ".local", "share"), "opencode"),
    settings: (home, project, environment) => [
      ...FILES.map((file) => join(project, file)),
      ...OWN_SETTINGS.map((file) => join(settingsFolder(home, environment), file)),
    ],
    names: (text) => [...text.matchAll(/"([^"]+)"/g)].some(([, one]) => isPlugin(one)),
    marks: ['"summary":true'],
    guards: "a plugin cannot ask: guards that ask refuse the call until you allow it",
    database: { name: "opencode.db", list: LIST, one: ONE },
  },
  files: FILES,
  // OpenCode adds a $schema to a file without one.
  fresh: `{\n  "$schema": "https://opencode.ai/config.json"\n}\n`,
  // The name alone is looked up in the registry.
  entries: (installed) => [entryFor(installed?.server ?? PACKAGE)],
  own: (server, home, environment) => ({
    folder: settingsFolder(home, environment),
    files: OWN_SETTINGS,
    entries: () => [entryFor(server)],
    byHand: `add "${server}" to "plugin" by hand`,
  }),
  does: `names ${PACKAGE}`,
  otherForm: "with a version, a path or options",
  byHand: `add "${PACKAGE}" to "plugin" by hand`,
  loads: [".opencode/plugins", ".opencode/plugin"],
};

export const openCodeMcp = mcpSetup({
  name: "opencode",
  files: FILES,
  fresh: openCodeSetup.fresh,
  servers: "mcp",
  startOf: ({ path }) => path,
  textOf: (program) => `{ "type": "local", "command": [${program}, "mcp"] }`,
  next: () => "The plugin offers the same tools without a server: init --host opencode, without --mcp, names it.",
});
