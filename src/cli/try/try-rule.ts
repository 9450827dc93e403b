// Tries a rule that an agent wrote on the sessions of a project, and runs its examples. For agents without a shell.
import { join } from "node:path";
import { loadPack } from "../../config/load-pack.js";
import { testExamples } from "../../extract/test-examples.js";
import { projectHome, projectRoot } from "../../files/folders.js";
import { testGuards } from "../../guards/examples.js";
import { isOfProject } from "../../recall/listed.js";
import { loadRules } from "../../rules/load-rules.js";
import { counted } from "../../text/forms.js";
import { findSessions } from "../first/agents-here.js";
import { report } from "../output/report.js";
import { CommandError } from "../output/terminal.js";
import { toReport } from "./report.js";
import { toText } from "./text.js";
import { triedRules } from "./tried-rules.js";
import { trySessions } from "./try-sessions.js";

/** An agent waits. Older sessions are left out. */
const MILLISECONDS = 45_000;
/** Of each rule. */
const MATCHES = 10;

const same = (text: string) => text;
const PLAIN = { red: same, yellow: same, green: same, dim: same, bold: same };
const NONE: ReadonlyMap<string, string> = new Map();

/** @param yaml a pack, or only its rules, sections and guards */
export async function tryRule(yaml: string, project: string): Promise<string> {
  const until = performance.now() + MILLISECONDS;
  const file = join(project, "tried-rule.yaml");
  const text = /^["']?compaction["']?\s*:/m.test(yaml) ? yaml : `compaction: 1\nname: tried\n${yaml}`;
  const added = [loadPack(file, projectRoot(project), "pack", text)];
  const { diagnostics } = loadRules(project, { without: new Set([file]), added });
  const findings = diagnostics.filter(({ at, severity }) => severity === "error" || at?.file === file);
  const faults = () => report(findings, "json", NONE);
  if (findings.some(({ severity }) => severity === "error")) throw new CommandError(`the rule cannot be used: ${faults()}`);

  const options = { project, packs: [file], text };
  const tried = triedRules(options);
  const { now, declared } = tried;
  const ids = [...declared.keys()];
  if (ids.length === 0) throw new CommandError("there is no rule in it", "begin with rules:, sections: or guards:");
  const [facts, calls] = [testExamples(now.packs, now.rules, ids, false), testGuards(now, ids, false)];
  findings.push(...facts.diagnostics, ...calls.diagnostics);
  const sessions = findSessions(undefined).filter(isOfProject(projectHome(project)));
  const done = await trySessions(sessions, options, tried, () => {}, until);
  const left = sessions.length - done.length;
  return [
    toText(toReport(done, tried, undefined, undefined), MATCHES, PLAIN),
    `${counted(facts.examples + calls.examples, "example")}, ${counted(findings.length, "finding")}\n`,
    ...(findings.length > 0 ? [faults()] : []),
    ...(left > 0 ? [`${counted(left, "older session")} not tried: time was up\n`] : []),
  ].join("\n");
}
