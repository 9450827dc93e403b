// Compiles `updates`: what makes earlier facts obsolete.
import type { PackEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { suggest } from "../../config/suggest.js";
import { diagnostic, type Report } from "../../diagnostics.js";
import type { UpdateFile } from "../../generated/pack-file.js";
import type { Update } from "../rule-set.js";
import type { Signals } from "./signals.js";

const DEFAULT_SHARE = 0.6;

export function compileUpdates(packs: Resolved, signals: Signals, report: Report): readonly Update[] {
  return [...packs.updates].flatMap(([id, entry]): readonly Update[] => {
    const { signal, ends = [], match, by, share, about, nearest, within, replaces } = entry.value;
    if (signal === undefined || match === undefined || ends.length === 0) {
      report(diagnostic("missing-key", `the update "${id}" needs signal, ends and match`, entry.at()));
      return [];
    }
    if (!isDeclared(signal, entry, ["signal"])) return [];
    const phrasesOf = (key: "if" | "unless") => {
      const names = (entry.value[key] ?? []).filter((name, index) => isDeclared(name, entry, [key, index]));
      return names.length === 0 ? {} : { [key]: names.flatMap((name) => signals.all.get(name)?.match ?? []) };
    };
    return [
      {
        id,
        signal,
        phrases: signals.all.get(signal)?.match ?? [],
        ends: new Set(ends),
        by: by ?? "same-speaker",
        match,
        share: share ?? DEFAULT_SHARE,
        about: about ?? 0,
        nearest: nearest ?? 1,
        within: within ?? Number.POSITIVE_INFINITY,
        replaces: replaces ?? false,
        ...phrasesOf("if"),
        ...phrasesOf("unless"),
      },
    ];
  });

  /** Only declared signals have phrases, which are needed to check facts of earlier rounds. */
  function isDeclared(name: string, entry: PackEntry<UpdateFile>, path: readonly (string | number)[]): boolean {
    if (signals.all.has(name)) return true;
    const names = [...signals.all.keys()];
    report(() =>
      diagnostic("unknown-signal", `there is no signal "${name}"`, entry.at(path), suggest("signals", name, names, packs.packs)),
    );
    return false;
  }
}
