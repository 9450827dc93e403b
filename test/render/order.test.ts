// What a brief and the carried block show first.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderOwnFirst, repair } from "../../src/audit/repair.js";
import { builtInRules, extract, type Message, readWorkspace, render, type Template } from "../../src/index.js";
import { runs } from "../runs.js";

const { rules } = builtInRules();
const template = (id: string) => rules.templates.get(id) as Template;
const sessionOf = (...texts: readonly string[]) => ({
  id: "s",
  format: "test",
  messages: texts.map(
    (text, index): Message => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] }),
  ),
});

describe("a prohibition of the user's", () => {
  const WORDS = ["Never edit", "Whatever you do, don't rename", "Hands off", "Stay away from", "No edits to", "dont publish"];
  const said = (count: number, talk: number) => {
    const forbidden = Array.from(
      { length: count },
      (_, index) => `${WORDS[index % WORDS.length]} the files below legacy/part${index}.`,
    );
    const told = Array.from(
      { length: talk },
      (_, index) => `We decided to use library${index} for module${index}, because test${index} needs it.`,
    );
    return {
      forbidden,
      told,
      found: extract(sessionOf("Port the importer.", told.join("\n\n"), forbidden.join(" "), "Understood."), rules),
    };
  };

  test.each(["brief", "injection", "repair"])("does not give way in %s to what the assistant said", (name) => {
    const property = fc.property(
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 300, max: 2_000 }),
      (count, talk, tokens) => {
        const { forbidden, told, found } = said(count, talk);
        const text =
          name === "repair"
            ? repair(found, "Nothing.", { ...template(name), tokens }, rules).block
            : render(found, template(name), rules, { tokens }).text;
        const lost = forbidden.filter((_, index) => !text.includes(`legacy/part${index}.`));
        const toldInstead = lost.length > 0 ? told.filter((one) => text.includes(one.slice(0, 40))) : [];
        expect(toldInstead).toEqual([]);
      },
    );
    fc.assert(property, { numRuns: runs(30) });
  });

  test.each([280, 294, 308, 322])("does not give way when 25 of them hardly fit %i tokens", (tokens) => {
    const { forbidden, told, found } = said(25, 1);
    const { text } = render(found, template("brief"), rules, { tokens });
    const lost = forbidden.filter((one) => !text.includes(one.slice(one.indexOf("legacy"))));
    expect(lost.length > 0 && text.includes(told[0] as string)).toBe(false);
    expect(text).toContain("legacy/part24");
  });

  test("is told before what was said, once", () => {
    const { found } = said(1, 3);
    const { text } = render(found, template("brief"), rules);
    expect(text.match(/legacy\/part0/g)).toHaveLength(1);
    expect(text.indexOf("legacy/part0")).toBeLessThan(text.indexOf("## Said"));
  });
});

describe("the carried block in a project with notes", () => {
  const notes = [
    "# Session",
    "",
    "## 2026-03-02 Import",
    "- [Focus: import]",
    "- Open Work: finish the CSV reader",
    "- Pending Tests: burst test of the reader",
    "- Blockers: staging has no disk space",
    "",
    "## 2026-03-01 Setup",
    "- [Focus: setup]",
    "- Open Work: install the tools",
    "- Blockers: the licence server is down",
  ].join("\n");

  test("has the current blocker, pending tests and next action, and no older ones", () => {
    const folder = mkdtempSync(join(tmpdir(), "compaction-order-"));
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, "SESSION.md"), notes);
    const talk = Array.from({ length: 80 }, (_, index) => `We decided to use library${index} for module${index}.`).join("\n\n");
    const found = extract(sessionOf("Port the importer. Never touch the schema.", talk), rules, readWorkspace(folder, rules));
    const few = extract(
      sessionOf("Port the importer. Never touch the schema.", talk.slice(0, 200)),
      rules,
      readWorkspace(folder, rules),
    );
    // With room for everything, nothing of it stands there twice. Claude Code gets a brief.
    const blocks = [found, few].flatMap((one) => [
      repair(one, "We port the importer.", template("repair"), rules).block,
      renderOwnFirst(one, template("brief"), rules, { tokens: 1_000 }).text,
    ]);
    for (const block of blocks) {
      for (const line of ["staging has no disk space", "burst test of the reader", "finish the CSV reader"])
        expect(block.split(line), line).toHaveLength(2);
      expect(block).not.toContain("licence server");
      expect(block.indexOf("Never touch the schema")).toBeLessThan(block.indexOf("staging"));
      expect(block.indexOf("staging")).toBeLessThan(block.indexOf("library"));
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test("has the next action, the goal and the last request though the user gave more rules than there is room for", () => {
    const folder = mkdtempSync(join(tmpdir(), "compaction-order-"));
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, "SESSION.md"), notes);
    const banned = Array.from({ length: 200 }, (_, index) => `Never rename handler${index} in part ${index}.`).join(" ");
    const given = sessionOf("Port the importer.", "Understood.", banned, "Understood.", "Write the release notes.");
    const found = extract(given, rules, readWorkspace(folder, rules));
    for (const [name, late] of [
      ["repair", undefined],
      ["repair", () => true],
      ["injection", undefined],
      ["injection", () => true],
    ] as const) {
      const { text } = render(found, template(name), rules, { late });
      for (const line of ["finish the CSV reader", "Port the importer", "Write the release notes", "Never rename handler"])
        expect(text, name).toContain(line);
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test("has the next action though there are many blockers", () => {
    const folder = mkdtempSync(join(tmpdir(), "compaction-order-"));
    mkdirSync(join(folder, ".git"));
    const blockers = Array.from({ length: 4 }, (_, index) => `- The job${index} is blocked by host${index}.`);
    writeFileSync(join(folder, "SESSION.md"), notes.replace("\n- Open Work", `\n${blockers.join("\n")}\n- Open Work`));
    const found = extract(sessionOf("Port the importer."), rules, readWorkspace(folder, rules));
    const { block } = repair(found, "", template("repair"), rules);
    for (const line of ["host3", "staging has no disk", "burst test of the reader", "finish the CSV reader"])
      expect(block).toContain(line);
    rmSync(folder, { recursive: true, force: true });
  });
});

test("the injected text lists concepts and asks to keep their links", () => {
  const { text } = render(extract(sessionOf("Link [[token-bucket]] and [[burst limit]]."), rules), template("injection"), rules);
  expect(text).toContain("**Preserved Concepts** (2): [[token-bucket]], [[burst-limit]]");
  expect(text).toContain("preserve these [[WikiLink]] concept references");
});

test("the last request says whether it was answered", () => {
  const briefOf = (...texts: readonly string[]) => render(extract(sessionOf(...texts), rules), template("brief"), rules).text;
  const asked = ["Port the importer.", "Done.", "Rename the reader to loader."];
  expect(briefOf(...asked)).toContain("Last request: Rename the reader to loader.");
  expect(briefOf(...asked, "I renamed the reader to loader, and all tests pass.")).toContain("Last request (answered): Rename");
});

describe("a last request", () => {
  const run1 = (status: string) => ({ name: "Bash", input: { command: "npm test" }, output: "", status });
  const briefOf = (closing: string, ...calls: Message["toolCalls"]) => {
    const messages: readonly Message[] = [
      ...sessionOf("Port the importer.", "Done.", "Rename the reader to loader.").messages,
      { id: "work", role: "assistant", text: "Renaming.", toolCalls: calls },
      { id: "end", role: "assistant", text: closing, toolCalls: [] },
    ];
    return render(extract({ id: "s", format: "claude-code", messages }, rules), template("brief"), rules).text;
  };

  test("is not answered while a command that ran for it fails", () => {
    expect(briefOf("I renamed it.", run1("error"))).toContain("Last request: Rename");
    expect(briefOf("I renamed it.", run1("error"), run1("completed"))).toContain("Last request (answered): Rename");
  });

  test("is not answered by a message that breaks off", () => {
    expect(briefOf("The reader is renamed. Did we also change")).toContain("Last request: Rename");
    expect(briefOf("The reader is renamed, Did we also change,")).toContain("Last request (answered): Rename");
    expect(briefOf("The reader is renamed. See `loader.ts`")).toContain("Last request (answered): Rename");
    expect(briefOf("The reader is renamed.\n\n- `loader.ts`, the new name")).toContain("Last request (answered): Rename");
  });
});

describe("what still fails", () => {
  const run = (command: string, output: string) => ({ name: "Bash", input: { command }, output, status: "error" });
  const failing = (...calls: Message["toolCalls"]) => {
    const messages: readonly Message[] = [
      { id: "1", role: "user", text: "Release the importer.", toolCalls: [] },
      { id: "2", role: "assistant", text: "I build it.", toolCalls: calls },
    ];
    const { text } = render(extract({ id: "s", format: "claude-code", messages }, rules), template("brief"), rules);
    return [...text.matchAll(/^Still failing: (.*)$/gm)].map(([, line]) => line);
  };
  const error = "src/theme.ts(5,15): error TS2305: Module 'tui' has no exported member 'EditorTheme'.";

  test("is told with its first error", () => {
    expect(failing(run("npm run build", `Exit code 1\n> tsc\n${error}\nsrc/b.ts(1,1): error TS1: b\n`))).toEqual([
      `npm run build — ${error}`,
    ]);
    expect(failing(run("npm run build", "Exit code 1"))).toEqual(["npm run build"]);
  });

  test("is told once for the same error", () => {
    const other = "cd /home/dev/workspaces/team/importer-tools && npm run build -w @scope/importer 2>&1";
    expect(failing(run("npm run publish", error), run(other, error))).toEqual([`npm run build -w @scope/importer — ${error}`]);
  });

  test("is told each time if the error says little", () => {
    expect(failing(run("npm test", "Tests: 1 failed"), run("npm run e2e", "Tests: 1 failed"))).toHaveLength(2);
  });

  test("masks secrets in the error", () => {
    const key = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    const [line] = failing(run("npm run publish", `error: the token ${key} is expired`));
    expect(line).toMatch(/^npm run publish — error: the token /);
    expect(line).not.toContain(key);
    expect(failing(run("npm run publish", `error: the token ${key.slice(0, 12)}\n...\nbye`))).toEqual(["npm run publish"]);
  });
});

test("what was planned gives way once it is committed", () => {
  const call = (name: string, input: object, output: string) => ({ name, input, output, status: "completed" });
  const edit = call("Write", { file_path: "src/cache.ts", content: "x" }, "ok");
  const commit = call("Bash", { command: 'git commit -m "Add a cache"' }, "[main 1a2b3c4] Add a cache");
  const messages = (...last: Message["toolCalls"]): readonly Message[] => [
    { id: "1", role: "user", text: "Add a cache to the importer.", toolCalls: [] },
    {
      id: "2",
      role: "assistant",
      text: "The changes:\n- Add `readCache()` to the importer\n- Rename `loadRows()` to `readRows()`",
      toolCalls: [edit],
    },
    { id: "3", role: "assistant", text: "Committing.", toolCalls: last },
    { id: "4", role: "assistant", text: "Done.", toolCalls: [] },
  ];
  const worthOf = (...last: Message["toolCalls"]) => {
    const { statements } = extract({ id: "s", format: "claude-code", messages: messages(...last) }, rules);
    return statements.find(({ text }) => text.startsWith("Rename"))?.salience ?? 0;
  };
  expect(worthOf(commit)).toBeGreaterThan(0);
  expect(worthOf(commit)).toBeLessThan(0.7 * worthOf());
});

describe("a goal", () => {
  const edit = (file: string) => ({ name: "Write", input: { file_path: file, content: "x" }, output: "ok", status: "completed" });
  const briefOf = (...asked: readonly string[]) => {
    const messages = asked.flatMap((text, index): readonly Message[] => [
      { id: `u${index}`, role: "user", text, toolCalls: [] },
      { id: `a${index}`, role: "assistant", text: "Done.", toolCalls: [edit(`src/part${index}.ts`)] },
    ]);
    return render(extract({ id: "s", format: "claude-code", messages }, rules), template("brief"), rules).text;
  };
  const first = "Port the importer to the new API.";
  const later = ["colours", "footer", "header", "menu"].map((name) => `Change the ${name} of the page.`);

  test("is what the session began with once much else was done", () => {
    expect(briefOf(first, ...later)).toContain(`Began with: ${first}`);
    expect(briefOf(first, ...later.slice(2))).toContain(`Goal: ${first}`);
  });

  test("that was said later is the goal", () => {
    const text = briefOf("Fix the login.", ...later, `Great, next task: ${first}`, "Use the retry queue for that.");
    expect(text).toContain(`Goal: Great, next task: ${first}`);
    expect(text).toContain("First request: Fix the login.");
  });

  test("is not the last request as well", () => {
    const text = briefOf("Fix the login.", ...later, `Great, next task: ${first} Keep the tests green.`);
    expect(text).toContain("First request: Fix the login.");
    expect(text).toContain(`Last request: Great, next task: ${first}`);
    expect(text).not.toContain("Goal:");
  });

  test("is what the session began with once much else was asked, whatever was changed", () => {
    const asked = ["colours", "footer", "header", "menu", "logo", "links"].map((name) => `And how are the ${name} loaded?`);
    const texts = ["How does the page find its fonts?", ...asked].flatMap((text) => [text, "From the cache."]);
    const text = render(extract(sessionOf(...texts), rules), template("brief"), rules).text;
    expect(text).toContain("Began with: How does the page find its fonts?");
  });

  test("is neither an aside nor a field of a status", () => {
    const aside = sessionOf(
      "How are rows read?",
      "In chunks.",
      "can you log this? (only in debug) and let's add a timer",
      "Done.",
    );
    const change = { ...aside.messages[3], toolCalls: [edit("src/rows.ts")] } as Message;
    const found = extract({ ...aside, messages: [...aside.messages.slice(0, 3), change] }, rules).continuation.items;
    expect(found.filter(({ kind }) => kind === "goal").map(({ text }) => text)).toEqual(["How are rows read?"]);
    const text = briefOf("Move the shop to the new host.\n\nCurrent task:\n- Ticket: AB-12\n- Status: open");
    expect(text).toContain("Goal: Move the shop to the new host.");
  });

  test("is shown without list marks", () => {
    expect(briefOf("Primary task:\n- Issue #12 of the importer")).toContain("Goal: Primary task: Issue #12 of the importer");
  });
});

describe("what the user said last", () => {
  const detail = Array.from(
    { length: 40 },
    (_, index) => `Module \`part${index}.ts\` calls \`load${index}()\` with ${index} retries.`,
  );
  const asked = [
    "hm, the worker clears the cache of a job twice",
    "ok call it row_store and start over then",
    "and the header needs the version as well",
  ];
  const texts = [
    "Port the importer.",
    detail.join("\n\n"),
    ...asked.flatMap((text) => [text, detail.join("\n\n")]),
    "thanks",
    "Bye.",
  ];

  test("does not give way to details of the assistant's", () => {
    const { text } = render(extract(sessionOf(...texts), rules), template("brief"), rules, { tokens: 300 });
    for (const one of asked) expect(text).toContain(`> ${one}`);
    expect(text.indexOf(asked[0] as string)).toBeLessThan(text.indexOf(asked[1] as string));
  });

  test("is marked if the user stopped the agent at once", () => {
    const messages: readonly Message[] = [
      { id: "u0", role: "user", text: "Port the importer.", toolCalls: [] },
      { id: "a0", role: "assistant", text: "It reads rows in chunks of 4 MB.", toolCalls: [] },
      { id: "u1", role: "user", text: "please write the report of today", toolCalls: [] },
      { id: "x1", role: "user", text: "[Request interrupted by user]", toolCalls: [], meta: true },
      { id: "u2", role: "user", text: "please write the report of yesterday", toolCalls: [] },
      { id: "a2", role: "assistant", text: "The report lists 12 jobs.", toolCalls: [] },
      { id: "x2", role: "user", text: "[Request interrupted by user]", toolCalls: [], meta: true },
      { id: "u3", role: "user", text: "Add the failed jobs.", toolCalls: [] },
    ];
    const { text } = render(extract({ id: "s", format: "claude-code", messages }, rules), template("brief"), rules);
    expect(text).toContain("> (interrupted) please write the report of today\n> please write the report of yesterday");
  });

  test("is told whole, though it begins a new task", () => {
    const session = sessionOf(
      "Where is the log level set?",
      "In config/log.yml.",
      "ok.\n\nnew task: write a weekly rotation",
      "On it.",
    );
    expect(render(extract(session, rules), template("brief"), rules).text).toContain("ok. new task: write a weekly rotation");
  });

  test("is more of the goal, or a rule, if the goal is in the same message", () => {
    const request =
      "In CONVENTIONS.md reorder all the lists. Use the order of the alphabet. DO NOT CHANGE content of list items.";
    const { text } = render(extract(sessionOf(request, "Sorted."), rules), template("brief"), rules);
    expect(text).toContain("Goal: In CONVENTIONS.md reorder all the lists.");
    expect(text).toContain("Rule: DO NOT CHANGE content of list items.");
    expect(text).toContain("> Use the order of the alphabet.");
    expect(text).not.toContain("Last request");
    expect(text.split("DO NOT CHANGE")).toHaveLength(2);
  });

  test.each(["👍", "sure thing", "ja", "stream"])("is told with the question that it answers: %s", (answer) => {
    const session = sessionOf("Add an export.", "Should I stream the rows or buffer them?", answer);
    const { text } = render(extract(session, rules), template("brief"), rules);
    expect(text).toContain(`"${answer}" — to the assistant's "Should I stream the rows or buffer them?"`);
  });

  test("is not what the user copied from a terminal", () => {
    const printed = [
      "Two ways to go on:",
      "",
      "Option 1: drop the queue",
      "Option 2: keep the queue and drain it",
      "  drain --all",
    ];
    const copied = printed.map((line) => line.padEnd(60)).join("\n");
    const said = `Imagine this happens:\n\n${copied}\n\nWhat becomes of the jobs in the second queue?`;
    const { text } = render(
      extract(sessionOf("Port the importer.", "Done.", said, "They stay.", "Rename the reader.", "On it."), rules),
      template("brief"),
      rules,
    );
    expect(text).toContain("> What becomes of the jobs in the second queue?");
    expect(text).not.toMatch(/^> Option/m);
  });
});

describe("what was said after a message of the user's that is not shown", () => {
  const brief = (...texts: readonly string[]) => render(extract(sessionOf(...texts), rules), template("brief"), rules).text;
  const first = ["Port the importer.", "The importer reads `rows.csv` in chunks of 4 MB."] as const;

  test("is marked", () => {
    const text = brief(
      ...first,
      "Never push to main.",
      "The exporter writes `rows.json` with two spaces.",
      "Rename the reader.",
      "It is `readRows` now.",
    );
    expect(text).toContain("4 MB.\n> …\nThe exporter");
    expect(text).toContain("spaces.\n> (the last request)\nIt is readRows now.");
    expect(brief(...first)).not.toContain("> …");
  });

  test("is marked as pasted", () => {
    const pasted = "```\nerror: rows are not sorted\n```";
    const text = brief(...first, pasted, "The exporter sorts `rows.json` by key.", "Rename the reader.", "On it.");
    expect(text).toContain("4 MB.\n> (pasted)\nThe exporter");
  });

  test("is not marked below a shown line of that message", () => {
    const text = brief(...first, "Write `rows.json` too.", "The exporter writes it with two spaces.", "Thanks.", "");
    expect(text).toContain("> Write rows.json too.\nThe exporter");
    expect(text).not.toContain("> …");
  });
});

describe("what was said", () => {
  const edit = {
    name: "Edit",
    input: { file_path: "src/cache.ts", old_string: "a", new_string: "b" },
    output: "ok",
    status: "completed",
  };
  const plan =
    "Let me think.\n\nChecks to run:\n- start `redis-server` twice\n- read `cache.log` after it\n\nOpen points:\n\nNothing else.";
  const messages: readonly Message[] = [
    { id: "1", role: "user", text: "Add a cache to the importer.", toolCalls: [] },
    { id: "2", role: "assistant", text: plan, toolCalls: [] },
    { id: "3", role: "assistant", text: "The importer is slow because it reads `rows.csv` three times.", toolCalls: [edit] },
    { id: "4", role: "assistant", text: "The importer now reads `rows.csv` once.", toolCalls: [] },
  ];
  const brief = (tokens: number) =>
    render(extract({ id: "s", format: "claude-code", messages }, rules), template("brief"), rules, { tokens }).text;

  test("has list items under the line above their list", () => {
    for (const tokens of [400, 1_000])
      expect(brief(tokens)).toContain("Checks to run: start redis-server twice\n- read cache.log after it\n");
  });

  test("shows the whole last request when the brief has room for it", () => {
    const request = `Rewrite the importer: ${Array.from({ length: 9 }, (_, index) => `read column ${index} as text${index}`).join(", ")}.`;
    const messages: Message[] = [
      { id: "u1", role: "user", text: "Read the notes of the importer first.", toolCalls: [] },
      { id: "a1", role: "assistant", text: "I have read them.", toolCalls: [] },
      { id: "u2", role: "user", text: request, toolCalls: [] },
    ];
    const found = extract({ id: "s", format: "neutral", messages }, rules);
    const briefOf = (tokens: number) => render(found, template("brief"), rules, { tokens }).text;
    expect(briefOf(1000)).toContain("read column 8 as text8");
  });

  test("has where the session stopped, and cuts off pasted JSON", () => {
    const talk = Array.from({ length: 40 }, (_, index) => `The reader \`read${index}\` keeps \`rows${index}.csv\` open.`);
    const long: readonly Message[] = [
      {
        id: "1",
        role: "user",
        text: `Then tackle this issue: {"type":"message","rows":[${[...Array(99).keys()]}]} and nothing else for now, please.`,
        toolCalls: [],
      },
      ...talk.flatMap((text, index): Message[] => [
        { id: `a${index}`, role: "assistant", text, toolCalls: [] },
        { id: `u${index}`, role: "user", text: `Look at \`rows${index}.csv\` as well, and tell me what it has.`, toolCalls: [] },
      ]),
      { id: "9", role: "assistant", text: "It must be another version of it than we thought.", toolCalls: [] },
    ];
    const { text } = render(extract({ id: "s", format: "neutral", messages: long }, rules), template("brief"), rules, {
      tokens: 500,
    });
    expect(text).toContain("another version of it than we thought");
    expect(text).not.toContain('{"type"');
  });

  test("says how many lines of a message are not shown", () => {
    const steps = Array.from({ length: 30 }, (_, index) => `- Move \`part${index}.ts\` to folder number ${index}.`).join("\n");
    const long: readonly Message[] = [
      { id: "1", role: "user", text: "Add a cache to the importer.", toolCalls: [] },
      { id: "2", role: "assistant", text: `The parts are:\n\n${steps}`, toolCalls: [] },
    ];
    const { text } = render(extract({ id: "s", format: "neutral", messages: long }, rules), template("brief"), rules, {
      tokens: 200,
    });
    const shown = text.match(/Move part/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(3);
    expect(text).toContain(` (+${30 - shown} more)`);
  });

  test("has a short message of the user's with a single word that tells something", () => {
    const said: readonly Message[] = [
      ...messages,
      { id: "5", role: "user", text: "I'll do the testing.", toolCalls: [] },
      { id: "6", role: "assistant", text: "Fine.", toolCalls: [] },
      { id: "7", role: "user", text: "Rename the cache to `store`.", toolCalls: [] },
    ];
    const { text } = render(extract({ id: "s", format: "claude-code", messages: said }, rules), template("brief"), rules, {
      tokens: 500,
    });
    expect(text).toContain("> I'll do the testing.");
  });

  test("tells what was said before files changed", () => {
    expect(brief(400)).toContain("(files changed from here on)");
    const [before = "", after = ""] = brief(1_000).split("(files changed from here on)\n");
    expect(before).toContain("three times");
    expect(after).toContain("now reads rows.csv once");
  });
});

test("a command that the user refused is told until it runs", () => {
  const run = (status: string, output: string) => ({ name: "Bash", input: { command: "npm run deploy" }, output, status });
  const refused = run("rejected", "The user doesn't want to proceed with this tool use.");
  const briefOf = (...calls: Message["toolCalls"]) => {
    const messages: readonly Message[] = [
      { id: "1", role: "user", text: "Release the importer.", toolCalls: [] },
      { id: "2", role: "assistant", text: "I release it.", toolCalls: calls },
    ];
    return render(extract({ id: "s", format: "claude-code", messages }, rules), template("brief"), rules).text;
  };
  expect(briefOf(refused)).toContain("Refused or stopped, not run since: npm run deploy");
  expect(briefOf(refused, run("completed", "ok"))).not.toContain("Refused");
});
