// The search for configurations, loaded when it is first used: it asks for the user's home folder at once, and there may be none.
// Of cosmiconfig this is the class behind its function. The function must not be called: before it looks for anything, it
// looks in the working folder for settings of its own (.config/config.*, package.json), which may run any program.
import { createRequire } from "node:module";

interface Options {
  readonly searchPlaces: readonly string[];
  readonly searchStrategy: "none";
  readonly ignoreEmptySearchPlaces: boolean;
  readonly loaders: Readonly<Record<string, () => object>>;
  readonly transform: <T>(found: T) => T;
}

type ExplorerSync = new (options: Options) => { search(folder: string): { readonly filepath: string } | null };

export const loadCosmiconfig = (): { readonly ExplorerSync: ExplorerSync } =>
  createRequire(import.meta.url)("cosmiconfig/dist/ExplorerSync.js");
