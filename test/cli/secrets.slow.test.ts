// Secrets of many forms, in every place of a session: what the endpoint is sent, what is printed and what is kept.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type ScriptedEndpoint, says, startEndpoint } from "./scripted-endpoint.js";

interface Fixture {
  readonly text: readonly string[];
  readonly input: readonly object[];
  readonly plain: readonly string[];
}

const fixture: Fixture = parse(readFileSync("test/fixtures/secrets.yaml", "utf8").replaceAll("·", ""));

const bare = (text: string) => text.replaceAll(/[«»]/g, "");
const secretsIn = (text: string) => Array.from(text.matchAll(/«([^»]*)»/g), ([, secret = ""]) => secret);

const call = (name: string, input: unknown, output = "") => ({ name, input, output, status: "completed" });
/** Where a form may stand; the words around it are the session's. */
const PLACES: Readonly<Record<string, (form: string) => object>> = {
  text: (form) => ({ role: "user", text: `We decided to use this:\n${form}\nfor staging.` }),
  said: (form) => ({ role: "assistant", text: form }),
  input: (form) => ({ role: "assistant", text: "", toolCalls: [call("write", { filePath: "a.txt", content: form })] }),
  string: (form) => ({ role: "assistant", text: "", toolCalls: [call("note", form)] }),
  command: (form) => ({ role: "assistant", text: "", toolCalls: [call("bash", { command: form })] }),
  output: (form) => ({ role: "assistant", text: "", toolCalls: [call("bash", { command: "ls" }, form)] }),
  written: (form) => ({ role: "assistant", text: "", toolCalls: [call("bash", { command: "ls" }, JSON.stringify({ form }))] }),
  path: (form) => ({ role: "assistant", text: "", toolCalls: [call("edit", { filePath: `/srv/app/${form}` })] }),
  todo: (form) => ({
    role: "assistant",
    text: "",
    toolCalls: [call("todowrite", { todos: [{ id: "1", content: form, status: "pending" }] })],
  }),
};

let folder: string;
let endpoint: ScriptedEndpoint;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "compaction-secrets-"));
  writeFileSync(join(folder, ".compactionrc"), "budget: { summary-request: 900000 }\n");
  endpoint = await startEndpoint(says("## Goal\n\nStaging."));
});
afterAll(async () => {
  await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
});

async function command(...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  const [exit] = await once(child, "close");
  expect(exit, said).toBe(0);
  return said;
}

const filesBelow = (path: string): readonly string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];

/** All that leaves the process when a session of those messages is read, rendered, compacted by a model and kept. */
async function leavesWith(name: string, given: readonly object[]): Promise<{ sent: string; all: string }> {
  const messages = given.map((message, index) => ({ id: `${name}-${index}`, toolCalls: [], ...message }));
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ id: name, messages }));
  const from = endpoint.asked.length;
  const printed = [
    await command("compact", file, "--project", folder, "--model", "tiny", "--base-url", endpoint.url),
    await command("run", file),
    await command("run", "--json", file),
  ];
  const sent = endpoint.asked.slice(from).map(({ text }) => text);
  expect(sent).toHaveLength(1);
  expect(printed[0]).not.toContain("was not shown");
  const kept = filesBelow(join(folder, "state")).map((path) => readFileSync(path, "utf8"));
  rmSync(join(folder, "state"), { recursive: true });
  return { sent: sent.join(), all: [...sent, ...printed, ...kept].join("\n") };
}

const AROUND = JSON.stringify(fixture).replaceAll(/«[^»]*»/g, "");

/** As it is or written as a string; half of a long one is one too. */
function isSeen(secret: string, text: string): boolean {
  const half = Math.ceil(secret.length / 2);
  const halves = half < 8 ? [] : [secret.slice(0, half), secret.slice(half)].filter((one) => !AROUND.includes(one));
  return [secret, ...halves].some((one) => text.includes(one) || text.includes(JSON.stringify(one).slice(1, -1)));
}

test("docs/security.md counts the forms", () => {
  const { text, input, plain } = fixture;
  const forms = text.length + input.length;
  const page = readFileSync("docs/security.md", "utf8");
  expect(page).toContain(`Of ${forms} invented forms, ${forms - 1} are masked`);
  expect(page).toContain(`Of ${plain.length} look-alikes, none is masked`);
});

test("every form is masked, in every place", async () => {
  const messages = Object.values(PLACES).flatMap((toMessage) => fixture.text.map((form) => toMessage(bare(form))));
  const { all } = await leavesWith("places", messages);
  const seen = fixture.text.filter((form) => secretsIn(form).some((secret) => isSeen(secret, all)));
  expect(seen).toEqual([]);
}, 120_000);

test("a secret is masked where only its key, its name or the flag before it tells that it is one", async () => {
  const given = fixture.input.map((input) => ({ input, written: JSON.stringify(input) }));
  const { all } = await leavesWith(
    "inputs",
    given.map(({ written }) => ({ role: "assistant", text: "", toolCalls: [call("request", JSON.parse(bare(written)))] })),
  );
  const seen = given.filter(({ written }) => secretsIn(written).some((secret) => isSeen(secret, all)));
  // The program stands behind its arguments.
  expect(seen.map(({ input }) => input)).toEqual([{ args: ["-h", "cache", "-a", "«inputredisargv»"], program: "redis-cli" }]);
}, 60_000);

test("what only looks like a secret is left as it is", async () => {
  const { sent } = await leavesWith(
    "plain",
    fixture.plain.flatMap((form) => [PLACES.said?.(form) ?? {}, PLACES.input?.(form) ?? {}]),
  );
  expect(Array.from(sent.matchAll(/[^\n]*█[^\n]*/g), ([line]) => line)).toEqual([]);
}, 60_000);
