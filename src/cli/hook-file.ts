// The hooks of an agent that runs commands around its compaction, in the project's configuration of it.
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { CommandHost } from "../hosts/command-hooks.js";
import { COMMAND_HOOK_SECONDS } from "../limits.js";
import { inside } from "../reach.js";
import { Failure } from "./failure.js";
import { type HostChange, mapIn, refuseEdit, textOf } from "./host-file.js";
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

const byHandFor = (host: CommandHost) => `add the hooks by hand: compaction hook ${host} answers them`;

/** The file, and what it says now and would say; nothing where that is the same. */
export function hookChange(host: CommandHost, folder: string, remove: boolean): { name: string; change?: HostChange } {
  const name = FILES[host];
  const file = join(folder, name);
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  if (isThere && !inside(file, folder))
    throw new Failure(`${name} leads out of the project: nothing was written`, "edit what it leads to by hand");
  const before = isThere ? textOf(name, file) : "";
  if (remove && !isThere) return { name };
  const edit = remove ? without(host, name) : withHooks(host, name, commandFor(host, folder));
  const after = edit(before.trim() === "" ? "{\n}\n" : before);
  return after === before ? { name } : { name, change: { name, before, after } };
}

function withHooks(host: CommandHost, name: string, command: string): (text: string) => string {
  const byHand = byHandFor(host);
  return (given) => {
    let text = given;
    for (const { name: event, matcher } of EVENTS) {
      const map = mapIn(name, text, byHand);
      const hooks = groupIn(map, KEY, "map", name, text, byHand);
      const list = hooks && groupIn(hooks, event, "list", name, text, byHand);
      if (list?.parts.some(({ node }) => isOurs(node, host))) continue;
      const own = `{ "type": "command", "command": ${JSON.stringify(command)}, "timeout": ${COMMAND_HOOK_SECONDS} }`;
      const part = `{ ${matcher === undefined ? "" : `"matcher": "${matcher}", `}"hooks": [${own}] }`;
      if (list) text = appendPart(text, list, part);
      else if (hooks) text = appendPart(text, hooks, `"${event}": [${part}]`);
      else text = appendPart(text, map, `"${KEY}": {\n    "${event}": [${part}]\n  }`);
    }
    return text;
  };
}

/** Without the groups that hold our command and nothing else, and without what is empty then. */
function without(host: CommandHost, name: string): (text: string) => string {
  const byHand = byHandFor(host);
  return (given) => {
    let text = given;
    for (const { name: event } of EVENTS)
      for (;;) {
        const map = mapIn(name, text, byHand);
        const hooks = groupIn(map, KEY, "map", name, text, byHand);
        const list = hooks && groupIn(hooks, event, "list", name, text, byHand);
        const index = list?.parts.findIndex(({ node }) => isOnlyOurs(node, host)) ?? -1;
        if (!hooks || !list || index < 0) break;
        const at = (group: JsonGroup, key: string) => group.parts.findIndex((part) => part.key === key);
        if (list.parts.length > 1) text = removePart(text, list, index);
        else if (hooks.parts.length > 1) text = removePart(text, hooks, at(hooks, event));
        else text = removePart(text, map, at(map, KEY));
      }
    return text;
  };
}

function groupIn(
  map: JsonGroup,
  key: string,
  type: JsonGroup["type"],
  name: string,
  text: string,
  byHand: string,
): JsonGroup | undefined {
  const [found, twice] = map.parts.filter((part) => part.key === key);
  if (twice) return refuseEdit(name, text, `"${key}" stands there twice`, twice.start, byHand);
  if (!found) return undefined;
  if (found.node.type !== type) return refuseEdit(name, text, `"${key}" is not a ${type}`, found.node.start, byHand);
  return found.node;
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
