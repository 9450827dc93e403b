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

// What stays unseen is listed in docs/guards.md.
describe("a guard for files sees what a command line changes", () => {
  test.each([
    // A redirection without a program, or of several.
    ...["> src/legacy/a.ts", ">>src/legacy/a.ts", "cd src/legacy; >a.ts", ">| src/legacy/a.ts", "true; : > src/legacy/a.ts"],
    ...[
      "{ echo a; echo b; } > src/legacy/a.ts",
      "(echo a) > src/legacy/a.ts",
      "for i in 1 2; do echo $i; done > src/legacy/a.ts",
    ],
    ...["exec 3> src/legacy/a.ts", "echo x &> src/legacy/a.ts", "echo x | cat > src/legacy/a.ts"],
    // Patterns and lists of the shell.
    ...["rm src/legacy/*.ts", "rm src/leg*/a.ts", "rm -rf src/*", "rm -rf *", "rm src/[kl]egacy/a.ts", "rm src/??????/a.ts"],
    ...["sed -i s/a/b/ src/*/a.ts", "echo x > src/l*y/a.ts", "rm {README.md,src/legacy/a.ts}", "rm src/{legacy,new}/a.ts"],
    ...["cp a.ts src/{new,legacy}/a.ts", "cd src/legacy && rm -f *", "D=src/leg*; rm $D/a.ts", "sed -i s/a/b/ src/**/a.ts"],
    // Programs that write the file that an option names, or that is named by an address.
    ...[
      "curl -o src/legacy/a.ts https://x.dev/a",
      "curl -sSLo src/legacy/a.ts https://x.dev/a",
      "curl https://x.dev/a --output=src/legacy/a.ts",
    ],
    ...["cd src/legacy && curl -O https://x.dev/b/a.ts?v=1", "curl -LO --output-dir src/legacy https://x.dev/a.ts"],
    ...[
      "wget -O src/legacy/a.ts https://x.dev/a",
      "wget -qO src/legacy/a.ts https://x.dev/a",
      "wget -P src/legacy https://x.dev/a.ts",
    ],
    ...[
      "wget -qOsrc/legacy/a.ts https://x.dev/a",
      "wget -ncPsrc/legacy https://x.dev/a.ts",
      "curl -fsSLosrc/legacy/a.ts https://x.dev/a",
      "sort -uosrc/legacy/a.ts b.ts",
      "cp -ftsrc/legacy b.ts",
    ],
    // The folder by its name in the shell.
    ...[
      'rm "$PWD/src/legacy/a.ts"',
      `cd src && echo x > \${PWD}/legacy/a.ts`,
      "cd $PWD/src/legacy && rm a.ts",
      "$PWD/../x; rm -rf $PWD",
    ],
    ...["cd src/legacy && wget https://x.dev/a.ts", "dd if=/dev/zero of=src/legacy/a.ts count=1", "sort -o src/legacy/a.ts b.ts"],
    ...[
      "truncate -s 0 src/legacy/a.ts",
      "shred -n 3 src/legacy/a.ts",
      "echo x | sponge src/legacy/a.ts",
      "tee -a src/legacy/a.ts < b",
    ],
    ...["patch -o src/legacy/a.ts b.ts c.diff", "patch src/legacy/a.ts < c.diff", "patch -p1 src/legacy/a.ts c.diff"],
    ...[
      "gzip src/legacy/a.ts",
      "ruby -i -pe 'x' src/legacy/a.ts",
      "gawk -i inplace '{print}' src/legacy/a.ts",
      "yq -i '.a = 1' src/legacy/a.yaml",
    ],
    ...["printf '%s\\n' w q | ed -s src/legacy/a.ts", "vim -es -c 'wq' src/legacy/a.ts", "ln -sf ../b.ts src/legacy/a.ts"],
    // Archives and targets.
    ...[
      "tar -xzf a.tgz -C src/legacy",
      "tar xzf a.tgz -C src/legacy/deep",
      "tar -x -f a.tar --directory=src/legacy",
      "cd src/legacy && tar xf ../a.tar",
    ],
    ...[
      "unzip -o a.zip -d src/legacy",
      "cd src/legacy && unzip a.zip",
      "7z x a.7z -osrc/legacy",
      "tar -czf src/legacy/a.tgz docs",
    ],
    ...[
      "cp -t src/legacy a.ts b.ts",
      "mv --target-directory=src/legacy a.ts",
      "install -t src/legacy a.ts",
      "rsync -a new/ src/legacy/",
    ],
    // Programs that run others.
    ...[
      "setsid rm src/legacy/a.ts",
      "doas -u me rm src/legacy/a.ts",
      "flock /tmp/lock rm src/legacy/a.ts",
      "flock -w 3 /tmp/lock -c 'rm src/legacy/a.ts'",
    ],
    ...[
      "su -c 'rm src/legacy/a.ts'",
      "su - me -c 'rm src/legacy/a.ts'",
      "env -S 'rm src/legacy/a.ts'",
      "env -i A=1 -S'rm -f' src/legacy/a.ts",
    ],
    ...[
      "env A=1 rm src/legacy/a.ts",
      "sudo -g wheel -u me rm src/legacy/a.ts",
      "taskset -c 0 rm src/legacy/a.ts",
      "ionice -c 3 rm src/legacy/a.ts",
    ],
    ...[
      "stdbuf -oL rm src/legacy/a.ts",
      "busybox rm src/legacy/a.ts",
      "runuser -u me -c 'rm src/legacy/a.ts'",
      "sudo setsid env -S 'bash -c \"rm src/legacy/a.ts\"'",
    ],
  ])("%s", (command) => {
    expect(fires(frozen, { command })).toBe(true);
  });

  test.each([
    ...[
      "> src/new/a.ts",
      "rm src/*.md",
      "rm src/new/*",
      "sed -i s/a/b/ src/*.ts",
      "sed -i s/a/b/ *.md",
      "rm src/{new,old}/a.ts",
      "rm *.log",
    ],
    ...[
      "cat src/legacy/*.ts",
      "cat src/*/a.ts > all.txt",
      "ls src/leg*",
      "curl https://x.dev/src/legacy/a.ts",
      "curl -o a.ts https://x.dev/src/legacy/a.ts",
    ],
    ...[
      "curl -O https://x.dev/src/legacy/a.ts",
      "wget -O- https://x.dev/src/legacy/a.ts",
      "wget -qO- https://x.dev/src/legacy/a.ts",
      "curl -sHosrc/legacy/a.ts https://x.dev/a",
      "sort -k2osrc/legacy/a.ts b.ts",
      "cd ..; rm $PWD/src/legacy/a.ts",
      "rm $PWDS/src/legacy/a.ts",
      "wget https://x.dev/src/legacy/a.ts",
      "dd if=src/legacy/a.ts of=/dev/null",
    ],
    ...[
      "dd if=src/legacy/a.ts of=copy.ts",
      "tar -czf a.tgz -C src/legacy .",
      "tar czf a.tgz src/legacy",
      "tar -tf a.tar -C src/legacy",
      "tar xf a.tar",
      "unzip -l src/legacy/a.zip",
    ],
    ...[
      "sort src/legacy/a.ts -o b.ts",
      "cp -t src/new src/legacy/a.ts",
      "flock src/legacy/.lock ls",
      "env -S 'cat src/legacy/a.ts'",
      "su -c 'cat src/legacy/a.ts'",
    ],
    ...[
      "gzip -c src/legacy/a.ts > a.gz",
      "echo '{src/legacy/a.ts,b}'",
      "find . -name '*.ts' -exec cat {} +",
      "for f in src/legacy/*; do cat $f; done",
      "vim -R src/legacy/a.ts",
    ],
  ])("keeps still at %s", (command) => {
    expect(fires(frozen, { command })).toBe(false);
  });

  test("a name with brackets is a name where no shell reads it", () => {
    const page = guard({ touches: ["edit"], paths: ["app/i/**"] });
    expect(fires(page, { path: "app/[id]/page.ts" })).toBe(false);
    expect(fires(page, { command: "echo x > 'app/[id]/page.ts'" })).toBe(false);
    expect(fires(page, { command: "echo x > app/[id]/page.ts" })).toBe(true);
  });

  test.each<[string, object]>([
    ["mcp__files__write_file", { path: "src/legacy/a.ts", content: "" }],
    ["files_write_file", { path: "/project/src/legacy/a.ts", content: "" }],
    ["mcp__fs__edit_file", { path: "src/legacy/a.ts", edits: [] }],
    ["mcp__desktop-commander__edit_block", { file_path: "src/legacy/a.ts", old_string: "a", new_string: "b" }],
    ["mcp__serena__replace_symbol_body", { relative_path: "src/legacy/a.ts", name_path: "a", body: "b" }],
    ["mcp__files__move_file", { source: "src/legacy/a.ts", destination: "src/new/a.ts" }],
    ["mcp__files__move_file", { source: "src/new/a.ts", destination: "src/legacy/a.ts" }],
    ["fs-delete_file", { path: "src/legacy/a.ts" }],
    ["mcp__files__write_file", { files: [{ path: "a.ts" }, { path: "src/legacy/a.ts" }] }],
    ["mcp__shell__execute_command", { command: "rm src/legacy/a.ts" }],
  ])("the tool %s of a server that writes %j", (tool, input) => {
    expect(matchGuards([frozen], { tool, input }, context).met).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["mcp__files__read_file", { path: "src/legacy/a.ts" }],
    ["mcp__files__write_file", { path: "src/new/a.ts" }],
    ["mcp__files__get_file_info", { path: "src/legacy/a.ts" }],
  ])("keeps still at the tool %s of a server with %j", (tool, input) => {
    expect(matchGuards([frozen], { tool, input }, context).met).toEqual([]);
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
