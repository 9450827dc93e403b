// A process that stores ever higher numbers until somebody kills it: node counter.mjs NAME FOLDER
import { writeSync } from "node:fs";
import { whenFree } from "../../dist/state/lock.js";
import { changeState } from "../../dist/state/state.js";

const [, , name, folder] = process.argv;
for (;;) {
  const next = (value) => {
    const count = (value?.count ?? 0) + 1;
    return { version: 1, count, filler: String(count % 10).repeat(200_000) };
  };
  const stored = await whenFree(() => changeState(name, next, folder));
  writeSync(1, `${stored.count}\n`);
}
