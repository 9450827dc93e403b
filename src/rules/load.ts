// From a folder or a pack to rules that run: what most callers want.
import { sep } from "node:path";
import { type LoadedPack, loadPack, type PackBody } from "../config/load.js";
import { type Resolved, resolvePacks } from "../config/resolve.js";
import { loadNamed, searchConfig, userConfig } from "../config/search.js";
import { resolveSinks, type Sinks } from "../config/sinks.js";
import type { Diagnostic } from "../diagnostics.js";
import { workingFolder } from "../working-folder.js";
import { compileRules } from "./compile.js";
import type { RuleSet } from "./rule-set.js";

export interface LoadedRules {
  readonly rules: RuleSet;
  readonly packs: Resolved;
  /** false when the configuration or the environment switches everything off. */
  readonly enabled: boolean;
  /** For how many days what is stored is kept, where the configuration says so. */
  readonly keepDays?: number;
  /** Where notes are written: nothing that is not here. */
  readonly sinks: Sinks;
  /** How frames are configured; undefined when they are off. */
  readonly frames?: PackBody["frames"];
  /** The configuration or pack that was loaded; undefined for the built-in packs alone. */
  readonly file?: string;
  /** The user's own settings, if there are any. */
  readonly user?: LoadedPack;
  readonly diagnostics: readonly Diagnostic[];
}

/** The rules that hold in a folder: those of its .compactionrc, else the built-in ones. */
export function loadRules(folder: string): LoadedRules {
  const { config, root } = searchConfig(folder);
  return fromPacks(resolvePacks(config ?? builtInPack(root)), config?.file, userConfig());
}

/** The rules of one pack or configuration file. */
export function loadRulesFrom(file: string): LoadedRules {
  const pack = loadNamed(file);
  return fromPacks(resolvePacks(pack), pack.file, userConfig());
}

/** The built-in packs as they are. */
export function builtInRules(root = workingFolder() ?? sep): LoadedRules {
  return fromPacks(resolvePacks(builtInPack(root)));
}

const builtInPack = (root: string) => loadPack("(built in)", root, "config", "");

function fromPacks(packs: Resolved, file?: string, user?: LoadedPack): LoadedRules {
  const { rules, diagnostics } = compileRules(packs);
  // A pack that could not be read makes findings about what depends on it meaningless.
  const broken = packs.diagnostics.some(({ severity }) => severity === "error");
  const config = packs.packs.at(-1);
  const enabled = config?.body.enabled !== false && process.env.COMPACTION_RULES?.toLowerCase() !== "off";
  const { sinks, diagnostics: reach } = resolveSinks(config, user);
  return {
    rules,
    packs,
    enabled,
    sinks,
    ...(config?.body.keepDays !== undefined && { keepDays: config.body.keepDays }),
    ...(config?.body.frames && { frames: config.body.frames }),
    ...(file && { file }),
    ...(user && { user }),
    diagnostics: [...packs.diagnostics, ...(broken ? [] : diagnostics), ...reach],
  };
}
