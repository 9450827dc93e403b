// A memory command that works, hangs, floods, lies or is missing.
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { playFew } from "../few.mjs";
import { writeFiles } from "../folders.mjs";

export const name = "6 memory command";

const REFUSAL = '{"success":false,"data":null,"error":{"code":"INTERNAL_ERROR","message":"the disk is full"}}';
const SUCCESS = '{"success":true,"data":{"uri":"memory://sessions/x"},"error":null}';

const COMPLAINT = /maenifold|memory|compaction summary/i;

/** Each notes its process and its arguments beside itself. */
const COMMANDS = {
  works: `printf '%s\\n' "$@" > "$0.args"\necho '${SUCCESS}'`,
  hangs: 'echo $$ > "$0.pid"\ntrap "" TERM\nwhile true; do sleep 1; done',
  floods: "head -c 10485760 /dev/zero | tr '\\0' x",
  refuses: `echo '${REFUSAL}'`,
  fails: "echo broken >&2\nexit 3",
};

export async function play({ plugin, open, report }) {
  const world = await open();
  for (const what of [...Object.keys(COMMANDS), "missing"]) {
    // Only the user's own settings name a program.
    const command = join(world.root, "commands", what, "memory.sh");
    writeFiles(world.settings, { "config.yaml": `sinks:\n  maenifold: { command: ${JSON.stringify(command)} }\n` });
    const project = world.project(what, { plugin: [plugin] });
    if (COMMANDS[what]) {
      writeFiles(join(world.root, "commands", what), { "memory.sh": `#!/bin/sh\n${COMMANDS[what]}\n` });
      chmodSync(command, 0o755);
    }
    const { milliseconds } = await playFew(await project.session(), report, what);
    report.check(`${what}: the compaction is not held up`, milliseconds < 8_000, `${milliseconds} ms`);
  }
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const payload = join(world.root, "commands", "works", "memory.sh.args");
  const said = existsSync(payload) ? readFileSync(payload, "utf8") : "";
  report.check(
    "works: it was given the note",
    said.includes("WriteMemory") && said.includes("Valkey"),
    said || "it was not called",
  );
  report.check("hangs: it was called", existsSync(join(world.root, "commands", "hangs", "memory.sh.pid")));
  report.check("hangs: it was ended", !isAlive(join(world.root, "commands", "hangs", "memory.sh.pid")));
  const complaints = world.log.split("\n").filter((line) => /level=(WARN|ERROR)/.test(line) && COMPLAINT.test(line));
  report.check(
    "the log tells of the five that do not work",
    complaints.length >= 5,
    `${complaints.length}: ${complaints.join(" | ")}`,
  );
}

function isAlive(file) {
  if (!existsSync(file)) return false;
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}
