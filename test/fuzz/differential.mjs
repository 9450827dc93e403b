// Reading what is simple without the parser against parsing everything: the Continuation must be the same.
// By itself: `node test/fuzz/differential.mjs MESSAGES [SEED]`, on Node or Bun, over dist.
import { pathToFileURL } from "node:url";
import { builtInRules, extract } from "../../dist/index.js";
import { readMarkdown } from "../../dist/source/markdown/read-markdown.js";
import { createRandom, randomMessage } from "./messages.mjs";

export const name = "differential";
const MESSAGES = 40;
const { rules } = builtInRules();
const parseAll = (text, abbreviations) => readMarkdown(text, abbreviations, { parseAll: true });
const skip = (text, abbreviations) => readMarkdown(text, abbreviations);

/** Looks until the deadline, in milliseconds since the epoch; answers how many messages and what differed. */
export function run(random, deadline, most = Number.POSITIVE_INFINITY) {
  const differences = [];
  let messages = 0;
  while (Date.now() < deadline && messages < most) {
    const texts = Array.from({ length: MESSAGES }, () => randomMessage(random));
    messages += texts.length;
    if (same(texts)) continue;
    for (const text of texts) if (!same([text])) differences.push(text);
  }
  return { cases: messages, failures: differences };
}

export function same(texts) {
  const session = {
    id: "fuzz",
    format: "fuzz",
    messages: texts.map((text, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] })),
  };
  const [one, other] = [skip, parseAll].map((read) => JSON.stringify(extract(session, rules, { read }).continuation));
  return one === other && texts.every((text) => JSON.stringify(skip(text, [])) === JSON.stringify(parseAll(text, [])));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [most = 100_000, seed = 1] = process.argv.slice(2).map(Number);
  const { cases, failures } = run(createRandom(seed), Number.POSITIVE_INFINITY, most);
  for (const text of failures.slice(0, 20)) console.log(JSON.stringify(text));
  console.log(`${cases} messages, ${failures.length} differences (seed ${seed})`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
