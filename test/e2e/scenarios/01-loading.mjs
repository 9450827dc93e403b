// By path, by folder, by tarball, as a single file, by name and as init writes it: in each way it loads and works.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { playFew } from "../few.mjs";
import { startRegistry } from "../registry.mjs";

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
  await byName(world, root, tarball, report);
  await byInit(world, root, report);
  const failures = world.log.split("\n").filter((line) => /failed to load plugin|plugin config hook failed/i.test(line));
  report.check("no plugin failed by the log", failures.length === 0, failures[0]);
}

/** By its name, from a registry. */
async function byName(world, root, tarball, report) {
  const project = world.project("name", { plugin: ["compaction-rules"] });
  const registry = await startRegistry(tarball, JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  writeFileSync(join(world.root, "home", ".npmrc"), `registry=${registry.address}/\n`);
  world.loadErrors.length = 0;
  await playFew(await project.session(), report, "name");
  report.check("name: no error while loading", world.loadErrors.length === 0, world.loadErrors.join("; "));
  await registry.close();
}

/** The entry that init writes into the user's own file, which doctor finds sound; and taken out again. */
async function byInit(world, root, report) {
  const project = world.project("init", { plugin: false, files: { "notes.txt": "none" } });
  const file = join(world.environment.XDG_CONFIG_HOME, "opencode", "opencode.json");
  const ours = (...args) =>
    spawnSync(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
      cwd: project.folder,
      env: { ...world.environment, NO_COLOR: "1" },
      encoding: "utf8",
    });
  const before = readFileSync(file, "utf8");
  ours("init", "--host", "opencode", "--yes");
  report.check("init: it names the file of this program", readFileSync(file, "utf8").includes(join(root, "dist/server.js")));
  const { stdout } = ours("doctor");
  report.check("init: doctor loads it", stdout.includes(`the plugin loads: ${join(root, "dist/server.js")}`), stdout);
  world.loadErrors.length = 0;
  await world.restart();
  await playFew(await project.session(), report, "init");
  report.check("init: no error while loading", world.loadErrors.length === 0, world.loadErrors.join("; "));
  ours("init", "--host", "opencode", "--remove", "--yes");
  report.check("init: --remove leaves the file as it was", readFileSync(file, "utf8") === before, readFileSync(file, "utf8"));
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
