// A clone of anybody's: its configuration runs nothing, writes nothing outside of it, and ends nothing.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { playFew } from "../few.mjs";
import { writeFiles } from "../folders.mjs";

export const name = "17 a clone";

const EVIL = 'require("node:fs").writeFileSync(require("node:path").join(__dirname, "ran"), ""); module.exports = {};';

/** What cosmiconfig would read for itself, in the folder that OpenCode is started in. */
const RUN = {
  "package.json": '{"cosmiconfig":{"$import":"./evil.cjs"}}',
  ".config/config.json": '{"$import":["../evil.cjs"]}',
  ".config/config.js": 'require("../evil.cjs"); module.exports = {};',
};

const TEMPLATE = 'templates: { note: { text: "[core] pager = evil", store: { file: config } } }\n';
const WRITTEN = {
  "into the home folder": "~/.config/git",
  "into .git": ".git/hooks",
};

const nested = (open, times) => open.repeat(times);
const DEEP = {
  "1,000 brackets": nested("[", 1_000),
  "100,000 brackets": nested("[", 100_000),
  "100,000 braces": nested("{a: ", 100_000),
  "100,000 dashes": nested("- ", 100_000),
  "100,000 questions": nested("? ", 100_000),
  "1,000 margins": Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
  "20,000 aliases": `nothing: &a0 [x]\n${Array.from({ length: 20_000 }, (_, at) => `a${at}: &a${at + 1} [*a${at}]\n`).join("")}`,
};

export async function play({ plugin, open, report }) {
  const world = await open({ idle: true });
  for (const [file, text] of Object.entries(RUN)) {
    writeFiles(world.root, { "evil.cjs": EVIL, [file]: text });
    await world.restart();
    const files = { ".compactionrc": "budget: { brief: 400 }\n" };
    const project = world.project(`beside-${file.replace(/\W+/g, "-")}`, { plugin: [plugin], files });
    await playFew(await project.session(), report, `beside ${file}`);
    report.check(`beside ${file}: nothing is run`, !existsSync(join(world.root, "ran")));
    for (const name of ["ran", file]) rmSync(join(world.root, name), { force: true });
  }

  for (const [where, folder] of Object.entries(WRITTEN)) {
    const files = { ".compactionrc": `${TEMPLATE}sinks: { notes: { folder: ${folder} } }\n` };
    const project = world.project(where.replace(/\W+/g, "-"), { plugin: [plugin], files });
    const from = world.log.length;
    await playFew(await project.session(), report, where);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const place = folder.startsWith("~") ? join(world.root, "home", folder.slice(2)) : join(project.folder, folder);
    const written = existsSync(place) ? readdirSync(place).filter((name) => /^config/.test(name)) : [];
    report.check(`${where}: no note is written`, written.length === 0, written.join(", "));
    const warned = world.log.slice(from).includes("a project may not write notes to");
    report.check(`${where}: the log says so`, warned);
  }

  for (const [what, text] of Object.entries(DEEP)) {
    const files = { ".compactionrc": text };
    const project = world.project(what.replace(/\W+/g, "-"), { plugin: [plugin], files });
    const from = world.log.length;
    await playFew(await project.session(), report, what);
    const warned = /levels deep|more than 100 aliases/.test(world.log.slice(from));
    report.check(`${what}: the log says so`, warned);
  }
}
