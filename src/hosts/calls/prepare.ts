// Prepares the guards of a project for its hooks: those of its packs, of the user's own settings, and of pins.
import { configPlaces, userConfigPlace } from "../../config/find-config.js";
import { fileStamp } from "../../files/folders.js";
import type { GuardSet } from "../../guards/guard-set.js";
import type { ReadTool } from "../../guards/match-guards.js";
import { compileCall } from "../../rules/compile/guards.js";
import type { Guard } from "../../rules/guard.js";
import { isSwitchedOff, type LoadedRules, loadTrusted, ownRules } from "../../rules/load-rules.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { ANY } from "../../rules/tool-names.js";
import { choicesName, pinId, readChoices } from "../../state/choices.js";
import { readTrusted, TRUSTED } from "../../state/spoken.js";
import { changeState, stateFile } from "../../state/state.js";
import { PREPARED_FORM, type PreparedGuards, type PreparedTables, preparedName } from "./prepared.js";

/** All guards of a project, each with rules that only files of its own origin decide.
 * @param loaded the rules of the folder */
export function guardSets(
  loaded: Pick<LoadedRules, "rules" | "guards" | "enabled">,
  folder: string,
  stateFolder?: string,
): readonly GuardSet<RuleSet>[] {
  if (isSwitchedOff()) return [];
  const own = loaded.guards.filter(({ of }) => !of);
  const pinned = pinGuards(folder, stateFolder);
  const trusted = trustedRules(folder, stateFolder);
  const approved = trusted?.enabled ? trusted.guards.filter(({ of }) => of) : [];
  // A file that nobody trusts cannot give another meaning to a guard of a trusted one.
  const known = new Set(approved.map(({ id }) => id));
  const others = loaded.enabled ? loaded.guards.filter(({ id, of }) => of && !known.has(id)) : [];
  const sets: (GuardSet<RuleSet> | undefined)[] = [
    own.length + pinned.length > 0 ? { of: "own", guards: [...own, ...pinned], rules: ownRules() } : undefined,
    trusted && { of: "trusted", guards: approved, rules: trusted.rules },
    { of: "others", guards: others.map((guard) => ({ ...guard, untrusted: true as const })), rules: loaded.rules },
  ];
  return sets.filter((set) => set !== undefined).filter(({ guards }) => guards.length > 0);
}

export function trustedRules(folder: string, stateFolder?: string): LoadedRules | undefined {
  const trusted = readTrusted(stateFolder);
  return Object.keys(trusted).length > 0 ? loadTrusted(folder, (digest) => Object.hasOwn(trusted, digest)) : undefined;
}

/** What the product says with the sentence of a guard. A project cannot change it. */
export function guardTexts(): PreparedGuards["texts"] {
  const { templates } = ownRules();
  const textOf = (id: string) => templates.get(id)?.text.trim() ?? "";
  return { once: textOf("guard-once"), untrusted: textOf("guard-untrusted"), unsaved: textOf("guard-unsaved") };
}

function pinGuards(folder: string, stateFolder?: string): readonly Guard[] {
  const { pins, guards = {} } = readChoices(folder, stateFolder).choices;
  return pins.flatMap((say): Guard[] => {
    const id = pinId(say);
    const given = guards[id];
    const on = given && compileCall(given.on, ownRules());
    return given && on ? [{ id, ...on, does: given.does, say, unless: ["user-allowed"] }] : [];
  });
}

/** The prepared guards; stored unless a file of the configuration is broken. */
export function prepareGuards(loaded: LoadedRules, folder: string, stateFolder?: string): PreparedGuards {
  const { packs, diagnostics } = loaded;
  // The tables of two sets are mostly the same, and stored once.
  const tables = new Map<string, { readonly index: number; readonly value: PreparedTables }>();
  const indexOf = (value: PreparedTables) => {
    const key = JSON.stringify(value);
    if (!tables.has(key)) tables.set(key, { index: tables.size, value });
    return tables.get(key)?.index ?? 0;
  };
  const sets = guardSets(loaded, folder, stateFolder).map(({ of, guards, rules }) => ({
    of,
    guards,
    tables: indexOf(tablesOf(rules)),
  }));
  const state = [choicesName(folder), TRUSTED].map((name) => stateFile(name, stateFolder));
  const files = [...configPlaces(folder), userConfigPlace(), ...packs.packs.map(({ file }) => file), ...state].filter(
    (file) => file !== undefined,
  );
  const prepared: PreparedGuards = {
    version: 1,
    form: PREPARED_FORM,
    folder,
    stamps: Object.fromEntries(files.map((file) => [file, fileStamp(file)])),
    sets,
    tables: [...tables.values()].map(({ value }) => value),
    texts: guardTexts(),
  };
  if (!diagnostics.some(({ severity }) => severity === "error"))
    try {
      changeState(preparedName(folder), () => prepared, stateFolder);
    } catch {
      // It is prepared again at the next call.
    }
  return prepared;
}

function tablesOf({ tools, shell, scratch }: RuleSet): PreparedTables {
  const read = [...tools].filter(
    ([, { effect, command, script, patch }]) => effect || [command, script, patch].flat().length > 0,
  );
  const named = read.map(([name, { id, effect, file, to, list, patch, script, command }]): [string, ReadTool] => [
    name,
    { id, ...(effect && { effect }), file, to, list, patch, script, command },
  ]);
  return { tools: Object.fromEntries(named), shell, scratch };
}

/** The names of the tools of servers begin like this in most agents. The names of the tools of a hook are patterns. */
const SERVERS = "mcp__.*";

/** The names of the tools that some guard is for: only for these, a hook need be started. */
export function guardedTools(guards: readonly Guard[], { tools }: Pick<RuleSet, "tools">): readonly string[] {
  const named = new Set<string>();
  for (const { tools: wanted, touches, commands, has, paths } of guards) {
    const runs = commands.length + has.length > 0;
    for (const [name, { id, effect, command }] of tools) {
      const isWanted = wanted.length === 0 || wanted.includes(id);
      const touch = effect === "read" ? "read" : effect === "deleted" ? "delete" : effect && "edit";
      const touched = paths.length > 0 && touch && (touches.length === 0 || touches.includes(touch));
      if (runs ? command.length > 0 && isWanted : touched || (paths.length > 0 ? command.length > 0 : isWanted))
        named.add(name.startsWith(ANY) ? `${SERVERS}${name.slice(ANY.length)}` : name);
    }
    for (const name of wanted) if (![...tools.values()].some(({ id }) => id === name)) named.add(name);
  }
  return [...named];
}
