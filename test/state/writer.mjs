// A process that stores things, as a plugin does, while others do the same: node writer.mjs WHAT NAME COUNT FOLDER
import { builtInRules, extract } from "../../dist/index.js";
import { pin } from "../../dist/state/choices.js";
import { whenFree } from "../../dist/state/lock.js";
import { changeMemory, toMemory, withMemory } from "../../dist/state/memory.js";
import { rememberStanding } from "../../dist/state/standing.js";
import { changeState } from "../../dist/state/state.js";

const [, , what, name, count, folder] = process.argv;
const { rules } = builtInRules();
const sessionOf = (index, text) => ({
  id: "ses_1",
  format: "test",
  messages: [{ id: `${name}${index}`, role: "user", text, toolCalls: [] }],
});

let times = 0;
const works = {
  memory(index) {
    const session = sessionOf(index, `We decided to use library ${name}${index}.`);
    const found = extract(session, rules);
    changeMemory("ses_1", (before) => toMemory("ses_1", index, withMemory(found, before, session)), folder);
  },
  pins: (index) => pin("/project", `${name}${index}`, folder),
  rules(index) {
    const { continuation } = extract(sessionOf(index, `Never touch the file ${name}${index}.ts.`), rules);
    const given = continuation.items.filter(({ kind }) => kind === "constraint");
    rememberStanding("/project", { id: `${name}${index}`, messages: [] }, given, undefined, folder);
  },
  // Stops in the midst of a change, the first time; the test lets it go on.
  sleeper() {
    const add = (value) => {
      if (times++ === 0) process.kill(process.pid, "SIGSTOP");
      return { version: 1, names: [...(value?.names ?? []), name] };
    };
    changeState("names", add, folder);
    process.stdout.write(`${times}`);
  },
};
for (let index = 0; index < Number(count); index++) await whenFree(() => works[what](index));
