import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtInRules, type Extraction, render, type Template } from "../../../src/index.js";
import { continueIn, linesOf, type ProjectInput } from "../../project.js";

const load = (name: string) => JSON.parse(readFileSync(`test/vectors/${name}.json`, "utf8"));
const { rulings } = load("rulings") as { rulings: Record<string, Record<string, string>> };
const { rules } = builtInRules();
const rendered = (found: Extraction) => render(found, rules.templates.get("continuation") as Template, rules).text.trimEnd();

interface Vector<T> {
  readonly id: string;
  readonly input: ProjectInput;
  readonly expected: T;
  readonly seedSample?: string;
}

const OPTIONAL = ["Pending Decisions / Open Questions", "Dependencies / Preconditions"];

describe("stages", () => {
  interface Answer {
    readonly workflowType: string;
    readonly stage: string;
    readonly currentArtifact: string | null;
    readonly sourceArtifacts: readonly string[];
    readonly activeFiles: readonly string[];
    readonly blockers: readonly string[];
    readonly decisions: readonly string[];
    readonly counts: Readonly<Record<string, number>>;
    readonly headings: readonly string[];
    readonly nextAction?: string;
    readonly currentStep?: string;
    readonly status?: string;
  }
  const batch = (name: string, task: string, group: string) => ({
    nextAction: `Resume ${name} in spec-execute: ${task} (${group}).`,
    currentStep: `Continue the current implementation lane in ${group}: ${task} (${group}).`,
  });
  const decision =
    "[Batch 0] Decision: prefer inject-only compaction context — Rationale: preserves default OpenCode prompt behavior.";
  const counts = (completed: number, remaining: number, approved: number, pending: number, dependencies: number) => ({
    completed,
    remaining,
    approved,
    pending,
    dependencies,
    verification: 3,
  });
  const at = (artifact: string | null, ...sources: readonly string[]) => ({
    currentArtifact: artifact,
    sourceArtifacts: sources,
    activeFiles: sources,
  });
  const execute = (folder: string, ...files: readonly string[]) =>
    at(`.codex/specs/${folder}/tasks.md`, ...files.map((file) => `.codex/specs/${folder}/${file}`));
  const task = "2 — Build continuation context";

  // What a ruling changes, by the vector's name; an empty answer where the ruling changes the headings only.
  const ruled: Readonly<Record<string, Partial<Answer>>> = {
    "st01-sample-spec": batch("001-prd-compaction", task, "Batch 1 — Foundation"),
    "st03-sample-generic": { activeFiles: [], counts: { ...counts(2, 2, 0, 0, 0), verification: 0 } },
    "st06-spec-create-empty-dir": { currentArtifact: null },
    "st09-execute-by-context": { currentArtifact: null },
    "st11-many-tasks": batch("s1", "8 — Todo 8", "Batch 1 — X"),
    "st12-nested-ids": {
      counts: counts(3, 4, 3, 0, 3),
      status: "s1 is in spec-execute; 2 task(s) complete and 4 task(s) remaining.",
    },
    "st13-crlf": { decisions: [decision, "second"], ...batch("s1", task, "Batch 1 — Foundation") },
    "st14-parens": { currentStep: "Continue the current implementation lane in the active batch: 1 — Fix parser (edge case)." },
    "st15-parens-batch": batch("s1", "1 — Fix (a) parser", "Batch 2 — Core"),
    "st16-decisions-first-only": { decisions: ["one", "two", "three"] },
    "st17-decisions-h3": { decisions: ["one"] },
    "st19-bug-create-empty": { currentArtifact: null },
    "st21-bug-analysis-only": { currentArtifact: null },
    "st24-bug-verify-progress": { currentArtifact: null },
    "st27-bug-progress-bullets": { status: "b1 is in bug-fix; harness progress notes: bug-fix approved" },
    "st31-agents-wins": {
      workflowType: "spec",
      stage: "spec-execute",
      ...execute("s1", "requirements.md", "tasks.md"),
      counts: counts(3, 2, 3, 0, 3),
    },
    "st32-hint-substring": {
      stage: "bug-create",
      ...at(".codex/bugs/b1/report.md", ".codex/bugs/b1/report.md"),
      counts: counts(0, 2, 0, 1, 2),
      nextAction: "Finish `report.md`, set up the harness, then ask for approval to start `bug-analyze`.",
      currentStep: "Finish `report.md`, set up the harness, then ask for approval to start `bug-analyze`.",
    },
    "st36-command-mention": { currentArtifact: null },
    "st37-command-batch": { currentArtifact: null },
    "st38-mtime": { stage: "spec-execute", ...execute("old", "tasks.md", "context.md"), counts: counts(2, 2, 3, 0, 3) },
    "st39-content-bonus": batch("full", task, "Batch 1 — Foundation"),
    "st41-name-substring-trap": { stage: "spec-execute", ...execute("beta", "tasks.md"), counts: counts(2, 2, 3, 0, 3) },
    "st44-approval-lines": { counts: counts(1, 2, 2, 1, 2) },
    "st46-unblocked-trap": { blockers: [] },
  };
  const { vectors } = load("stages.structural") as { vectors: readonly Vector<Answer>[] };

  test("every ruling that changes more than headings has its answer here", () => {
    const headingsOnly = /^Headings: [^.]+\.(?: Content decides before time[^.]+\.)?$/;
    const open = Object.entries(rulings["stages.structural"] ?? {}).filter(
      ([id, ruling]) =>
        !headingsOnly.test(ruling) && !(id in ruled) && !/As the documented samples: see design\.md\.$/.test(ruling),
    );
    expect(open).toEqual([]);
    expect(vectors).toHaveLength(49);
  });

  test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (id, { input, expected }) => {
    const found = continueIn(input);
    const { workflow } = found.continuation;
    const lines = (section: string) => linesOf(found, section);
    const want = { ...expected, ...ruled[id] };
    expect({
      workflowType: workflow?.type ?? "unknown",
      stage: workflow?.stage ?? "uncertain",
      currentArtifact: workflow?.artifact ?? null,
      sourceArtifacts: workflow?.artifacts ?? [],
      activeFiles: lines("files"),
      blockers: lines("blockers"),
      decisions: lines("decisions"),
      counts: {
        completed: lines("completed").length,
        remaining: lines("remaining").length,
        approved: lines("approved").length,
        pending: lines("pending").length,
        dependencies: lines("needs").length,
        verification: lines("done-when").length,
      },
      ...(want.nextAction && { nextAction: lines("next")[0] }),
      ...(want.currentStep && { currentStep: lines("step")[0] }),
      ...(want.status && { status: lines("status")[0] }),
    }).toEqual({ ...want, headings: undefined, currentArtifact: want.currentArtifact || null });
    const titles = [...rendered(found).matchAll(/^## (.+)$/gm)].map(([, title]) => title as string);
    const empty = { [OPTIONAL[0] as string]: want.counts.pending === 0, [OPTIONAL[1] as string]: want.counts.dependencies === 0 };
    expect(titles).toEqual(want.headings.filter((title) => !empty[title]));
  });

  const samples = vectors.filter(({ seedSample }) => seedSample !== undefined);
  test.each(samples.map(({ id, input, seedSample }) => [id, input, seedSample] as const))(
    "%s: the documented sample, byte for byte",
    (_, input, sample) => {
      const blocks = rendered(continueIn(input)).split(/\n\n(?=## |---)/);
      const documented = blocks.filter((block) => !OPTIONAL.some((title) => block.startsWith(`## ${title}\n`)));
      expect(documented.join("\n\n")).toBe(sample);
    },
  );
  test("there are three documented samples", () => expect(samples).toHaveLength(3));
});

describe("the generic layer", () => {
  interface Answer {
    readonly objective: string | null;
    readonly status: string | null;
    readonly completed: readonly string[];
    readonly remaining: readonly string[];
    readonly decisions: readonly string[];
    readonly activeFiles: readonly string[];
    readonly blockers: readonly string[];
    readonly nextAction: string | null;
  }
  const sample: Partial<Answer> = {
    objective: "Migrate remaining callers of the old `validateSession()` to the new utility.",
    completed: [
      "Extracted shared token validation into `src/auth/validate.ts`.",
      "Removed duplicate middleware from `src/routes/api.ts`.",
    ],
    activeFiles: [],
  };
  const ruled: Readonly<Record<string, Partial<Answer>>> = {
    "g01-sample": sample,
    "g15-crlf": sample,
    "g06-open-work-only": { objective: "Finish the parser" },
    "g07-none-values": { objective: "Ship it" },
    "g08-h2-brief": { objective: "First line", remaining: ["first line", "Pending tests: lost line"] },
    "g10-two-entries": { objective: "Newest work" },
    "g17-star-bullets": { objective: "Star field", completed: ["star item"] },
    "g09-h2-brief-order": { objective: "W1", remaining: ["w1", "Pending tests: t1"], nextAction: "w1" },
    "g13-blockers-na": { status: "Active — working on x.", blockers: [] },
    "g24-open-none": { objective: "Continue work on: x.", completed: [], remaining: [], nextAction: null },
    "g14-unblocked": { status: "Active — working on x.", blockers: [] },
    "g27-indented": { completed: ["indented item"] },
    "g16-comment-focus": { objective: "Continue work on: real-work.", status: "Active — working on real-work." },
    "g20-fence": { objective: null, status: null, completed: [], blockers: [] },
    "g18-numbered": { completed: ["first", "second"] },
    "g22-lowercase-blockers": {
      status: "At risk — blockers recorded: blockers: waiting on infra",
      blockers: ["blockers: waiting on infra"],
    },
    "g28-empty-open-work": { objective: null, remaining: ["Pending tests: t"], nextAction: null },
    "g29-bold-fields": {
      objective: "Bold",
      status: "At risk — blockers recorded: Blockers: bold",
      remaining: ["bold"],
      blockers: ["Blockers: bold"],
      nextAction: "bold",
    },
  };
  const { vectors } = load("generic-session.structural") as { vectors: readonly Vector<Answer>[] };

  test("every ruling has its answer here", () => {
    expect(Object.keys(rulings["generic-session.structural"] ?? {}).filter((id) => !(id in ruled))).toEqual([]);
    expect(vectors).toHaveLength(28);
  });

  // What is said when the notes say nothing is worded by the pack; the vectors have null there.
  const fallbacks = ["objective", "status", "remaining", "next"].map((id) => {
    const choices = rules.said.find((section) => section.id === id)?.say?.flat() ?? [];
    return choices.find(({ nodes }) => nodes.every((node) => "literal" in node))?.source;
  });
  const said = (lines: readonly string[]) => lines.filter((line) => !fallbacks.includes(line));

  test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (id, { input, expected }) => {
    const found = continueIn(input);
    const lines = (section: string) => said(linesOf(found, section));
    expect({
      objective: lines("objective")[0] ?? null,
      status: lines("status")[0] ?? null,
      completed: lines("completed"),
      remaining: lines("remaining"),
      decisions: lines("decisions"),
      activeFiles: lines("files"),
      blockers: lines("blockers"),
      nextAction: lines("next")[0] ?? null,
    }).toEqual({ ...expected, ...ruled[id] });
  });
});
