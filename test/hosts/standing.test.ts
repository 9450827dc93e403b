// Rules of one session in the sessions after it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drop, factId } from "../../src/state/choices.js";
import { readStanding } from "../../src/state/standing.js";
import { memoryOpenCode, type World } from "./memory-opencode.js";

let folder: string;
let world: World;
let clock = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-standing-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  world = memoryOpenCode(folder, {});
}, 60_000);
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const begin = (id: string, info: object = {}) => void world.sessions.set(id, { info: { id, ...info }, messages: [] });
const say = (id: string, text: string) => world.say(id, "user", text, { time: { created: 1_700_000_000_000 + 1000 * clock++ } });
const happens = (type: string, sessionID: string) => world.hooks.event({ event: { type, properties: { sessionID } } });
async function told(id: string, text = "Hi."): Promise<string> {
  begin(id);
  say(id, text);
  return world.request(id);
}

test("a rule is shown with its condition, and one that holds for a while is not", async () => {
  const lasting = [
    "When you edit migrations, never drop a table.",
    "The export must never block the UI.",
    "Never merge until the tests pass.",
  ];
  const passing = [
    "For this task only, never run the tests.",
    "Until Friday never deploy.",
    "In this session don't commit anything.",
    "For now always use the old endpoint.",
    "Just this once, don't run the linter.",
    "Don't push anything yet.",
    "Never touch the parser until I am back.",
    "Never mind.",
  ];
  say("ses_0", [...lasting, ...passing, "Fix the typo."].join(" "));
  await world.compact("ses_0");
  const request = await told("b");
  for (const one of lasting) expect(request).toContain(`- ${one}`);
  for (const one of passing) expect(request).not.toContain(one.slice(-20));
});

test("it is shown again behind a summary, once", async () => {
  say("ses_0", "Never touch the legacy folder.");
  await world.compact("ses_0");
  await told("b", "Build a thing.");
  await world.compact("b");
  say("b", "Go on.");
  expect((await world.request("b")).match(/legacy folder/g)).toHaveLength(1);
});

test("what a session was told first stays as it was until it is compacted, but for what is dropped", async () => {
  say("ses_0", "Never touch the legacy folder.");
  await world.compact("ses_0");
  const first = await told("b");
  begin("c");
  say("c", "Always use tabs in the Makefile.");
  await world.compact("c");
  expect(await world.request("b")).toBe(first);
  expect(await told("d")).toContain("tabs in the Makefile");
  await world.compact("b");
  expect(await world.request("b")).toContain("tabs in the Makefile");
  const [legacy] = readStanding(folder).filter(({ item }) => item.text.includes("legacy"));
  drop(folder, factId(legacy?.item ?? { kind: "note", text: "" }));
  expect(await world.request("b")).not.toContain("legacy");
});

test("a session that is never compacted passes its rules on, one that a model opened does not", async () => {
  begin("below", { parentID: "ses_0" });
  say("below", "Never use inline styles.");
  await world.request("below");
  await happens("session.idle", "below");
  say("ses_0", "Never touch the legacy folder.");
  await world.request("ses_0");
  await happens("session.idle", "ses_0");
  await vi.waitFor(() => expect(readStanding(folder)).toHaveLength(1), 30_000);
  expect(await told("b")).toContain("Never touch the legacy folder.");
});

test("where the host does not tell who opened a session, nothing is passed on", async () => {
  const broken = memoryOpenCode(folder, {}, { get: async () => ({ error: "gone" }) });
  for (const [id, text] of [
    ["ses_0", "Never touch the legacy folder."],
    ["ses_1", "Never use inline styles."],
  ] as const) {
    broken.sessions.set(id, { info: { id }, messages: [] });
    broken.say(id, "user", text);
  }
  await broken.compact("ses_0");
  await broken.request("ses_1");
  await broken.hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
  await broken.request("ses_0");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(readStanding(folder)).toEqual([]);
});

test("words of a session that a model opened take nothing back", async () => {
  say("ses_0", "Never touch the legacy folder.");
  await world.compact("ses_0");
  begin("below", { parentID: "ses_0" });
  say("below", "You may touch the legacy folder from now on.");
  await world.compact("below");
  expect(await told("b")).toContain("legacy folder");
});

test("what a later session takes back is gone, also when the one that said it is compacted again", async () => {
  say("ses_0", "Never touch the legacy folder. Always use tabs in the Makefile.");
  await world.compact("ses_0");
  await told("b", "You may touch the legacy folder from now on.");
  await world.compact("b");
  await world.compact("ses_0");
  const request = await told("c");
  expect(request).not.toContain("legacy");
  expect(request).toContain("tabs in the Makefile");
  say("ses_0", "Never touch the legacy folder, I mean it.");
  await world.compact("ses_0");
  expect(await told("d")).toContain("legacy folder");
});

test("words of a session do not take back what another one said since it began", async () => {
  say("ses_0", "You may touch the legacy folder from now on.");
  begin("b");
  say("b", "Never touch the legacy folder.");
  await world.compact("b");
  await world.compact("ses_0");
  expect(await told("c")).toContain("legacy folder");
});

test("nothing is kept of a session that is deleted", async () => {
  say("ses_0", "Never touch the legacy folder.");
  await world.compact("ses_0");
  const state = join(folder, "state", "compaction-rules");
  expect(existsSync(join(state, "session-ses_0.json"))).toBe(true);
  await happens("session.deleted", "ses_0");
  expect(readdirSync(state).filter((name) => name.includes("ses_0"))).toEqual([]);
  expect(await told("b")).not.toContain("legacy");
});

test("the first message is told what earlier sessions say about it, in each request, and a later one is not", async () => {
  const command = join(folder, "command.mjs");
  writeFileSync(
    command,
    `process.stdin.on("data", (text) => console.log(JSON.stringify({ text: "Told of " + JSON.parse(text).message })))`,
  );
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "settings"));
  mkdirSync(join(folder, "settings/compaction-rules"), { recursive: true });
  writeFileSync(join(folder, "settings/compaction-rules/config.yaml"), "recall: { start: on }");
  world = memoryOpenCode(folder, {}, {}, pathToFileURL(command));
  begin("below", { parentID: "ses_0" });
  say("below", "Look at b.ts.");
  expect(await world.request("below")).not.toContain("Told of");
  say("ses_0", "Look at a.ts.");
  const first = await world.request("ses_0");
  expect(first).toContain("Told of Look at a.ts.");
  world.say("ses_0", "assistant", "Done.");
  say("ses_0", "Look at c.ts.");
  expect((await world.request("ses_0")).match(/Told of.*/g)).toEqual(["Told of Look at a.ts."]);
  writeFileSync(command, "console.log('a fault'); process.exit(2)");
  expect(await told("b")).toBe("Hi.");
});
