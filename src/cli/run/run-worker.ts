// A worker of `run`: receives sessions and returns what to print.
import { parentPort, workerData } from "node:worker_threads";
import { rulesFor } from "../input/project.js";
import { createWork, type RunOptions, type Unit } from "./session-work.js";

const options = workerData as RunOptions;
const work = createWork(rulesFor(options.project ?? process.cwd()), options, () => {});
parentPort?.on("message", (unit: Unit) => parentPort?.postMessage(work(unit)));
