import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSession, SessionError } from "../../../src/index.js";
import { leastTime } from "../../cpu.js";
import { runs, sized } from "../../runs.js";

const LONG = sized(1_000_000, 60_000);
const said = (text: string) => readSession(text, "name").session.messages.map(({ role, text }) => `${role}: ${text}`);
const isConversation = (text: string) => {
  try {
    return readSession(text, "name").session.format === "conversation";
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
};

describe("heads", () => {
  test.each([
    ["bold", "**User:** Hi\n\n**Assistant:** Ho\n"],
    ["bold, colon behind", "**Human**: Hi\n\n**Claude**: Ho\n"],
    ["bold on a line", "**You**\n\nHi\n\n**ChatGPT**\n\nHo\n"],
    ["headings", "## User\n\nHi\n\n## Assistant\n\nHo\n"],
    ["headings with colons", "### Human:\n\nHi\n\n---\n\n### AI:\n\nHo\n\n---\n"],
    ["headings with signs", "# 🧑 User\nHi\n# 🤖 Assistant\nHo"],
    ["brackets", "[User]: Hi\n\n[Assistant]: Ho\n"],
    ["line ends of Windows, a byte order mark", "\uFEFF## User\r\n\r\nHi\r\n\r\n## Assistant\r\n\r\nHo\r\n"],
  ])("%s", (_, text) => {
    expect(readSession(text, "name")).toEqual({
      session: {
        id: "name",
        format: "conversation",
        messages: [
          { id: "1", role: "user", text: "Hi", toolCalls: [] },
          { id: "2", role: "assistant", text: "Ho", toolCalls: [] },
        ],
      },
      notices: [],
    });
  });

  test("plain words, when both speak twice", () => {
    const once = "User: Hi\nAssistant: Ho\n";
    expect(isConversation(once)).toBe(false);
    expect(said(`${once}User: Why?\n\nTell me.\nAI: So.\n`)).toEqual([
      "user: Hi",
      "assistant: Ho",
      "user: Why?\n\nTell me.",
      "assistant: So.",
    ]);
  });

  test("plain words that begin the text, when one speaks again", () => {
    const text = "User: Hi\n\nAssistant: Ho\n\nUser: Why?\n";
    expect(said(text)).toEqual(["user: Hi", "assistant: Ho", "user: Why?"]);
    expect(isConversation(`Roles.\n\n${text}`)).toBe(false);
  });

  test("where the format is named, a section in an answer is something said", () => {
    const text = "## User\n\nHi\n\n## Assistant\n\nHo\n\n## Goals\n\n- a\n";
    const { session } = readSession(text, "name", "conversation");
    expect(session.messages.map(({ role, text: what }) => [role, what])).toEqual([
      ["user", "Hi"],
      ["assistant", "Ho\n\n## Goals\n\n- a"],
    ]);
    expect(isConversation(text)).toBe(false);
  });

  test.each([undefined, "conversation"])("where there are none, it is said what is looked for: %s", (format) => {
    expect(() => readSession("# Notes\n\nWe decided to use Redis.\n", "name", format)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('"**User:**", "## User", "[User]:" or "User:"') }),
    );
  });

  test("what stands before is a machine's", () => {
    const { session } = readSession("# Cakes\n\nExported.\n\n## User\n\nHi\n\n## Assistant\n\nHo\n", "name");
    expect(session.messages[0]).toEqual({ id: "1", role: "system", text: "# Cakes\n\nExported.", toolCalls: [], meta: true });
    expect(session.messages).toHaveLength(3);
  });

  test("times, and what a system says", () => {
    const { session } = readSession("## System\nBe kind.\n## User (2026-01-02 03:04)\nHi\n## Assistant\nHo\n", "name");
    expect(session.messages).toMatchObject([
      { role: "system" },
      { role: "user", time: "2026-01-02T03:04:00" },
      { role: "assistant" },
    ]);
  });

  test("in code they are shown", () => {
    const shown = "```md\n## User\nx\n## Assistant\n```";
    expect(said(`## User\n${shown}\n## Assistant\nHo`)).toEqual([`user: ${shown}`, "assistant: Ho"]);
    expect(said("**User:** See:\n```c\nint a;\n\n**Assistant:** Ho")).toHaveLength(2);
  });

  test("heads of one form make the turns, others are said", () => {
    expect(said("**User:** Hi\n\n**Assistant:** So:\n\n## User\n\n## Assistant\n")).toEqual([
      "user: Hi",
      "assistant: So:\n\n## User\n\n## Assistant",
    ]);
    expect(said("## User\nHi\n## Assistant\n## Plan\nBake.\n## User\nGo\n## Assistant\nDone")).toHaveLength(4);
  });

  test("a long line keeps its end", () => {
    const long = "a ".repeat(500).trim();
    expect(said(`**User:** ${long}\n\n**Assistant:** Ho`)[0]).toBe(`user: ${long}`);
  });
});

describe("an ordinary document is no conversation", () => {
  test.each([
    ["prose", "Dear all, hello."],
    ["one section", "# App\n\n## Install\n\nx\n\n## User\n\ny\n"],
    ["sections on both", "# App\n\n## Install\n\nx\n\n## User\n\ny\n\n## Assistant\n\nz\n\n## Licence\n"],
    ["sections on both at the end", "# App\n\n## Install\n\nx\n\n## User\n\ny\n\n## Assistant\n\nz\n"],
    ["sections below sections", "# App\n\n## Roles\n\n### User\n\nx\n\n### Assistant\n\ny\n"],
    [
      "examples below sections",
      "# Guide\n\n## One\n\n**User:** a\n\n**Assistant:** b\n\n## Two\n\n**User:** c\n\n**Assistant:** d\n",
    ],
    ["titles that begin with the word", "## User guide\n\nx\n\n## Assistant setup\n\ny\n"],
    ["a list of roles", "- **User:** a person\n- **Assistant:** a model\n"],
    ["one side", "**User:** a\n\n**User:** b\n"],
    ["only in code", "```\n**User:** a\n\n**Assistant:** b\n```\n"],
    ["fields", "User: alice\nHost: box\nUser: bob\n"],
    ["JSON", '{"a":1}'],
  ])("%s", (_, text) => {
    expect(isConversation(text)).toBe(false);
  });
});

test.each([
  ["heads", "**User:** a\n**Assistant:** b\n"],
  ["headings of all levels", "# User\n## User\n### User\n# AI\n## AI\n### AI\n"],
  ["open fences", "```a\n"],
  ["closed fences", "```\n```\n"],
  ["stars", "**"],
  ["blanks", `**User${" ".repeat(200)}`],
])("reads a long text of %s in linear time", async (_, text) => {
  const long = `**User:** a\n\n**AI:** b\n\n${text.repeat(LONG / text.length)}`;
  expect(await leastTime(5_000, () => isConversation(long))).toBeLessThan(5_000);
});

test("whatever it is, nothing but a SessionError is thrown", () => {
  const piece = fc.constantFrom(
    "**User:**",
    "**Assistant:** a",
    "## User",
    "## Assistant",
    "[User]:",
    "User: a",
    "AI: b",
    "```",
    "# T",
    "---",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), fc.constantFrom("\n", "\r\n", "\n\n"), (parts, end) => {
      isConversation(parts.join(end));
    }),
    { numRuns: runs(1_000) },
  );
});
