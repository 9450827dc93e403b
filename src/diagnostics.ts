// Findings as data: a closed table of codes with their severity. Prose is made at the edge (cli/reporters).
import { FINDINGS } from "./limits.js";

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
  "wrong-type": "error",
  "pack-version": "error",
  "config-unread": "warning",
  "config-import": "error",
  "extends-missing": "error",
  "extends-cycle": "error",
  "extends-reach": "error",
  "unknown-id": "error",
  "unknown-signal": "error",
  "unknown-file": "error",
  "unknown-section": "error",
  "unknown-name": "error",
  "workflow-folder": "error",
  "text-syntax": "error",
  "rule-empty": "error",
  "rule-examples": "warning",
  "phrase-syntax": "error",
  "phrase-regex": "error",
  "phrase-anchor": "error",
  "phrase-fragment": "error",
  "phrase-slot": "error",
  "phrase-size": "error",
  "regex-syntax": "error",
  "regex-anchor": "error",
  "template-missing": "error",
  "template-reach": "error",
  "template-syntax": "error",
  "template-field": "error",
  "example-missing": "error",
  "example-noisy": "error",
  "example-wrong": "error",
  "example-coverage": "error",
  "too-many": "error",
  "more-findings": "warning",
} as const satisfies Record<string, Severity>;

export type Code = keyof typeof SEVERITY;

/** A place in a file; lines and columns count from 1, columns in UTF-16 units as editors do. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

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

/** An error may be given as what makes it: a suggestion that nobody is told need not be looked for. */
export type Report = (finding: Diagnostic | (() => Diagnostic)) => void;

/** One fault, one finding. Of each severity only so many are told, in time that grows with their number alone. */
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
    else findings.push(diagnostic("more-findings", `this is not all: ${FINDINGS} ${severity}s are told`, at, "begin with these"));
  };
  return { report, findings };
}
