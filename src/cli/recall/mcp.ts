// compaction mcp: serves recall to an agent over the Model Context Protocol.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Arguments, noPositional } from "../input/arguments.js";
import { EXIT, print, warn } from "../output/terminal.js";
import { answerTool, faultText } from "./answer-tool.js";

export async function mcp({ values, positionals }: Arguments): Promise<number | undefined> {
  noPositional(positionals, "mcp");
  const project = resolve(values.project ?? ".");
  if (values.call !== undefined) return callOnce(values.call, project);
  if (process.stdin.isTTY) warn("waiting for an agent on standard input; Ctrl-D ends it\n");
  return (await import("./serve-mcp.js")).serveMcp(project);
}

async function callOnce(name: string, project: string): Promise<number | undefined> {
  try {
    return void print(await answerTool(name, JSON.parse(readFileSync(0, "utf8")), project));
  } catch (error) {
    print(`${faultText(error)}\n`);
    return EXIT.couldNotRun;
  }
}
