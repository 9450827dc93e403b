// How secrets are masked: whatever hides them from a pattern and not from a reader, and wherever a text is cut.
import { describe, expect, test } from "vitest";
import { toRequest } from "../../../src/compact/request.js";
import { needsOf } from "../../../src/extract/calls/call.js";
import { builtInRules } from "../../../src/rules/load-rules.js";
import { MASK, redact } from "../../../src/rules/redact/redact.js";
import { readSessionFrom } from "../../../src/source/session/read-session.js";
import { sized } from "../../runs.js";

const { rules } = builtInRules();
const { redactions } = rules;
const mask = (text: string) => redact(text, redactions);

const ESC = "\u001b";
const ZERO = "\u200b";
/** Prefixes are put together, so that no scanner takes this file for a leak. */
const GITHUB = ["gh", "p_"].join("");
const BODY = "k9Xm2Qv7Zp4RtB8nLw3sYcDfGh6kL0zXa9Qw";

describe("a secret that is hidden from patterns, and not from a reader, is masked at its place", () => {
  test.each([
    ["a name in colour", `${ESC}[32mDB_PASSWORD${ESC}[0m=«correcthorse»`],
    ["a value in colour", `DB_PASSWORD=${ESC}[31m«correcthorse»${ESC}[0m`],
    ["a colour inside a token", `«${GITHUB}${BODY.slice(0, 9)}${ESC}[1;31m${BODY.slice(9)}» is old`],
    ["a colour as a program writes it", "\\u001b[32mDB_PASSWORD\\u001b[0m=«correcthorse»"],
    ["a colour that lost its first character", "[32mDB_PASSWORD[0m=«correcthorse» [0m"],
    ["a link of a terminal", `${ESC}]8;;https://x.example.com${ESC}\\DB_PASSWORD${ESC}]8;;${ESC}\\=«correcthorse»`],
    ["zero-width characters inside a token", `«gh${ZERO}p_${BODY.slice(0, 5)}${ZERO}${BODY.slice(5)}»`],
    ["a zero-width character inside a name", `pass${ZERO}word=«correct${ZERO}horse»`],
    ["a soft hyphen and a byte order mark", "\ufeffDB_PASS\u00adWORD=«correcthorse»"],
    ["wide letters", "\uff24\uff22_PASSWORD\uff1d«correcthorse»"],
    ["a hard space", "x-api-key:\u00a0«abcdef1234567890»"],
    ["an escaped address", "https%3A%2F%2Fh%2F%3Ftoken%3D«kQ9mZ2xV7Lp4RtB8»"],
    ["HTML", "{&quot;password&quot;: &quot;«correcthorse»&quot;}"],
    ["letters as entities", "&#112;ass&#x77;ord=«correcthorse9»"],
    ["a line break of Unicode behind the name", "DB_PASSWORD=\u2028«correcthorse9»"],
    ["a next-line character behind the name", "password:\u0085«Winter2024pass»"],
    ["emphasis", `_«${GITHUB}${BODY}»_`],
  ])("%s", (_, marked) => {
    const given = marked.replaceAll(/[«»]/g, "");
    const masked = mask(given);
    expect(masked).toHaveLength(given.length);
    expect(masked).toBe(marked.replaceAll(/«([^»]*)»/g, (_all, secret: string) => MASK.repeat(secret.length)));
  });

  test("leaves coloured text alone when it has no secret", () => {
    const plain = `${ESC}[32mPASS${ESC}[0m src/token.test.ts, ${ESC}[31mpassword${ESC}[0m: required, a%3Db, &quot;token&quot;`;
    expect(mask(plain)).toBe(plain);
  });
});

describe("where a text is cut", () => {
  const line = (index: number) =>
    Buffer.from(`line ${index} of the key, ${"0123456789".repeat(4)}`)
      .toString("base64")
      .slice(0, 64);
  const lines = Array.from({ length: 30 }, (_, index) => line(index));
  const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join("\n")}\n-----END OPENSSH PRIVATE KEY-----\n`;
  const shown = (text: string) => lines.filter((one) => text.includes(one.slice(0, 32)) || text.includes(one.slice(32)));

  test("inside a private key, both parts of the key are masked", () => {
    for (let cut = 40; cut < KEY.length - 40; cut += sized(7, 49))
      for (const part of [KEY.slice(0, cut), KEY.slice(cut)]) expect(shown(mask(`log\n${part}`))).toEqual([]);
  });

  /** The output of a call as it is read from a session, in which most of it is dropped. */
  function readOutput(output: string): string {
    const record = (uuid: string, role: string, content: object) =>
      `${JSON.stringify({ type: role, uuid, sessionId: "s", message: { role, content: [content] } })}\n`;
    const call = record("a", "assistant", { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } });
    const file = Buffer.from(call + record("b", "user", { type: "tool_result", tool_use_id: "t", content: output }));
    const { session } = readSessionFrom(() => [file], "s.jsonl", needsOf(rules));
    return session.messages.flatMap(({ toolCalls }) => toolCalls)[0]?.output ?? "";
  }

  test.each([
    ["in lines", (size: number) => "a line of a log\n".repeat(size / 16)],
    ["in one line", (size: number) => "some words ".repeat(size / 11)],
    ["without blanks", (size: number) => "x".repeat(size)],
  ])("no half of a secret is left, in a text %s", (_, filler) => {
    const secret = `"api_key": "${GITHUB}${BODY}${BODY}", "password": "correct horse battery"`;
    for (let shift = 0; shift < 200; shift += sized(9, 36)) {
      const text = `${filler(2000 - shift)} ${secret} ${filler(4000)} ${secret} ${filler(600 - shift)}`;
      const read = readOutput(text);
      expect(read.length).toBeLessThan(text.length / 2);
      const seen = mask(read);
      for (const part of ["k9Xm2Qv7", "B8nLw3sY", "h6kL0zXa", "correct", "battery"]) expect(seen).not.toContain(part);
    }
  });

  test("a private key in one line, with blanks between its parts, is masked on both sides", () => {
    for (let shift = 100; shift < 1800; shift += 170) {
      const text = `${"words ".repeat(400).slice(shift)}${KEY.replaceAll("\n", " ")}${"words ".repeat(700)}`;
      for (const given of [text, `${"words ".repeat(700)}${KEY.replaceAll("\n", " ")}${"words ".repeat(300).slice(shift)}`]) {
        const read = readOutput(given);
        expect(read.length).toBeLessThan(given.length);
        expect(shown(mask(read))).toEqual([]);
      }
    }
  });

  test("the private key in a long output is masked to its last line", () => {
    const seen = mask(readOutput(`${"a line of a log\n".repeat(400)}${KEY}done\n`));
    expect(seen).toContain("done");
    expect(shown(seen)).toEqual([]);
  });

  test("masks a value by its name when its neighbours are long", () => {
    const input = { password: "correcthorse", content: "words ".repeat(10_000) };
    const call = { name: "login", input, output: "", status: "completed" };
    const messages = [{ id: "m", role: "assistant" as const, text: "", toolCalls: [call] }];
    const given = { prompt: "", messages, contexts: [], rules, quote: (text: string) => text };
    expect(toRequest(given).text).toContain("login");
    expect(toRequest(given).text).not.toContain("correcthorse");
  });
});
