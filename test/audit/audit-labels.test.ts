// A heading, a lead-in or a clause by itself may say that what it stands over does not hold.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { audit, builtInRules } from "../../src/index.js";
import { runs } from "../runs.js";

const { rules } = builtInRules();
const judged = (kind: string, text: string, summary: string) => audit([{ kind, text }], summary, { rules }).verdicts[0]?.verdict;

const REFUSING = ["Rejected", "Rejected options", "Dropped", "Out of scope", "Declined", "Won't do", "Non-goals", "Not adopted"];
const VOID = ["No longer valid", "Reverted", "Superseded", "Invalid", "Not in force", "Wrong assumptions", "What did not work"];
const DOUBTING = ["Considered", "Undecided", "Proposals", "Alternatives", "Tried and failed", "Open questions"];
const OPEN = ["Open", "Still open", "To do", "TODO", "Pending", "Failed", "Not done", "Not started", "In progress", "Backlog"];

const SHAPES: readonly ((label: string, fact: string) => string)[] = [
  (label, fact) => `## State\n- All is well.\n\n## ${label}\n\n- Use MySQL\n- ${fact}\n- Ask Nadia\n`,
  (label, fact) => `The team met.\n\n${label}:\n- Ask Nadia\n- ${fact}\n`,
  (label, fact) => `**${label}**\n- ${fact}\n`,
  (label, fact) => `## ${label}\n\n### Storage\n- ${fact}\n`,
  (label, fact) => `- ${label}\n  - ${fact}\n`,
  (label, fact) => `- **${label}:** ${fact}\n`,
  (label, fact) => `- ${fact} (${label.toLowerCase()})\n`,
  (label, fact) => `| What | How it stands |\n|---|---|\n| ${fact} | ${label.toLowerCase()} |\n`,
  (label, fact) => `${label}:\n\n${fact}.\n`,
  (label, fact) => `${label}\n- ${fact}\n`,
  (label, fact) => `${label}\n------\n- ${fact}\n`,
  (label, fact) => `${label}:\n${fact}\n`,
];

type Case = readonly [kind: string, labels: readonly string[], facts: readonly string[]];
const CASES: readonly Case[] = [
  ["decision", [...REFUSING, ...VOID, ...DOUBTING, ...OPEN], ["Use Postgres for events", "We do not use Redis for sessions"]],
  ["constraint", [...REFUSING, ...VOID, ...DOUBTING, ...OPEN], ["Never push to main", "All timestamps are stored in UTC"]],
  ["preference", [...REFUSING, ...VOID, ...DOUBTING, ...OPEN], ["Keep the commits small"]],
  ["done", [...REFUSING, ...VOID, ...DOUBTING, ...OPEN], ["Added the login page"]],
  // An open problem is one that was found.
  [
    "finding",
    [...REFUSING, ...VOID, ...DOUBTING],
    ["The lock in `pool.ts` is never released", "The stall comes from `flush_all`"],
  ],
  ["rejection", [...VOID, ...DOUBTING, ...OPEN], ["Do not cache the rates on disk", "We decided against Kafka"]],
  ["remaining", [...REFUSING, ...VOID], ["Write the migration for the ledger"]],
];

test.each(CASES)("a %s under a label that takes it back is never certified", (kind, labels, facts) => {
  fc.assert(
    fc.property(fc.constantFrom(...labels), fc.constantFrom(...SHAPES), fc.constantFrom(...facts), (label, shape, fact) => {
      expect(judged(kind, fact, shape(label, fact))).not.toBe("kept");
    }),
    { numRuns: runs(400) },
  );
});

test("what was turned down stands rightly under a label that says so", () => {
  for (const label of ["Rejected", "Ruled out", "Decided against", "Out of scope"])
    expect(judged("rejection", "Do not cache the rates on disk", `## ${label}\n- Do not cache the rates on disk\n`)).toBe("kept");
});

const HELD = [
  "Never touch the legacy folder",
  "Never call the deprecated endpoint",
  "Always test the removed columns",
  "Do not push to main",
];

describe("what the next sentence takes back is not kept", () => {
  test.each([
    "This no longer holds.",
    "That no longer applies.",
    "It is no longer valid.",
    "This rule no longer holds.",
    "This is no longer so.",
    "No longer.",
    "Not any more.",
    "This rule was lifted.",
    "The user took this back.",
    "The user changed his mind about this.",
  ])("%s", (next) => {
    for (const fact of HELD) expect(judged("constraint", fact, `- ${fact}. ${next}`)).toBe("unsure");
    expect(judged("decision", "use SQLite for the cache", `- use SQLite for the cache. ${next}`)).toBe("unsure");
  });

  test.each([
    ["constraint", "Never push to main", "Redis is no longer used."],
    ["constraint", "Never push to main", "It is no longer enough to ask."],
  ])("but a %s, %j, is where it says: %s", (kind, fact, next) => {
    expect(judged(kind, fact, `- ${fact}. ${next}`)).toBe("kept");
  });
});

describe("what stands beside or below a telling counts", () => {
  const facts = [
    ["constraint", "Never touch the legacy folder"],
    ["decision", "use SQLite for the cache"],
    ["constraint", "The invoice numbers must stay gapless"],
    ["decision", "stream the file instead of mapping it"],
  ] as const;

  test.each<(fact: string) => string>([
    (fact) => `- Until Monday: ${fact}`,
    (fact) => `- ${fact} (until Friday)`,
    (fact) => `- ${fact}, until Friday`,
    (fact) => `- ${fact}, in the prototype only`,
    (fact) => `- Old: ${fact}`,
    (fact) => `- **Old:** ${fact}`,
    (fact) => `- Was: ${fact}`,
    (fact) => `- Earlier rule: ${fact}. New rule: ask first.`,
    (fact) => `- ${fact} (later replaced by another approach)`,
    (fact) => `- ${fact}\n  - reverted in round 4`,
    (fact) => `- ${fact}\n  - the user withdrew this`,
    (fact) => `- ${fact}\n  - said by the user\n  - no longer valid`,
    (fact) => `- ${fact}\n- The point above is void.`,
    (fact) => `- ${fact}\n- Ask Nadia\n\nAll of the above was withdrawn by the user.`,
    (fact) => `## Rules\n- ${fact}\n\n## Changes\n- All rules above no longer apply.`,
  ])("%#", (shape) => {
    for (const [kind, fact] of facts) expect([shape(fact), judged(kind, fact, shape(fact))]).not.toContain("kept");
  });

  test("a cross behind a line is a cross", () => {
    expect(judged("decision", "use SQLite for the cache", "- use SQLite for the cache ❌")).toBe("unsure");
    expect(judged("constraint", "Never push to main", "- Never push to main ❌")).toBe("kept");
  });

  test.each([
    "- Never push to main\n  - said by the user in round 4",
    "- Never push to main\n  - removed `push.sh`",
    "- Never push to main\n  - the old release branch was removed",
    "- Never push to main\n- Redis was dropped.",
    "- Never push to main\n- The point above still holds.",
    "- Never push to main\n\nAll of the above was confirmed by the user.",
    "- Never push to main\n\nNone of the above was withdrawn.",
    "- Never push to main\n\nAll runs above 5 s were dropped.",
    "All rules above no longer apply.\n\n- Never push to main",
    "- Before the release: Never push to main\n- Never push to main",
  ])("but no more than it says: %j", (summary) => expect(judged("constraint", "Never push to main", summary)).toBe("kept"));

  test("a limit that the fact has itself is none", () => {
    for (const fact of ["Keep the flag until Friday", "Use tabs, in the prototype only"])
      expect(judged("constraint", fact, `- ${fact}`)).toBe("kept");
  });
});

describe("a fact that names what is old can be taken back", () => {
  test.each<(fact: string) => string>([
    (fact) => `- ${fact} (no longer valid)`,
    (fact) => `- Ignore this: ${fact}`,
    (fact) => `- Former rule: ${fact}`,
    (fact) => `## No longer valid\n- ${fact}`,
    (fact) => `- ${fact} (withdrawn)`,
  ])("%#", (shape) => {
    for (const fact of [...HELD, "keep the obsolete API until June", "Clean the stale branches first"])
      expect(judged("constraint", fact, shape(fact))).not.toBe("kept");
  });
});

describe("a label says no more than it says", () => {
  test.each([
    "## Forbidden\n- Never push to main",
    "## Don'ts\n- Never push to main",
    "- ❌ Never push to main",
    "## Do not forget\n- Never push to main",
    "## Rejected\n- Redis\n\n## Rules\n- Never push to main",
    "# Failed CI run\n\n## Rules\n- Never push to main",
    "The gateway rejected uploads over 10 MB, so we agreed on these rules:\n- Never push to main",
    "## Next steps\n- Never push to main",
    "Never push to main, no exceptions.",
  ])("%j", (summary) => expect(judged("constraint", "Never push to main", summary)).toBe("kept"));

  test("an open problem is a finding, and open work is to be done", () => {
    expect(judged("finding", "The stall comes from `flush_all`", "## Open\n- The stall comes from `flush_all`")).toBe("kept");
    expect(judged("remaining", "Write the migration", "## Not done\n- Write the migration")).toBe("kept");
  });
});

const RULES = ["Never push to main", "Do not log phone numbers", "No snapshot tests in the checkout"];
const TAKING_BACK: readonly ((rule: string) => string)[] = [
  (rule) => `The rule "${rule}" no longer holds.`,
  (rule) => `The rule to ${rule} no longer holds.`,
  (rule) => `"${rule}": no longer valid.`,
  (rule) => `${rule} (does not apply any more).`,
  (rule) => `We no longer follow the rule "${rule}".`,
  (rule) => `Nobody follows the rule: ${rule}.`,
  (rule) => `"${rule}" was rejected.`,
  (rule) => `We never agreed to "${rule}".`,
  (rule) => `"${rule}" is no rule any more.`,
  (rule) => `After the outage on Monday we rejected the following rules for the event store:\n- ${rule}`,
];

test("a rule that forbids may be taken back by one more denial", () => {
  for (const rule of RULES)
    for (const told of TAKING_BACK) expect([told(rule), judged("constraint", rule, told(rule))]).not.toContain("kept");
});

test("an order that nobody holds is not told", () => {
  const summary = "Nobody holds that the cache is cleared before the deploy.";
  expect(judged("decision", "The cache is cleared before the deploy", summary)).toBe("contradicted");
  expect(judged("decision", "The deploy comes before the cache is cleared", summary)).not.toBe("kept");
});
