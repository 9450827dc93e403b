// The hooks of an agent that runs commands around its compaction, in the project's configuration of it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandHost } from "../hosts/command-hooks.js";
import { COMMAND_HOOK_SECONDS } from "../limits.js";
import { Failure } from "./failure.js";
import { groupIn, type HostChange, mapIn, readHostFile } from "./host-file.js";
import type { JsonGroup, JsonNode } from "./jsonc.js";
import { appendPart, removePart } from "./jsonc-edit.js";

const FILES: Readonly<Record<CommandHost, string>> = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" };
const KEY = "hooks";
const BIN = "node_modules/.bin/compaction";
/** The events, and the ones of theirs that are meant. */
const EVENTS: readonly { readonly name: string; readonly matcher?: string }[] = [
  { name: "PreCompact" },
  { name: "SessionStart", matcher: "compact" },
  { name: "PostCompact" },
];

/** Is the program part of the project? Else the agent must find it by itself. */
export const isInstalled = (folder: string) => existsSync(join(folder, BIN));

/** A command that holds for everybody who has the project, where there is one. Codex starts hooks with a path of its own. */
function commandFor(host: CommandHost, folder: string): string {
  const program = !isInstalled(folder)
    ? "compaction"
    : host === "codex"
      ? `"${join(folder, BIN)}"`
      : `"$CLAUDE_PROJECT_DIR"/${BIN}`;
  return `${program} hook ${host}`;
}

/** The file, and what it says now and would say, and would say without us; no change where that is the same. */
export function hookChange(host: CommandHost, folder: string, remove: boolean) {
  const name = FILES[host];
  const { text: before, foreign } = readHostFile(folder, name);
  if (foreign) throw new Failure(`${name} leads out of the project: nothing was written`, "edit what it leads to by hand");
  const isEmpty = before === undefined || before.trim() === "";
  const bare = isEmpty ? before : without(before, host);
  const after = remove ? bare : withHooks(isEmpty ? "{\n}\n" : before, host, commandFor(host, folder));
  return after === before ? { name } : { name, change: { name, before, after } satisfies HostChange, bare };
}

function withHooks(given: string, host: CommandHost, command: string): string {
  let text = given;
  for (const { name: event, matcher } of EVENTS) {
    const { map, hooks, list } = groupsOf(text, host, event);
    if (list?.parts.some(({ node }) => isOurs(node, host))) continue;
    const own = `{ "type": "command", "command": ${JSON.stringify(command)}, "timeout": ${COMMAND_HOOK_SECONDS} }`;
    const part = `{ ${matcher === undefined ? "" : `"matcher": "${matcher}", `}"hooks": [${own}] }`;
    if (list) text = appendPart(text, list, part);
    else if (hooks) text = appendPart(text, hooks, `"${event}": [${part}]`);
    else text = appendPart(text, map, `"${KEY}": {\n    "${event}": [${part}]\n  }`);
  }
  return text;
}

/** Without the groups that hold our command and nothing else, and without what is empty then. */
function without(given: string, host: CommandHost): string {
  let text = given;
  for (const { name: event } of EVENTS)
    for (;;) {
      const { map, hooks, list } = groupsOf(text, host, event);
      const index = list?.parts.findIndex(({ node }) => isOnlyOurs(node, host)) ?? -1;
      if (!hooks || !list || index < 0) break;
      const at = (group: JsonGroup, key: string) => group.parts.findIndex((part) => part.key === key);
      if (!isAlone(text, list)) text = removePart(text, list, index);
      else if (!isAlone(text, hooks)) text = removePart(text, hooks, at(hooks, event));
      else text = removePart(text, map, at(map, KEY));
    }
  return text;
}

/** Does a group hold one part, and no comment beside it? */
function isAlone(text: string, { parts: [only, ...more], start, end }: JsonGroup): boolean {
  const around = text.slice(start + 1, only?.start) + text.slice(only?.end, end - 1);
  return more.length === 0 && /^[\s,]*$/.test(around);
}

/** The file's map, the hooks in it, and those of an event. */
function groupsOf(text: string, host: CommandHost, event: string) {
  const edited = { name: FILES[host], text, byHand: `add the hooks by hand: compaction hook ${host} answers them` };
  const map = mapIn(edited);
  const hooks = groupIn(edited, map, KEY, "map");
  return { map, hooks, list: hooks && groupIn(edited, hooks, event, "list") };
}

/** Is each command of a group ours, wherever the program stands? */
function areOurs(node: JsonNode, host: CommandHost): readonly boolean[] {
  const list = node.type === "map" ? node.parts.find(({ key }) => key === KEY)?.node : undefined;
  if (list?.type !== "list") return [];
  const ends = new RegExp(`compaction"? hook ${host}$`);
  return list.parts.map(({ node: one }) => {
    const command = one.type === "map" ? one.parts.find(({ key }) => key === "command")?.node : undefined;
    return command?.type === "scalar" && typeof command.value === "string" && ends.test(command.value);
  });
}

const isOurs = (node: JsonNode, host: CommandHost) => areOurs(node, host).includes(true);
const isOnlyOurs = (node: JsonNode, host: CommandHost) => isOurs(node, host) && !areOurs(node, host).includes(false);
