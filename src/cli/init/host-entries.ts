// The entries that init writes into the configuration of each agent, and how to add and remove them.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { projectRoot } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { COMMAND_HOSTS, type CommandHost } from "../../hosts/command-hooks.js";
import { asList, asText, isFields } from "../../source/session/parse-json.js";
import { CommandError } from "../output/terminal.js";
import { appendPart, type JsonNode, parseJsonc, removePart } from "./jsonc.js";

/** Seconds until the agent ends a hook: more than the hook's own deadline. */
const COMMAND_HOOK_SECONDS = 20;

/** An entry of a list. */
interface HostEntry {
  /** The keys that lead to the list. */
  readonly path: readonly string[];
  readonly text: string;
  /** Does an existing entry have the same effect? */
  readonly isOurs: (value: unknown) => boolean;
  /** Is the entry exactly as init writes it? Nothing else is removed. */
  readonly isWritten: (value: unknown) => boolean;
}

export interface HostKind {
  /** The files that the agent reads. The first is created if none exists. */
  readonly files: readonly string[];
  readonly fresh: string;
  readonly entries: (folder: string) => readonly HostEntry[];
  /** The effect of a file with our entry. */
  readonly does: string;
  readonly otherForm: string;
  readonly byHand: string;
}

export const EMPTY_MAP = "{\n}\n";
const PACKAGE = "compaction-rules";
/** Paths inside the package that a plugin entry may name. */
const OWN_FILES = ["dist/server.js", "dist"] as const;

/** Is it our plugin? The entry may have a version, be a path or URL of a file, or be a list with options. */
function isPlugin(entry: unknown): boolean {
  const [value] = Array.isArray(entry) ? entry : [entry];
  if (typeof value !== "string") return false;
  const path = value.replaceAll("\\", "/");
  return [path, ...OWN_FILES.flatMap((file) => (path.endsWith(`/${file}`) ? [path.slice(0, -file.length - 1)] : []))].some(
    (one) => one === PACKAGE || one.startsWith(`${PACKAGE}@`) || one.endsWith(`/${PACKAGE}`),
  );
}

const OPENCODE: HostKind = {
  files: ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
  // OpenCode adds a $schema to a file without one.
  fresh: `{\n  "$schema": "https://opencode.ai/config.json"\n}\n`,
  entries: () => [
    {
      path: ["plugin"],
      text: `"${PACKAGE}"`,
      isOurs: isPlugin,
      isWritten: (value) => value === PACKAGE,
    },
  ],
  does: `names ${PACKAGE}`,
  otherForm: "with a version, a path or options",
  byHand: `add "${PACKAGE}" to "plugin" by hand`,
};

/** OpenCode loads every file of these folders. */
const PLUGIN_FOLDERS = [".opencode/plugins", ".opencode/plugin"] as const;
/** The plugin has two million bytes. */
const COPY_BYTES = 10_000_000;

/** A file that OpenCode loads automatically and that is our plugin, or loads it. */
export function pluginCopy(folder: string): string | undefined {
  for (const place of PLUGIN_FOLDERS)
    try {
      for (const { name } of readdirSync(join(folder, place), { withFileTypes: true }).filter((entry) => !entry.isDirectory())) {
        const file = join(folder, place, name);
        if (statSync(file).size <= COPY_BYTES && readRegular(file, COPY_BYTES).includes(PACKAGE)) return `${place}/${name}`;
      }
    } catch {
      // The folder does not exist, or OpenCode cannot read it either.
    }
  return undefined;
}

const BIN = `node_modules/.bin/${PACKAGE}`;
const EVENTS = { PreCompact: "", SessionStart: `"matcher": "compact", `, PostCompact: "" } as const;

/**
 * The program as it is installed in the folder, or in one above it up to the repository's root: a monorepo has it there.
 * Otherwise the agent must find the program on its PATH.
 */
export function installedIn(folder: string): string | undefined {
  const root = projectRoot(folder);
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, BIN))) return join(above, BIN);
    if (above === root || dirname(above) === above) return undefined;
  }
}

/** If possible, a command that works for everybody who has the project. Codex starts hooks in another folder. */
function commandFor(host: CommandHost, folder: string): string {
  const file = installedIn(folder);
  if (file === undefined) return `${PACKAGE} hook ${host}`;
  const path = relative(folder, file).replaceAll("\\", "/");
  return `${host === "codex" ? `"${file}"` : `"$CLAUDE_PROJECT_DIR"/${path}`} hook ${host}`;
}

function hooksOf(host: CommandHost, file: string): HostKind {
  // Earlier versions wrote the program's other name.
  const ends = new RegExp(`compaction(?:-rules)?"? hook ${host}$`);
  /** For each command of a group of hooks: is it ours? */
  const ours = (group: unknown) =>
    asList(isFields(group) ? group.hooks : undefined).map((hook) => isFields(hook) && ends.test(asText(hook.command) ?? ""));
  const entries = (folder: string) =>
    Object.entries(EVENTS).map(([event, matcher]): HostEntry => {
      const command = JSON.stringify(commandFor(host, folder));
      return {
        path: ["hooks", event],
        text: `{ ${matcher}"hooks": [{ "type": "command", "command": ${command}, "timeout": ${COMMAND_HOOK_SECONDS} }] }`,
        isOurs: (group) => ours(group).includes(true),
        isWritten: (group) => ours(group).includes(true) && !ours(group).includes(false),
      };
    });
  return {
    files: [file],
    fresh: EMPTY_MAP,
    entries,
    does: `runs ${PACKAGE} hook ${host}`,
    otherForm: "together with other commands",
    byHand: `add the hooks by hand: ${PACKAGE} hook ${host} answers them`,
  };
}

const HOOK_FILES: Readonly<Record<CommandHost, string>> = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" };

export const HOSTS: Readonly<Record<string, HostKind>> = {
  opencode: OPENCODE,
  ...Object.fromEntries(COMMAND_HOSTS.map((host) => [host, hooksOf(host, HOOK_FILES[host])])),
};

/** A text to edit. */
export interface HostText {
  readonly name: string;
  readonly text: string;
  /** What to do if it cannot be edited. */
  readonly byHand: string;
}

function refuse({ name, text, byHand }: HostText, what: string, offset: number): never {
  const lines = text.slice(0, offset).split("\n");
  const place = `${name}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  throw new CommandError(`${place} cannot be edited, ${what}: nothing was written`, `fix it, or ${byHand}`);
}

/** The file's map and the existing groups below it along a path. */
function groupsAlong(path: readonly string[], host: HostText): readonly JsonNode[] {
  const map = parseJsonc(host.text);
  if ("flaw" in map) return refuse(host, map.flaw, map.offset);
  if (map.type !== "map") return refuse(host, "it is not a map", map.start);
  const groups: JsonNode[] = [map];
  for (const [index, key] of path.entries()) {
    const [found, twice] = (groups.at(-1) as JsonNode).parts.filter((part) => part.key === key);
    if (twice) return refuse(host, `"${key}" stands there twice`, twice.start);
    if (!found) break;
    const type = index < path.length - 1 ? "map" : "list";
    if (found.node.type !== type) return refuse(host, `"${key}" is not a ${type}`, found.node.start);
    groups.push(found.node);
  }
  return groups;
}

const listAt = (path: readonly string[], host: HostText) => groupsAlong(path, host)[path.length];

export const hasEntry = (host: HostText, entries: readonly HostEntry[]): boolean =>
  entries.some(({ path, isOurs }) => listAt(path, host)?.parts.some(({ node }) => isOurs(node.value)));

export function withEntries(host: HostText, entries: readonly HostEntry[]): string {
  let { text } = host;
  for (const entry of entries) {
    if (hasEntry({ ...host, text }, [entry])) continue;
    const groups = groupsAlong(entry.path, { ...host, text });
    text = appendPart(text, groups.at(-1) as JsonNode, nested(entry.path.slice(groups.length - 1), entry.text));
  }
  return text;
}

function nested([key, ...rest]: readonly string[], part: string): string {
  if (key === undefined) return part;
  return rest.length === 0 ? `"${key}": [${part}]` : `"${key}": {\n    ${nested(rest, part)}\n  }`;
}

/** Removes the entries that init wrote, and maps and lists in nested paths that become empty. */
export function withoutEntries(host: HostText, entries: readonly HostEntry[]): string {
  let { text } = host;
  for (const { path, isWritten } of entries)
    for (;;) {
      const groups = groupsAlong(path, { ...host, text });
      let depth = path.length;
      let index = groups[depth]?.parts.findIndex(({ node }) => isWritten(node.value)) ?? -1;
      if (index < 0) break;
      while (path.length > 1 && depth > 0 && isAlone(text, groups[depth] as JsonNode)) {
        depth--;
        index = (groups[depth] as JsonNode).parts.findIndex(({ key }) => key === path[depth]);
      }
      text = removePart(text, groups[depth] as JsonNode, index);
    }
  return text;
}

/** Does a group contain only one part, and no comments? */
function isAlone(text: string, { parts: [only, ...more], start, end }: JsonNode): boolean {
  const around = text.slice(start + 1, only?.start) + text.slice(only?.end, end - 1);
  return more.length === 0 && /^[\s,]*$/.test(around);
}
