// Where the time of a cold `run` goes, from CPU profiles. A sample belongs to the innermost function of a stage: what others
// call (src/text, Node, libraries) counts for the caller.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** By the source of a function, in this order. */
/** @type {readonly (readonly [string, RegExp])[]} */
const STAGES = [
  ["loading", /^Module\._load$/],
  ["start-up", /^src\/cli\/(?:main|run\/(?!session-work)|input\/(?!open-session)|output)/],
  ["compiling packs", /^src\/(?:config|rules\/(?:load-rules|compile))/],
  ["reading", /^src\/(?:source\/(?:session|readers)|files|cli\/input\/open-session)/],
  ["masking", /^src\/(?:rules\/redact|extract\/redact-session)/],
  ["splitting", /^src\/source\/(?:markdown|notes)/],
  ["matching", /^src\/extract\/(?:segments|signals\/(?:condition|local|signals)|facts)/],
  ["tool calls", /^src\/extract\/calls/],
  ["salience", /^src\/extract\/weigh/],
  ["signals", /^src\/extract\/signals/],
  ["superseding", /^src\/extract\/settle/],
  ["rendering", /^src\/render/],
  ["the rest of extracting", /^src\/extract/],
  ["garbage collection", /^\(garbage collector\)$/],
];
const OTHER = "Node itself";

/** A table of stages, in milliseconds per session and as shares. Builds the command twice: only for this, it names its sources. */
export function stagesOf(main, sessions, cwd) {
  const build = fileURLToPath(new URL("../build.mjs", import.meta.url));
  const node = (args, options) => spawnSync(process.execPath, args, { stdio: "ignore", ...options });
  node([build], { env: { ...process.env, PROFILE: "1" } });
  const profiles = mkdtempSync(join(tmpdir(), "compaction-stages-"));
  const spent = new Map();
  try {
    for (const file of sessions)
      node(["--cpu-prof", "--cpu-prof-dir", profiles, "--cpu-prof-interval", "300", main, "run", file], { cwd });
    for (const name of readdirSync(profiles)) addProfile(JSON.parse(readFileSync(join(profiles, name), "utf8")), spent);
  } finally {
    rmSync(profiles, { recursive: true });
    node([build]);
  }
  const all = [...spent.values()].reduce((sum, time) => sum + time, 0);
  const rows = [...spent]
    .sort(([, a], [, b]) => b - a)
    .map(
      ([stage, time]) => `| ${stage} | ${(time / 1_000 / sessions.length).toFixed(0)} | ${((100 * time) / all).toFixed(0)} % |`,
    );
  return ["| stage | ms per session | share |", "|---|---|---|", ...rows].join("\n");
}

function addProfile({ nodes, samples, timeDeltas }, spent) {
  const stages = new Map();
  const visit = (node, outer) => {
    const { functionName, url, lineNumber } = node.callFrame;
    const source = sourceOf(url, lineNumber) ?? functionName;
    const stage = STAGES.find(([, pattern]) => pattern.test(source))?.[0] ?? outer;
    stages.set(node.id, stage);
    for (const child of node.children ?? []) visit(byId.get(child), stage);
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  visit(nodes[0], OTHER);
  for (const [index, id] of samples.entries()) spent.set(stages.get(id), (spent.get(stages.get(id)) ?? 0) + timeDeltas[index]);
}

const files = new Map();

/** The source of a line of the command: the last comment above it that names one. Undefined for Node and libraries. */
function sourceOf(url, line) {
  if (!url.startsWith("file:")) return undefined;
  if (!files.has(url)) {
    let source;
    const lines = readFileSync(fileURLToPath(url), "utf8").split("\n");
    files.set(
      url,
      lines.map((text) => {
        source = /^\s*\/\/ (src\/\S+)$/.exec(text)?.[1] ?? source;
        return source;
      }),
    );
  }
  return files.get(url)[line];
}
