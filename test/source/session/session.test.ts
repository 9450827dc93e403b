import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { needsOf } from "../../../src/extract/calls/call.js";
import { builtInRules, readSession, SessionError } from "../../../src/index.js";
import { readSessionFrom } from "../../../src/source/session/read-session.js";
import { runs } from "../../runs.js";

const NEEDS = needsOf(builtInRules().rules);

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const codeOf = (content: Uint8Array, format?: string) => {
  try {
    readSession(content, "name", format);
  } catch (error) {
    return error instanceof SessionError ? error.code : String(error);
  }
};

describe("the neutral form", () => {
  test("anything may be missing but id, role and text, and unknown keys are ignored", () => {
    const { session, notices } = readSession(
      bytes({
        id: "s",
        more: 1,
        messages: [
          { id: "1", role: "user", text: "hi", odd: true },
          { id: "2", role: "user" },
          null,
          { id: "3", role: "robot", text: "x" },
        ],
      }),
      "name",
    );
    expect(session).toEqual({ id: "s", format: "neutral", messages: [{ id: "1", role: "user", text: "hi", toolCalls: [] }] });
    expect(notices).toEqual([{ code: "message-skipped", message: expect.any(String), count: 3 }]);
  });

  test("as lines, with or without a first line that names the session", () => {
    const one = { id: "1", role: "user", text: "hi" };
    const two = { id: "2", role: "assistant", text: "ho" };
    expect(readSession(bytes(`${JSON.stringify(one)}\n${JSON.stringify(two)}\n`), "name").session).toMatchObject({
      id: "name",
      messages: [one, two],
    });
    expect(readSession(bytes(`{"id":"s"}\n${JSON.stringify(one)}\n`), "name").session).toMatchObject({
      id: "s",
      messages: [one],
    });
  });

  test("a broken line is skipped and counted", () => {
    const { session, notices } = readSession(
      bytes(`{"id":"1","role":"user","text":"a"}\n{"id":"2","role":"user","te\n{"id":"3","role":"user","text":"c"}\n`),
      "name",
    );
    expect(session.messages.map(({ id }) => id)).toEqual(["1", "3"]);
    expect(notices).toMatchObject([{ code: "line-skipped", count: 1 }]);
  });

  test.each([
    ["first", 0],
    ["second", 1],
    ["last", 3],
  ])("zeroes in the place of a line are a broken line: the %s", (_, at) => {
    const said = ["1", "2", "3"].map((id) => JSON.stringify({ id, role: "user", text: "a" }));
    const content = bytes(said.toSpliced(at, 0, "\0".repeat(64)).join("\n"));
    for (const { session, notices } of [readSession(content, "name"), readSessionFrom(() => [content], "name", NEEDS)]) {
      expect(session.messages.map(({ id }) => id)).toEqual(["1", "2", "3"]);
      expect(notices).toMatchObject([{ code: "line-skipped", count: 1, message: `not JSON and skipped: line ${at + 1}` }]);
    }
  });

  test("a single message is a session of one line", () => {
    expect(readSession('{"id":"1","role":"user","text":"a"}', "name").session).toMatchObject({
      id: "name",
      messages: [{ id: "1" }],
    });
  });

  test("a second message of the same id gets a name of its own", () => {
    const { session, notices } = readSession(
      bytes({ id: "s", messages: ["a", "b"].map((text) => ({ id: "1", role: "user", text })) }),
      "name",
    );
    expect(session.messages.map(({ id }) => id)).toEqual(["1", "1#2"]);
    expect(notices).toMatchObject([{ code: "id-repeated", count: 1 }]);
  });

  test("output that is nested beyond reason does not stop it", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const text = `{"id":"s","messages":[{"id":"1","role":"user","text":"a","toolCalls":[{"name":"x","output":${deep}}]}]}`;
    expect(readSession(text, "name").session.messages).toHaveLength(1);
  });

  test("a byte order mark does not count", () => {
    expect(readSession(bytes(`\uFEFF{"id":"s","messages":[{"id":"1","role":"user","text":"a"}]}`), "name").session.id).toBe("s");
  });
});

describe("OpenCode", () => {
  const part = (more: object) => ({ id: "p", ...more });
  const message = (info: object, parts: object[]) => ({ info: { sessionID: "ses_1", ...info }, parts });
  const user = message({ id: "u", role: "user", time: { created: 0 }, summary: { diffs: [] } }, [
    part({ type: "text", text: "do it" }),
    part({ type: "text", text: "<file>", synthetic: true }),
  ]);
  const work = message({ id: "a", role: "assistant" }, [
    part({ type: "reasoning", text: "hm" }),
    part({ type: "text", text: "done" }),
    part({
      type: "tool",
      tool: "bash",
      state: { status: "completed", input: { command: "make" }, output: "no", metadata: { exit: 2 } },
    }),
    part({ type: "tool", tool: "read", state: { status: "error", input: { filePath: "a" }, error: "gone" } }),
  ]);
  const synthetic = message({ id: "c", role: "user" }, [part({ type: "text", text: "Continue", synthetic: true })]);
  const summary = message({ id: "s", role: "assistant", summary: true }, [part({ type: "text", text: "## Objective" })]);

  test.each([
    ["an export", { info: { id: "ses_1" }, messages: [user, work, synthetic, summary] }],
    ["the SDK's messages", [user, work, synthetic, summary]],
    ["the SDK's answer", { data: [user, work, synthetic, summary] }],
  ])("%s", (_, content) => {
    const { session } = readSession(bytes(content), "name");
    expect(session).toEqual({
      id: "ses_1",
      format: "opencode",
      ...(Array.isArray(content) || "data" in content ? {} : { typed: true }),
      messages: [
        { id: "u", role: "user", text: "do it", toolCalls: [], time: "1970-01-01T00:00:00.000Z" },
        {
          id: "a",
          role: "assistant",
          text: "done",
          toolCalls: [
            { name: "bash", input: { command: "make" }, output: "no", status: "error" },
            { name: "read", input: { filePath: "a" }, output: "gone", status: "error" },
          ],
        },
        { id: "c", role: "user", text: "Continue", toolCalls: [], meta: true },
        { id: "s", role: "assistant", text: "## Objective", toolCalls: [], summary: true },
      ],
    });
  });

  test("what is said in a session that another one opened, the user did not say", () => {
    const more = message({ id: "u2", role: "user" }, [part({ type: "text", text: "and this" })]);
    const { session } = readSession(bytes({ info: { id: "ses_2", parentID: "ses_1" }, messages: [user, work, more] }), "name");
    expect(session.messages.map(({ id, meta }) => [id, meta])).toEqual([
      ["u", true],
      ["a", undefined],
      ["u2", true],
    ]);
  });
});

describe("a document that breaks off", () => {
  const message = (id: string) => ({ id, role: "user", text: `é "${id}" [{` });
  const whole = JSON.stringify({ id: "s", messages: ["1", "2", "3"].map(message) });

  test("is read as far as it goes, wherever that is, and says so", () => {
    const all = new TextEncoder().encode(whole);
    const counts = new Set<number>();
    for (let end = 1; end < all.length; end++) {
      try {
        const { session, notices } = readSession(all.slice(0, end), "name");
        expect(session.messages).toMatchObject(["1", "2", "3"].map(message).slice(0, session.messages.length));
        expect(notices.map(({ code }) => code)).toContain("document-cut");
        counts.add(session.messages.length);
      } catch (error) {
        expect(error).toBeInstanceOf(SessionError);
      }
    }
    expect([...counts]).toEqual([1, 2, 3]);
  });

  test("is refused when not even one message is whole", () => {
    expect(codeOf(bytes(whole.slice(0, 30)))).toBe("session-json");
  });
});

describe("bad input gets a clear error", () => {
  test.each([
    ["nothing", bytes(""), "session-empty"],
    ["blanks", bytes(" \n "), "session-empty"],
    ["a binary file", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), "session-binary"],
    ["prose", bytes("Dear all, hello."), "session-json"],
    ["a cut document", bytes('{"id":"s","messages":[{"id":"1"'), "session-json"],
    ["another document", bytes({ a: 1 }), "session-format"],
    ["a list of numbers", bytes([1, 2]), "session-format"],
    ["a number", bytes("7"), "session-format"],
  ])("%s", (_, content, code) => {
    expect(codeOf(content)).toBe(code);
  });

  test("with the name of the session, the reason by itself, and often a hint", () => {
    const utf16 = Buffer.from(`\uFEFF${JSON.stringify({ id: "s", messages: [] })}`, "utf16le");
    for (const read of [() => readSession(utf16, "a.json"), () => readSessionFrom(() => [utf16], "a.json", NEEDS)])
      expect(read).toThrow(
        expect.objectContaining({
          name: "SessionError",
          code: "session-binary",
          message: "a.json: it is UTF-16; only UTF-8 is supported",
          reason: "it is UTF-16; only UTF-8 is supported",
          hint: "save it as UTF-8",
        }),
      );
  });

  test("an unknown format", () => {
    expect(codeOf(bytes({ id: "s", messages: [] }), "word")).toBe("session-format");
    expect(codeOf(bytes({ id: "s", messages: [] }), "opencode")).toBe("session-format");
  });

  test("whatever it is, nothing else is thrown", () => {
    const json = fc.json().map((text) => new TextEncoder().encode(text));
    const odd = fc
      .object({ key: fc.constantFrom("id", "messages", "info", "parts", "role", "text", "data", "toolCalls"), maxDepth: 5 })
      .map((value) => bytes(value));
    fc.assert(
      fc.property(fc.oneof(json, odd, fc.uint8Array({ maxLength: 200 })), (content) => {
        expect([undefined, "session-empty", "session-binary", "session-json", "session-format"]).toContain(codeOf(content));
      }),
      { numRuns: runs(2_000) },
    );
  });
});

const corpus = "../shared/corpus/sessions";
describe.skipIf(!existsSync(corpus))("real exports of OpenCode (../shared)", () => {
  test.each([
    ["oc-synara-component.json", 33],
    ["oc-wikilinks-in-tool-input.json", 30],
  ])("%s has %i tool calls", (file, calls) => {
    const { session, notices } = readSession(readFileSync(`${corpus}/${file}`), file);
    expect(session.format).toBe("opencode");
    expect(session.messages.flatMap(({ toolCalls }) => toolCalls)).toHaveLength(calls);
    expect(notices).toEqual([]);
  });
});
