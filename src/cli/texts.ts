// The texts of everything that was loaded, for code frames.
import type { LoadedRules } from "../rules/load.js";

export function textsOf(loaded: readonly LoadedRules[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { packs, user } of loaded) {
    for (const { file, yaml } of [...packs.packs, ...(user ? [user] : [])]) texts.set(file, yaml.text);
    for (const { text, textFile } of packs.templates.values()) if (textFile) texts.set(textFile, text);
  }
  return texts;
}
