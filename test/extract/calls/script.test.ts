import { expect, test } from "vitest";
import { builtInRules, extract, type ToolCall } from "../../../src/index.js";
import { sized } from "../../runs.js";

const { rules } = builtInRules();

function provenBy(name: string, input: unknown, output = "") {
  const call: ToolCall = { name, input, output, status: "completed" };
  const session = {
    id: "s",
    format: "neutral",
    messages: [{ id: "m", role: "assistant" as const, text: "", toolCalls: [call] }],
  };
  const { files, commands } = extract(session, rules).continuation;
  return { files, commands: commands.map(({ command }) => command) };
}

test("a script that calls tools counts by the command lines in it", () => {
  const input =
    'const r = await tools.exec_command({cmd:"touch \\"a b.txt\\" && cat notes.md", "workdir":"/w"}); text(r.output);';
  const { files, commands } = provenBy("exec", { input });
  expect(commands).toEqual(['touch "a b.txt" && cat notes.md']);
  expect(files.read).toEqual(["notes.md"]);
});

test("several calls in one script are several commands, in any sort of quotes", () => {
  const input = "await run({ 'cmd': 'npm test' });\nawait run({ command: `npm run build` });";
  expect(provenBy("exec", { input }).commands).toEqual(["npm test", "npm run build"]);
});

test("a patch in a script counts, with its lines written out or escaped", () => {
  const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: src/b.ts\n+c\n*** End Patch";
  const escaped = `const patch = ${JSON.stringify(patch)};\nawait tools.apply_patch(patch);`;
  for (const input of [escaped, `await tools.apply_patch(\`${patch}\`);`]) {
    const { files } = provenBy("exec", { input });
    expect(files.modified).toEqual(["src/a.ts"]);
    expect(files.created).toEqual(["src/b.ts"]);
  }
});

test("words of a script that are no command line are none", () => {
  const { commands, files } = provenBy("exec", { input: 'const note = "cmd: rm -rf /"; text(note); const commander = "x";' });
  expect(commands).toEqual([]);
  expect(files).toEqual({ read: [], created: [], modified: [], deleted: [] });
});

test("a patch that is the whole input is a patch and no path", () => {
  const { files } = provenBy(
    "apply_patch",
    "*** Begin Patch\n*** Delete File: old.ts\n*** Update File: new.ts\n@@\n+x\n*** End Patch",
  );
  expect(files).toEqual({ read: [], created: [], modified: ["new.ts"], deleted: ["old.ts"] });
});

test("quotes that are never closed take no time", () => {
  const input = `cmd:${'"a\\'.repeat(sized(20_000, 4_000))} *** Begin Patch`;
  expect(provenBy("exec", { input }).files.created).toEqual([]);
});
