// The search for configurations, loaded when it is first used: it asks for the user's home folder at once, and there may be none.
import { createRequire } from "node:module";

export const loadCosmiconfig = (): Pick<typeof import("cosmiconfig"), "cosmiconfigSync"> =>
  createRequire(import.meta.url)("cosmiconfig");
