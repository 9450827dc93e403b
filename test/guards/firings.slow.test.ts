// The guards of team.yaml over real sessions, where ../shared has them. FIRINGS=FILE writes every firing with its call, to be read.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { exampleContext } from "../../src/guards/examples.js";
import { guardSession } from "../../src/guards/guard-session.js";
import { loadRules } from "../../src/rules/load-rules.js";
import { readSession } from "../../src/source/session/read-session.js";

const { SHARED = "../shared" } = process.env;
const FOLDERS = [
  "corpus/sessions",
  "eval/needed/dev",
  "harness/opencode/samples",
  "harness/pi/samples",
  "harness/command-hooks/samples",
];
const isThere = existsSync(SHARED);

test.skipIf(!isThere)("fires at few calls of real sessions", { timeout: 300_000 }, () => {
  const { rules, guards } = loadRules("test/guards");
  expect(guards).toHaveLength(15);
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(SHARED, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:jsonl|json|session\.jsonl\.gz|md)$/.test(name) && !/README|LICENCES|summary/.test(name))
      .map((name) => join(SHARED, folder, name)),
  );
  const firings: object[] = [];
  let [calls, sessions] = [0, 0];
  for (const file of files) {
    const bytes = readFileSync(file);
    let read: ReturnType<typeof readSession>;
    try {
      read = readSession(file.endsWith(".gz") ? gunzipSync(bytes) : bytes, file);
    } catch {
      continue;
    }
    const { session } = read;
    const count = session.messages.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0);
    if (count === 0) continue;
    calls += count;
    sessions++;
    for (const { guard, what, source, tool, call } of guardSession([{ of: "others", guards, rules }], session, () =>
      exampleContext(rules),
    ))
      firings.push({
        file: file.slice(SHARED.length + 1),
        at: `${source}#${tool}`,
        guard: guard.id,
        what,
        folder: session.folder,
        tool: call.name,
        input: call.input,
      });
  }
  if (process.env.FIRINGS) writeFileSync(process.env.FIRINGS, firings.map((one) => `${JSON.stringify(one)}\n`).join(""));
  console.log(`${firings.length} firings at ${calls} calls of ${sessions} sessions`);
  expect(firings.length / calls).toBeLessThan(0.02);
});
