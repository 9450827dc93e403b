// The model that writes the summary judges the facts: well, not at all, or badly.
import { occurrences } from "../report.mjs";
import { promptParts } from "../summariser.mjs";

export const name = "20 the model judges the facts";

const TALK = [
  [
    "Build the importer. Never touch the folder `legacy/tariffs`.",
    "We decided to use Redis for the session store because it is fast.",
  ],
  [
    "That one costs far too much, let's take the files on disk.",
    "I found that `parseTariff` rounds twice. The fixtures live next to it.",
  ],
  ["And what is left?", "We still need to write the runbook for the rollback."],
];
const FACTS = ["legacy/tariffs", "Redis for the session store", "rounds twice", "runbook for the rollback"];
const SUMMARY = "## Objective\n- Continue the task.";

const idOf = (asked, words) => new RegExp(`^(f\\d+) .*${words}`, "m").exec(asked)?.[1] ?? "f0";
const blockFor = (asked, more = "") =>
  [
    "<facts>",
    `holds: ${[FACTS[0], FACTS[2], FACTS[3]].map((words) => idOf(asked, words)).join(", ")}`,
    `stale: ${idOf(asked, FACTS[1])}<"let's take the files on disk"`,
    'missed:\n- finding "The fixtures live next to it."',
    `${more}</facts>`,
  ].join("\n");
const ids = (asked) => asked.match(/^f\d+(?= )/gm) ?? [];

/** How each model answers, and what is known and not known afterwards. */
const MODELS = {
  obedient: {
    answer: (asked) => `${SUMMARY}\n\n${blockFor(asked)}`,
    known: [FACTS[0], FACTS[2], FACTS[3], "fixtures live next to it"],
    gone: [FACTS[1]],
  },
  amnesic: { answer: () => SUMMARY, known: FACTS },
  "everything is noise": {
    answer: (asked) => `${SUMMARY}\n\n<facts>\nholds:\nnoise: ${ids(asked).join(", ")}\n</facts>`,
    known: [FACTS[0]],
    gone: [FACTS[2]],
  },
  "quotes what nobody said": {
    answer: (asked) => `${SUMMARY}\n\n${blockFor(asked, '- decision "We decided to use MongoDB."\n')}`,
    known: [FACTS[0], FACTS[2], FACTS[3]],
    gone: ["MongoDB"],
  },
  "block in the middle": {
    answer: (asked) => `${SUMMARY}\n\n${blockFor(asked)}\n\n## Next Move\n1. Go on with the importer.`,
    known: [FACTS[0], FACTS[2], "Go on with the importer."],
    gone: [FACTS[1]],
  },
  "cut off": {
    answer: (asked) => `${SUMMARY}\n\n${blockFor(asked).slice(0, blockFor(asked).indexOf("stale:") + 12)}`,
    known: FACTS,
  },
};

export async function play({ plugin, open, report }) {
  const world = await open();
  const project = world.project("judging", { plugin: [plugin] });
  for (const [label, { answer, known, gone = [] }] of Object.entries(MODELS)) {
    const session = await project.session();
    for (const turn of TALK) await session.say(...turn);
    const { stored } = await session.compact((body) => ({ text: answer(promptParts(body).injected) }));
    report.check(`${label}: the block is not stored`, !/<\/?facts>|^holds:/m.test(stored), stored);
    const [request] = (await session.say("Go on.", "Going on.")).requests;
    for (const words of known) report.check(`${label}: "${words}" is known`, occurrences(request, words) > 0, stored);
    for (const words of gone) report.check(`${label}: "${words}" is not told`, occurrences(request, words) === 0, stored);
  }
  await relay(await project.session(), report);
}

const ROUNDS = [
  { say: TALK[0], known: FACTS[0] },
  { say: TALK[1], known: "rounds twice", ends: [FACTS[1], "let's take the files on disk"] },
  {
    say: ["All amounts must be stored as integer cents.", "We decided to use Fastify for the webhooks because it is small."],
    known: "integer cents",
  },
  {
    say: ["The receiver goes to the platform team, they write it in Go.", "We ruled out Kafka because nobody can operate it."],
    known: "Kafka",
    ends: ["Fastify for the webhooks", "they write it in Go"],
  },
  { say: TALK[2], known: FACTS[3] },
];

/** Facts over five rounds, with an amnesic summary that only judges. */
async function relay(session, report) {
  const [known, gone] = [[], []];
  for (const [index, { say, known: fact, ends }] of ROUNDS.entries()) {
    await session.say(...say);
    known.push(fact);
    if (ends) gone.push(ends[0]);
    await session.compact((body) => {
      const asked = promptParts(body).injected;
      const old = ends && idOf(asked, ends[0]);
      const holds = ids(asked).filter((id) => id !== old);
      return { text: `${SUMMARY}\n\n<facts>\nholds: ${holds.join(", ")}\nstale: ${old ? `${old}<"${ends[1]}"` : ""}\n</facts>` };
    });
    const [request] = (await session.say("Go on.", "Going on.")).requests;
    const lost = known.filter((words) => occurrences(request, words) === 0);
    report.check(`relay ${index + 1}: nothing is lost`, lost.length === 0, `without ${lost.join(", ")}`);
    const told = gone.filter((words) => occurrences(request, words) > 0);
    report.check(`relay ${index + 1}: nothing obsolete is told`, told.length === 0, told.join(", "));
  }
}
