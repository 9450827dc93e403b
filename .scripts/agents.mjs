// Plays test/agents in real agents, offline: `npm run test:agents`, or with names of agents.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as claudeCode from "../test/agents/claude-code.mjs";
import * as codex from "../test/agents/codex.mjs";
import * as copilot from "../test/agents/copilot.mjs";
import * as gemini from "../test/agents/gemini.mjs";
import * as pi from "../test/agents/pi.mjs";
import { openReport } from "../test/e2e/report.mjs";

const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const extension = fileURLToPath(new URL("../src/hosts/pi/extension/index.ts", import.meta.url));
const here = `${process.platform}-${process.arch}`;
/** Several hundred megabytes each, so they are downloaded into a cache folder instead of being devDependencies. */
const AGENTS = [
  { ...claudeCode, name: "@anthropic-ai/claude-code", version: "2.1.325", inside: () => "claude" },
  {
    ...codex,
    name: "@openai/codex",
    version: "0.166.0",
    inside: (folder) => join("vendor", readdirSync(join(folder, "vendor"))[0], "bin/codex"),
  },
  // The last one that runs on Node 20.
  { ...pi, name: "@mariozechner/pi-coding-agent", version: "0.73.1", inside: () => "dist/cli.js", anywhere: true },
  // The newest one that npm can install.
  { ...pi, name: "@earendil-works/pi-coding-agent", version: "0.87.1", inside: () => "dist/cli.js", anywhere: true, node: 24 },
  { ...copilot, name: "@github/copilot", version: "1.0.102", inside: () => "copilot" },
  { ...gemini, name: "@google/gemini-cli", version: "0.61.0", inside: () => "bundle/gemini.js", anywhere: true },
];

/** On a slow connection, CI skips them. */
const INSTALL_MILLISECONDS = 600_000;

const CHOICE = "We decided to use a state machine instead of a regex.";
const RULE = "Never touch the legacy folder.";
const said = {
  first: `Build a CSV parser. ${RULE}`,
  asked: "CSV parser",
  answered: CHOICE,
  later: "The port must be 4317.",
  rule: RULE,
  choice: CHOICE,
};

function binaryOf({ name, version, inside, anywhere }) {
  const cache = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
    "compaction-rules",
    `${name.split("/").at(-1)}-${version}`,
  );
  const folder = join(cache, "node_modules", anywhere ? name : `${name}-${here}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", cache, `${name}@${version}`];
    const { status } = spawnSync("npm", args, { stdio: "ignore", timeout: INSTALL_MILLISECONDS });
    // Discard partial downloads: they would fail, and be found the next time.
    if (status !== 0) rmSync(cache, { recursive: true, force: true });
  }
  return existsSync(folder) ? join(folder, inside(folder)) : undefined;
}

/** A newer Node than this one may be needed. */
function nodeOf(version) {
  if (Number.parseInt(process.versions.node, 10) >= version) return process.execPath;
  return binaryOf({ name: `node-${here}`, version: String(version), inside: () => "bin/node", anywhere: true });
}

async function playOne(agent, binary, { name, init, setup, play }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-agent-")));
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  const program = join(project, "node_modules/.bin/compaction-rules");
  mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
  // Codex starts a hook in any folder of the project, and finds the program from the root of the repository.
  spawnSync("git", ["init", "--quiet", project]);
  mkdirSync(home);
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(program, 0o755);
  const report = openReport(`${agent.host} ${agent.version}: ${name}`);
  const start = performance.now();
  const world = {
    binary,
    version: agent.version,
    extension,
    node: agent.node ? nodeOf(agent.node) : process.execPath,
    project,
    home,
    said,
    report,
  };
  if (init) {
    const args = [main, "init", "--host", agent.host, ...(init.with ?? []), "--yes"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
    report.check("init writes its entries", status === 0, stderr);
  }
  try {
    await setup?.(world);
    await play(world);
  } catch (error) {
    report.check("it can be played to its end", false, error.stack ?? error);
  }
  const isFine = report.print((performance.now() - start) / 1_000);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return isFine;
}

let failed = 0;
// Names of agents, or parts of the names of plays.
const wanted = process.argv.slice(2);
const hosts = wanted.filter((word) => AGENTS.some(({ host }) => host === word));
const words = wanted.filter((word) => !hosts.includes(word));
for (const agent of AGENTS.filter(({ host }) => hosts.length === 0 || hosts.includes(host))) {
  const binary = binaryOf(agent);
  if (binary === undefined) {
    console.log(`skipped: ${agent.name}@${agent.version} cannot be downloaded here`);
    continue;
  }
  for (const play of agent.plays.filter(({ name }) => words.every((word) => name.includes(word))))
    if (!(await playOne(agent, binary, play))) failed++;
}
process.exit(failed > 0 ? 1 : 0);
