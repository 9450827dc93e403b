// Suggests what an unknown id probably means.
import { didYouMean } from "../text/did-you-mean.js";
import { BUILT_IN, builtInNames, loadPack, rulesFolder } from "./load-pack.js";
import type { LoadedPack } from "./pack.js";

/** Suggests a built-in pack that declares the id and is not extended, or a similar id. */
export function suggest(map: string, id: string, known: Iterable<string>, extended: readonly LoadedPack[]): string | undefined {
  builtIn ??= builtInNames().map((name) => ({ name, ...loadPack(`${rulesFolder}${name}.yaml`, rulesFolder, "pack") }));
  const pack = builtIn.find(({ body }) => Object.hasOwn((body as Readonly<Record<string, object>>)[map] ?? {}, id));
  if (!pack || extended.some(({ file }) => file === pack.file)) return didYouMean(id, known);
  return `extend ${BUILT_IN}${pack.name}, which declares it`;
}

let builtIn: readonly (LoadedPack & { readonly name: string })[] | undefined;
