// Loads a folder's configuration or a pack and compiles it: the entry point for most callers.
import { sep } from "node:path";
import { digestOfPack, extendedPacks, type OtherPacks, reachOf } from "../config/extended-packs.js";
import { BUILT_IN, isBuiltIn, loadPack } from "../config/load-pack.js";
import type { LoadedPack, PackBody } from "../config/pack.js";
import { type Resolved, resolvePacks, withUsersGuards } from "../config/resolve-packs.js";
import {
  loadNamed,
  type RecallSettings,
  resolveRecall,
  resolveSinks,
  type Sinks,
  searchConfig,
  userConfig,
} from "../config/search-config.js";
import type { Diagnostic } from "../diagnostics.js";
import { workingFolder } from "../files/folders.js";
import { type Compiled, compileRules } from "./compile/compile-rules.js";
import { compileGuards } from "./compile/guards.js";
import type { Guard } from "./guard.js";
import type { RuleSet } from "./rule-set.js";

/** A compiled configuration with its packs, and the findings about them. */
export interface LoadedRules {
  readonly rules: RuleSet;
  readonly packs: Resolved;
  /** What is said at tool calls, by the packs and by the user's own settings. */
  readonly guards: readonly Guard[];
  /** False if the configuration or the environment switches everything off. */
  readonly enabled: boolean;
  /** How many days stored data is kept, if the configuration says so. */
  readonly keepDays?: number;
  /** Where notes are written. Nothing is written anywhere else. */
  readonly sinks: Sinks;
  /** The model that writes a summary judges the facts. */
  readonly judge: boolean;
  /** Whether sessions are indexed, and where. */
  readonly recall: RecallSettings;
  /** How frames are configured; undefined if they are off. */
  readonly frames?: PackBody["frames"];
  /** The configuration or pack that was loaded; undefined if only the built-in packs are. */
  readonly file?: string;
  /** The user's own settings, if there are any. */
  readonly user?: LoadedPack;
  readonly diagnostics: readonly Diagnostic[];
}

/** The rules for a folder: those of its .compactionrc, or else the built-in ones. */
export function loadRules(folder: string, others?: OtherPacks): LoadedRules {
  const { config, root } = searchConfig(folder);
  const isLeftOut = config && others?.without.has(config.file);
  // It still says which built-in packs there are.
  const body = isLeftOut && (config.body.extends ? { extends: config.body.extends } : {});
  const start = config && body ? { ...config, body } : (config ?? builtInPack(root));
  return fromPacks(resolvePacks(start, false, others), config?.file ?? others?.added[0]?.file, userConfig());
}

/** The rules of one pack or configuration file. A pack with guards is read with the built-in packs, as it is used: they say which
 * tools there are, and what the user allows. */
export function loadRulesFrom(file: string): LoadedRules {
  const named = loadNamed(file);
  const isAlone = named.body.guards !== undefined && named.body.extends === undefined;
  const pack = isAlone ? { ...named, body: { ...named.body, extends: [`${BUILT_IN}recommended`] } } : named;
  return fromPacks(resolvePacks(pack), pack.file, userConfig());
}

/** The built-in packs without changes. */
export const builtInRules = (root = workingFolder() ?? sep): LoadedRules => fromPacks(resolvePacks(builtInPack(root)));

/** The built-in rules alone, compiled once: guards of the user's own and pins use them. */
export const ownRules = (): RuleSet => builtIn?.rules ?? builtInRules().rules;

/** Faults of phrases and patterns beside those that make a file unusable. What depends on a faulty entry is not reported. */
export function otherFaults({ packs }: LoadedRules): readonly Diagnostic[] {
  const start = packs.packs.at(-1);
  const found = start ? compileRules(resolvePacks(start, true)).diagnostics : [];
  return found.filter(({ code }) => /^(?:phrase|regex)-/.test(code) && code !== "phrase-fragment");
}

/** The rules of a folder by the files alone that the user trusts, and by what these extend. Undefined if there are none.
 * @param isTrusted by the digest of a pack */
export function loadTrusted(folder: string, isTrusted: (digest: string) => boolean): LoadedRules | undefined {
  const { config } = searchConfig(folder);
  const packs = config ? [...extendedPacks(config, false, () => undefined)] : [];
  const only = new Set(
    packs
      .filter((pack) => !isBuiltIn(pack) && isTrusted(digestOfPack(pack, packs)))
      .flatMap((pack) => reachOf(pack, packs).map(({ file }) => file)),
  );
  if (!config || only.size === 0) return undefined;
  return fromPacks(resolvePacks(config, false, { without: new Set(), added: [], only }), config.file, userConfig());
}

/** Does the environment switch everything off? The files of a project cannot silence the guards of the user. */
export const isSwitchedOff = (): boolean => process.env.COMPACTION_RULES?.toLowerCase() === "off";

/** Compiled once: all folders without a configuration share them. */
let builtIn: Compiled | undefined;

const builtInPack = (root: string) => loadPack("(built in)", root, "config", "");

function fromPacks(project: Resolved, file?: string, user?: LoadedPack): LoadedRules {
  if (file === undefined) builtIn ??= compileRules(project);
  const { rules, diagnostics } = file === undefined && builtIn ? builtIn : compileRules(project);
  const packs = withUsersGuards(project, user);
  const users = user && { file: user.file, rules: ownRules };
  const { guards, diagnostics: odd } = compileGuards(packs, rules, users);
  // If a pack cannot be read, findings about what depends on it are meaningless.
  const broken = packs.diagnostics.some(({ severity }) => severity === "error");
  const config = packs.packs.at(-1);
  const enabled = config?.body.enabled !== false && !isSwitchedOff();
  const { sinks, diagnostics: reach } = resolveSinks(config, user);
  const { recall, diagnostics: refused } = resolveRecall(config, user);
  return {
    rules,
    packs,
    guards,
    enabled,
    sinks,
    recall,
    judge: config?.body.judge !== false && config?.body.judge !== "off",
    ...(config?.body.keepDays !== undefined && { keepDays: config.body.keepDays }),
    ...(config?.body.frames && { frames: config.body.frames }),
    ...(file && { file }),
    ...(user && { user }),
    diagnostics: [...packs.diagnostics, ...(broken ? [] : [...diagnostics, ...odd]), ...reach, ...refused],
  };
}
