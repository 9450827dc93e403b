// Notes and work items that lie nowhere, for tests of the continuation.
import { builtInRules, type Continuation, extract, type RuleSet, type WorkItem } from "../../../src/index.js";
import { noSession } from "../../project.js";

const { rules } = builtInRules();

export function continued(text: string, items: readonly WorkItem[] = [], ruleSet: RuleSet = rules): Continuation {
  return extract(noSession, ruleSet, { files: [{ path: "SESSION.md", name: "session", text }], items }).continuation;
}

export function spec(name: string, artifacts: Readonly<Record<string, string>>): WorkItem {
  const folder = `.codex/specs/${name}`;
  const files = Object.entries(artifacts);
  return {
    workflow: "spec",
    name,
    folder,
    artifacts: files.map(([id, text]) => ({ path: `${folder}/${id}.md`, name: id, text, modified: 0 })),
  };
}
