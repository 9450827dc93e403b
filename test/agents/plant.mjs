// A session that a person typed in a terminal, which no test can do: its end leaves its rule to later sessions.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const TYPED_RULE = "Never rename a public function.";

const RECORDS = {
  "claude-code": [{ type: "user", uuid: "u1", sessionId: "earlier", message: { role: "user", content: TYPED_RULE } }],
  codex: [
    { type: "session_meta", payload: { id: "earlier", source: "cli" } },
    {
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: TYPED_RULE }] },
    },
  ],
};

export function plantRule(host, { project, home, report }) {
  const transcript_path = join(home, "earlier.jsonl");
  writeFileSync(transcript_path, RECORDS[host].map((record) => `${JSON.stringify(record)}\n`).join(""));
  const event = { hook_event_name: "SessionEnd", session_id: "earlier", transcript_path, cwd: project };
  const { status, stderr } = spawnSync(join(project, "node_modules/.bin/compaction-rules"), ["hook", host], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    input: JSON.stringify(event),
    encoding: "utf8",
  });
  report.check("the end of an earlier session stores its rule", status === 0 && stderr === "", stderr);
}

export const timesIn = (text, words) => text.split(words).length - 1;
