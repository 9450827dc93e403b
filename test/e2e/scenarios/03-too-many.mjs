// More facts than the block has room for: it says how many it does not show, and the state has all.
import { estimateTokenCount } from "tokenx";
import { manyFacts } from "../facts.mjs";
import { missing } from "../report.mjs";
import { storedText } from "../world.mjs";

export const name = "3 ten rounds, 5,000 tokens of facts";

const BUDGET = 1_000;
const TOLD = /(\d[\d,]*)[^\n]*\bnot shown\b|\bnot shown\b[^\n]*?(\d[\d,]*)/i;

export async function play({ plugin, open, report }) {
  const world = await open();
  const session = await world.project("many", { plugin: [plugin] }).session();
  const facts = manyFacts();
  report.figure(`${facts.length} facts, ${estimateTokenCount(facts.map(({ text }) => text).join(" "))} tokens`);
  const sizes = [];
  const share = Math.ceil(facts.length / 10);
  for (let round = 0; round < 10; round++) {
    const said = facts.slice(round * share, (round + 1) * share);
    const by = (who) => said.filter((fact) => fact.by === who).map(({ text }) => text);
    await session.say(by("user").join(" "), by("assistant").join(" "));
    const { block } = await session.compact();
    const known = facts.slice(0, (round + 1) * share).map(({ needle }) => needle);
    const hidden = missing(block, known).length;
    const last = block.trimEnd().split("\n").slice(-3).join("\n");
    const told = Number(TOLD.exec(last)?.slice(1).find(Boolean)?.replace(",", "") ?? 0);
    sizes.push(estimateTokenCount(block));
    report.check(
      `compaction ${round + 1}: the end of the block says how many are not shown`,
      told >= hidden,
      `${hidden} hidden; it ends: ${last}`,
    );
  }
  report.figure(`tokens of the blocks: ${sizes.join(", ")}`);
  report.check("each block is within its budget", Math.max(...sizes) <= BUDGET, `tokens: ${sizes.join(", ")}`);
  report.check("the last block uses its room", sizes.at(-1) >= BUDGET * 0.7, `${sizes.at(-1)} tokens`);
  const unstored = missing(
    storedText(world.state),
    facts.map(({ needle }) => needle),
  );
  report.check("all are in the state", unstored.length === 0, `${unstored.length} are not: ${unstored.slice(0, 5).join(", ")}`);
  const { answer } = await session.say("Go on.", "Going on.");
  report.check("the session goes on", answer.includes("Going on."), answer);
}
