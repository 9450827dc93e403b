// A worker of `run`: sessions in, what is printed of them out.
import { parentPort, workerData } from "node:worker_threads";
import { rulesFor } from "./rules.js";
import { createWork, type Unit, type Wish } from "./session-work.js";

const wish = workerData as Wish;
const work = createWork(rulesFor(wish.project ?? process.cwd()), wish, () => {});
parentPort?.on("message", (unit: Unit) => parentPort?.postMessage(work(unit)));
