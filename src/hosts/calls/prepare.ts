// Prepares the guards of a project for its hooks: those of its packs, of the user's own settings, and of pins.
import { configPlaces, userConfigPlace } from "../../config/find-config.js";
import { fileStamp } from "../../files/folders.js";
import type { ReadTool } from "../../guards/match-guards.js";
import { compileCall } from "../../rules/compile/guards.js";
import type { Guard } from "../../rules/guard.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { choicesName, pinId, readChoices } from "../../state/choices.js";
import { readTrusted, TRUSTED } from "../../state/spoken.js";
import { changeState, stateFile } from "../../state/state.js";
import { withOwnTemplates } from "../host-rules.js";
import { PREPARED_FORM, type PreparedGuards, preparedName } from "./prepared.js";

/** All guards of a project, and those that may only tell. */
export function guardsOf(loaded: Pick<LoadedRules, "rules" | "guards" | "enabled">, folder: string, stateFolder?: string) {
  const trusted = readTrusted(stateFolder);
  const guards = loaded.enabled ? [...loaded.guards, ...pinGuards(loaded.rules, folder, stateFolder)] : [];
  const isForeign = ({ of }: Guard) => of?.digests.some((digest) => !Object.hasOwn(trusted, digest)) === true;
  return { guards, untrusted: guards.filter(isForeign).map(({ id }) => id) };
}

export function guardTexts({ templates }: RuleSet): PreparedGuards["texts"] {
  const textOf = (id: string) => templates.get(id)?.text.trim() ?? "";
  return { once: textOf("guard-once"), untrusted: textOf("guard-untrusted") };
}

function pinGuards(rules: RuleSet, folder: string, stateFolder?: string): readonly Guard[] {
  const { pins, guards = {} } = readChoices(folder, stateFolder).choices;
  return pins.flatMap((say): Guard[] => {
    const id = pinId(say);
    const given = guards[id];
    const on = given && compileCall(given.on, rules);
    return given && on ? [{ id, ...on, does: given.does, say, unless: ["user-allowed"] }] : [];
  });
}

/** The prepared guards; stored unless a file of the configuration is broken. */
export function prepareGuards(given: LoadedRules, folder: string, stateFolder?: string): PreparedGuards {
  const loaded = withOwnTemplates(given);
  const { rules, packs, diagnostics } = loaded;
  const state = [choicesName(folder), TRUSTED].map((name) => stateFile(name, stateFolder));
  const files = [...configPlaces(folder), userConfigPlace(), ...packs.packs.map(({ file }) => file), ...state].filter(
    (file) => file !== undefined,
  );
  const prepared: PreparedGuards = {
    version: 1,
    form: PREPARED_FORM,
    folder,
    stamps: Object.fromEntries(files.map((file) => [file, fileStamp(file)])),
    ...guardsOf(loaded, folder, stateFolder),
    tools: toolsOf(rules),
    shell: rules.shell,
    scratch: rules.scratch,
    texts: guardTexts(rules),
  };
  if (!diagnostics.some(({ severity }) => severity === "error"))
    try {
      changeState(preparedName(folder), () => prepared, stateFolder);
    } catch {
      // It is prepared again at the next call.
    }
  return prepared;
}

function toolsOf({ tools }: RuleSet): Readonly<Record<string, ReadTool>> {
  const read = [...tools].filter(
    ([, { effect, command, script, patch }]) => effect || [command, script, patch].flat().length > 0,
  );
  return Object.fromEntries(
    read.map(([name, { id, effect, file, list, patch, script, command }]) => [
      name,
      { id, ...(effect && { effect }), file, list, patch, script, command },
    ]),
  );
}

/** The names of the tools that some guard is for: only for these, a hook need be started. */
export function guardedTools(guards: readonly Guard[], { tools }: Pick<RuleSet, "tools">): readonly string[] {
  const named = new Set<string>();
  for (const { tools: wanted, touches, commands, has, paths } of guards) {
    const runs = commands.length + has.length > 0;
    for (const [name, { id, effect, command }] of tools) {
      const isWanted = wanted.length === 0 || wanted.includes(id);
      const touch = effect === "read" ? "read" : effect === "deleted" ? "delete" : effect && "edit";
      const touched = paths.length > 0 && touch && (touches.length === 0 || touches.includes(touch));
      if (runs ? command.length > 0 && isWanted : touched || (paths.length > 0 ? command.length > 0 : isWanted)) named.add(name);
    }
    for (const name of wanted) if (![...tools.values()].some(({ id }) => id === name)) named.add(name);
  }
  return [...named];
}
