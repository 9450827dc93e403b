// Verdicts over rounds: in the state of a session, in another session that continues it, and in what hosts show.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { carry, learn } from "../../src/hosts/inject.js";
import { createKeeper } from "../../src/hosts/keeper.js";
import { beginRound } from "../../src/hosts/round.js";
import { carryCompactionState, type Message, render, type Session, type Template } from "../../src/index.js";
import { readMemory } from "../../src/state/memory.js";
import { atOnce } from "../../src/steps.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-judged-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TEXTS = [
  "Build the importer. Never touch the legacy folder.",
  "We decided to use Redis for the session store because it is fast.",
  "That one costs far too much. The amounts are in cents everywhere.",
  "Fine. I found that the parser rounds twice. We still need to write the runbook.",
];
const sessionOf = (id: string, texts: readonly string[]): Session => ({
  id,
  format: "test",
  messages: texts.map(
    (text, index): Message => ({ id: `m${index + 1}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] }),
  ),
});
const session = sessionOf("ses_1", TEXTS);
const keeper = () => createKeeper(folder, () => {}, "", join(folder, "state"));

/** Judges the facts of the session, and stores the verdicts. */
async function judge(...more: readonly string[]) {
  const round = beginRound(keeper(), session, { judged: true });
  const idOf = (words: string) => round.offer?.candidates.find(({ item }) => item.evidence.quote.includes(words))?.id;
  round.judge(["<facts>", `holds: ${idOf("runbook")}`, `stale: ${idOf("use Redis")}<m3`, ...more, "</facts>"].join("\n"));
  await round.complete("A summary.");
}

test("verdicts hold over rounds and restarts, and facts that were judged away are not offered again", async () => {
  await judge();
  const { extraction, offer } = beginRound(keeper(), session, { judged: true });
  const statusOf = (words: string) =>
    extraction.continuation.items.find(({ evidence }) => evidence.quote.includes(words))?.status;
  expect([statusOf("use Redis"), statusOf("rounds twice"), statusOf("runbook")]).toEqual(["stale", "noise", "active"]);
  expect(offer?.text).toContain("runbook");
  expect(offer?.text).not.toMatch(/Redis|rounds twice/);
});

test("a session that continues another one knows its verdicts", async () => {
  await judge("missed:", '- constraint m3 "The amounts are in cents everywhere."');
  const state = join(folder, "state");
  expect(carryCompactionState("ses_1", "ses_2", state)).toBe(true);
  const { facts, added } = readMemory("ses_2", state).memory?.judged ?? {};
  expect(facts?.find(({ verdict }) => verdict === "stale")).toMatchObject({ sources: ["ses_1/m2"], witness: "ses_1/m3" });
  expect(added?.at(-1)?.evidence.source).toBe("ses_1/m3");
  const next = beginRound(keeper(), sessionOf("ses_2", ["Go on with the importer."]));
  const told = next.extraction.continuation.items.filter(({ status }) => status === "active").map(({ text }) => text);
  expect(told.join("\n")).toContain("cents everywhere");
  expect(told.join("\n")).not.toMatch(/Redis|rounds twice/);
});

test("a session that continues another one knows its verdicts, also if a host has all of its messages", async () => {
  await judge("missed:", '- constraint m3 "The amounts are in cents everywhere."');
  carryCompactionState("ses_1", "ses_2", join(folder, "state"));
  const { extraction } = beginRound(keeper(), sessionOf("ses_2", ["Go on with the importer."]), { whole: true });
  expect(extraction.continuation.items.some(({ text }) => text.includes("cents everywhere"))).toBe(true);
});

test("a fact that a message ended counts again when the user undoes that message", async () => {
  await judge("missed:", '- constraint m3 "The amounts are in cents everywhere."');
  const undone = { ...session, messages: session.messages.slice(0, 2) };
  const { items } = beginRound(keeper(), undone, { whole: true }).extraction.continuation;
  expect(items.find(({ evidence }) => evidence.quote.includes("use Redis"))?.status).toBe("active");
  expect(items.some(({ text }) => text.includes("cents everywhere"))).toBe(false);
});

test("nothing that only the model says becomes a rule for a frame", async () => {
  await judge("missed:", '- constraint m3 "The amounts are in cents everywhere."');
  expect(atOnce(learn(keeper(), session)).rules).toEqual(["Never touch the legacy folder."]);
});

test("/carry and the note tell what was judged, when, and by what witness", async () => {
  await judge();
  const shown = atOnce(carry(keeper(), session));
  expect(shown).toMatch(
    /^- judged stale by the model in round 1, ended by message 3: use Redis for the session store \(.*\) \[[0-9a-f]{8}\]$/m,
  );
  expect(shown).toMatch(/^- judged noise by the model in round 1: .*rounds twice\. \(.*\) \[[0-9a-f]{8}\]$/m);
  const own = keeper();
  const note = render(beginRound(own, session).extraction, own.rules.templates.get("note") as Template, own.rules).text;
  expect(note).toContain("## Judged by the Model");
  expect(note).toMatch(/^- use Redis for the session store _\(stale since round 1, by message m3\)_$/m);
});
