// The input: real sessions if they are there, else made ones of the same shape, whose talk is the prose of this project.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSession } from "#dist/index.js";
import { known } from "../known.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folders = [process.env.COMPACTION_CORPUS, join(root, "../shared/corpus")];
const folder = folders.map((path) => path && join(path, "sessions")).find((path) => path && existsSync(path));
export const corpus = folder === undefined ? "made sessions" : "real sessions";

/** Talk of real sessions is 64 to 135 KB, and a tenth of their size. */
const TALK_SHARE = 0.1;
const MADE_BYTES = [1_000_000, 1_300_000, 1_500_000];

const filesOf = (folder) => readdirSync(folder).map((name) => join(folder, name));

/** The sessions as files. @param made where to write them if there are no real ones */
export function sessionFiles(made) {
  if (folder !== undefined) return filesOf(folder);
  return Object.keys(FORMATS).flatMap((format) =>
    MADE_BYTES.map((bytes, index) => {
      const file = join(made, `${format}-${index}.jsonl`);
      writeSession(file, bytes, format, shuffled(madeTexts(), bytes));
      return file;
    }),
  );
}

/** What people and models say in a session; tool output is not prose. */
export const talkOf = (file) =>
  readSession(readFileSync(file), "bench")
    .session.messages.filter(({ meta, summary, text }) => !meta && !summary && text.trim() !== "")
    .map(({ role, text }) => ({ role: role === "user" ? "user" : "assistant", text }));

const texts = () => (folder === undefined ? madeTexts() : filesOf(folder).flatMap(talkOf));

/** The paragraphs of the project's pages, as answers, and between them the requests of its sample session. */
function madeTexts() {
  const sample = talkOf(join(root, "test/fixtures/sample-session.json"));
  const requests = sample.filter(({ role }) => role === "user");
  const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
    /\.md$/.test(name),
  );
  const answers = pages.flatMap((name) => readFileSync(join(root, name), "utf8").split(/\n{2,}(?=[A-Z#-])/));
  return answers.flatMap((text, index) => [
    { role: "assistant", text },
    ...(index % 6 === 0 ? [requests[(index / 6) % requests.length]] : []),
  ]);
}

/** The same order for the same seed. */
function shuffled(list, seed) {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return list
    .map((one) => [random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

/** The given number of characters, without repeating a text exactly. */
export function prose(size, said = texts()) {
  const found = [];
  for (let index = 0, total = 0; total < size; index++) {
    const { role, text } = known(said[index % said.length], "the talk");
    const own = index < said.length ? text : `${text}\n\n(${index})`;
    found.push({ role, text: own });
    total += own.length;
  }
  return found;
}

export const toSession = (said) => ({
  id: "bench",
  format: "bench",
  messages: said.map((message, index) => ({ id: `m${index}`, toolCalls: [], ...message })),
});

const claude = (type, number, content, more) => ({
  ...{ sessionId: "bench", cwd: "/work", type, uuid: `${type}${number}`, ...more },
  message: { role: type, id: `g${number}`, content },
});
const pi = (number, role, content, more) => ({ type: "message", id: `e${number}`, message: { role, content, ...more } });
const block = (text) => [{ type: "text", text }];

/** How each format writes a text, and a command with its output: as records, one per line. */
const FORMATS = {
  "claude-code": {
    head: [],
    say: (number, role, text) => [claude(role, number, role === "user" ? text : block(text))],
    run: (number, command, output) => [
      claude("assistant", number, [{ type: "tool_use", id: `call${number}`, name: "Bash", input: { command } }]),
      claude("user", number, [{ type: "tool_result", tool_use_id: `call${number}`, content: output }], {
        toolUseResult: { stdout: "" },
      }),
    ],
  },
  pi: {
    head: [{ type: "session", id: "bench", cwd: "/work" }],
    say: (number, role, text) => [pi(number, role, block(text))],
    run: (number, command, output) => [
      pi(number, "assistant", [{ type: "toolCall", id: `call${number}`, name: "bash", arguments: { command } }]),
      pi(`${number}r`, "toolResult", block(output), { toolCallId: `call${number}`, toolName: "bash", isError: false }),
    ],
  },
  neutral: {
    head: [],
    say: (number, role, text) => [{ id: `m${number}`, role, text }],
    run: (number, command, output) => [
      { id: `m${number}`, role: "assistant", text: "", toolCalls: [{ name: "bash", input: { command }, output }] },
    ],
  },
};

/** A file of which nine tenths are tool output. */
export function writeSession(file, bytes, format = "claude-code", said = texts()) {
  const { head, say, run } = FORMATS[format];
  const out = openSync(file, "w");
  const put = (records) => records.reduce((sum, record) => sum + writeSync(out, `${JSON.stringify(record)}\n`), 0);
  let written = put(head);
  let talk = 0;
  let at = 0;
  for (let number = 1; written < bytes; number++) {
    if (talk <= written * TALK_SHARE) {
      const { role, text } = known(said[at++ % said.length], "the talk");
      const length = put(say(number, role, at <= said.length ? text : `${text}\n\n(${at})`));
      talk += length;
      written += length;
      continue;
    }
    const lines = Array.from(
      { length: 20 + (number % 90) },
      (_, line) => `src/part-${number}/file-${line}.ts:${line}: export const value${line} = ${number * line};`,
    );
    written += put(run(number, `grep -rn part-${number % 997} src`, lines.join("\n")));
  }
  closeSync(out);
}
