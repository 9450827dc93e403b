// A worker of `try`: receives sessions and returns what the rules do in them.
import { parentPort, workerData } from "node:worker_threads";
import { type TryOptions, triedRules } from "./tried-rules.js";
import { type TryUnit, tryUnit } from "./try-session.js";

const work = tryUnit(triedRules(workerData as TryOptions));
parentPort?.on("message", (unit: TryUnit) => parentPort?.postMessage(work(unit)));
