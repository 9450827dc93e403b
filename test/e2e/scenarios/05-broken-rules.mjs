// A configuration or pack that cannot be read: the built-in packs do the work, and one warning says where.
import { playFew } from "../few.mjs";

export const name = "5 broken configuration and packs";

const CASES = {
  configuration: { file: ".compactionrc", line: 3, files: { ".compactionrc": "budget:\n  brief: 400\nrules: { a: b: c }\n" } },
  pack: {
    file: "team.yaml",
    line: 4,
    files: {
      ".compactionrc": "extends: [compaction:recommended, ./team.yaml]\n",
      "team.yaml": 'compaction: 1\nname: team\nrules:\n  adr: { emit: decision, match: "ADR {text}" } }\n',
    },
  },
  "unknown key": { file: ".compactionrc", line: 2, files: { ".compactionrc": "budget: { brief: 400 }\nruels: {}\n" } },
  "missing pack": {
    file: ".compactionrc",
    line: 1,
    files: { ".compactionrc": "extends: [compaction:recommended, ./gone.yaml]\n" },
  },
};

export async function play({ plugin, open, report }) {
  const world = await open();
  for (const [what, { file, line, files }] of Object.entries(CASES)) {
    const from = world.log.length;
    const session = await world.project(what.replace(" ", "-"), { plugin: [plugin], files }).session();
    await playFew(session, report, what);
    await session.compact();
    const lines = world.log.slice(from).split("\n");
    const warnings = lines.filter((text) => /WARN/.test(text) && text.includes(file));
    const place = new RegExp(`${file.replaceAll(".", "\\.")}(:|\\S* line )${line}\\b`);
    report.check(`${what}: one warning`, warnings.length === 1, `${warnings.length}: ${warnings.join(" | ")}`);
    report.check(
      `${what}: it names ${file}:${line}`,
      warnings.some((text) => place.test(text)),
      warnings[0] ?? "no warning",
    );
  }
}
