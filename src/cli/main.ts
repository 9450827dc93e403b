#!/usr/bin/env node
import { answerFast } from "./guards/answer-fast.js";

const args = process.argv.slice(2);
// An agent waits for this answer at every call of a tool, so it loads nothing else.
if (!answerFast(args)) import("./commands.js").then(({ runProcess }) => runProcess(args));
