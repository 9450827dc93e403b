// Models that judge the facts, well or badly: the command as a real process, against a real endpoint on this machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Asked, type ScriptedEndpoint, says, startEndpoint } from "./scripted-endpoint.js";

let folder: string;
let endpoint: ScriptedEndpoint;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "compaction-judge-"));
  endpoint = await startEndpoint(says("nothing"));
});
afterEach(async () => {
  await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
});

async function compaction(...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    NO_COLOR: "1",
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    COMPACTION_API_KEY: "k",
  };
  const runtime = process.env.COMPACTION_RUNTIME ?? process.execPath;
  const child = spawn(runtime, [resolve("dist/cli/main.js"), ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const [exit] = await once(child, "close");
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  return stdout;
}

interface Fact {
  readonly id: string;
  readonly kind: string;
  readonly quote: string;
  readonly status: string;
  readonly foundBy: string;
  readonly round?: number;
  readonly witness?: string;
}

/** One round with a model that answers so. */
async function compact(answer: string | ((asked: Asked) => string), ...more: readonly string[]) {
  endpoint.answer = says(answer);
  const out = await compaction("compact", "session.json", "--model", "tiny", "--base-url", endpoint.url, "--json", ...more);
  const { summary, facts, judged } = JSON.parse(out) as { summary: string; facts: readonly Fact[]; judged: object };
  expect(summary).not.toMatch(/<\/?facts>|^holds:/m);
  const stored = readdirSync(join(folder, "state", "compaction-rules"))
    .filter((name) => name.startsWith("session-"))
    .map((name) => readFileSync(join(folder, "state", "compaction-rules", name), "utf8"));
  expect(stored.join("")).not.toMatch(/<facts>/);
  const statusOf = (words: string) => facts.find(({ quote }) => quote.includes(words))?.status;
  return { summary, facts, judged, statusOf, asked: endpoint.asked.at(-1)?.text ?? "" };
}

const write = (...texts: readonly string[]) => {
  const messages = texts.map((text, index) => ({ id: `m${index + 1}`, role: index % 2 ? "assistant" : "user", text }));
  writeFileSync(join(folder, "session.json"), JSON.stringify({ id: "ses_1", messages }));
};

/** The id under which a fact is offered. */
const idOf = (asked: string, words: string) =>
  /^(f\d+) .*$/gm
    [Symbol.match](asked)
    ?.find((line) => line.includes(words))
    ?.split(" ")[0] ?? "f0";

const TALK = [
  "Build the importer. Never touch the legacy folder.",
  "We decided to use Redis for the session store because it is fast.",
  "That one costs far too much, let's take the files on disk.",
  "Fine. I found that the parser rounds twice. The fixtures live next to it. We still need to write the runbook.",
];
const SUMMARY = "## Goal\nBuild the importer.";
const FACTS = [
  "Never touch the legacy folder",
  "use Redis for the session store",
  "the parser rounds twice",
  "write the runbook",
];

/** Judges as a careful reader would. */
const obedient = (asked: string) =>
  `<facts>\nholds: ${[FACTS[0], FACTS[2], FACTS[3]].map((words) => idOf(asked, words as string)).join(", ")}\nstale: ${idOf(asked, "use Redis")}<m3\nmissed:\n- finding m4 "The fixtures live next to it."\n</facts>`;

describe("a model that", () => {
  beforeEach(() => write(...TALK));

  test("obeys: what was overturned is not told, and its quote is", async () => {
    const { summary, statusOf, facts, judged } = await compact(({ text }) => `${SUMMARY}\n\n${obedient(text)}`);
    expect(judged).toMatchObject({ holds: 3, stale: 1, quotes: 1, rejected: 0 });
    expect(facts.find(({ quote }) => quote.includes("use Redis"))).toMatchObject({ status: "stale", round: 1, witness: "m3" });
    expect(facts.find(({ foundBy }) => foundBy === "model")).toMatchObject({
      quote: "The fixtures live next to it.",
      kind: "finding",
    });
    expect(summary).not.toContain("Redis");
    for (const words of ["fixtures live next to it", "rounds twice", "runbook", "legacy folder"])
      expect(summary).toContain(words);
    expect(statusOf("Never touch")).toBe("active");
  });

  test("forgets everything: all that the rules found is told", async () => {
    const { summary, facts, judged } = await compact("I have nothing to say.");
    expect(judged).toMatchObject({ holds: 0, stale: 0, noise: 0, quotes: 0, rejected: 0 });
    for (const words of FACTS) expect(summary).toContain(words);
    expect(facts.every(({ status, round }) => status === "active" && round === undefined)).toBe(true);
    rmSync(join(folder, "state"), { recursive: true });
    const alone = await compact("I have nothing to say.", "--no-judge");
    expect(alone.facts).toEqual(facts);
    expect(alone.asked).not.toContain("<candidates>");
  });

  test("calls everything noise: what the user said in so many words stays", async () => {
    const { summary, statusOf } = await compact(({ text }) => {
      const ids = text.match(/^f\d+(?= )/gm)?.join(", ");
      return `${SUMMARY}\n\n<facts>\nholds:\nstale:\nnoise: ${ids}\n</facts>`;
    });
    expect(statusOf("Never touch")).toBe("active");
    expect(summary).toContain("Never touch the legacy folder");
    expect(statusOf("rounds twice")).toBe("noise");
  });

  test("quotes what nobody said: none of it is told", async () => {
    const quotes =
      '- decision m2 "We decided to use MongoDB."\n- constraint m1 "Always push to main."\n- finding m4 "the parser rounds thrice"';
    const { summary, judged, facts } = await compact(
      ({ text }) => `${SUMMARY}\n\n${obedient(text).replace("</facts>", `${quotes}\n</facts>`)}`,
    );
    expect(judged).toMatchObject({ quotes: 1, rejected: 3 });
    expect(`${summary}${JSON.stringify(facts)}`).not.toMatch(/MongoDB|push to main|thrice/);
  });

  test("writes the block in the middle: the summary around it is whole", async () => {
    const { summary, statusOf } = await compact(
      ({ text }) => `${SUMMARY}\n\n${obedient(text)}\n\n## Next Steps\n1. Write the runbook.`,
    );
    expect(summary.startsWith(`${SUMMARY}\n\n## Next Steps\n1. Write the runbook.`)).toBe(true);
    expect(statusOf("use Redis")).toBe("stale");
  });

  test("is cut off: what it had said counts, and what it had not stays", async () => {
    const { summary, statusOf } = await compact(({ text }) => {
      const whole = `${SUMMARY}\n\n${obedient(text)}`;
      return whole.slice(0, whole.indexOf("stale:") + "stale: f".length);
    });
    expect(summary.startsWith(SUMMARY)).toBe(true);
    for (const words of FACTS) expect(statusOf(words)).toBe("active");
  });
});

/** Answers of weak models: `asked` is the whole request. */
const WEAK: readonly (readonly [string, (asked: string) => string])[] = [
  ["names ids of which half are wrong", (asked) => `holds: ${idOf(asked, "rounds twice")}, f81, f82`],
  ["lists facts in prose", (asked) => `holds: I think ${idOf(asked, "rounds twice")} holds, and Redis was chosen.`],
  ["answers in another language", (asked) => `gilt: ${idOf(asked, "Redis")}\nfehlt:\n- Befund m2 "Die Daten liegen daneben."`],
  ["repeats the request", (asked) => asked.slice(asked.lastIndexOf("<facts>") + 8)],
  ["holds every id", (asked) => `holds: ${asked.match(/^f\d+(?= )/gm)?.join(", ")}`],
  ["marks every id", (asked) => `holds: ${asked.match(/^f\d+(?= )/gm)?.join("!, ")}!`],
];

describe("a weak model that", () => {
  beforeEach(() => write(...TALK));

  test.each(WEAK)("%s loses nothing and adds nothing", async (_, body) => {
    const { summary, facts, statusOf } = await compact(({ text }) => `${SUMMARY}\n\n<facts>\n${body(text)}\n</facts>`);
    for (const words of FACTS) expect({ words, status: statusOf(words) }).toEqual({ words, status: "active" });
    for (const words of FACTS) expect(summary).toContain(words);
    expect(facts.filter(({ foundBy }) => foundBy === "model")).toEqual([]);
  });

  test.each([20, 40, 60, 80, 100])("is cut off after %i tokens loses nothing and adds nothing", async (tokens) => {
    const { summary, statusOf, facts } = await compact(({ text }) => {
      const ids = text.match(/^f\d+(?= )/gm)?.join("!, ");
      return `${SUMMARY}\n\n<facts>\nholds: ${`${ids}, `.repeat(9)}`.slice(0, 4 * tokens);
    });
    expect(summary.startsWith(SUMMARY)).toBe(true);
    for (const words of FACTS) expect({ words, status: statusOf(words) }).toEqual({ words, status: "active" });
    expect(facts.filter(({ foundBy }) => foundBy === "model")).toEqual([]);
  });
});

test("a model that marks what matters has it named, and the rest told as room allows", async () => {
  write(...TALK);
  const { summary, judged } = await compact(({ text }) => {
    const [rule, , parser, runbook] = FACTS.map((words) => idOf(text, words));
    return `${SUMMARY}\n\n<facts>\nholds: ${rule}, ${parser}!, ${runbook}\nstale: ${idOf(text, "use Redis")}<m3\n</facts>`;
  });
  expect(judged).toMatchObject({ holds: 3, marked: 1, stale: 1 });
  expect(summary).toMatch(/^- found \(assistant\): .*rounds twice/m);
  expect(summary).toMatch(/^- assistant: .*runbook/m);
});

test("facts are relayed over five rounds: none is lost, and nothing obsolete is told", async () => {
  const rounds = [
    {
      user: "Build the importer. Never touch the legacy folder.",
      reply: "We decided to use Redis for the session store because it is fast.",
      fact: "Never touch the legacy folder",
    },
    {
      user: "That one costs far too much, let's take the files on disk.",
      reply: "I found that the parser rounds twice when a discount applies.",
      fact: "the parser rounds twice",
      ends: "use Redis for the session store",
    },
    {
      user: "All amounts must be stored as integer cents.",
      reply: "We decided to use Fastify for the webhook receiver because Express drops the raw body.",
      fact: "integer cents",
    },
    {
      user: "The receiver of the webhooks goes to the platform team, they write it in Go.",
      reply: "We ruled out Kafka because nobody can operate it.",
      fact: "ruled out Kafka",
      ends: "Fastify for the webhook receiver",
    },
    { user: "The export must finish before 04:30 UTC.", reply: "We still need to write the runbook.", fact: "write the runbook" },
  ];
  const said: string[] = [];
  const known: string[] = [];
  const obsolete: string[] = [];
  for (const { user, reply, fact, ends } of rounds) {
    said.push(user, reply);
    known.push(fact);
    if (ends) obsolete.push(ends);
    write(...said);
    const { summary, asked } = await compact(({ text }) => {
      const ids = text.match(/^f\d+(?= )/gm) ?? [];
      const old = ends ? idOf(text, ends) : "";
      return `## Goal\nBuild it.\n\n<facts>\nholds: ${ids.filter((id) => id !== old).join(", ")}\n${ends ? `stale: ${old}<m${said.length - 1}\n` : ""}</facts>`;
    });
    for (const words of known) expect(summary).toContain(words);
    for (const words of obsolete) expect(summary).not.toContain(words);
    const [candidates = ""] = /<candidates>[\s\S]*<\/candidates>/.exec(asked) ?? [];
    for (const words of obsolete.filter((one) => one !== ends)) expect(candidates).not.toContain(words);
  }
}, 60_000);

describe("what was judged", () => {
  beforeEach(async () => {
    write(...TALK);
    const { request } = JSON.parse(await compaction("judge", "session.json", "--json")) as { request: string };
    writeFileSync(join(folder, "answer.txt"), obedient(request));
    await compaction("judge", "session.json", "--answer", "answer.txt");
  });
  const factsOf = async () => {
    const { facts } = JSON.parse(await compaction("compact", "session.json", "--json")) as { facts: readonly Fact[] };
    return (words: string) => facts.find(({ quote }) => quote.includes(words));
  };

  test("is used by compact without a model, and not by run", async () => {
    const factOf = await factsOf();
    expect(factOf("use Redis")).toMatchObject({ status: "stale", round: 1, witness: "m3" });
    expect(factOf("fixtures live")).toMatchObject({ status: "active", foundBy: "model" });
    expect(await compaction("run", "session.json")).toContain("use Redis");
  });

  test("is explained, with the round and the witness", async () => {
    const out = await compaction("explain", "session.json");
    expect(out).toMatch(
      /^stale {7}decision-made \(judged stale by the model in round 1, ended by m3\) m2:0-65 "We decided to use Redis/m,
    );
    expect(out).toMatch(/^holds {7}model \(quoted by the model in round 1\) m4:\d+-\d+ "The fixtures live next to it\."/m);
    expect(await compaction("explain", "session.json", "--at", "m2")).toContain("judged stale by the model in round 1");
    writeFileSync(join(folder, ".compactionrc"), "extends: compaction:recommended\njudge: off\n");
    expect(await compaction("explain", "session.json")).not.toContain("by the model");
  });

  test("is overruled by a person", async () => {
    await compaction("pin", "We use Redis for the session store.");
    const id = (await factsOf())("fixtures live")?.id as string;
    expect(await compaction("drop", id)).toContain("The fixtures live next to it.");
    const factOf = await factsOf();
    expect(factOf("We use Redis")).toMatchObject({ status: "active", kind: "note" });
    expect(factOf("fixtures live")).toBeUndefined();
  });

  test("is replaced by another answer in the same round", async () => {
    writeFileSync(join(folder, "answer.txt"), "<facts>\nholds: f3\n");
    await compaction("judge", "session.json", "--answer", "answer.txt");
    const factOf = await factsOf();
    expect(factOf("use Redis")?.status).toBe("active");
    expect(factOf("fixtures live")).toBeUndefined();
  });
});
