// Loads a pack and everything that it extends, each pack once, in order of precedence: the pack itself comes last.
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import { PACKS, PACKS_BYTES } from "../limits.js";
import { findPack, isBuiltIn, loadPack } from "./load-pack.js";
import type { LoadedPack } from "./pack.js";

type Fail = (finding: Diagnostic) => undefined;

/** Other packs than a configuration names, to see what they change. */
export interface OtherPacks {
  /** Files that are left out. */
  readonly without: ReadonlySet<string>;
  /** Packs that come after those of the configuration. */
  readonly added: readonly LoadedPack[];
}

/** @param checking uses the sound entries of faulty files, to find more faults */
export function* extendedPacks(start: LoadedPack, checking: boolean, fail: Fail, others?: OtherPacks): Iterable<LoadedPack> {
  const loaded = new Set<string>(others?.without);
  let bytes = 0;
  yield* withExtended(start, []);

  function* withExtended(given: LoadedPack, chain: readonly string[]): Iterable<LoadedPack> {
    const pack = checking && given.sound ? { ...given, body: given.sound } : given;
    for (const finding of pack.diagnostics) fail(finding);
    const isConfig = pack.what === "config";
    const extended = pack.body.extends ?? (isConfig ? ["compaction:recommended"] : []);
    const files = [...chain, pack.file];
    // A configuration may choose its packs, but secrets are always masked: the pack for secrets is always loaded.
    for (const [index, entry] of [...extended, ...(isConfig ? ["compaction:redact"] : [])].entries()) {
      const at = () => pack.yaml.locate(["extends", index]);
      const target = findPack(entry, pack, start.root, at);
      const hint = "remove one of the packs from the circle";
      if ("code" in target) fail(target);
      else if (files.includes(target.file))
        fail(diagnostic("extends-cycle", `${entry} leads back to ${target.file}`, at(), hint));
      else if (!loaded.has(target.file)) {
        const next = load(target, at);
        if (next) yield* withExtended(next, files);
      }
    }
    if (given === start) for (const added of others?.added ?? []) yield* withExtended(added, files);
    yield pack;
  }

  /** Built-in packs are small and few, and one masks secrets: the number of other packs must not keep them out. */
  function load(target: Pick<LoadedPack, "file" | "root">, at: () => Position): LoadedPack | undefined {
    const isOwn = isBuiltIn(target);
    if (!isOwn && loaded.size >= PACKS) return fail(diagnostic("extends-reach", `more than ${PACKS} packs are extended`, at()));
    loaded.add(target.file);
    const pack = loadPack(target.file, target.root, "pack");
    if (!isOwn) bytes += pack.yaml.text.length;
    if (isOwn || bytes <= PACKS_BYTES) return pack;
    return fail(diagnostic("extends-reach", `the packs have more than ${PACKS_BYTES} characters together`, at()));
  }
}
