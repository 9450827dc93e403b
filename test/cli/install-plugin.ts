// Puts the program and the plugin of OpenCode where npm would install them in a project.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const PLUGIN = "./node_modules/compaction-rules/dist/server.js";

export function installPlugin(folder: string): void {
  for (const name of [PLUGIN, "./node_modules/.bin/compaction-rules"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "");
  }
}
