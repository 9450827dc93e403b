import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Item, render, type Session } from "../../src/index.js";
import type { Template } from "../../src/rules/rule-set.js";

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
