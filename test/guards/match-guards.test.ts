import { describe, expect, test } from "vitest";
import { exampleContext, toExampleCall } from "../../src/guards/examples.js";
import { type CallContext, matchGuards } from "../../src/guards/match-guards.js";
import { builtInRules } from "../../src/index.js";
import type { Guard } from "../../src/rules/guard.js";

const { rules } = builtInRules();
const context = exampleContext(rules);

const guard = (given: Partial<Guard>): Guard => ({
  ...{ id: "one", tools: [], touches: [], paths: [], commands: [], has: [], not: [] },
  ...{ does: "refuse", say: "No.", unless: [], ...given },
});
const frozen = guard({ tools: ["edit"], touches: ["edit", "delete"], paths: ["src/legacy/**"] });
const forced = guard({
  commands: [{ words: ["git", "push"], options: [] }],
  has: ["--force", "-f"],
  not: ["--force-with-lease"],
});

const fires = (one: Guard, call: Parameters<typeof toExampleCall>[0], more: Partial<CallContext> = {}) =>
  matchGuards([one], toExampleCall(call, one, rules), { ...context, ...more }).met.length > 0;

describe("a guard for files", () => {
  test.each([
    { path: "src/legacy/a.ts" },
    { path: "./src/legacy/deep/a.ts" },
    { path: "/project/src/legacy/a.ts" },
    { path: "src/new/../legacy/a.ts" },
    { tool: "write", path: "src/legacy/a.ts" },
    { command: "echo x > src/legacy/a.ts" },
    { command: "cd src/legacy && echo x >> a.ts" },
    { command: "D=src/legacy; rm $D/a.ts" },
    { command: "cat <<'EOF' > src/legacy/a.ts\nx\nEOF" },
    { command: "bash -c \"sed -i s/a/b/ 'src/legacy/a.ts'\"" },
    { command: "(cd src && mv legacy old)" },
    { command: "rm -rf src" },
    { command: "git checkout -- src/legacy/a.ts" },
    { command: "install -D -m 644 new.ts src/legacy/a.ts" },
  ])("fires at $path $command", (call) => {
    expect(fires(frozen, call)).toBe(true);
  });

  test.each([
    { path: "src/new/a.ts" },
    { path: "/elsewhere/src/legacy/a.ts" },
    { tool: "read", path: "src/legacy/a.ts" },
    { command: "cat src/legacy/a.ts" },
    { command: "grep -rn legacy src/legacy" },
    { command: "echo src/legacy/a.ts" },
    { command: "cp src/legacy/a.ts src/new/a.ts" },
    { command: "mkdir -p src/legacy/new" },
  ])("keeps still at $path $command", (call) => {
    expect(fires(frozen, call)).toBe(false);
  });

  test("knows a file by the names on both ends of a link", () => {
    const real = (path: string) => path.replace("/project/link", "/project/src/legacy");
    expect(fires(frozen, { path: "link/a.ts" }, { real })).toBe(true);
    const linked = guard({ touches: ["edit"], paths: ["link/**"] });
    expect(fires(linked, { path: "src/legacy/a.ts" }, { real })).toBe(true);
  });

  test("compares names as the file system does", () => {
    expect(fires(frozen, { path: "SRC/Legacy/a.ts" })).toBe(false);
    expect(fires(frozen, { path: "SRC/Legacy/a.ts" }, { folds: true })).toBe(true);
  });

  test("takes `!` for files that do not count, and a name without a slash anywhere", () => {
    const locks = guard({ touches: ["edit"], paths: ["*.{lock,lockb}", "!vendor/**"] });
    expect(fires(locks, { path: "packages/a/yarn.lock" })).toBe(true);
    expect(fires(locks, { path: "vendor/yarn.lock" })).toBe(false);
  });

  test("reads the files of a patch", () => {
    const patch = "*** Begin Patch\n*** Update File: src/legacy/a.ts\n@@\n-a\n+b\n*** End Patch";
    expect(matchGuards([frozen], { tool: "apply_patch", input: { patchText: patch } }, context).met).toHaveLength(1);
  });
});

describe("a guard for commands", () => {
  test.each([
    "git push --force",
    "cd sub && git push -f origin main",
    "sudo -u me env A=1 git push -uf",
    "git -C sub push --force",
    "git -c a.b=c push origin main --force",
    "/usr/bin/git push --force",
    "\"git\" 'push' --force",
    "P=push; git $P --force",
    "$(git push --force)",
    "if true; then git push --force; fi",
    "bash -lc 'cd x; git push --force'",
    "npm test; git push --force &",
  ])("fires at %s", (command) => {
    expect(fires(forced, { command })).toBe(true);
  });

  test.each([
    "git push",
    "git push --force-with-lease",
    'echo "git push --force"',
    "git log --grep 'push --force'",
    'git commit -m "push --force"',
    "# git push --force",
    "git fetch --force",
  ])("keeps still at %s", (command) => {
    expect(fires(forced, { command })).toBe(false);
  });

  test("counts what it cannot read, and fires at nothing there", () => {
    const unread = (command: string) => matchGuards([forced], toExampleCall({ command }, forced, rules), context);
    expect(unread("git push --force 'open")).toEqual({ met: [], unread: true });
    expect(unread("$TOOL push --force")).toEqual({ met: [], unread: true });
    expect(unread("git push")).toEqual({ met: [], unread: false });
  });
});

test("a guard for a command does not fire when the program runs in a temporary folder, unless it names a file of the project", () => {
  expect(fires(forced, { command: "cd /tmp/other && git push --force" })).toBe(false);
  expect(fires(forced, { command: "cd ../worktree && git push --force" })).toBe(true);
  const removes = guard({ commands: [{ words: ["rm"], options: [] }], has: ["-r"] });
  expect(fires(removes, { command: "cd /tmp && rm -rf other/*.json" })).toBe(false);
  expect(fires(removes, { command: "D=/tmp/other; rm -rf $D" })).toBe(false);
  expect(fires(removes, { command: "rm -rf /tmp/other src" })).toBe(true);
  expect(fires(removes, { command: "cd /tmp && rm -rf $WHERE" })).toBe(true);
  expect(fires(removes, { command: "cd /tmp && rm -rf /project/src" })).toBe(true);
  const inside = { project: "/tmp/project", folder: "/tmp/project" };
  expect(fires(forced, { command: "git push --force" }, inside)).toBe(true);
  expect(fires(frozen, { command: "cd /tmp && rm /project/src/legacy/a.ts" })).toBe(true);
});

test("a guard for a tool fires by the id of its entry, and by a name that no pack knows", () => {
  expect(fires(guard({ tools: ["shell"] }), { command: "ls" })).toBe(true);
  expect(fires(guard({ tools: ["mcp__db__*"] }), { tool: "mcp__db__drop" })).toBe(true);
  expect(fires(guard({ tools: ["mcp__db__*"] }), { tool: "mcp__files__drop" })).toBe(false);
});
