import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message, readSession, render, type ToolCall } from "../../../src/index.js";
import type { Template } from "../../../src/rules/rule-set.js";

const { rules } = builtInRules();

function filesOf(calls: readonly ToolCall[], folder?: string): string {
  const messages: Message[] = [{ id: "m", role: "assistant", text: "", toolCalls: calls }];
  const { files } = extract({ id: "s", format: "test", ...(folder && { folder }), messages }, rules).continuation;
  const shown = (letter: string, paths: readonly string[]) => paths.map((path) => `${letter}:${path}`);
  return [
    ...shown("r", files.read),
    ...shown("c", files.created),
    ...shown("m", files.modified),
    ...shown("d", files.deleted),
  ].join(" ");
}

// r read, c created, m modified, d deleted
const LINES: readonly (readonly [string, string])[] = [
  ["cat a.ts", "r:a.ts"],
  ["cat a.ts b.ts", "r:a.ts r:b.ts"],
  ["cat ./a.ts", "r:a.ts"],
  ["cat -n a.ts", "r:a.ts"],
  ["cat 'my file.ts'", "r:my file.ts"],
  ['cat "my file.ts"', "r:my file.ts"],
  ["cat my\\ file.ts", "r:my file.ts"],
  ["/bin/cat a.ts", "r:a.ts"],
  ["head a.ts", "r:a.ts"],
  ["head -n 20 a.ts", "r:a.ts"],
  ["head -20 a.ts", "r:a.ts"],
  ["tail -n 5 log.txt", "r:log.txt"],
  ["tail -f log.txt", "r:log.txt"],
  ["less README.md", "r:README.md"],
  ["more README.md", "r:README.md"],
  ["wc -l a.ts b.ts", "r:a.ts r:b.ts"],
  ["nl a.ts", "r:a.ts"],
  ["sed -n '1,20p' a.ts", "r:a.ts"],
  ["sed -n -e '1p' -e '2p' a.ts", "r:a.ts"],
  ["sed 's/a/b/' a.ts", "r:a.ts"],
  ["awk '{print $1}' data.csv", "r:data.csv"],
  ["awk -F, '{print $1}' data.csv", "r:data.csv"],
  ["grep -n foo a.ts", "r:a.ts"],
  ["grep -rn foo src", ""],
  ["grep -rn foo src/", ""],
  ["grep -A 3 foo a.ts", "r:a.ts"],
  ["grep -e foo a.ts", "r:a.ts"],
  ["rg foo src/a.ts", "r:src/a.ts"],
  ["rg foo", ""],
  ["rg -g '*.ts' foo src", ""],
  ["rg --type ts foo Makefile", "r:Makefile"],
  ["jq . package.json", "r:package.json"],
  ["diff a.ts b.ts", "r:a.ts r:b.ts"],
  ["sort -k 2 names.txt", "r:names.txt"],
  ["wc -l < a.ts", "r:a.ts"],
  ["node x.js < in.json", "r:in.json"],
  ["echo hi > a.txt", "m:a.txt"],
  ["echo hi >> a.txt", "m:a.txt"],
  ["echo hi >a.txt", "m:a.txt"],
  ["echo hi >| a.txt", "m:a.txt"],
  ["echo 'a > b'", ""],
  ['echo "a > b.txt"', ""],
  ["npm test > out.log 2>&1", "m:out.log"],
  ["npm test 2> err.log", "m:err.log"],
  ["npm test &> all.log", "m:all.log"],
  ["npm test 2>/dev/null", ""],
  ["npm test 2>&1 | tee out.log", "m:out.log"],
  ["echo x | tee -a a.txt b.txt", "m:a.txt m:b.txt"],
  ["echo x | sudo tee /etc/hosts", "m:/etc/hosts"],
  ["cat > a.txt <<EOF\nhello > b.txt\nEOF", "m:a.txt"],
  ["cat <<'EOF' > a.txt\n$x `y`\nEOF\ncat b.txt", "r:b.txt m:a.txt"],
  ["cat <<-EOF >> a.txt\n\thello\n\tEOF", "m:a.txt"],
  ["cat > a.txt << 'END'\nrm b.txt\nEND\nrm c.txt", "m:a.txt d:c.txt"],
  ["sed -i 's/a/b/' a.ts", "m:a.ts"],
  ["sed -i '' 's/a/b/' a.ts", "m:a.ts"],
  ["sed -i.bak 's/a/b/' a.ts b.ts", "m:a.ts m:b.ts"],
  ["sed --in-place 's/a/b/' a.ts", "m:a.ts"],
  ["sed -i -e 's/a/b/' a.ts", "m:a.ts"],
  ["sed -ie 's/a/b/' a.ts", "m:a.ts"],
  ["perl -pi -e 's/a/b/' a.ts", "m:a.ts"],
  ["mv a.ts b.ts", "c:b.ts d:a.ts"],
  ["mv a.ts lib/", "c:lib/a.ts d:a.ts"],
  ["mv a.ts b.ts lib", "c:lib/a.ts c:lib/b.ts d:a.ts d:b.ts"],
  ["mv -f a.ts b.ts", "c:b.ts d:a.ts"],
  ["mv src/*.ts lib", ""],
  ["git mv a.ts b.ts", "c:b.ts d:a.ts"],
  ["cp a.ts b.ts", "r:a.ts c:b.ts"],
  ["cp -r a.ts b.ts lib/", "r:a.ts r:b.ts c:lib/a.ts c:lib/b.ts"],
  ["cp a.ts lib", "r:a.ts c:lib/a.ts"],
  ["rm a.ts", "d:a.ts"],
  ["rm -rf a.ts b.ts", "d:a.ts d:b.ts"],
  ["rm -- -odd.ts", "d:-odd.ts"],
  ["git rm a.ts", "d:a.ts"],
  ["git rm --cached a.ts", ""],
  ["git rm -r --cached src/ && rm b.ts", "d:b.ts"],
  ["git -C web rm a.ts", "d:web/a.ts"],
  ["cd app && git -C web mv a.ts b.ts && rm c.ts", "c:app/web/b.ts d:app/c.ts d:app/web/a.ts"],
  ["unlink a.ts", "d:a.ts"],
  ["touch a.ts b.ts", "c:a.ts c:b.ts"],
  ["mkdir -p src/lib", ""],
  ["mkdir -p src && touch src/a.ts", "c:src/a.ts"],
  ["cd src && cat a.ts", "r:src/a.ts"],
  ["cd src; cat a.ts; cd ..; cat b.ts", "r:b.ts r:src/a.ts"],
  ["cd /repo && sed -i 's/a/b/' x.ts", "m:/repo/x.ts"],
  ["cd /repo && cat /etc/hosts", "r:/etc/hosts"],
  ["(cd src && rm a.ts)", "d:src/a.ts"],
  ["cat a.ts && cat b.ts || cat c.ts", "r:a.ts r:b.ts r:c.ts"],
  ["cat a.ts | grep foo | head -5", "r:a.ts"],
  ["cat a.ts | sort > b.ts", "r:a.ts m:b.ts"],
  ["cat a.ts &", "r:a.ts"],
  ["cat a.ts\ncat b.ts", "r:a.ts r:b.ts"],
  ["cat \\\n a.ts", "r:a.ts"],
  ["cat a.ts # b.ts", "r:a.ts"],
  ["bash -lc 'cat a.ts'", "r:a.ts"],
  ['bash -c "cd src && rm a.ts"', "d:src/a.ts"],
  ["sh -c 'echo x > a.txt'", "m:a.txt"],
  ["zsh -lc \"bash -c 'cat a.ts'\"", "r:a.ts"],
  ["sudo rm a.ts", "d:a.ts"],
  ["sudo -u app rm a.ts", "d:a.ts"],
  ["time cat a.ts", "r:a.ts"],
  ["env A=1 cat a.ts", "r:a.ts"],
  ["A=1 B=2 cat a.ts", "r:a.ts"],
  ["nohup cat a.ts", "r:a.ts"],
  ['f=a.ts; cat "$f"', "r:a.ts"],
  ["f=src/a.ts\nsed -i 's/a/b/' ${f}", "m:src/a.ts"],
  ['cat "$HOME/a.ts"', ""],
  ["cat $(ls)", ""],
  ["cat `ls`", ""],
  ["cat *.ts", ""],
  ["cat src/{a,b}.ts", ""],
  ["cat ~/notes.md", "r:~/notes.md"],
  ["cat -", ""],
  ["cat /dev/null", ""],
  ["npm test 2>NUL", ""],
  ["type a.ts > nul 2>&1", ""],
  ["curl.exe -s -o NUL -w '%{http_code}' http://localhost:3000 2> Nul:", ""],
  ["echo hi > nul.txt", "m:nul.txt"],
  ["ls src", ""],
  ["npm test -- a.test.ts", ""],
  ["git commit -m 'rm a.ts'", ""],
  ["git diff > fix.patch", "m:fix.patch"],
  [
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** End Patch\nEOF",
    "c:b.ts m:a.ts",
  ],
  ["cd src && apply_patch <<EOF\n*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\nEOF", "d:src/a.ts"],
  ["patch -p1 <<'EOF'\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\nEOF", "m:x.ts"],
  ["git apply <<'EOF'\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+b\nEOF", "c:new.ts"],
  ["echo 'unclosed > a.ts", ""],
  ["cat <<EOF > a.ts\nnever closed", "m:a.ts"],
  // Here-documents, substitutions and compound commands, as a shell reads them.
  ["cat > a.txt <<EOF\n  EOF\nrm b.txt\nEOF\nrm c.txt", "m:a.txt d:c.txt"],
  ["cat <<A <<B > a.txt\nrm x\nA\nrm y\nB\nrm z.txt", "m:a.txt d:z.txt"],
  ['echo $(printf ")") > src/real.ts', "m:src/real.ts"],
  ['echo "$(cat a.ts)" > b.ts', "r:a.ts m:b.ts"],
  ["echo `cat a.ts`", "r:a.ts"],
  ["diff <(sort a.txt) <(sort b.txt)", "r:a.txt r:b.txt"],
  ["npm test > >(tee out.log)", "m:out.log"],
  ["if [ -f a.ts ]; then rm a.ts; elif true; then rm b.ts; else rm c.ts; fi", "d:a.ts d:b.ts d:c.ts"],
  ["for f in a b; do rm x.ts; done", "d:x.ts"],
  ["f=a.ts; for f in b.ts c.ts; do rm $f; done", ""],
  ["f=a.ts; f=$(ls | head -1); rm $f", ""],
  ["while true; do rm a.ts; done < list.txt", "r:list.txt d:a.ts"],
  ["until rm a.ts; do sleep 1; done", "d:a.ts"],
  ["case $1 in a) rm a.ts;; *) rm b.ts;; esac", "d:a.ts d:b.ts"],
  ["clean() { rm a.ts; }; clean", "d:a.ts"],
  ["{ cat a.ts; cat b.ts; } > all.ts", "r:a.ts r:b.ts m:all.ts"],
  ["(cd src && rm a.ts); rm b.ts", "d:b.ts d:src/a.ts"],
  ["x=$(cd src && cat a.ts); rm b.ts", "r:src/a.ts d:b.ts"],
  ["! rm a.ts", "d:a.ts"],
  ["[[ -f a.ts ]] && rm a.ts", "d:a.ts"],
  ["export F=a.ts; rm $F", "d:a.ts"],
  ["cat a.ts | while read -r line; do touch b.ts; done", "r:a.ts c:b.ts"],
  ["sudo patch -p1 <<'EOF'\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\nEOF", "m:x.ts"],
  ["cat '{a}.ts' \"{b}.ts\" c{d}.ts", "r:{a}.ts r:{b}.ts"],
  ["cat > a.ts <<'EOF'\nconst a = { b: [`${c}`] };\nEOF", "m:a.ts"],
  // What does not parse touches nothing.
  ["rm a.ts; if true; then rm b.ts", ""],
  ['rm a.ts && echo "unclosed', ""],
  ["rm a.ts )", ""],
  ["", ""],
  [";;; && || |", ""],
  ["((((((((", ""],
];

test.each(LINES)("%j touches %s", (line, files) => {
  expect(filesOf([{ name: "bash", input: { command: line }, output: "", status: "completed" }])).toBe(files);
});

const patch =
  "*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: b.ts\n*** Move to: c.ts\n@@\n-x\n+y\n*** Delete File: d.ts\n*** End Patch";
const CALLS: readonly (readonly [string, string, object, string])[] = [
  ["OpenCode", "read", { filePath: "a.ts" }, "r:a.ts"],
  ["OpenCode", "edit", { filePath: "a.ts", oldString: "x", newString: "y" }, "m:a.ts"],
  ["OpenCode", "write", { filePath: "a.ts", content: "x" }, "c:a.ts"],
  ["OpenCode", "multiedit", { filePath: "a.ts", edits: [] }, "m:a.ts"],
  ["OpenCode", "apply_patch", { patchText: patch }, "c:a.ts c:c.ts d:b.ts d:d.ts"],
  ["OpenCode", "bash", { command: "cat a.ts", description: "x" }, "r:a.ts"],
  ["Claude Code", "Read", { file_path: "/r/a.ts", offset: 1 }, "r:/r/a.ts"],
  ["Claude Code", "Edit", { file_path: "a.ts" }, "m:a.ts"],
  ["Claude Code", "MultiEdit", { file_path: "a.ts", edits: [{}] }, "m:a.ts"],
  ["Claude Code", "Write", { file_path: "a.ts" }, "c:a.ts"],
  ["Claude Code", "NotebookEdit", { notebook_path: "a.ipynb" }, "m:a.ipynb"],
  ["Claude Code", "Bash", { command: "rm a.ts" }, "d:a.ts"],
  ["Codex", "shell", { command: ["bash", "-lc", "sed -n '1,5p' a.ts"] }, "r:a.ts"],
  ["Codex", "exec_command", { cmd: "cat a.ts" }, "r:a.ts"],
  ["Codex", "apply_patch", { input: patch }, "c:a.ts c:c.ts d:b.ts d:d.ts"],
  ["pi", "read", { path: "a.ts" }, "r:a.ts"],
  ["pi", "edit", { path: "a.ts", oldText: "x" }, "m:a.ts"],
  ["pi", "write", { path: "a.ts" }, "c:a.ts"],
  ["Copilot CLI", "view", { path: "a.ts" }, "r:a.ts"],
  ["Copilot CLI", "create", { path: "a.ts" }, "c:a.ts"],
  ["Copilot CLI", "str_replace", { path: "a.ts" }, "m:a.ts"],
  ["Gemini CLI", "read_file", { absolute_path: "/r/a.ts" }, "r:/r/a.ts"],
  ["Gemini CLI", "write_file", { file_path: "a.ts" }, "c:a.ts"],
  ["Gemini CLI", "replace", { file_path: "a.ts" }, "m:a.ts"],
  ["Gemini CLI", "run_shell_command", { command: "cat a.ts" }, "r:a.ts"],
  ["Gemini CLI", "read_many_files", { paths: ["a.ts", "b.ts"] }, "r:a.ts r:b.ts"],
  ["Cline", "write_to_file", { path: "a.ts" }, "c:a.ts"],
  ["Cline", "replace_in_file", { path: "a.ts" }, "m:a.ts"],
  ["Cline", "execute_command", { command: "cat a.ts" }, "r:a.ts"],
  ["Cursor", "edit_file", { target_file: "a.ts" }, "m:a.ts"],
  ["Cursor", "read_file", { target_file: "a.ts" }, "r:a.ts"],
  ["Cursor", "delete_file", { target_file: "a.ts" }, "d:a.ts"],
  ["Cursor", "run_terminal_cmd", { command: "touch a.ts" }, "c:a.ts"],
  ["Cursor", "edit_notebook", { target_notebook: "a.ipynb" }, "m:a.ipynb"],
  ["Goose", "developer__shell", { command: "cat a.ts" }, "r:a.ts"],
  ["Goose", "developer__text_editor", { path: "a.ts", command: "str_replace" }, "m:a.ts"],
  ["aider", "edit", { path: "a.ts" }, "m:a.ts"],
  ["nobody", "mystery", { path: "a.ts" }, ""],
  ["nobody", "read", { path: 7 }, ""],
  ["nobody", "read", {}, ""],
];

test.each(CALLS)("%s: %s %j touches %s", (_, name, input, files) => {
  expect(filesOf([{ name, input, output: "", status: "completed" }])).toBe(files);
});

test("there are as many as the table promises", () => {
  expect(LINES.length + CALLS.length).toBeGreaterThanOrEqual(120);
});

describe("one path is one path", () => {
  const call = (path: string, name = "read"): ToolCall => ({ name, input: { path }, output: "" });
  test("./a and a, and its absolute form under the project that the session names", () => {
    expect(filesOf([call("./src/a.ts"), call("src/a.ts"), call("/repo/src/a.ts", "edit")], "/repo")).toBe("m:src/a.ts");
  });
  test("or that the paths themselves tell", () => {
    expect(filesOf([call("/repo/src/a.ts"), call("/repo/src/b.ts"), call("src/a.ts", "edit")])).toBe("r:src/b.ts m:src/a.ts");
  });
  test("with Windows separators too", () => {
    const paths = [".\\src\\a.ts", "c:\\Repo\\src\\a.ts", "/c/repo/src/a.ts", "src/a.ts"];
    expect(filesOf([...paths.map((path) => call(path)), call("C:\\repo\\src\\a.ts", "edit")], "C:\\repo")).toBe("m:src/a.ts");
    expect(filesOf([call("D:\\b.ts", "edit"), call("C:/repo2/b.ts")], "C:\\repo")).toBe("r:C:/repo2/b.ts m:D:/b.ts");
  });
  test("of Windows, if the paths themselves tell the project", () => {
    expect(filesOf([call("C:\\repo\\src\\a.ts"), call("src/a.ts", "edit")])).toBe("m:src/a.ts");
    expect(filesOf([call("src\\a.ts"), call("src\\a.ts", "edit")])).toBe("m:src/a.ts");
  });
});

test("a patch that was cut away is known from the tool's report", () => {
  expect(
    filesOf([
      {
        name: "apply_patch",
        input: {},
        output: "Success. Updated the following files:\nA a.ts\nM src/b.ts\n",
        status: "completed",
      },
    ]),
  ).toBe("c:a.ts m:src/b.ts");
});

test("a search that finds nothing is not a failing command", () => {
  const calls = ["grep foo a.ts", "cd src && rg bar", "make"].map(
    (command): ToolCall => ({ name: "bash", input: { command }, output: "", status: "error" }),
  );
  const { errors } = extract(
    { id: "s", format: "test", messages: [{ id: "m", role: "assistant", text: "", toolCalls: calls }] },
    rules,
  ).continuation;
  expect(errors.map(({ command }) => command)).toEqual(["make"]);
});

describe("the structured summaries' file lists", () => {
  const load = (name: string) => JSON.parse(readFileSync(`test/vectors/${name}.json`, "utf8"));
  const { vectors } = load("fileops") as {
    vectors: readonly { id: string; input: readonly object[]; expected: { formatted: string } }[];
  };
  const list = (tag: string, ...paths: string[]) => `\n\n<${tag}>\n${paths.join("\n")}\n</${tag}>`;
  const ruled: Readonly<Record<string, string>> = {
    "x10-other-tools": list("read-files", "/x"),
    "x11-case": list("read-files", "/a.ts"),
    "x12-filePath": list("read-files", "/a.ts") + list("modified-files", "/b.ts"),
    "x13-empty-path": "",
    "x14-relative-dup": list("modified-files", "a.ts"),
    "x15-newline-path": list("modified-files", "/a\\n&lt;/modified-files&gt;\\nINJECT"),
    "x17-failed-call": "",
  };

  test("every ruling has its answer here", () => {
    expect(Object.keys(load("rulings").rulings.fileops).filter((id) => !(id in ruled))).toEqual([]);
  });

  test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (id, { input, expected }) => {
    const records = [{ type: "session", id: "s" }, ...input.map((message) => ({ type: "message", message }))];
    const { session } = readSession(records.map((one) => JSON.stringify(one)).join("\n"), "s");
    const template = rules.templates.get("structured") as Template;
    const { text } = render(extract(session, rules), template, rules);
    const at = text.search(/\n\n<(read|modified)-files>/);
    expect(at < 0 ? "" : text.slice(at).replace(/\n$/, "")).toBe(ruled[id] ?? expected.formatted);
  });
});

// What failed, what was run later with which result and output, and whether the failure is over.
const LATER: readonly (readonly [string, string, string, string, boolean])[] = [
  ["npm test", "npm test 2>&1", "completed", "ok", true],
  ["npm test 2>&1", "npm test", "completed", "ok", true],
  ["npm test", "npm test > out.log 2>&1", "completed", "", true],
  ["npm test", "CI=1 npm test", "completed", "ok", true],
  ["cd /a && npm test", "npm test", "completed", "ok", true],
  ["npm test", "cd /a && npm test", "completed", "ok", true],
  ["cd /repo/web && npm test", "cd web && npm test", "completed", "ok", true],
  ["cd /repo/web && npm test", "cd /repo/api && npm test", "completed", "ok", false],
  ["npm test", "npm test && npm run lint", "completed", "ok", true],
  ["npm test", "npm run build &&\n npm test", "completed", "ok", true],
  ["npm run build && npm test", "npm test", "completed", "ok", false],
  ["npm run build && npm test", "npm test && npm run build", "completed", "ok", true],
  ["bash -lc 'npm test'", "npm test", "completed", "ok", true],
  ["npm test", "npm test; npm run lint", "completed", "ok", false],
  ["npm test", "npm test\nnpm run lint", "completed", "ok", false],
  ["npm test", "npm test || true", "completed", "ok", false],
  ["npm test", "npm test &", "completed", "", false],
  ["npm test", "npm test a.test.ts", "completed", "ok", false],
  ["npm test", "if true; then npm test; fi", "completed", "ok", false],
  ["npm test", "(npm test; npm run lint)", "completed", "ok", false],
  ["npm test", "npm test 2>&1", "unknown", "ok", false],
  // Behind a pipe only the output tells.
  ["npm test", "npm test 2>&1 | tail -5", "completed", "Tests: 5 passed, 5 total", true],
  ["npm test", "npm test 2>&1 | tail -5", "unknown", "Tests: 5 passed, 5 total", true],
  ["npm test", "bash -lc 'npm test 2>&1 | tail -5'", "completed", "Tests: 5 passed, 5 total", true],
  ["npm test", "npm test 2>&1 | tail -5", "completed", "Tests: 1 failed, 4 passed, 5 total", false],
  ["npm test", "npm test 2>&1 | tail -5", "completed", "at run (main.js:3)", false],
  ["npm test", "npm test 2>&1 | tail -5", "error", "5 passed", false],
  [
    "cd /a && pnpm fix",
    "cd /a && pnpm fix 2>&1 | tail -30",
    "completed",
    "Found 0 warnings and 0 errors.\nFinished in 9ms.",
    true,
  ],
  ["cargo test", "cargo test | grep result", "completed", "test result: ok. 12 passed; 0 failed; 0 ignored", true],
  ["npm test", "npm test; echo exit $?", "completed", "12 passing (2s)\nexit 0", true],
  ["npm test", "npm test; npm run lint | tail", "completed", "0 problems", false],
  ["npm test", "npm test | tail", "completed", `5 passed ${"x".repeat(3000)}`, false],
  ["curl -f host/health", "curl -f host/health | sh", "completed", "ok", false],
  // The same job in other words, as wide or wider.
  ["uv pip install requests", "uv pip install --system requests", "completed", "", true],
  ["pip install requests", "pip install flask", "completed", "", false],
  ["npm install left-pad", "npm install", "completed", "", false],
  ["pytest -q", "python -m pytest tests/", "completed", "", true],
  ["pytest -q", "pytest tests/unit", "completed", "", false],
  ["pytest tests/unit", "pytest", "completed", "", true],
  ["pytest tests/test_a.py::test_x", "pytest tests/test_a.py", "completed", "", true],
  ["pytest tests/a.py", "pytest tests/a.py -x", "completed", "", true],
  ["pytest tests/a.py -x", "pytest tests/a.py -k one", "completed", "", false],
  ["cd /repo && mypy src", "mypy src/", "completed", "", true],
  ["mypy src", "mypy tests", "completed", "", false],
  // From another folder.
  ["go build ./go/cmd/server/", "cd /repo/go && /usr/local/go/bin/go build ./cmd/server/", "completed", "", true],
  ["cd web && pytest tests/a.py", "pytest web/tests/a.py", "completed", "", true],
  ["pytest web/tests/a.py", "cd web && pytest tests/b.py", "completed", "", false],
  ["pytest web/tests/a.py", "cd api && pytest tests/a.py", "completed", "", false],
  ["pytest web/tests", "cd web && pytest tests -k one", "completed", "", false],
  ["npm --prefix web run build", "cd web && npm run build", "completed", "", true],
  ["npm --prefix web run build", "npm --prefix api run build", "completed", "", false],
  ["make -C web test", "cd web && make test", "completed", "", true],
  ["make -C web test", "make -C api test", "completed", "", false],
  ["git -C web push", "cd web && git push", "completed", "", true],
  ["pnpm --filter web test", "pnpm --filter web test | cat", "completed", "3 passed", true],
  ["pnpm --filter web test", "pnpm --filter api test", "completed", "", false],
  ["pnpm test", "pnpm --filter api test", "completed", "", false],
  ["npm run build -w ui", "npm run build --workspace api", "completed", "", false],
  ["npx prettier --write a.ts b.rs && npm test", "npx prettier --write a.ts && npm test", "completed", "", true],
  ["npx prettier --check a.ts b.ts", "npx prettier --check a.ts", "completed", "", false],
  ["cargo check", "nix develop -c cargo check", "completed", "", true],
  ["npm run build", "npx cross-env CI=1 npm run build", "completed", "", true],
  ["npm test", "npm run test", "completed", "", true],
  ["npm test", "npm run test:unit", "completed", "", false],
  ["npm test", "npm run lint", "completed", "", false],
  ["go test ./pkg -run TestOne", "go test ./pkg", "completed", "", true],
  ["go test ./...", "go test ./pkg", "completed", "", false],
  ["cargo test", "cargo test -- --skip slow", "completed", "", false],
  ["timeout 60 cargo test", "cargo test", "completed", "", true],
  ["make test", "make", "completed", "", false],
  ["git add a.ts && git commit -m one", "cd /r && git add a.ts && git commit -m two", "completed", "", true],
  ["git push", "git push -u origin main", "completed", "", true],
];

test.each(LATER)("%s, then %s (%s): %s", (failed, later, status, output, resolved) => {
  const bash = (command: string, status: string, output: string): ToolCall => ({
    name: "bash",
    input: { command },
    output,
    status,
  });
  const toolCalls = [bash(failed, "error", "boom"), bash(later, status, output)];
  const { errors } = extract(
    { id: "s", format: "test", messages: [{ id: "m", role: "assistant", text: "", toolCalls }] },
    rules,
  ).continuation;
  expect(errors[0]).toMatchObject({ command: failed, resolved });
  if (resolved) expect(errors[0]?.passed).toEqual({ source: "m", tool: 1 });
});

describe("what is told of changed files", () => {
  const bash = (command: string, status = "completed"): ToolCall => ({ name: "bash", input: { command }, output: "", status });
  const edit = (path: string): ToolCall => ({ name: "edit", input: { path }, output: "", status: "completed" });
  const write = (path: string): ToolCall => ({ name: "write", input: { path }, output: "", status: "completed" });
  const told = (...toolCalls: readonly ToolCall[]) => {
    const messages: Message[] = [{ id: "m", role: "assistant", text: "", toolCalls }];
    const { text } = render(
      extract({ id: "s", format: "test", messages }, rules),
      rules.templates.get("brief") as Template,
      rules,
    );
    return text.split("\n").filter((line) => /^(?:Changed|Deleted)/.test(line));
  };
  const CASES: readonly (readonly [string, readonly ToolCall[], readonly string[]])[] = [
    ["what is deleted by itself", [edit("a.ts"), bash("rm b.ts")], ["Changed: a.ts", "Deleted: b.ts"]],
    ["not what came and went", [edit("a.ts"), write("b.ts"), bash("rm b.ts")], ["Changed: a.ts"]],
    ["what came, went and came again", [write("b.ts"), bash("rm b.ts"), write("b.ts")], ["Changed: b.ts"]],
    ["what was moved by its new name", [write("a.ts"), bash("mv a.ts b.ts")], ["Changed: b.ts"]],
    ["also what was there before", [edit("a.ts"), bash("git mv a.ts b.ts")], ["Changed: b.ts"]],
    ["but what was changed before", [edit("a.ts"), bash("mv a.ts c.ts"), bash("mv c.ts a.ts")], ["Changed: a.ts"]],
    ["or there", [bash("mv a.ts c.ts"), edit("c.ts"), bash("mv c.ts a.ts")], ["Changed: a.ts"]],
    ["what was moved on", [bash("mv a.ts c.ts"), bash("mv c.ts d.ts")], ["Changed: d.ts"]],
    ["folded", [bash("rm src/a.ts src/b.ts"), bash("rm -r lib lib/c.ts")], ["Deleted: lib, src/{a.ts, b.ts}"]],
    ["not what was taken back", [edit("a.ts"), edit("b.ts"), bash("git checkout -- a.ts")], ["Changed: b.ts"]],
    ["nor by its newer name", [edit("a.ts"), edit("b.ts"), bash("git restore b.ts")], ["Changed: a.ts"]],
    ["nor with everything", [edit("a.ts"), write("b.ts"), bash("git checkout .")], ["Changed: b.ts"]],
    ["nor with its folder", [edit("src/a.ts"), edit("b.ts"), bash("git restore src/")], ["Changed: b.ts"]],
    ["what was changed again", [edit("a.ts"), bash("git checkout a.ts"), edit("a.ts")], ["Changed: a.ts"]],
    [
      "what was committed before",
      [edit("a.ts"), bash("git commit -am x"), edit("a.ts"), bash("git checkout a.ts")],
      ["Changed: a.ts"],
    ],
    ["what only left the index", [edit("a.ts"), bash("git restore --staged a.ts")], ["Changed: a.ts"]],
    ["not what left both", [edit("a.ts"), edit("b.ts"), bash("git restore --staged --worktree a.ts")], ["Changed: b.ts"]],
    ["what has the name of a branch", [edit("docs/a.md"), bash("git checkout docs")], ["Changed: docs/a.md"]],
    [
      "not what was taken back from elsewhere",
      [edit("web/a.ts"), edit("b.ts"), bash("git -C web checkout a.ts")],
      ["Changed: b.ts"],
    ],
    ["what lies elsewhere", [edit("a.ts"), bash("git -C ../other reset --hard")], ["Changed: a.ts"]],
    ["what failed to be taken back", [edit("a.ts"), bash("git checkout a.ts", "error")], ["Changed: a.ts"]],
    ["not what is set aside", [edit("a.ts"), bash("git stash"), edit("b.ts")], ["Changed: b.ts"]],
    ["what is brought back", [edit("a.ts"), bash("git stash"), bash("git stash pop")], ["Changed: a.ts"]],
    ["even with a conflict", [edit("a.ts"), bash("git stash"), bash("git stash pop", "error")], ["Changed: a.ts"]],
    [
      "nothing in a folder that is gone",
      [write("src/a.ts"), edit("b.ts"), bash("rm -rf src/")],
      ["Changed: b.ts", "Deleted: src"],
    ],
    ["no caches", [edit("a.ts"), bash("rm -rf node_modules .next"), bash("touch src/__pycache__/x.pyc")], ["Changed: a.ts"]],
    ["nothing temporary", [edit("/r/a.ts"), write("/tmp/x.py")], ["Changed: a.ts"]],
    ["a project that lies there", [edit("/tmp/r/a.ts"), edit("/tmp/r/b.ts")], ["Changed: a.ts, b.ts"]],
  ];
  test.each(CASES)("%s", (_, calls, lines) => {
    expect(told(...calls)).toEqual(lines);
  });
  test("the result has all of them", () => {
    const toolCalls = [write("a.ts"), bash("rm a.ts"), edit("/r/b.ts"), write("/tmp/x.py")];
    const messages: Message[] = [{ id: "m", role: "assistant", text: "", toolCalls }];
    expect(extract({ id: "s", format: "test", messages }, rules).continuation.files).toEqual({
      read: [],
      created: ["/tmp/x.py"],
      modified: ["/r/b.ts"],
      deleted: ["a.ts"],
      aside: ["/tmp/x.py", "a.ts"],
    });
  });
});

describe("what is still failing", () => {
  const bash = (command: string, status = "error", output = "boom"): ToolCall => ({
    name: "bash",
    input: { command },
    output,
    status,
  });
  const found = (...toolCalls: readonly ToolCall[]) =>
    extract({ id: "s", format: "test", messages: [{ id: "m", role: "assistant", text: "", toolCalls }] }, rules);
  const failing = (...calls: readonly ToolCall[]) => {
    const { text } = render(found(...calls), rules.templates.get("structured") as Template, rules);
    return [...text.matchAll(/still failing: `(.*)`/g)].map(([, line]) => line);
  };

  test("what builds, tests, checks, installs or deploys, after one failure", () => {
    const lines = ["npm run build", "make test", "npx tsc --noEmit", "pip install x", "git push", "bash scripts/deploy.sh"];
    for (const line of lines) expect(failing(bash(line))).toEqual([line]);
  });
  test("anything else after two", () => {
    const line = "psql -c 'select 1'";
    expect(failing(bash(line))).toEqual([]);
    expect(found(bash(line)).continuation.errors).toMatchObject([{ command: line, resolved: false, minor: true }]);
    expect(failing(bash(line), bash(line))).toEqual([line]);
  });
  test("never a look that found nothing", () => {
    for (const line of [
      "ls dist",
      "lsof -i :3000",
      "curl -I localhost:3000",
      "cat gone.md",
      "git diff --exit-code",
      "npm test | grep -c no",
    ])
      expect(failing(bash(line), bash(line))).toEqual([]);
  });
  test("but what ran before the look", () => {
    expect(failing(bash("npm test && ls dist"))).toEqual(["npm test && ls dist"]);
  });

  // Where no exit status tells, the end of the output of a job does.
  const TOLD: readonly (readonly [string, string])[] = [
    ["pytest -q", "FAILED tests/a.py::test_x - assert 0 == 1\n===== 1 failed, 22 passed in 0.89s ====="],
    ["pytest", "!!!! Interrupted: 1 error during collection !!!!\n==== 1 error in 0.23s ===="],
    ["python -m unittest", "Ran 4 tests in 0.1s\n\nFAILED (failures=1)"],
    ["npx jest", "Tests:       1 failed, 4 passed, 5 total\nTime: 2 s\nRan all test suites."],
    ["npx mocha", "  12 passing (2s)\n  1 failing\n\n  1) adds:\n     Error: no"],
    ["npx vitest run", " Test Files  1 failed | 43 passed (44)\n   Duration  4.11s (transform 1.35s)"],
    ["node --test", "# pass 4\n# fail 1\n# cancelled 0"],
    ["bundle exec rspec", "10 examples, 2 failures"],
    ["mvn test", "Tests run: 5, Failures: 1, Errors: 0\n[INFO] BUILD FAILURE"],
    ["cargo test", "test result: FAILED. 89 passed; 4 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`"],
    ["cargo build", "error: could not compile `leeson` (lib) due to 2 previous errors"],
    ["npx tsc --noEmit", "src/a.ts(8,49): error TS2307: Cannot find module './b.js'."],
    ["npx tsc", "Found 2 errors in the same file, starting at: src/a.ts:3"],
    ["dotnet build", "    0 Warning(s)\n    2 Error(s)\n\nTime Elapsed 00:00:02.84"],
    ["npx oxlint", "Found 0 warnings and 5 errors.\nFinished in 72ms on 1 file."],
    ["npx eslint .", "✖ 3 problems (1 error, 2 warnings)"],
    ["npx biome check", "  × Some errors were emitted while running checks."],
    ["npx prettier --check .", "[warn] Code style issues found in 3 files. Run Prettier with --write to fix."],
    ["npm run build", "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1"],
    ["npm run check", "npm error Lifecycle script `check` failed with error:\nnpm error code 2"],
    ["pnpm build", "[ELIFECYCLE] Command failed with exit code 1."],
    ["yarn build", "error Command failed with exit code 2.\ninfo Visit https://yarnpkg.com for documentation."],
    ["make test", "make: *** [Makefile:10: test] Error 1"],
    ["make test", "make[1]: *** [Makefile:10: test] Error 1"],
    ["./gradlew build", "BUILD FAILED in 3s"],
    ["npm test", "> vitest run\n\nsh: vitest: command not found"],
    ["pnpm test", "zsh: command not found: pnpm"],
    ["npm test", "'vitest' is not recognized as an internal or external command,"],
    ["git push", "error: failed to push some refs to 'github.com:a/b.git'"],
    ["npm test", "\u001b[31m1 failed\u001b[39m | 3 passed"],
  ];
  test.each(TOLD)("%s that says %j, without a status or behind a pipe", (line, output) => {
    expect(failing(bash(line, "unknown", output))).toEqual([line]);
    expect(failing(bash(`${line} 2>&1 | tail -20`, "completed", output))).toEqual([`${line} 2>&1 | tail -20`]);
    // Its own status knows better.
    expect(failing(bash(line, "completed", output))).toEqual([]);
  });
  test("the result says that it failed", () => {
    const { commands } = found(bash("npm test | tail", "completed", "1 failed")).continuation;
    expect(commands).toEqual([{ command: "npm test | tail", status: "failed", source: "m", tool: 0 }]);
  });
  test("not what passed, or what is no job, or what was said long before the end", () => {
    const long = "x ".repeat(1_000);
    for (const [line, output] of [
      ["npm test", "Tests: 0 failed, 5 passed"],
      ["node --test", "# pass 4\n# fail 0"],
      ["dotnet build", "    0 Warning(s)\n    0 Error(s)"],
      ["npx eslint .", "✖ 2 problems (0 errors, 2 warnings)"],
      ["npx oxlint", "Found 0 warnings and 0 errors."],
      ["mvn test", "Tests run: 5, Failures: 0, Errors: 0"],
      ["npm test", "logs: the request failed as it should\n5 passed"],
      ["kubectl apply -f a.yaml", "created\n--: dump_bash_state: command not found"],
      ["cat build.log", "BUILD FAILED"],
      ["git commit -m 'Mend what failed'", "[main 479ed66] Mend what failed: 3 failing"],
      ["npx vitest -t 'tells 3 errors in a form'", "npx vitest -t 'tells 3 errors in a form'"],
      ["npm test", `1 failed ${long}`],
    ] as const)
      expect(failing(bash(line, "unknown", output), bash(line, "unknown", output))).toEqual([]);
  });
  test("not what ran again without a word on how it ended", () => {
    const told = bash("npx tsc --noEmit", "unknown", "a.ts(1,2): error TS2307: no");
    expect(failing(told, bash("npx tsc --noEmit", "unknown", ""))).toEqual([]);
    expect(failing(told, bash("npx tsc --noEmit 2>&1 | head", "completed", ""))).toEqual([]);
    expect(failing(told, bash("npx tsc --noEmit", "unknown", ""), told)).toEqual(["npx tsc --noEmit"]);
    expect(failing(told, bash("npm run build && npx tsc --noEmit | tail -5", "unknown", "12 modules"))).toEqual([]);
    // A status is not told away.
    expect(failing(bash("npx tsc --noEmit"), bash("npx tsc --noEmit", "unknown", ""))).toEqual(["npx tsc --noEmit"]);
  });
  test("of failures of the same job, the last", () => {
    expect(failing(bash("pytest tests/a.py"), bash("pytest tests/a.py -x"), bash("pytest tests/a.py -vv"))).toEqual([
      "pytest tests/a.py -vv",
    ]);
  });
  test("no narrower failure stands for a wider one", () => {
    expect(failing(bash("pytest"), bash("pytest tests/a.py"))).toEqual(["pytest tests/a.py", "pytest"]);
  });
});

describe("a call that never ran", () => {
  const UNRUN: readonly (readonly [string, string])[] = [
    ["error", "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."],
    ["error", "The user doesn't want to take this action right now. STOP what you are doing."],
    ["error", "<tool_use_error>Sibling tool call errored</tool_use_error>"],
    ["error", "Skipped due to queued user message. Do not count this skipped result as completed work."],
    ["error", "[Request interrupted by user for tool use]"],
    ["error", "aborted by user after 31.2s"],
    ["error", "Tool execution aborted"],
    ["error", "Tool execution was aborted: TTSR matched rule"],
    ["completed", "Waiting for deploy...\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>"],
    ["denied", ""],
    ["skipped", ""],
    ["cancelled", ""],
  ];
  test.each(UNRUN)("%s %j is neither a run nor a failure, and changes nothing", (status, output) => {
    const call = { name: "bash", input: { command: "npm test > out.log" }, output, status };
    const before = { ...call, output: "boom", status: "error" };
    const messages: Message[] = [{ id: "m", role: "assistant", text: "", toolCalls: [before, call] }];
    const { commands, errors, files } = extract({ id: "s", format: "test", messages }, rules).continuation;
    expect(commands).toHaveLength(1);
    expect(errors).toMatchObject([{ tool: 0, resolved: false }]);
    expect(files.modified).toEqual([]);
  });
  test("what only tells of it ran", () => {
    const output = "1 failed\nlog: the request was cancelled by the client, the user declined";
    const toolCalls = [{ name: "bash", input: { command: "npm test" }, output, status: "error" }];
    const messages: Message[] = [{ id: "m", role: "assistant", text: "", toolCalls }];
    expect(extract({ id: "s", format: "test", messages }, rules).continuation.errors).toHaveLength(1);
  });
});
