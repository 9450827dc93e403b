// Findings are data: a closed table of codes, each with a severity. cli/output/report.ts turns them into text.
import { FINDINGS } from "./limits.js";

/** An error prevents running; a warning does not. */
export type Severity = "error" | "warning";

const SEVERITY = {
  "yaml-syntax": "error",
  "yaml-duplicate-key": "error",
  "yaml-cut-phrase": "warning",
  "file-missing": "error",
  "file-too-large": "error",
  "file-unreadable": "error",
  "file-encoding": "error",
  "file-reach": "error",
  "unknown-key": "error",
  "unknown-value": "error",
  "missing-key": "error",
  "unused-key": "warning",
  "fixed-entry": "warning",
  "never-holds": "warning",
  "never-wins": "warning",
  "kept-guards": "warning",
  "wrong-type": "error",
  "pack-version": "error",
  "config-unread": "warning",
  "config-import": "error",
  "extends-missing": "error",
  "extends-cycle": "error",
  "extends-reach": "error",
  "unknown-id": "error",
  "unknown-signal": "error",
  "missing-signal": "warning",
  "unknown-file": "error",
  "unknown-section": "error",
  "unknown-name": "error",
  "workflow-folder": "error",
  "text-syntax": "error",
  "rule-empty": "error",
  "rule-examples": "warning",
  "guard-empty": "error",
  "guard-path": "error",
  "phrase-syntax": "error",
  "phrase-regex": "error",
  "phrase-anchor": "error",
  "phrase-brackets": "warning",
  "phrase-fragment": "error",
  "phrase-slot": "error",
  "phrase-size": "error",
  "regex-syntax": "error",
  "regex-anchor": "error",
  "template-missing": "error",
  "template-reach": "error",
  "template-syntax": "error",
  "template-field": "error",
  "template-pins": "warning",
  "example-missing": "error",
  "example-noisy": "error",
  "example-wrong": "error",
  "example-coverage": "error",
  "too-many": "error",
  "more-findings": "warning",
} as const satisfies Record<string, Severity>;

/** The code of a finding. The set is closed. */
export type Code = keyof typeof SEVERITY;

/** A place in a file. Lines and columns start at 1; columns count UTF-16 units, as editors do. */
export type Position = { readonly file: string; readonly line: number; readonly column: number };

/** A finding about a configuration or a pack. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly at?: Position;
  /** What to do about it. */
  readonly hint?: string;
}

export function diagnostic(code: Code, message: string, at?: Position, hint?: string): Diagnostic {
  return { code, severity: SEVERITY[code], message, ...(at && { at }), ...(hint && { hint }) };
}

/** An error may be passed as a function, so that its suggestion is computed only if it is shown. */
export type Report = (finding: Diagnostic | (() => Diagnostic)) => void;

/** Collects findings without duplicates. The number per severity is limited, so time does not grow with the number of faults. */
export function collectFindings(): { readonly report: Report; readonly findings: readonly Diagnostic[] } {
  const findings: Diagnostic[] = [];
  const seen = new Set<string>();
  const count = { error: 0, warning: 0 };
  const report: Report = (given) => {
    const severity = typeof given === "function" ? "error" : given.severity;
    if (count[severity] > FINDINGS) return;
    const finding = typeof given === "function" ? given() : given;
    const { code, message, at } = finding;
    const key = JSON.stringify([code, message, at]);
    if (seen.has(key)) return;
    seen.add(key);
    count[severity]++;
    if (count[severity] <= FINDINGS) findings.push(finding);
    else findings.push(diagnostic("more-findings", `only the first ${FINDINGS} ${severity}s are shown`, at, "fix these first"));
  };
  return { report, findings };
}
