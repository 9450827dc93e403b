#!/usr/bin/env node
import { answerFast } from "./start/answer-fast.js";

// An agent waits for this answer at every call of a tool, so it loads nothing else.
if (!answerFast(process.argv.slice(2))) import("./start/start-command.js");
