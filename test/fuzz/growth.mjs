// Hunts for markdown that takes more than its share of time: a short motif, repeated, must cost in proportion.
import { builtInRules, extract } from "../../dist/index.js";
import { markdown } from "./_make.mjs";

export const name = "growth";
const { rules } = builtInRules();
const SHORT = 20_000;
const LONG = 80_000;
/** Four times the input may take so many times as long. Less than a tick of the clock says nothing. */
const MOST = 10;
const LEAST_MILLISECONDS = 20;

function cost(text) {
  const session = { id: "fuzz", format: "fuzz", messages: [{ id: "1", role: "user", text, toolCalls: [] }] };
  const own = { ...rules, abbreviations: [...rules.abbreviations] };
  const before = process.cpuUsage();
  extract(session, own);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const repeated = (motif, length) => motif.repeat(Math.ceil(length / motif.length)).slice(0, length);

export function run(random, deadline) {
  let cases = 0;
  for (; Date.now() < deadline; cases++) {
    const motif = markdown(random, 1, 5);
    const growth = () => cost(repeated(motif, LONG)) / Math.max(cost(repeated(motif, SHORT)), LEAST_MILLISECONDS);
    // Once may be the machine.
    if (growth() > MOST && growth() > MOST && growth() > MOST)
      throw new Error(`more than ${MOST} times for four times ${JSON.stringify(motif)}`);
  }
  return cases;
}
