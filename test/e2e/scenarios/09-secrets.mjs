// Secrets that are said stand in nothing that the plugin injects, appends, stores, logs or hands on.
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../folders.mjs";
import { occurrences } from "../report.mjs";
import { secrets } from "../secrets.mjs";
import { storedText } from "../world.mjs";

export const name = "9 secrets";

const WAYS = {
  "said by the user": (session, said) => session.say(`The deploy job must use this: ${said} and nothing else.`, "I see."),
  "said by the model": (session, said) => session.say("How?", `We decided to use ${said} for the deploy job.`),
  "in a failing command": (session, said) =>
    session.say(
      "Try it.",
      { tools: [{ name: "bash", args: { command: `false ${JSON.stringify(said)}`, description: "tries it" } }] },
      "It failed.",
    ),
  "in a todo": (session, said) =>
    session.say(
      "Plan it.",
      {
        tools: [
          { name: "todowrite", args: { todos: [{ content: `Replace ${said} soon`, status: "pending", priority: "high" }] } },
        ],
      },
      "Planned.",
    ),
};

export async function play({ plugin, open, report }) {
  const world = await open();
  // Only the user's own settings name a program.
  const commands = join(world.root, "commands");
  const command = join(commands, "memory.sh");
  const rules = "sinks:\n  notes: { folder: notes }\n";
  writeFiles(world.settings, { "config.yaml": `sinks:\n  maenifold: { command: ${JSON.stringify(command)} }\n` });
  const project = world.project("secrets", { plugin: [plugin], files: { ".compactionrc": rules } });
  writeFiles(commands, {
    "memory.sh": `#!/bin/sh\nprintf '%s\\n' "$@" >> "$0.args"\necho '{"success":true,"data":{},"error":null}'\n`,
  });
  chmodSync(command, 0o755);
  const seen = { injected: "", appended: "" };
  const ways = Object.values(WAYS);
  // Every form in every way would take minutes: each form is said in two ways, in four sessions.
  for (const [turn, say] of ways.entries()) {
    const session = await project.session();
    const mine = secrets.filter((_, at) => at % 4 === turn || (at + 1) % 4 === turn);
    const portions = turn < 2 ? mine.map(({ said }) => said) : [mine.map(({ said }) => said).join(" ")];
    for (const said of joined(portions)) await say(session, said);
    await session.say("And now?", "Nothing.");
    for (const mode of ["amnesic", "empty"]) {
      const { injected, block } = await session.compact(mode);
      const { requests } = await session.say("Go on.", "Going on.");
      seen.injected += injected;
      seen.appended += block + (mode === "empty" ? (requests[0] ?? "") : "");
    }
  }
  const args = `${command}.args`;
  const places = {
    ...seen,
    stored: storedText(world.state),
    // OpenCode itself logs the commands that it is allowed to run.
    logged: world.log
      .split("\n")
      .filter((line) => !line.includes("message=evaluated permission="))
      .join("\n"),
    noted: storedText(join(project.folder, "notes")),
    "handed on": existsSync(args) ? readFileSync(args, "utf8") : "",
  };
  report.figure(
    `${secrets.length} forms; ${Object.entries(places)
      .map(([place, { length }]) => `${place} ${length} characters`)
      .join(", ")}`,
  );
  report.check("something was injected, appended and stored", seen.injected && seen.appended && places.stored);
  for (const [place, text] of Object.entries(places)) {
    const leaked = secrets.filter(({ secret }) => occurrences(text, secret.slice(-12)) > 0);
    report.check(`none is ${place}`, leaked.length === 0, leaked.map((leak) => leak.name).join(", "));
  }
}

/** Some at a time, each in a paragraph of its own. */
function joined(texts) {
  const portions = [];
  for (let at = 0; at < texts.length; at += 5) portions.push(texts.slice(at, at + 5).join("\n\nThe deploy job must use this: "));
  return portions;
}
