// What the agent works with, by its own calls.
import { describe, expect, test } from "vitest";
import { repair } from "../../../src/audit/repair.js";
import { builtInRules, extract, type GivenToolCall, type Message, render, type Template } from "../../../src/index.js";

const { rules } = builtInRules();
const template = (id: string) => rules.templates.get(id) as Template;

const call = (name: string, input: object, output = "ok", status = "completed") => ({ name, input, output, status });
const bash = (command: string, output?: string) => call("Bash", { command }, output);
const afterCalls = (calls: readonly GivenToolCall[], text = "Done.") =>
  extract(
    {
      id: "s",
      format: "claude-code",
      folder: "/repo",
      messages: [
        { id: "m1", role: "user", text: "Speed up the search.", toolCalls: [] },
        { id: "m2", role: "assistant", text, toolCalls: calls },
      ] as Message[],
    },
    rules,
  );
const workingAfter = (...calls: readonly GivenToolCall[]) => afterCalls(calls).continuation.working;

describe("the working set", () => {
  test("has no command that never passed", () => {
    const failed = call("Bash", { command: "docker compose up -d" }, "command not found: docker", "error");
    expect(workingAfter(failed, failed, bash("make up"), bash("make up"))?.commands).toEqual(["make up"]);
  });

  test("has files that were read, newest and most used first, in one form", () => {
    const { files } = workingAfter(
      call("Read", { file_path: "/repo/src/old.ts" }),
      call("Read", { file_path: "/repo/src/index.ts" }),
      call("Read", { file_path: "./src/index.ts" }),
      bash("npx vitest run test/search.test.ts"),
      call("Read", { file_path: "/tmp/scratch.txt" }),
    ) ?? { files: [] };
    expect(files).toEqual(["src/index.ts", "test/search.test.ts", "src/old.ts"]);
  });

  test("has no paths and ids of texts that are written, which may be examples", () => {
    const document = { file_path: "/repo/docs/ids.md", content: "An id such as a3b2c4d5e6f7 names a change of src/auth.rs." };
    const more = { ...document, file_path: "/repo/docs/more.md" };
    const working = workingAfter(call("Write", document), call("Write", more), bash("git show 1cba8f7 -- src/main.rs"));
    expect([working?.files, working?.references]).toEqual([["src/main.rs", "docs/more.md", "docs/ids.md"], ["1cba8f7"]]);
  });

  test("has the commands that ran, the most used first, with their flags, as they can be typed", () => {
    const line = "cd /repo && CI=1 npx vitest run --reporter=dot test/a.test.ts 2>&1 | tail -5";
    expect(workingAfter(bash(line), bash("ls -la src"), bash("ls -la src"), bash(line), bash("make once"))?.commands).toEqual([
      "npx vitest run --reporter=dot test/a.test.ts",
      "make once",
    ]);
  });

  test("has addresses, ports and ids", () => {
    const working = workingAfter(
      bash("curl -s http://localhost:5173/health"),
      call("WebFetch", { url: "https://example.org/docs/api." }),
      bash("git show 7d4baab"),
    );
    expect([...(working?.references ?? [])].sort()).toEqual([
      "7d4baab",
      "http://localhost:5173/health",
      "https://example.org/docs/api",
    ]);
  });

  test("has no names that the last edit removed", () => {
    const edit = (old_string: string, new_string: string) =>
      call("Edit", { file_path: "/repo/src/a.ts", old_string, new_string });
    const renamed = edit("readRows(file)", "loadRows(file)");
    expect(workingAfter(renamed)?.names).toEqual(["loadRows"]);
    expect(workingAfter(renamed, edit("parse(x)", "readRows(x)"))?.names).toEqual(
      expect.arrayContaining(["readRows", "loadRows"]),
    );
  });

  test("has names that were edited and searched for, not plain words", () => {
    const working = workingAfter(
      call("Edit", {
        file_path: "src/a.ts",
        old_string: "return rankAll(items)",
        new_string: "return rankBest(items, max_rank)",
      }),
      call("Grep", { pattern: "rankBest" }),
    );
    expect(working?.names).toEqual(["rankBest", "max_rank"]);
  });

  test("has jobs that the user refused, until the same job runs, however it is typed", () => {
    const refused = (command: string) =>
      call("Bash", { command }, "The user doesn't want to proceed with this tool use.", "rejected");
    expect(workingAfter(refused("npm run check 2>&1 | head -40"))?.unrun).toEqual(["npm run check 2>&1 | head -40"]);
    expect(workingAfter(refused("npm run check 2>&1 | head -40"), bash("npm run check"))?.unrun).toBeUndefined();
    expect(workingAfter(refused("sleep 5 && mkdir -p src/x"))?.unrun).toBeUndefined();
  });

  test("has no secret", () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const working = workingAfter(
      bash(`curl -H "Authorization: Bearer ${secret}" https://api.example.org/x_y_z`),
      call("Write", { file_path: "a.env", content: `TOKEN_VALUE=${secret}` }),
      call(
        "Bash",
        { command: `TOKEN=${secret} npm run deploy` },
        "The user doesn't want to proceed with this tool use.",
        "rejected",
      ),
      call("AskUserQuestion", { questions: [{ question: `Should I use ${secret}?` }] }, "", ""),
    );
    expect(working?.unrun).toHaveLength(1);
    expect(working?.asked).toHaveLength(1);
    expect(JSON.stringify(working)).not.toContain(secret);
  });

  test("has no path that only stands in the text of a file, and no name of a list of fields", () => {
    const text = "// In store/rows.go\nfunc ReadRows() {}";
    const fields = "gh pr view --json isDraft,mergeState,headName";
    const working = workingAfter(call("Write", { file_path: "/repo/docs/plan.md", content: text }), bash(fields), bash(fields));
    expect(working?.files.join()).not.toContain("rows.go");
    expect(working?.names).toEqual(["ReadRows"]);
  });

  test("has no name that is gone since its file was written anew", () => {
    const write = (content: string) => call("Write", { file_path: "/repo/demo.tsx", content });
    expect(workingAfter(write("showSimple(); showSpring();"), write("showSpring();"))?.names).toEqual(["showSpring"]);
    expect(workingAfter(write("showSimple();"), write("showSpring();"), write("showSimple();"))?.names).toEqual(["showSimple"]);
  });

  test("has no name of a search that found nothing", () => {
    const searched = (pattern: string, output: string) => call("Grep", { pattern }, output);
    const working = workingAfter(searched("createRows", "No files found"), searched("readRows", "src/rows.ts"));
    expect(working?.names).toEqual(["readRows"]);
  });

  test("has no piece of a path with a blank in it", () => {
    const edit = call("Edit", { file_path: "/repo/Run Docs/plans/one.md", old_string: "a", new_string: "b" });
    const working = workingAfter(edit, bash('git add "Run Docs/plans/one.md"'), bash('git diff "Run Docs/plans/one.md"'));
    expect(working?.files).toEqual(["Run Docs/plans/one.md"]);
  });

  test("has the skills that were loaded, and not those that failed", () => {
    const working = workingAfter(
      call("Skill", { skill: "pdf" }, "Launching skill: pdf"),
      call("Skill", { skill: "commit" }, "<tool_use_error>Unknown skill: commit</tool_use_error>", "error"),
    );
    expect(working?.skills).toEqual(["pdf"]);
  });
});

describe("what was started", () => {
  const start = bash("npm run dev", "Command running in background with ID: b50b67f");

  test("is told as running until its id is mentioned again", () => {
    expect(workingAfter(start)?.running).toEqual(["npm run dev (b50b67f)"]);
    expect(workingAfter(start, call("TaskStop", { task_id: "b50b67f" }))?.running).toEqual([]);
  });

  test("is an agent that has not come back", () => {
    const agent = call("Task", { description: "Review the parser", prompt: "Look." }, "", "running");
    expect(workingAfter(agent)?.running).toEqual(["Review the parser"]);
    expect(render(afterCalls([agent]), template("brief"), rules).text).toContain(
      "Started, not heard of again: Review the parser",
    );
    expect(workingAfter(call("Task", { description: "Review the parser" }, "It is fine."))?.running).toEqual([]);
  });

  test("is an agent of Claude Code that was launched, and not one whose result names its id", () => {
    const agent = (output: string) => call("Agent", { description: "Review the parser" }, output);
    const launched = agent(
      "Async agent launched successfully.\nagentId: a1b2c3 (internal ID - do not mention to user. Use it later.)",
    );
    expect(workingAfter(launched)?.running).toEqual(["Review the parser (a1b2c3)"]);
    const back = agent("The parser is fine.\nagentId: a1b2c3 (use SendMessage with to: 'a1b2c3' to continue this agent)");
    expect(workingAfter(back)?.running).toEqual([]);
  });

  test("is an agent without a result, at the end of a session only", () => {
    const agent = { name: "Task", input: { description: "Review the parser" }, output: "" };
    expect(workingAfter(agent)?.running).toEqual(["Review the parser"]);
    const later: Message = { id: "m9", role: "assistant", text: "The parser is fine.", toolCalls: [] };
    const session = { id: "s", format: "neutral", messages: [{ ...later, id: "m1", toolCalls: [agent] }, later] };
    expect(extract(session, rules).continuation.working?.running).toEqual([]);
  });

  test.each(['{"agent_id":"019a7f3e-1b2c","nickname":"Ada"}', '{"agent_id": "019a7f3e-1b2c"}', "agent_id: 019a7f3e-1b2c"])(
    "has its id without the marks around it: %s",
    (output) => {
      const agent = call("spawn_agent", { message: "Review the parser" }, output);
      expect(workingAfter(agent)?.running).toEqual(["Review the parser (019a7f3e-1b2c)"]);
      expect(workingAfter(agent, call("wait", { ids: ["019a7f3e-1b2c"] }, "completed"))?.running).toEqual([]);
    },
  );
});

describe("an agent that was started and not heard of", () => {
  const start = (description: string, prompt = "Please do it.") =>
    call("Task", { description, prompt }, "agent_id: 019a7f3e", "completed");
  const write = (path: string) => call("Write", { file_path: path, content: "x" });
  const isTold = (...calls: readonly GivenToolCall[]) => (workingAfter(...calls)?.running.length ?? 0) > 0;

  test.each([
    ["the file of its title", start("Write src/csv/reader.ts"), write("/repo/src/csv/reader.ts")],
    ["the file of its title, named more shortly", start("Fix reader.ts"), write("/repo/src/csv/reader.ts")],
    [
      "the file of its prompt",
      start("Add a reader", "Read docs/csv.md. Then write src/csv/reader.ts."),
      write("src/csv/reader.ts"),
    ],
    ["what its title is about", start("Write the importer tests"), write("/repo/test/importer.test.ts")],
    ["what its title is about, by a command", start("Regenerate the client types"), bash("npm run generate -- client types")],
  ])("is not told when a later call wrote %s", (_, agent, later) => {
    expect(isTold(agent)).toBe(true);
    expect(isTold(agent, later)).toBe(false);
  });

  test.each([
    ["wrote another file", start("Write src/csv/reader.ts"), write("/repo/src/csv/writer.ts")],
    ["wrote one of two files", start("Write src/csv/reader.ts and src/csv/writer.ts"), write("/repo/src/csv/writer.ts")],
    ["only read the file", start("Review src/csv/reader.ts"), call("Read", { file_path: "/repo/src/csv/reader.ts" })],
    ["only searched for it", start("Review the importer tests"), bash("grep -rn importer tests")],
    ["has one word of its title", start("Review the importer"), write("/repo/src/importer.ts")],
    ["failed", start("Write the importer tests"), call("Bash", { command: "touch tests/importer.ts" }, "no space", "error")],
  ])("is told when a later call %s", (_, agent, later) => {
    expect(isTold(agent, later)).toBe(true);
  });

  test("is told when the files were written before it was started", () => {
    expect(isTold(write("/repo/src/csv/reader.ts"), start("Write src/csv/reader.ts"))).toBe(true);
  });
});

describe("where it is shown", () => {
  const names = Array.from({ length: 200 }, (_, index) => `someLongName${index}`);
  const many = afterCalls([
    call("Read", { file_path: "/repo/src/reader.ts" }),
    call("Write", { file_path: "/repo/src/names.ts", content: names.join("\n") }),
    bash("npm run bench -- --quick"),
    bash("npm run bench -- --quick"),
  ]);

  test("in the carried block, grouped, and at most a third of it", () => {
    const { block } = repair(many, "Nothing.", template("repair"), rules);
    expect(block).toContain("- other files used: src/reader.ts");
    expect(block).toContain("- commands run: `npm run bench -- --quick`");
    const shown = names.filter((name) => block.includes(name));
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.length).toBeLessThan(80);
  });

  test("only where the summary lacks it", () => {
    const { block } = repair(many, "We read src/reader.ts and ran npm run bench -- --quick.", template("repair"), rules);
    expect(block).not.toContain("src/reader.ts");
    expect(block).not.toContain("--quick");
  });

  test("with the names by file, where a file has several", () => {
    const edit = (file: string, text: string) =>
      call("Edit", { file_path: `/repo/src/${file}`, old_string: "x", new_string: text });
    const found = afterCalls([
      edit("search.ts", "findWords(); sortHits(); dropWeak()"),
      edit("cache.ts", "warmCache()"),
      edit("search.ts", "findWords(hitLimit)"),
    ]);
    const { text } = render(found, template("brief"), rules, { tokens: 1_000 });
    expect(text).toContain("Names: search.ts: findWords, hitLimit, dropWeak, sortHits; warmCache\n");
    expect(found.continuation.working?.homes).toMatchObject({ findWords: "src/search.ts", warmCache: "src/cache.ts" });
  });

  test("in a brief of 1,000 tokens", () => {
    const { text } = render(many, template("brief"), rules, { tokens: 1_000 });
    expect(text).toContain("Also used: src/reader.ts");
    expect(text).toMatch(/^Names: .*someLongName/m);
  });
});

test("where it stopped is not known if a tool that no pack knows was used last", () => {
  const lastCalls = (...calls: readonly GivenToolCall[]) => afterCalls(calls).lastCalls?.map(({ text }) => text);
  const click = call("mcp__browser__click", { target: "#approve" });
  expect(lastCalls(click, bash("npm run dev"))).toEqual(["npm run dev"]);
  expect(lastCalls(bash("npm run dev"), click)).toEqual([]);
});
