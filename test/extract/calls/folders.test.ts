import { expect, test } from "vitest";
import { builtInRules, extract, type ToolCall } from "../../../src/index.js";

const { rules } = builtInRules();
const after = (...toolCalls: readonly ToolCall[]) =>
  extract({ id: "s", format: "neutral", messages: [{ id: "a", role: "assistant", text: "", toolCalls }] }, rules).continuation;
const write = (path: string): ToolCall => ({ name: "write", input: { filePath: path }, output: "", status: "completed" });
const edit = (path: string): ToolCall => ({ name: "edit", input: { filePath: path }, output: "", status: "completed" });
const shell = (command: string, output = "", status: "completed" | "error" = "completed"): ToolCall => ({
  name: "bash",
  input: { command },
  output,
  status,
});
const changed = ({ files }: ReturnType<typeof after>) =>
  [...files.created, ...files.modified].filter((path) => !files.aside?.includes(path));

test("what was changed in a folder goes with it", () => {
  const { files } = after(write("src/core/a.ts"), edit("src/core/deep/b.ts"), edit("src/core.ts"), shell("rm -rf src/core"));
  expect(files.modified).toEqual(["src/core.ts"]);
  expect(files.created).toEqual([]);
  expect(files.deleted).toEqual(expect.arrayContaining(["src/core", "src/core/deep/b.ts"]));
});

test("a folder that was deleted and is written to again is not deleted", () => {
  const written = after(edit("docs/api/old.md"), shell("rm -rf docs/api build"), write("docs/api/v2/index.md"));
  expect(written.files.deleted).toEqual(["build", "docs/api/old.md"]);
  expect(after(shell("rm -rf gen && cp a.txt gen/")).files.deleted).toEqual([]);
  expect(after(write("gen/a.txt"), shell("rm -rf gen"), shell("cat gen/a.txt")).files.deleted).toEqual(["gen", "gen/a.txt"]);
});

test.each([
  shell("mkdir -p app/"),
  shell("mkdir app/src"),
  shell("git restore app/main.ts"),
  shell("git checkout -- app"),
  { name: "read", input: { filePath: "app/main.ts" }, output: "x", status: "completed" },
])("nor is a folder that is made, taken back or read from again: %j", (call) => {
  const old = edit("app/old.ts");
  expect(after(old, shell("rm -rf app"), call).files.deleted).not.toContain("app");
  expect(after(old, shell("rm -rf app"), call).files.created).toEqual([]);
  expect(after(old, call, shell("rm -rf app")).files.deleted).toContain("app");
});

test("options of Windows commands are no files", () => {
  expect(after(shell("rmdir /s /q obj")).files.deleted).toEqual(["obj"]);
});

test("a folder that is moved takes its files along", () => {
  expect(changed(after(write("apps/api2/src/index.ts"), edit("apps/api2/x.ts"), shell("mv apps/api2 apps/api")))).toEqual([
    "apps/api/src/index.ts",
    "apps/api/x.ts",
  ]);
  expect(changed(after(write("apps/api2/index.ts"), shell("git mv apps/api2 apps/api"), shell("rm -r apps/api")))).toEqual([]);
});

test("a folder of which nothing is known is one path", () => {
  expect(after(shell("mv apps/api2 apps/api")).files.created).toEqual(["apps/api"]);
});

test.each(["source venv/bin/activate", ". venv/bin/activate", "conda activate shop", "nvm use 20"])(
  "what sets the scene is no run of its own: %s",
  (scene) => {
    const { errors } = after(
      shell(`${scene} && pytest -v`, "1 failed, 201 passed", "error"),
      shell(`${scene} && pytest -v | tail -5`, "202 passed in 1.58s"),
    );
    expect(errors.map(({ resolved }) => resolved)).toEqual([true]);
  },
);

test.each([
  "This command requires approval",
  "This Bash command contains multiple operations. The following part requires approval: npm test",
])("what waits for approval never ran: %s", (output) => {
  expect(after(shell("npm test", output, "error")).errors).toEqual([]);
});

test("a few lines of Python that trip over are no job", () => {
  expect(
    after(shell('npx eslint -f json src | python3 -c "import json; print(1/0)"', "ZeroDivisionError", "error")).errors,
  ).toEqual([]);
});

const names = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/f${index}`);

test("a folder that is moved again and again keeps its files under its last name", () => {
  const moves = Array.from({ length: 50 }, (_, index) => `mv d${index} d${index + 1}`).join(" ; ");
  const moved = after(shell(`touch ${names("d0", 9).join(" ")}`), shell(moves));
  expect(changed(moved)).toEqual(names("d50", 9));
  expect(moved.files.modified).toEqual([]);
  const last = after(
    shell(`touch ${names("d0", 3).join(" ")}`),
    shell(`${moves} ; rm d50/f1 ; echo x >> d50/f0 ; touch d50/new`),
  );
  expect(changed(last)).toEqual(["d50/f0", "d50/f2", "d50/new"]);
});

test("folders that are moved at once keep their files apart", () => {
  expect(changed(after(write("a/x.ts"), write("b/y.ts"), shell("mv a b lib/")))).toEqual(["lib/a/x.ts", "lib/b/y.ts"]);
});

test("a folder that is moved onto another one adds its files to it", () => {
  const onto = after(write("a/x.ts"), write("b/y.ts"), edit("b/z.ts"), shell("mv a b"), shell("mv b c"));
  expect(changed(onto)).toEqual(["c/x.ts", "c/y.ts", "c/z.ts"]);
  expect(changed(after(write("a/x.ts"), shell("mv a b"), shell("mv b a")))).toEqual(["a/x.ts"]);
  expect(after(edit("a/x.ts"), shell("mv a b"), shell("mv b a")).files.created).toEqual(["a/x.ts"]);
});

test("files that came with a folder are gone when it is deleted", () => {
  const { files } = after(write("a/x.ts"), shell("mv a b"), shell("rm -rf b"));
  expect(files.created).toEqual([]);
  expect(files.deleted).toContain("b");
});
