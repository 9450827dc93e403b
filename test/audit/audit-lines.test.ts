// Lines of summaries about fifteen facts, written before the audit was tried on them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type AuditVerdict, audit, builtInRules } from "../../src/index.js";
import { judged } from "./judged.js";

type Label = "preserved" | "weakened" | "contradicted" | "dropped";
type Fact = { readonly fact: string; readonly kind: string } & Readonly<Record<Label, readonly string[]>>;

const { rules } = builtInRules();
const LABELS: readonly Label[] = ["preserved", "weakened", "contradicted", "dropped"];
const facts = parse(readFileSync("test/fixtures/audit-lines.yaml", "utf8")) as readonly Fact[];
const pairs = facts.flatMap((one) =>
  LABELS.flatMap((label) =>
    one[label].map((line) => ({ label, fact: one.fact, line, verdict: judged(one.fact, line.replace(/^- /, ""), one.kind) })),
  ),
);

interface Pair {
  readonly fact: string;
  readonly kind: string;
  readonly line: string;
  readonly label: Label | "paraphrased";
}

describe("forty more pairs", () => {
  const more = (parse(readFileSync("test/fixtures/audit-pairs.yaml", "utf8")) as readonly Pair[]).map((one) => ({
    ...one,
    verdict: judged(one.fact, one.line.replace(/^- /, ""), one.kind),
  }));
  const opposed = more.filter(({ label }) => label === "contradicted");
  const others = more.filter(({ label }) => label !== "contradicted");

  test("names a quarter of the contradictions, and certifies none", () => {
    expect(opposed.filter(({ verdict }) => verdict === "contradicted").length).toBeGreaterThanOrEqual(6);
    expect(opposed.filter(({ verdict }) => verdict === "kept")).toEqual([]);
  });

  test("calls no look-alike a contradiction", () => {
    expect(others.filter(({ verdict }) => verdict === "contradicted")).toEqual([]);
  });
});

describe("a part of a quoted sentence", () => {
  const line = "never fix findings that are not included, only fix what was approved, and report";
  test.each([
    ["Never fix findings that are not included", "Never fix findings"],
    ["Never fix findings that are not included", "fix findings that are not included"],
    ["Only fix what was approved", "Only fix what was approved"],
  ])("is not denied by the rest of it: %s (%s)", (quote, text) => {
    const [found] = audit([{ kind: "constraint", text, quote }], `- Work in small steps, ${line}.`, { rules }).verdicts;
    expect(found?.verdict).not.toBe("contradicted");
  });

  test.each([
    ["Use Vitest for the unit tests", "Use Playwright for the e2e tests."],
    ["We are not going to use GraphQL for the partner API", "We are not going to use Thrift for the partner API."],
    ["Step 2 of the plan needs a review", "Step 3 of the plan needs a review."],
    ["The staging limit is 25 MB", "The production limit is 25 MB."],
    ["Call `init` before `load` in the worker", "Call `init` before `save` in the worker."],
  ])("another subject is no other value: %s ← %s", (fact, other) => {
    expect(judged(fact, other)).not.toBe("contradicted");
  });
});

describe("another clause of the sentence", () => {
  test.each([
    ["Never deploy on Fridays", "Never deploy on Fridays, though Sam may."],
    ["Never deploy on Fridays", "Never deploy on Fridays; hotfixes are not meant by this."],
    ["Only Dana may merge", "Only Dana may merge, and anyone who asks her."],
    ["Retry three times", "Retry three times, while guests are not retried."],
    ["Every merge needs two reviews", "Every merge needs two reviews, but docs changes do not."],
    ["All queries use the replica", "All queries use the replica; reports are not covered by that."],
    ["Each handler logs its errors", "Each handler logs its errors (the webhook handlers don't)."],
    ["No inline styles", "No inline styles, although emails can."],
    ["Every job runs in a container", "Every job runs in a container, the linter doesn't."],
    ["Use NATS for the queue", "Use NATS for the queue, or Redis if it is easier."],
    ["Keep the port at 8080", "Keep the port at 8080, or whatever ops likes."],
  ])("is not passed over when it exempts something: %s ← %s", (fact, line) => {
    expect(judged(fact, line)).not.toBe("kept");
  });

  test.each([
    ["The parser handles tabs", "The parser handles tabs; the printer does not."],
    ["Every merge needs two reviews", "Every merge needs two reviews, and the reviewers did not complain."],
    ["Use Helm for releases", "Use Helm for releases, Kustomize is not needed then."],
    ["Do not write to the prod bucket", "Do not write to the prod bucket, it is billed to the client."],
  ])("does not matter when it is about something else: %s ← %s", (fact, line) => {
    expect(judged(fact, line)).toBe("kept");
  });
});

const verdictIn = (summary: string, text: string, kind = "constraint") =>
  audit([{ kind, text }], summary, { rules }).verdicts[0]?.verdict;

describe("lines of lists without bullets", () => {
  const typed = [
    "name the branches after the ticket",
    "is the mirror really needed?",
    "never squash the release commits",
    "I would love dark mode one day",
    "reviews go to Mira, not to Jon",
  ];
  const facts = typed.filter((_, index) => index % 2 === 0);
  const listed = (toLine: (line: string, index: number) => string) =>
    `She typed:\n${typed.map(toLine).join("\n")}\n\nNext: tests.`;

  test.each([
    ["quotations", listed((line) => `"${line}"`)],
    ["typographic quotations", listed((line) => `“${line}”`)],
    ["quotations under a plain line", listed((line) => `"${line}"`).replace(":", "")],
    ["letters", listed((line, index) => `${"abcde"[index]}) ${line}`)],
    ["letters in brackets", listed((line, index) => `(${"abcde"[index]}) ${line}`)],
  ])("do not count for each other: %s", (_, summary) => {
    expect(facts.map((fact) => verdictIn(summary, fact))).toEqual(facts.map(() => "kept"));
  });

  test("do not change each other without any mark", () => {
    const summary = `She typed:\n${[...facts, "is the mirror really needed?"].join("\n")}`;
    expect(facts.map((fact) => verdictIn(summary, fact))).toEqual(facts.map(() => "unsure"));
  });

  test.each([
    "He rejected:\nFACTS",
    "REJECTED\nFACTS",
    "The user does not want\nFACTS",
    "The user does not want:\nFACTS",
    "FACTS\nwere both turned down.",
  ])("are denied by what stands around them: %s", (summary) => {
    const lines = '"squash the release commits"\n"name the branches by date"';
    expect(verdictIn(summary.replace("FACTS", lines), "name the branches by date")).not.toBe("kept");
  });
});

test("items below a line that denies them are not certified", () => {
  const summary = "The user does not want:\n- a second linter\n- name the branches by date";
  expect(verdictIn(summary, "name the branches by date")).toBe("unsure");
});

describe("what is quoted word for word is not called lost", () => {
  test.each([
    ["Run the importer with --dry-run first", "- Run the importer with `--dry-run` first.", "constraint"],
    ["Pass --no-cache to the image build", "- Pass `--no-cache` to the image build.", "constraint"],
    ["no second linter please", '- keep Biome; she considered oxlint and wrote "no second linter please"', "rejection"],
    ["npm run smoke -- --headed", "## Open\n- `npm run smoke -- --headed` has two failures", "done"],
  ])("%s", (fact, summary, kind) => {
    expect(["kept", "unsure"]).toContain(verdictIn(summary, fact, kind));
  });
});

describe("a quotation that another one replaces is not certified", () => {
  const fact = "use port 8080 for the proxy";
  test.each([
    `- "${fact}" ... later: "ok that one is taken, use 9090 for the proxy instead"`,
    `- "${fact}" ... later: "take 9090"`,
    `- "${fact}", but then she wrote "take 9090"`,
    `User:\n- "${fact}"\n- "the proxy clashes, use port 9090 instead"`,
    `User:\n"${fact}"\n"the proxy clashes, use port 9090 instead"`,
    `- ${fact}. It clashes with the proxy of the CI; use another port instead.`,
    `User:\n"${fact}"\n\nThe port for the proxy was lifted on Monday after the upgrade of nginx, certbot and the firewall.`,
  ])("%s", (summary) => {
    expect(verdictIn(summary, fact)).not.toBe("kept");
  });

  test.each([
    `- "${fact}" and "name the branches after the ticket"`,
    `User:\n"${fact}"\n"take tabs instead"`,
    `- ${fact}. Vite is used for the pages instead of Webpack.`,
  ])("but it is where the other one is about something else: %s", (summary) => {
    expect(verdictIn(summary, fact)).toBe("kept");
  });
});

describe("a sentence of a quoted message is kept", () => {
  test.each([
    ['- "FACT. That other thing is acceptable, it was postponed"', "when other sentences of the message have doubts"],
    ['- "hm, FACT - not sure what to do if it fails"', "when the message goes on behind a dash"],
    ['- "1. FACT. / 2. no idea, ask Ines..."', "when the message is cut off"],
    ['The user said "FACT" and went home. Later the old probe was removed.', "when the text goes on with other work"],
  ])("%s", (summary) => {
    const fact = "the probe must answer within two seconds";
    expect(verdictIn(summary.replace("FACT", fact), fact)).toBe("kept");
  });

  test.each([
    'The rule "FACT" was dropped.',
    '- "FACT". This no longer holds.',
    '- "FACT, unless it runs on Windows"',
    'Rejected:\n- "FACT"',
    '- "FACT"\n\nWe changed our mind about "FACT".',
  ])("but not when the summary or the clause says otherwise: %s", (summary) => {
    const fact = "the probe must answer within two seconds";
    expect(verdictIn(summary.replaceAll("FACT", fact), fact)).toBe("unsure");
  });
});

test("certifies no fact that a line limits, denies or only touches", () => {
  expect(pairs.filter(({ label, verdict }) => label !== "preserved" && verdict === "kept")).toEqual([]);
});

describe("names what became of a fact", () => {
  test.each<[Label, number, readonly AuditVerdict[]]>([
    ["preserved", 1, ["kept"]],
    ["weakened", 1, ["altered", "contradicted", "unsure"]],
    ["contradicted", 0.5, ["contradicted"]],
    ["dropped", 1, ["missing", "unsure"]],
  ])("%s: at least a share of %d", (label, least, wanted) => {
    const those = pairs.filter((one) => one.label === label);
    expect(those.filter(({ verdict }) => verdict && wanted.includes(verdict)).length / those.length).toBeGreaterThanOrEqual(
      least,
    );
  });
});
