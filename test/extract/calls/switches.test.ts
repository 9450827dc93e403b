// The branch that a session is on, from its own calls and from what the host reports.
import { expect, test } from "vitest";
import { builtInRules, extract, readSession } from "../../../src/index.js";

const { rules } = builtInRules();
const bash = (command: string, output = "", status = "completed") => ({ name: "Bash", input: { command }, output, status });
const branchAfter = (...calls: readonly object[]) => {
  const messages = calls.map((call, index) => ({ id: String(index + 1), role: "assistant", text: "Done.", toolCalls: [call] }));
  const session = { id: "s", format: "pi", folder: "/work/shop", branch: "main", messages };
  return extract(session as never, rules).continuation.session.branch;
};

test.each([
  ["git checkout -b feat/csv-import"],
  ["git switch -c feat/csv-import"],
  ["git checkout -q -B feat/csv-import origin/main"],
  ["git switch --create feat/csv-import && npm test"],
  ["git switch feat/csv-import"],
  ["cd packages/api && git checkout -b feat/csv-import"],
  ["git -C packages/api switch -c feat/csv-import"],
])("%s names it", (command) => {
  expect(branchAfter(bash(command))).toBe("feat/csv-import");
});

test.each([
  [
    "git checkout feat/csv-import",
    "Switched to branch 'feat/csv-import'\nYour branch is up to date with 'origin/feat/csv-import'.",
  ],
  ["./scripts/begin.sh 12", "Updating …\nSwitched to a new branch 'feat/csv-import'\n"],
  ['BRANCH=$(make-name) && git checkout -b "$BRANCH"', "Switched to a new branch 'feat/csv-import'"],
  ["gh pr checkout 12", "Switched to branch 'feat/csv-import'"],
])("the output of %s names it", (command, output) => {
  expect(branchAfter(bash(command, output))).toBe("feat/csv-import");
});

test("the last one counts", () => {
  expect(branchAfter(bash("git checkout -b one"), bash("git switch -c two"))).toBe("two");
  expect(branchAfter(bash("git checkout -b one"), bash("git checkout main", "Switched to branch 'main'"))).toBe("main");
});

test.each([
  ["that failed", bash("git checkout -b one", "fatal: a branch named 'one' already exists", "error")],
  ["that failed in a list that passed", bash("git checkout -b one || true", "fatal: a branch named 'one' already exists")],
  ["of another repository", bash("cd /work/other && git checkout -b one", "Switched to a new branch 'one'")],
  ["next to the project", bash("git -C ../other switch -c one")],
  ["that takes a file back", bash("git checkout -- src/a.ts", "Updated 1 path from the index")],
  ["that only looks at a commit", bash("git switch --detach abc1234", "HEAD is now at abc1234")],
  ["in a log that is shown", bash("cat build.log", "Switched to a new branch 'one'")],
  ["whose name is not known", bash('git checkout -b "$NAME"')],
])("a switch %s is not counted", (_, call) => {
  expect(branchAfter(call)).toBe("main");
});

const record = (id: string, gitBranch: string, minute: number, message: object) => ({
  ...{ type: "assistant", uuid: id, sessionId: "s", cwd: "/work/shop", gitBranch, message },
  timestamp: `2026-11-01T10:${String(minute).padStart(2, "0")}:00.000Z`,
});
const says = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });
const runs = {
  role: "assistant",
  content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "git checkout -b one" } }],
};
const answer = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "Switched to a new branch 'one'" }] };
const branchIn = (...records: readonly object[]) =>
  extract(readSession(records.map((one) => JSON.stringify(one)).join("\n"), "s").session, rules).continuation.session.branch;

test("what the host reports later wins, unless it reports the branch of the start again and again", () => {
  const switched = [record("a", "main", 1, says("I begin.")), record("b", "main", 2, runs)];
  const answered = { ...record("c", "main", 3, answer), type: "user" };
  expect(branchIn(...switched, answered, record("d", "main", 4, says("Done.")))).toBe("one");
  expect(branchIn(...switched, answered, record("d", "one", 4, says("Done.")), record("e", "two", 5, says("OK.")))).toBe("two");
});
