import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Item, render, type Session } from "../../../src/index.js";
import type { Template } from "../../../src/rules/rule-set.js";

const { rules } = builtInRules();
const sessionOf = (...texts: readonly string[]): Session => ({
  id: "s",
  format: "test",
  messages: texts.map((text, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] })),
});
const goalsOf = (text: string) =>
  extract(sessionOf(text), rules).continuation.items.flatMap(({ kind, evidence }) => (kind === "goal" ? [evidence.quote] : []));

describe("the goal of a session", () => {
  test.each([
    ["Add dark mode to the settings page.", "Add dark mode to the settings page."],
    ["Hi Claude, can you add dark mode to the settings page?", "Hi Claude, can you add dark mode to the settings page?"],
    ["Good evening! We maintain a CLI in Go. I'd like to drop the config file.", "I'd like to drop the config file."],
    ["You are an expert in Rust. The repo is a parser. Let's rewrite the lexer.", "Let's rewrite the lexer."],
    ["Hello! Quick question. Why does the cache grow over night?", "Why does the cache grow over night?"],
    ["# Task\n\nImplement the importer.", "Implement the importer."],
    ["You are the new release manager.\n\nCut the 2.0 branch.", "Cut the 2.0 branch."],
    ["You are the coordinator.\n\nRole:\n- Coordinate only.\n\nTask: finish the importer.", "Task: finish the importer."],
    ["You're the nightly agent.\n\nPrimary active task:\n- Issue #12\n- Status: open", "Primary active task:\n- Issue #12"],
    ["Thanks for yesterday! Now rename the package.", "Now rename the package."],
  ])("of %j is what is asked for", (text, goal) => {
    expect(goalsOf(text)).toEqual([goal]);
  });

  test.each([
    [
      "Hi there! I am working on a Next.js app with a Postgres backend. The login page crashes on Safari. Can you fix it?",
      "The login page crashes on Safari.",
    ],
    ["The worker leaks memory. It grows by 10 MB an hour. Any ideas?", "The worker leaks memory."],
    ["The build is red since yesterday.\n\n```\nerror TS2322\n```\n\nCan you fix it?", "The build is red since yesterday."],
  ])("of %j is what the request points to", (text, goal) => {
    expect(goalsOf(text)).toEqual([goal]);
  });

  test.each([
    ["Hello! We use Vite. The preview server stops after a minute.", "The preview server stops after a minute."],
    ["Background jobs crash when Redis restarts. It began on Monday.", "Background jobs crash when Redis restarts."],
    ["I'm using Vite and it crashes on start.", "I'm using Vite and it crashes on start."],
    ["Hi! We are building a shop in Rails.", "We are building a shop in Rails."],
  ])("of %j, where nothing is asked for, is the first thing that is said", (text, goal) => {
    expect(goalsOf(text)).toEqual([goal]);
  });

  test.each([
    "Hi there!",
    "hello Claude",
    "Good morning, how are you?",
    "continue",
    "Please go on.",
    "ok, continue where we left off",
    "Let's start.",
  ])("is none for %j", (text) => {
    expect(goalsOf(text)).toEqual([]);
  });

  test("is looked for before what the user only shows", () => {
    const pasted = Array.from(
      { length: 30 },
      (_, index) => `2026-01-01 10:00:${index + 10} worker ${index} could not connect`,
    ).join("\n\n");
    expect(goalsOf(`${pasted}\n\nPlease find out why the workers lose the database.`)).toEqual([
      "Please find out why the workers lose the database.",
    ]);
  });

  test("stands once in a brief", () => {
    const text = "Hello! The login page crashes on Safari. Can you fix it?";
    const brief = render(
      extract(sessionOf(text, "I will look at it.", "Thanks, the button is blue now."), rules),
      rules.templates.get("brief") as Template,
      rules,
    ).text;
    expect(brief).toContain("Goal: The login page crashes on Safari.\n");
    expect(brief.split("crashes on Safari").length).toBe(2);
  });
});

test.each(["Try again.", "ok, retry", "Can we continue from where we left off?"])("%j is no goal", (text) => {
  expect(goalsOf(text)).toEqual([]);
});

describe("the task that is being worked on", () => {
  test.each([
    ["Start with `git fetch origin`. Then rename the package to core.", "Then rename the package to core."],
    ["Run `npm ci` first. Then migrate the settings page to React 19.", "Then migrate the settings page to React 19."],
    ["First run the linter. Then add a search field to the list.", "Then add a search field to the list."],
    ["Take a look around first. Add a search field to the list.", "Add a search field to the list."],
    ["Hands off vendor/. Add a search field to the list.", "Add a search field to the list."],
    ["Read AGENTS.md first. Use pnpm. The importer drops empty rows.", "The importer drops empty rows."],
    ["Do not touch the schema. Add a column picker to the table view.", "Add a column picker to the table view."],
    ["If you need to create the working folder, do so. Port the importer to the new API.", "Port the importer to the new API."],
    ["When you commit, use a short subject. Make the sidebar collapsible.", "Make the sidebar collapsible."],
    ["You must answer in English. Why is the cache empty after a restart?", "Why is the cache empty after a restart?"],
    ["Create a new branch. Please add OAuth to the login.", "Please add OAuth to the login."],
    [
      "We run Rails. The goal: one checkout page instead of three. Please keep the tests green.",
      "The goal: one checkout page instead of three.",
    ],
  ])("is not a step, a prohibition or a case: %j", (text, goal) => {
    expect(goalsOf(text)).toEqual([goal]);
  });

  test.each(["Do not push to main.", "If you find other bugs, report them.", "yes, do it"])("is not %j", (text) => {
    expect(goalsOf(text)).toEqual([]);
  });

  test.each(["Start with `git fetch origin`.", "Run the linter first.", "Keep the sidebar open on small screens."])(
    "is a step if there is nothing else: %j",
    (text) => {
      expect(goalsOf(text)).toEqual([text]);
    },
  );

  test("is found in a prompt of fifty sentences, and told", () => {
    const rules50 = Array.from(
      { length: 24 },
      (_, index) => `- Use folder ${index} for the output of step ${index}.\n- Never delete folder ${index}.`,
    );
    const prompt = `# Context\n\nYou are the coordinator of three workers.\n\nRules:\n\n${rules50.join("\n")}\n\n## Task\n\nMove the billing jobs to the new queue.\n`;
    expect(goalsOf(prompt)).toEqual(["Move the billing jobs to the new queue."]);
    const extraction = extract(sessionOf(prompt, "I start.", "What is the status?", "The first job is moved."), rules);
    const { text } = render(extraction, rules.templates.get("brief") as Template, rules);
    expect(text).toContain("Goal: Move the billing jobs to the new queue.");
  });

  test("is a wish in a prompt of fifty orders", () => {
    const orders = Array.from({ length: 50 }, (_, index) => `Write the notes of module ${index} in plain words.`).join(" ");
    expect(goalsOf(`${orders} We want users to split an order.`)).toEqual(["We want users to split an order."]);
    expect(goalsOf("Write the notes. We want users to split an order.")).toEqual(["Write the notes."]);
  });

  test("is what follows its announcement", () => {
    expect(
      extract(sessionOf("Implement the following plan:\n\n# Add OAuth to the login\n\n1. Add a route."), rules).continuation
        .items,
    ).toContainEqual(expect.objectContaining({ kind: "goal", text: "Implement the following plan: Add OAuth to the login" }));
  });

  test.each([
    ["hi", "Fix the login on Safari."],
    ["/model", "Fix the login on Safari."],
    ["yeah let's do it", "Fix the login on Safari."],
  ])("is not in an opening that asks for nothing: %j", (opening, request) => {
    const { items } = extract(sessionOf(opening, "OK.", request), rules).continuation;
    expect(items.filter(({ kind }) => kind === "goal").map(({ evidence }) => evidence.quote)).toEqual([request]);
  });

  const activeAfter = (later: string) =>
    extract(sessionOf("Add dark mode to the settings page.", "Done, the tests pass.", later, "I start."), rules)
      .continuation.items.filter(({ kind, status }) => kind === "goal" && status === "active")
      .map(({ evidence }) => evidence.quote);

  test.each([
    "Next task: cache the search results.",
    "Great, now build the CSV importer.",
    "Let's move on to the billing page.",
    "New topic: the nightly job leaks memory.",
    "Now let's work on the search.",
    "Implement the following plan: one queue for all workers",
    "Switching gears: the login is slow.",
    "Next, I'd like you to migrate the jobs to Postgres.",
    "Alright, let's tackle the settings of the importer.",
    "Then we need to tackle the race in the scheduler.",
    "Let's now migrate the database to Postgres 16.",
    "I now want you to migrate the database to Postgres 16.",
    "Different thing: migrate the database to Postgres 16.",
    "Forget that, something more urgent: production is down.",
  ])("is the new one after %j", (later) => {
    expect(activeAfter(later)).toEqual([later]);
  });

  test.each(["Okay, new topic.", "Great. Now something else!"])("is what comes after %j", (before) => {
    expect(activeAfter(`${before} Cache the search results. Keep them for a day.`)).toEqual(["Cache the search results."]);
  });

  test.each([
    "Now write the tests.",
    "Next, create a commit.",
    "Now run the linter.",
    "Can you also update the docs?",
    "Now implement it.",
    "Great, now add a test for the toggle.",
    "The toggle is misaligned.",
    "Now fix the remaining errors.",
    "Let's tackle it.",
    "We now build with Vite.",
    "Another thing: the toggle is misaligned.",
  ])("is still the old one after %j", (later) => {
    expect(activeAfter(later)).toEqual(["Add dark mode to the settings page."]);
  });
});

describe("the work that grew out of a question", () => {
  const edit = { name: "Edit", input: { file_path: "src/cache.ts" }, output: "", status: "completed" };
  /** The goals after a conversation in which the assistant changes a file after the last text. */
  const goalsAfter = (...texts: readonly string[]) => {
    const said = sessionOf(...texts);
    const change = { id: "change", role: "assistant" as const, text: "", toolCalls: [edit] };
    const { items } = extract({ ...said, messages: [...said.messages, change] }, rules).continuation;
    return items.filter(({ kind, status }) => kind === "goal" && status === "active").map(({ evidence }) => evidence.quote);
  };
  const question = "Does the cache drop old entries?";

  test.each([
    [question, "Please add an expiry of one hour to the cache."],
    ["Can you explain how the cache drops old entries?", "let's add an expiry of one hour"],
    ["Can you review the cache?", "Can you write a test for the expiry?"],
  ])("is the goal: %j, then %j", (opening, later) => {
    expect(goalsAfter(opening, "No, it does not.", later)).toEqual([later]);
    expect(goalsAfter(opening, "No, it does not.", later, "Per entry?", "yes")).toEqual([later]);
  });

  test("is told with the question", () => {
    const said = sessionOf(question, "No.", "Please add an expiry of one hour to the cache.", "Done.", "Thanks!");
    const messages = said.messages.map((one) => (one.id === "m3" ? { ...one, toolCalls: [edit] } : one));
    const { text } = render(extract({ ...said, messages }, rules), rules.templates.get("brief") as Template, rules);
    expect(text).toContain("Goal: Please add an expiry of one hour to the cache.");
    expect(text).toContain(`First request: ${question}`);
  });

  test.each([
    ["the opening asks for work", "Can you add an expiry to the cache?", "Use one hour, please."],
    ["the opening asks for work after a look", "Can you check the cache and then add an expiry?", "Please use one hour."],
    ["the opening names the work", "Can you check what it takes to add an expiry?", "Please write down the options."],
    ["what follows names nothing", question, "ok, let's implement this"],
    ["what follows is a question", question, "How long do entries stay?"],
  ])("is not the goal if %s", (_, opening, later) => {
    expect(goalsAfter(opening, "No, it does not.", later)).toEqual([opening]);
  });

  test("is not the goal while nothing changes", () => {
    const { items } = extract(sessionOf(question, "No.", "Please add an expiry to the cache."), rules).continuation;
    expect(items.filter(({ kind }) => kind === "goal").map(({ evidence }) => evidence.quote)).toEqual([question]);
  });
});

describe("the first request", () => {
  const said = extract(
    sessionOf("Add rate limiting to the login endpoint.", "Done.", "Now move the cache to Valkey.", "On it.", "Use TLS, too."),
    rules,
  );
  const { items } = said.continuation;
  const later = { source: "m2", start: 0, end: 29, quote: "Now move the cache to Valkey.", rule: "r" };
  const goal = { ...items.find(({ kind }) => kind === "goal"), text: "move the cache to Valkey", evidence: later } as Item;
  const shownWith = (name: string, given: readonly Item[]) =>
    render({ ...said, continuation: { ...said.continuation, items: given } }, rules.templates.get(name) as Template, rules).text;

  test("has no line of its own where it is the goal", () => {
    expect(shownWith("brief", items)).not.toContain("First request");
  });

  test.each([
    ["brief", "First request: Add rate limiting to the login endpoint."],
    ["repair", "- first request: Add rate limiting to the login endpoint"],
    ["injection", "## First request\n- Add rate limiting to the login endpoint"],
  ])("is told in %s where a later task is the goal", (name, line) => {
    const replaced = items.map((item): Item => (item.kind === "goal" ? { ...item, status: "superseded" } : item));
    expect(shownWith(name, [...replaced, goal])).toContain(line);
    expect(shownWith(name, [...items.filter(({ kind }) => kind !== "goal"), goal])).toContain(line);
  });
});
