// A project with guards, for the plays in real agents.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
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
  "src/legacy/old.ts": "export {};\n",
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

/**
 * Guards speak in an agent that plays one call for each turn: told, refused, allowed by the user's word, a clone without trust.
 * @param agent `turn` says something, makes the call, and returns what the model reads behind it; `write` and `run` give calls;
 *   `scripted`: the sessions say that nobody types in them
 */
export async function playGuards({ project, home, report, host }, { turn, write, run, scripted = false }) {
  const ours = (...args) => command(project, { HOME: home }, ...args);
  const there = (file) => existsSync(join(project, file));
  const readKey = run("cat keys/a.txt");
  writeGuarded(project);
  // Only then, the hook for calls is written.
  if (host) ours("init", "--host", host, "--yes");
  const clone = await turn("Show the key here.", readKey);
  report.check("a clone without trust: the call runs", clone.includes("the key"), clone);
  report.check("it is told who says it", clone.includes(UNTRUSTED) && clone.includes(PRIVATE), clone);
  ours("trust", "--yes", "--digest", JSON.parse(ours("trust", "--json")).digest);
  // The packs are read when an agent starts, but trust counts at once.
  const told = await turn("Write the lock.", write("a.lock"));
  report.check("told: the call runs, and the sentence is behind it", there("a.lock") && told.includes(LOCKED), told);
  const again = await turn("Write the lock again.", write("b.lock"));
  report.check("told: once", there("b.lock") && !again.includes(LOCKED), again);
  const first = await turn("Write the file.", write("src/legacy/a.ts"));
  report.check("once: the first call is refused with the reason", first.includes(FROZEN) && !there("src/legacy/a.ts"), first);
  const second = await turn("And once more.", write("src/legacy/a.ts"));
  report.check("once: the second one runs", there("src/legacy/a.ts") && !second.includes(FROZEN), second);
  const pushed = await turn("Push it.", run("cd src && git push --force origin main"));
  report.check("ask, where nobody is: the call is refused with the sentence", pushed.includes(FORCED), pushed);
  const refused = await turn("Show the key.", readKey);
  report.check("refuse: the call does not run", refused.includes(PRIVATE) && !refused.includes("the key\\n"), refused);
  const allowed = await turn("You may read the keys folder.", readKey);
  const [what, isRight] = scripted
    ? ["the prompt of a script: the call does not run", allowed.includes(PRIVATE) && !allowed.includes("the key\\n")]
    : ["the user's word: the call runs", allowed.includes("the key") && !allowed.includes(PRIVATE)];
  report.check(what, isRight, allowed);
  // An agent that has us in its process reads packs when it starts.
  if (!host) return;
  writeGuarded(project, { "team.yaml": "compaction: 1\nname: team\nguards: [" });
  const broken = await turn("Push it now.", run("git push --force; echo it ran"));
  report.check("a broken pack: the call runs", broken.includes("it ran") && !broken.includes(FORCED), broken);
}

/** What a scripted model is to call: a tool that is wanted is taken once. */
export function oneCall() {
  let wanted;
  return {
    want: (tool) => {
      wanted = tool;
    },
    take: () => {
      const tool = wanted;
      wanted = undefined;
      return tool;
    },
  };
}
