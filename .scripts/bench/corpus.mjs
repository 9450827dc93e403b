// The input: real sessions if ../shared is present, else the sample session of the project.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSession } from "../../dist/index.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const SHARED = [process.env.COMPACTION_SHARED, join(root, "../shared"), "/work/shared"].filter((path) => path !== undefined);
const folder = SHARED.map((path) => join(path, "corpus/sessions")).find((path) => existsSync(path));
export const corpus = folder === undefined ? "the sample session" : "real sessions";

function sessions() {
  if (folder === undefined) return [join(root, "test/fixtures/sample-session.json")];
  return readdirSync(folder).map((name) => join(folder, name));
}

/** What people and models say in them; tool output is not prose. */
export function realTexts() {
  return sessions().flatMap((file) =>
    readSession(readFileSync(file), "bench")
      .session.messages.filter(({ meta, summary, text }) => !meta && !summary && text.trim() !== "")
      .map(({ role, text }) => ({ role: role === "user" ? "user" : "assistant", text })),
  );
}

/** The given number of characters, without repeating a text exactly. */
export function prose(size, texts = realTexts()) {
  const found = [];
  for (let index = 0, total = 0; total < size; index++) {
    const { role, text } = texts[index % texts.length];
    const own = index < texts.length ? text : `${text}\n\n(${index})`;
    found.push({ role, text: own });
    total += own.length;
  }
  return found;
}

export const toSession = (texts) => ({
  id: "bench",
  format: "bench",
  messages: texts.map((message, index) => ({ id: `m${index}`, toolCalls: [], ...message })),
});

/** A file in Claude Code's format; nine tenths of it are tool output. */
export function writeSession(file, bytes) {
  const texts = realTexts();
  const out = openSync(file, "w");
  const put = (record) => writeSync(out, `${JSON.stringify({ sessionId: "bench", cwd: "/work", ...record })}\n`);
  let written = 0;
  let said = 0;
  let at = 0;
  let number = 0;
  while (written < bytes) {
    number++;
    if (said <= written / 10) {
      const { role, text } = texts[at++ % texts.length];
      const own = at <= texts.length ? text : `${text}\n\n(${at})`;
      const content = role === "user" ? own : [{ type: "text", text: own }];
      const length = put({ type: role, uuid: `u${number}`, message: { role, id: `g${number}`, content } });
      said += length;
      written += length;
      continue;
    }
    const id = `call${number}`;
    const use = { type: "tool_use", id, name: "Bash", input: { command: `grep -rn part-${number % 997} src` } };
    const lines = Array.from(
      { length: 20 + (number % 90) },
      (_, line) => `src/part-${number}/file-${line}.ts:${line}: export const value${line} = ${number * line};`,
    );
    written += put({ type: "assistant", uuid: `a${number}`, message: { role: "assistant", id: `g${number}`, content: [use] } });
    const result = { type: "tool_result", tool_use_id: id, content: lines.join("\n") };
    written += put({
      type: "user",
      uuid: `r${number}`,
      message: { role: "user", content: [result] },
      toolUseResult: { stdout: "" },
    });
  }
  closeSync(out);
}
