// The shortest session that shows whether facts survive: some are said, the session is compacted, a turn follows.
import { FEW } from "./facts.mjs";
import { missing } from "./report.mjs";

/** Plays it and checks that the turn after the compaction is answered and knows the facts. */
export async function playFew(session, report, label, { mode = "amnesic", more = [] } = {}) {
  await session.say(FEW.user, FEW.reply);
  for (const text of more) await session.say(text, "I see.");
  await session.say("Is there anything else?", "Nothing else.");
  const start = performance.now();
  const compaction = await session.compact(mode);
  const milliseconds = Math.round(performance.now() - start);
  const turn = await session.say("Go on then.", "Going on.");
  report.check(`${label}: the next turn is answered`, turn.answer.includes("Going on."), turn.answer);
  const lost = missing(turn.requests[0] ?? "", FEW.facts);
  report.check(`${label}: the facts are in the next request`, lost.length === 0, `without ${lost.join(", ")}`);
  return { compaction, turn, milliseconds };
}
