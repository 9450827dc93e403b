// Everything but the fast answer to a tool call.
import { failureCode, runCommand } from "../commands.js";

const args = process.argv.slice(2);
// A thread of `run` or `try` starts this file too.
if (args[0] === "run-worker") import("../run/run-worker.js");
else if (args[0] === "try-worker") import("../try/try-worker.js");
else {
  // Until the command says otherwise.
  process.exitCode = failureCode(args);
  runCommand(args).then((code) => {
    process.exitCode = code;
  });
}
