// Files in another working tree of the project are the project's files.
import { expect, test } from "vitest";
import { builtInRules, extract } from "../../../src/index.js";

const { rules } = builtInRules();
const bash = (command: string, output = "", status = "completed") => ({ name: "Bash", input: { command }, output, status });
const edit = (path: string) => ({ name: "Edit", input: { file_path: path, old_string: "a", new_string: "b" }, output: "ok" });
const read = (path: string) => ({ name: "Read", input: { file_path: path }, output: "x" });
const continued = (...toolCalls: readonly object[]) => {
  const messages = [{ id: "1", role: "assistant", text: "Done.", toolCalls }];
  return extract({ id: "s", format: "pi", folder: "/work/shop", branch: "main", messages } as never, rules).continuation;
};
const changed = (...calls: readonly object[]) => continued(...calls).files.modified;

test.each([
  ["git worktree add ../shop-csv -b feat/csv", "/work/shop-csv"],
  ["git worktree add -b feat/csv ../shop-csv origin/main", "/work/shop-csv"],
  ["git worktree add /tmp/shop-csv feat/csv", "/tmp/shop-csv"],
  ["git worktree add .worktrees/csv", "/work/shop/.worktrees/csv"],
  ["cd .. && git -C shop worktree add /work/trees/csv", "/work/trees/csv"],
  ["mkdir -p ../trees && git worktree add ../trees/csv/ && npm ci", "/work/trees/csv"],
])("after %s, a file has one name", (command, root) => {
  const { files } = continued(bash(command), read("/work/shop/src/a.ts"), edit(`${root}/src/a.ts`), edit("src/b.ts"));
  expect(files).toMatchObject({ modified: ["src/a.ts", "src/b.ts"], read: [] });
});

test("a relative path, and one of a command line, are the same file", () => {
  const add = bash("git worktree add ../shop-csv");
  expect(changed(add, edit("../shop-csv/src/a.ts"), bash("cd ../shop-csv && sed -i s/a/b/ src/a.ts"))).toEqual(["src/a.ts"]);
});

test("the branch of the working tree is the session's when a call switches to it there", () => {
  const calls = [bash("git worktree add ../shop-csv"), bash("cd ../shop-csv && git switch -c feat/csv")];
  expect(continued(...calls).session.branch).toBe("feat/csv");
});

test.each([
  ["failed", bash("git worktree add ../shop-csv", "fatal: '../shop-csv' already exists", "error")],
  ["has a name that is not known", bash('git worktree add "../$NAME"')],
  ["is a list", bash("git worktree list")],
  ["was not made by a call", bash("ls ../shop-csv")],
  ["has a longer name", bash("git worktree add ../shop")],
])("a folder beside the project keeps its name when the working tree %s", (_, call) => {
  expect(changed(call, edit("/work/shop-csv/src/a.ts"))).toEqual(["/work/shop-csv/src/a.ts"]);
});
