// Loads a pack and everything that it extends, each pack once, in order of precedence: the pack itself comes last.
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import { PACKS, PACKS_BYTES } from "../limits.js";
import { digestOf } from "../text/forms.js";
import { findPack, isBuiltIn, loadPack } from "./load-pack.js";
import type { LoadedPack } from "./pack.js";

type Fail = (finding: Diagnostic) => undefined;

/** Other packs than a configuration names, to see what they change. */
export interface OtherPacks {
  /** Files that are left out. */
  readonly without: ReadonlySet<string>;
  /** Packs that come after those of the configuration. */
  readonly added: readonly LoadedPack[];
  /** Of other files than these and the built-in ones, only what they extend is used. Nothing else of them can have an effect. */
  readonly only?: ReadonlySet<string>;
}

/** @param checking uses the sound entries of faulty files, to find more faults */
export function* extendedPacks(start: LoadedPack, checking: boolean, fail: Fail, others?: OtherPacks): Iterable<LoadedPack> {
  const loaded = new Set<string>(others?.without);
  let bytes = 0;
  yield* withExtended(start, []);

  function* withExtended(given: LoadedPack, chain: readonly string[]): Iterable<LoadedPack> {
    const pack = others?.only && !isBuiltIn(given) && !others.only.has(given.file) ? onlyExtending(given) : sound(given);
    for (const finding of pack.diagnostics) fail(finding);
    const isConfig = pack.what === "config";
    const usual = isConfig && (!pack.body.extends || others?.only) ? ["compaction:recommended"] : [];
    const extended = [...usual, ...(pack.body.extends ?? [])];
    const uses: string[] = [];
    const files = [...chain, pack.file];
    // A configuration may choose its packs, but secrets are always masked: the pack for secrets is always loaded.
    for (const [index, entry] of [...extended, ...(isConfig ? ["compaction:redact"] : [])].entries()) {
      const at = () => pack.yaml.locate(["extends", index]);
      const target = findPack(entry, pack, start.root, at);
      const hint = "remove one of the packs from the circle";
      if (!("code" in target) && !isBuiltIn(target)) uses.push(target.file);
      if ("code" in target) fail(target);
      else if (files.includes(target.file))
        fail(diagnostic("extends-cycle", `${entry} leads back to ${target.file}`, at(), hint));
      else if (!loaded.has(target.file)) {
        const next = load(target, at);
        if (next) yield* withExtended(next, files);
      }
    }
    if (given === start) for (const added of others?.added ?? []) yield* withExtended(added, files);
    yield { ...pack, uses };
  }

  function sound(pack: LoadedPack): LoadedPack {
    return checking && pack.sound ? { ...pack, body: pack.sound } : pack;
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

const onlyExtending = (pack: LoadedPack): LoadedPack => ({
  ...pack,
  body: pack.body.extends ? { extends: pack.body.extends } : {},
  diagnostics: [],
});

/** A pack and the packs that it extends, directly or through others, without the built-in ones. */
export function reachOf({ file }: LoadedPack, packs: readonly LoadedPack[]): readonly LoadedPack[] {
  const found = new Set([file]);
  // A set also visits what is added meanwhile.
  for (const one of found) for (const used of packs.find((pack) => pack.file === one)?.uses ?? []) found.add(used);
  return packs.filter((pack) => found.has(pack.file));
}

/** What a user trusts: a pack as it is now, with everything that it extends. */
export function digestOfPack(pack: LoadedPack, packs: readonly LoadedPack[]): string {
  const [first = "", ...others] = reachOf(pack, packs)
    .map(({ yaml }) => digestOf(yaml.text, 32))
    .reverse();
  return others.length === 0 ? first : digestOf([first, ...others].join(" "), 32);
}
