// What is replaced is not carried; and models that echo, obey, say nothing or fail.
import { FEW } from "../facts.mjs";
import { playFew } from "../few.mjs";
import { missing, occurrences } from "../report.mjs";

export const name = "4 supersession and the tempers of models";

export async function play({ plugin, open, report }) {
  const world = await open();
  const project = world.project("tempers", { plugin: [plugin] });
  await supersession(project, report);
  await echo(await project.session(), report);
  await playFew(await project.session(), report, "obedient model", { mode: "obedient" });
  await playFew(await project.session(), report, "empty summary", { mode: "empty" });
  await afterEmpty(await project.session(), report);
  await failing(await project.session(), report);
}

/** What was said first, what replaces it, and a needle of each. */
const REPLACED = {
  "the same matter": {
    old: "We decided to use Mailgun for the outgoing mail.",
    gone: "Mailgun for the outgoing mail",
    said: ["Hm.", "We decided to use Postmark for the outgoing mail."],
    known: "Postmark for the outgoing mail",
  },
  "instead of it": {
    old: "We decided to use Redis for the session store because it is fast.",
    gone: "Redis for the session store",
    said: ["Redis is too dear.", "We decided to use SQLite for the session store instead of Redis."],
    known: "SQLite for the session store",
  },
  "taken back by the user": {
    old: "Decision: use Gulp for the nightly build.",
    gone: "Gulp for the nightly build",
    said: ["Actually do not use Gulp; use Make for the nightly build.", "Changed: Make for the nightly build, Gulp dropped."],
    known: "Make for the nightly build",
  },
};

/** Once replaced before the first compaction, and once when the old decision already stands in a summary. */
async function supersession(project, report) {
  for (const late of [false, true]) {
    const session = await project.session();
    await session.say("Build the shop.", "I begin.");
    for (const { old } of Object.values(REPLACED)) await session.say("And then?", old);
    if (late) await session.compact();
    for (const { said } of Object.values(REPLACED)) await session.say(...said);
    await session.say("Good.", "Thanks.");
    await session.compact();
    const [request] = (await session.say("Go on.", "Going on.")).requests;
    for (const [how, { gone, known }] of Object.entries(REPLACED)) {
      const label = `${how}, ${late ? "after" : "before"} a compaction`;
      report.check(`${label}: the new decision is known`, occurrences(request, known) > 0);
      report.check(`${label}: the old one is gone`, occurrences(request, gone) === 0);
    }
  }
}

async function echo(session, report) {
  await playFew(session, report, "echo, first round");
  const sizes = [];
  for (let round = 0; round < 3; round++) {
    const { stored } = await session.compact("echo");
    sizes.push(stored.length);
    const counts = FEW.facts.map((needle) => occurrences(stored, needle));
    report.check(
      `echo ${round + 1}: each fact stands in the summary once`,
      counts.every((count) => count === 1),
      counts.join(", "),
    );
    await session.say("Go on.", "Going on.");
  }
  report.check("echo: the summary does not grow", sizes[2] <= sizes[0] + 100, sizes.join(", "));
}

async function afterEmpty(session, report) {
  await playFew(session, report, "empty, first round", { mode: "empty" });
  await session.say("And more.", "More.");
  await session.compact("empty");
  await session.compact("amnesic");
  const { requests } = await session.say("Go on.", "Going on.");
  const lost = missing(requests[0], FEW.facts);
  report.check("two empty summaries and one that forgets: the facts are known", lost.length === 0, `without ${lost.join(", ")}`);
}

async function failing(session, report) {
  await session.say(FEW.user, FEW.reply);
  await session.say("Is there anything else?", "Nothing else.");
  await session.compact("error");
  // OpenCode makes up for it in the next turn, whose answer is the summary.
  await session.say("Go on.");
  const { answer, requests } = await session.say("Go on.", "Going on.");
  report.check("failed summary: a following turn is answered", answer.includes("Going on."), answer);
  const lost = missing(requests[0], FEW.facts);
  report.check("failed summary: the facts are known", lost.length === 0, `without ${lost.join(", ")}`);
}
