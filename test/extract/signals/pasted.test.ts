import { expect, test } from "vitest";
import { builtInRules, extract } from "../../../src/index.js";
import { saysBetween } from "../../sample.js";

const { rules } = builtInRules();

/** What the user wants, of a message in the middle of a session. */
function wantedIn(text: string) {
  return extract(saysBetween(text), rules)
    .continuation.items.filter(({ kind }) => ["constraint", "decision", "rejection", "remaining"].includes(kind))
    .map((item) => item.text);
}

test("a log that is shown wants nothing", () => {
  const log =
    "2031-05-01T10:00:01Z ERROR queue: must restart, never run two consumers\n2031-05-01T10:00:02Z WARN you should always set QUEUE_SIZE";
  expect(wantedIn(`the log from the server says:\n\n${log}\n\nis that related?`)).toEqual([]);
  expect(wantedIn(`${log}`)).toEqual([]);
});

test("what stands behind it is the user's again", () => {
  const mail =
    "this is the mail I got from the bank:\n\nYou must never store card numbers in the browser.\n\nNever log the amounts either.";
  expect(wantedIn(mail)).toEqual(["Never log the amounts either"]);
});

test("somebody's document is shown to its end", () => {
  const file = "# NOTES.md\n\n## Rules\n- Always write commit messages in Latin.\n- Never use tabs in this repository.\n";
  expect(wantedIn(`I found this NOTES.md in the old repo.\n\n${file}`)).toEqual([]);
});

test("who orders what he shows, or writes his own rules under headings, wants it", () => {
  const list = "# Rules\n\n- Always write commit messages in English.\n";
  expect(wantedIn(`I found this file, please follow these rules.\n\n${list}`)).toEqual([
    "Always write commit messages in English",
  ]);
  expect(wantedIn(`Add an importer.\n\n${list}`)).toContain("Always write commit messages in English");
});

test("what a colleague says is his", () => {
  expect(wantedIn("My colleague Ada says we should always use threads for that.")).toEqual([]);
  expect(wantedIn("We should always use threads for that.")).toHaveLength(1);
});

test("what a program printed wants nothing, and the line beside it does", () => {
  for (const line of [
    "src/x.ts(3,4): error TS2304: you must always use strict mode",
    "lib/main.go:12:3: you must never use an unkeyed field",
    "Uncaught TypeError: you must always pass a callback",
    'PS C:\\work> echo "never use tabs"',
    "ada@box:~/work$ echo always use tabs",
    "DOM Path: div.always > p.only-use > a.must-be",
  ]) {
    expect(wantedIn(line), line).toEqual([]);
    expect(wantedIn(`${line}\nNever log the amounts.`), line).toEqual(["Never log the amounts"]);
  }
});

test("a member of a settings file wants nothing", () => {
  expect(wantedIn('"editor.rulers": "must always be set",')).toEqual([]);
});

test("a place in a file is the user's when he says something of it", () => {
  expect(wantedIn("src/x.ts:3:4 must always be a constant.")).toHaveLength(1);
});
