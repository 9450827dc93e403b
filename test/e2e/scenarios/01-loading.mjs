// By path, by folder, by tarball and as a single file: in each way it loads and works.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { playFew } from "../few.mjs";

export const name = "1 loading";

export async function play({ plugin, root, open, report }) {
  const world = await open();
  const tarball = pack(root, world.root);
  const plugins = join(world.root, "single", ".opencode", "plugins");
  mkdirSync(plugins, { recursive: true });
  copyFileSync(plugin, join(plugins, "compaction-rules.js"));
  const ways = {
    path: [plugin],
    options: [[plugin, { budget: { brief: 400 } }]],
    folder: [root],
    tarball: [`compaction-rules@file:${tarball}`],
    single: [],
  };
  for (const [way, list] of Object.entries(ways)) {
    world.loadErrors.length = 0;
    const project = world.project(way, { plugin: list });
    const session = await project.session();
    await playFew(session, report, way);
    report.check(`${way}: no error while loading`, world.loadErrors.length === 0, world.loadErrors.join("; "));
  }
  const failures = world.log.split("\n").filter((line) => /failed to load plugin|plugin config hook failed/i.test(line));
  report.check("no plugin failed by the log", failures.length === 0, failures[0]);
}

/**
 * The package as it is published, but for its dependencies: OpenCode would fetch them from the registry, and the plugin
 * has to work without them.
 */
function pack(folder, target) {
  const npmPack = (cwd) => {
    const told = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", target], {
      cwd,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return join(target, JSON.parse(told)[0].filename);
  };
  execFileSync("tar", ["-xzf", npmPack(folder), "-C", target]);
  const file = join(target, "package", "package.json");
  const { dependencies: _, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(rest));
  return npmPack(join(target, "package"));
}
