// Texts that almost hold secrets: masking them takes time that grows with the text, not with its square.
import { describe, expect, test } from "vitest";
import { builtInRules } from "../../../src/rules/load-rules.js";
import { redact } from "../../../src/rules/redact/redact.js";
import { cpuTime } from "../../cpu.js";

const { redactions } = builtInRules().rules;
const mask = (text: string) => redact(text, redactions);
const ESC = "\u001b";

describe("near misses take time that grows with the text", () => {
  const PARTS = {
    names: "password= ",
    quotes: 'password: "',
    "keys that begin": "-----BEGIN PRIVATE KEY-----\n",
    "lines of a key": "MIIEvAIBADANBgkq\n",
    commands: "secret set A=$B ",
    cells: "password</td><td>",
    data: '{"password":{"value":',
    colours: `${ESC}[31m`,
    escapes: "\\n\\u003d\\",
    backslashes: "\\",
    "names and gaps": "the token for ",
    "names and next lines": "password:\n",
    run: "a",
  };
  test.each(Object.entries(PARTS))(
    "%s",
    (_, part) => {
      const took = (size: number) => {
        const text = part.repeat(size / part.length);
        return cpuTime(() => mask(text));
      };
      took(20_000);
      const [small, large] = [took(250_000), took(1_000_000)];
      // Four times the text; a quadratic one would take sixteen times as long.
      expect(large).toBeLessThan(10 * small + 500);
    },
    120_000,
  );
});
