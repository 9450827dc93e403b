// A process that stores ever higher numbers until somebody kills it: node counter.mjs NAME FOLDER
import { writeSync } from "node:fs";
import { changeState } from "../../dist/keep/state.js";

const [, , name, folder] = process.argv;
for (;;) {
  const stored = changeState(
    name,
    (value) => {
      const count = (value?.count ?? 0) + 1;
      return { version: 1, count, filler: String(count % 10).repeat(200_000) };
    },
    folder,
  );
  writeSync(1, `${stored.count}\n`);
}
