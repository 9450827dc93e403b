// Lines of documents that the agent wrote, each with what stands above it.
import { expect, test } from "vitest";
import { builtInRules, extract, type Session } from "../../../src/index.js";

const { rules } = builtInRules();

const linesOf = (content: string) => {
  const call = { name: "Write", input: { file_path: "/x/PLAN.md", content }, output: "" };
  const session: Session = {
    id: "s",
    format: "neutral",
    messages: [
      { id: "m1", role: "user", text: "Write the plan.", toolCalls: [] },
      { id: "m2", role: "assistant", text: "", toolCalls: [call] },
    ],
  };
  return extract(session, rules).documents?.map(({ heading, text }) => [heading, text]);
};

test("names the lead of a list, which may turn its lines around", () => {
  const content =
    "# Scanner\n\nRuns before each push.\n\n**Not ideal for:**\n- frequent commits\n- large binaries\n\nMore in the guide.\n";
  expect(linesOf(content)).toEqual([
    ["Scanner", "Runs before each push."],
    ["Not ideal for", "frequent commits"],
    ["Not ideal for", "large binaries"],
    ["Scanner", "More in the guide."],
  ]);
});

test("leaves out lines that only introduce others, and code", () => {
  const content = "## Sprint 9\n\n- [ ] Change the walker:\n  - follow nested folders\n\n```sh\nnpm run release\n```\n";
  expect(linesOf(content)).toEqual([["[ ] Change the walker", "follow nested folders"]]);
});

test("leaves out the front matter of a document", () => {
  const content =
    "---\ntitle: Diff manifest\nstatus: active since the second week of May\n---\n\nReviewers get the manifest first.\n";
  expect(linesOf(content)).toEqual([["", "Reviewers get the manifest first."]]);
});

test("leaves out an item of an edit whose heading is not known: its list may say when something does not hold", () => {
  const write = {
    name: "Write",
    input: { file_path: "/x/adr.md", content: "# Typing\n\n- Types are published with the package.\n" },
    output: "",
  };
  const edit = {
    name: "Edit",
    input: {
      file_path: "/x/adr.md",
      old_string: "- later",
      new_string: "- The package leaves its beta and is stable.\n\n## Cost\n\n- Each release is checked once more.",
    },
    output: "",
  };
  const messages = [
    { id: "m1", role: "user", text: "Write it.", toolCalls: [] },
    { id: "m2", role: "assistant", text: "", toolCalls: [write, edit] },
  ] as Session["messages"];
  const lines = extract({ id: "s", format: "neutral", messages }, rules).documents?.map(({ text }) => text);
  expect(lines).toEqual(["Types are published with the package.", "Each release is checked once more."]);
});
