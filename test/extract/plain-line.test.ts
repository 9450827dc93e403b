import { expect, test } from "vitest";
import { splitPlain } from "../../src/extract/calls/plain-line.js";
import { parseShell } from "../../src/extract/calls/shell.js";

/** A comment changes nothing, but such a line is left to the parser. */
const parsed = (line: string) => parseShell(`${line} #`);

const PIECES = [
  ..."&&|||;&\n \t'\"\\$`<>#~*?[]{}()!=^%@:,./-_é1",
  ...[
    "a",
    "a.ts",
    "npm test",
    "cd src",
    "'it is'",
    '"a b"',
    '"a\\|b"',
    '"$X"',
    "X=1",
    "X+=1",
    "--x=1",
    "2>&1",
    "2>",
    ">&2",
    ">>",
    "&>",
  ],
  ...["if", "then", "fi", "for", "in", "do", "done", "case", "esac", "while", "until", "time", "function", "select", "coproc"],
  ...["<<EOF", "export", "~/a", "a\\ b", "''", '""', "1", "12>", "0<", "|&", "\r", "\u00a0"],
];

test("a plain line is split as the parser parses it", () => {
  let seed = 1;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let plain = 0;
  for (let round = 0; round < 20_000; round++) {
    const pieces = Array.from({ length: 1 + next(9) }, () => PIECES[next(PIECES.length)] + (next(3) > 0 ? " " : ""));
    const line = pieces.join("");
    const split = splitPlain(line);
    if (!split) continue;
    plain++;
    expect({ steps: split, compound: false }, line).toEqual(parsed(line));
  }
  expect(plain).toBeGreaterThan(1_000);
});

test.each([
  "npm test",
  "cd /srv/app && npx vitest run src/a.test.ts 2>&1 | tail -20",
  'rg -n "foo\\|bar" src; git status --short',
  "sed -n '1,200p' README.md > /tmp/out.txt 2>/dev/null || echo \"it's gone\"",
  "git commit -m 'Add {a} and $b'",
  "sort < in.txt >> out.txt",
  "rm -f src/*.js 'a*' \"b?\"c?",
])("%s needs no parser", (line) => {
  expect(splitPlain(line)).toEqual(parsed(line).steps);
});

test.each([
  "echo $HOME",
  "ls [ab].ts",
  "A=1 npm test",
  "export A=1",
  "if true; then ls; fi",
  "(cd a; ls)",
  "cat <<EOF\nEOF",
  "npm test &",
  "a &&",
  "a\nb",
  "> a",
  'echo "a',
])("%s is left to the parser", (line) => {
  expect(splitPlain(line)).toBeUndefined();
});
