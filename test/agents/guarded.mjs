// A project with guards, for the plays in real agents.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export const FROZEN = "The legacy folder is frozen.";
export const FORCED = "Never force-push.";
export const LOCKED = "Run npm install instead of this edit.";
export const PRIVATE = "Keys are private.";
export const UNTRUSTED = "which the user has not trusted, says";

export const FILES = {
  ".compactionrc": "extends: [compaction:recommended, ./team.yaml]\n",
  "team.yaml": `compaction: 1
name: team
guards:
  frozen: { on: { tool: edit, path: "src/legacy/**" }, then: once, say: "${FROZEN}" }
  forced: { on: { command: "git push --force" }, then: ask, say: "${FORCED}" }
  locks: { on: { tool: edit, path: "*.lock" }, then: tell, say: "${LOCKED}" }
  keys: { on: { path: "keys/**" }, then: refuse, say: "${PRIVATE}", unless: [user-allowed] }
`,
  "keys/a.txt": "the key\n",
};

export function writeGuarded(project, files = FILES) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(project, name, ".."), { recursive: true });
    writeFileSync(join(project, name), text);
  }
}

/** Our command line, as the user of the agent. */
export const command = (project, env, ...args) =>
  execFileSync(process.execPath, [main, ...args], { cwd: project, env: { PATH: process.env.PATH, ...env }, encoding: "utf8" });
