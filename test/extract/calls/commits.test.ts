import { expect, test } from "vitest";
import { repair } from "../../../src/audit/repair.js";
import { builtInRules, extract, type Message, render, type ToolCall } from "../../../src/index.js";
import type { Template } from "../../../src/rules/rule-set.js";

const { rules } = builtInRules();
const ran = (command: string, output: string, status = "completed"): ToolCall => ({
  name: "bash",
  input: { command },
  output,
  status,
});
const extracted = (...toolCalls: readonly ToolCall[]) => {
  const messages: Message[] = [
    { id: "u", role: "user", text: "Write the parser.", toolCalls: [] },
    { id: "a", role: "assistant", text: "I wrote it.", toolCalls },
  ];
  return extract({ id: "s", format: "neutral", messages }, rules);
};
const commits = (...calls: readonly ToolCall[]) =>
  (extracted(...calls).continuation.commits ?? []).map(({ id, text }) => `${id ?? "?"} ${text}`);

test.each([
  ["a plain one", 'git commit -m "Add the parser"', "[main 1a2b3c4] Add the parser\n 1 file changed", ["1a2b3c4 Add the parser"]],
  ["the first", "git add -A && git commit -F msg", "[main (root-commit) 1a2b3c4] Start", ["1a2b3c4 Start"]],
  ["on a detached head", "git commit -F msg", "[detached HEAD 1a2b3c4] Fix it", ["1a2b3c4 Fix it"]],
  ["in another folder", "git -C ../lib commit -F msg", "[feat/x-1 1a2b3c4] fix: [api] it", ["1a2b3c4 fix: [api] it"]],
  ["a quiet one", 'git commit -qam "Add the parser\n\nIt is fast."', "", ["? Add the parser"]],
  ["a quiet one before a push", 'git commit -q -m "Add it" && git push', "done", ["? Add it"]],
  ["one that may not have been reached", 'git commit -q -m "Add it" || true', "", []],
  ["a picked one", "git cherry-pick abc", "[main 1a2b3c4] Fix it\n Date: Mon", ["1a2b3c4 Fix it"]],
  ["a dry run", 'git commit --dry-run -m "Add it"', "On branch main", []],
  ["another program's line", "cat log", "[main 1a2b3c4] Add the parser", []],
])("%s is found", (_, command, output, expected) => {
  expect(commits(ran(command, output))).toEqual(expected);
});

test("one that failed is none, unless the output says that only what came after it failed", () => {
  expect(commits(ran('git commit -m "Add it"', "hook failed", "error"))).toEqual([]);
  expect(commits(ran('git commit -m "Add it" && git push', "[main 1a2b3c4] Add it\nrejected", "error"))).toEqual([
    "1a2b3c4 Add it",
  ]);
});

test("an amended one replaces the one before", () => {
  const first = ran("git commit -F msg", "[main 1a2b3c4] Add it");
  expect(commits(first, ran("git commit --amend --no-edit", "[main 9f8e7d6] Add it\n Date: Mon"))).toEqual(["9f8e7d6 Add it"]);
  expect(commits(first, ran("git commit -q --amend --no-edit", ""))).toEqual(["? Add it"]);
});

test("briefs tell the newest ones, and a repair those that the summary lacks", () => {
  const numbers = [1, 2, 3, 4, 5];
  const calls = numbers.map((number) => ran("git commit -F msg", `[main 1a2b3c${number}] Step ${number}`));
  const found = extracted(...calls);
  const text = render(found, rules.templates.get("brief") as Template, rules).text;
  expect(text).toContain("Committed: 1a2b3c5 Step 5; 1a2b3c4 Step 4; 1a2b3c3 Step 3 (+2 more)");
  const { block } = repair(
    found,
    "Steps were committed up to 1a2b3c4, 1a2b3c3, 1a2b3c2 and 1a2b3c1.",
    rules.templates.get("repair") as Template,
    rules,
  );
  expect(block.split("\n")).toContain("- commits: 1a2b3c5 Step 5");
  expect(block).not.toContain("1a2b3c4");
});

test("secrets in a message are masked", () => {
  const key = `ghp_${"a1B2c3D4e5".repeat(4)}`;
  expect(JSON.stringify(commits(ran("git commit -F msg", `[main 1a2b3c4] Use ${key}`)))).not.toContain(key);
});

test.each([
  ["a push after it", [ran("git push origin main", "main -> main")], "git push origin main"],
  ["a failed push", [ran("git push", "rejected", "error")], undefined],
  ["a dry run", [ran("git push --dry-run", "main -> main")], undefined],
  ["a push that may not have been reached", [ran("git push || true", "")], undefined],
])("%s tells whether it was sent", (_, later, sent) => {
  const made = ran('git commit -m "Add it"', "[main 1a2b3c4] Add it");
  const found = extracted(made, ...later);
  expect(found.continuation.commits?.[0]?.sent).toBe(sent);
  const { text } = render(found, rules.templates.get("brief") as Template, rules, { tokens: 500 });
  expect(text).toContain(`Committed: 1a2b3c4 Add it${sent ? ` (then ${sent})` : ""}\n`);
});

test("what failed once before a commit and did not run again is not told as failing", () => {
  const failed = ran("npx tsc --noEmit src/a.ts", "src/a.ts(1,1): error TS1343: no", "error");
  const commit = ran('git commit -m "Add it"', "[main 1a2b3c4] Add it");
  const textOf = (...calls: readonly ToolCall[]) =>
    render(extracted(...calls), rules.templates.get("brief") as Template, rules, { tokens: 500 }).text;
  expect(textOf(failed)).toContain("Still failing: npx tsc");
  expect(textOf(commit, failed)).toContain("Still failing: npx tsc");
  expect(textOf(failed, failed, commit)).toContain("Still failing: npx tsc");
  expect(textOf(failed, commit)).not.toContain("Still failing");
});

test.each(["git rebase main", "git pull --rebase", "git filter-repo --invert-paths --path a.bin"])(
  "commits made before `%s` have no id, because it gives them others",
  (command) => {
    const before = ran("git commit -F msg", "[main 1a2b3c4] Add it");
    const after = ran("git commit -F msg", "[main 5d6e7f8] Fix it");
    expect(commits(before, ran(command, "done"), after)).toEqual(["? Add it", "5d6e7f8 Fix it"]);
    expect(commits(before, ran("git rebase --abort", ""))).toEqual(["1a2b3c4 Add it"]);
  },
);

test("commits in a temporary folder are not the project's", () => {
  const edit: ToolCall = { name: "Edit", input: { file_path: "/home/me/app/a.ts" }, output: "ok", status: "completed" };
  const tried = ran("cd /tmp/try && git init && git commit -F msg", "[main 1a2b3c4] Try it");
  const there = ran("git -C /tmp/try commit -F msg", "[main 2b3c4d5] Try it again");
  expect(commits(edit, tried, there, ran("git commit -F msg", "[main 5d6e7f8] Fix it"))).toEqual(["5d6e7f8 Fix it"]);
});
