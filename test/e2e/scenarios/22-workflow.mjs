// Projects with a workflow: where the work stands, its gate and its harness command survive every compaction (S3-35, S3-38).
import { occurrences } from "../report.mjs";

export const name = "22 a workflow survives three compactions";

const GENERIC = [
  "Stage-Aware Continuation",
  "Primary Objective",
  "Current Step",
  "Status",
  "Completed",
  "Remaining",
  "Decisions",
  "Active Files",
  "Blockers / Risks",
  "Next Action",
];
const OF_WORKFLOW = [
  "Workflow-Aware Augmentation",
  "Workflow Type",
  "Canonical Workflow Stage",
  "Source Artifacts",
  "Current Artifact",
  "Artifact Status",
  "Transition Gate",
  "Approved Decisions",
  "Pending Decisions / Open Questions",
  "Dependencies / Preconditions",
  "Verification / Done Criteria",
];

/** The projects of the described system. */
const PROJECTS = {
  spec: {
    files: {
      "SESSION.md":
        "# Session State\n\n[Focus: execution] 2026-03-10\n- Next command: /spec-execute next 001-prd-compaction\n- Blockers: none.\n",
      ".codex/specs/001-prd-compaction/requirements.md": "# Requirements\nready\n",
      ".codex/specs/001-prd-compaction/design.md": "# Design\nready\n",
      ".codex/specs/001-prd-compaction/tasks.md":
        "# Tasks\n\n## Batch 1 — Foundation\n- [x] 1. Parse SESSION.md\n- [ ] 2. Build continuation context\n\n## Batch 2 — Validation\n- [ ] 3. Add workflow tests\n",
      ".codex/specs/001-prd-compaction/context.md":
        "# Execution Context — 001-prd-compaction\n\n## Decisions Made\n- [Batch 0] Decision: prefer inject-only compaction context — Rationale: preserves default OpenCode prompt behavior.\n",
    },
    // Only a stage that waits for an approval has pending decisions.
    headings: OF_WORKFLOW.filter((title) => !title.startsWith("Pending")),
    told: ["2 — Build continuation context", "3 — Add workflow tests", "`context.md` records discoveries"],
    survives: ["spec-execute", "001-prd-compaction", "`.codex/scripts/harness.sh spec gate <spec-name> <task-id>`"],
  },
  bug: {
    files: {
      "SESSION.md": "# Session State\n\n[Focus: bugfix] 2026-03-10\n- bug-fix under way for session-resume-regression\n",
      ".codex/bugs/session-resume-regression/report.md": "# Bug Report\nrepro confirmed\n",
      ".codex/bugs/session-resume-regression/analysis.md":
        "# Bug Analysis\n\n## Risks / Trade-offs\n- Choose the minimal safe fix in the compaction hook without adding persistent memory.\n",
      ".codex/bugs/session-resume-regression/harness/progress.md":
        "- bug-fix approved; implement fix and add regression coverage\n",
    },
    headings: OF_WORKFLOW,
    told: ["Choose the minimal safe fix", "Regression coverage demonstrates the original bug path is fixed."],
    survives: ["bug-fix", "session-resume-regression", "then request approval to proceed to `bug-verify`"],
  },
};

const TALK = [
  ["Go on. Never touch the folder `legacy/tariffs`.", "We decided to use Redis for the session store because it is fast."],
  ["And the fixtures?", "I found that `parseTariff` rounds twice. The fixtures live next to it."],
  ["What is left?", "We still need to write the runbook for the rollback."],
];

export async function play({ plugin, open, report }) {
  const world = await open();
  for (const [label, { files, headings, told, survives }] of Object.entries(PROJECTS)) {
    const project = world.project(label, { plugin: [plugin], files });
    const session = await project.session();
    for (const [index, turn] of TALK.entries()) {
      await session.say(...turn);
      const { injected, stored } = await session.compact();
      const at = `${label}, compaction ${index + 1}`;
      report.check(`${at}: the model is asked to judge`, injected.includes("<candidates>"), injected);
      const without = [...GENERIC, ...headings].filter((title) => !injected.includes(`\n## ${title}\n`));
      report.check(`${at}: the prompt has all headings`, without.length === 0, `without ${without.join(", ")}\n${injected}`);
      const untold = [...told, ...survives].filter((words) => !injected.includes(words));
      report.check(`${at}: the prompt has the whole state`, untold.length === 0, `without ${untold.join(", ")}\n${injected}`);
      const lost = survives.filter((words) => !stored.includes(words));
      report.check(`${at}: stage, item and gate are in the summary`, lost.length === 0, `without ${lost.join(", ")}\n${stored}`);
    }
    const [request] = (await session.say("Go on.", "Going on.")).requests;
    for (const words of survives) report.check(`${label}: "${words}" is known afterwards`, occurrences(request, words) > 0);
    await session.compact("empty");
    const [next] = (await session.say("Go on.", "Going on.")).requests;
    for (const words of survives)
      report.check(`${label}: "${words}" is known after an empty summary`, occurrences(next, words) > 0);
  }
}
