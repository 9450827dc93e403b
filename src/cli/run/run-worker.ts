// A worker of `run`: receives sessions and returns what to print.
import { parentPort, workerData } from "node:worker_threads";
import { rulesFor } from "../input/project.js";
import { createWork, type Unit, type Wish } from "./session-work.js";

const wish = workerData as Wish;
const work = createWork(rulesFor(wish.project ?? process.cwd()), wish, () => {});
parentPort?.on("message", (unit: Unit) => parentPort?.postMessage(work(unit)));
