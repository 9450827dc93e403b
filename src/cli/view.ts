// compaction view: writes a page that shows a session and what was found in it.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { type Arguments, forbidTwice, oneSession } from "./input/arguments.js";
import { inputOf, readSummary, STANDARD_INPUT } from "./input/open-session.js";
import { isOff, rulesFor } from "./input/project.js";
import { print, say } from "./output/terminal.js";
import { writeOut } from "./output/write-out.js";
import { pageData, toHtml } from "./page/page.js";

export function view({ values, flags, positionals }: Arguments): undefined {
  const { project, format, summary } = values;
  const path = oneSession(positionals);
  forbidTwice(path, summary);
  const loaded = rulesFor(project ?? process.cwd());
  if (isOff(loaded)) return undefined;
  const input = inputOf(path);
  const summaryText = summary === undefined ? undefined : readSummary(summary);
  const html = toHtml(pageData(input, { loaded, project, format }, summaryText));
  const out = values.out ?? `${input.name}.html`;
  if (out === STANDARD_INPUT) return void print(html);
  writeOut(out, html);
  say(`wrote ${out}\n`);
  if (flags.open) openInBrowser(resolve(out));
}

const OPENERS: Readonly<Record<string, string>> = { darwin: "open", win32: "explorer" };

export function openInBrowser(target: string): void {
  const program = OPENERS[process.platform] ?? "xdg-open";
  const opened = spawn(program, [target], { stdio: "ignore", detached: true });
  opened.on("error", () => say(`${program} could not be started; open ${target} yourself\n`));
  opened.unref();
}
