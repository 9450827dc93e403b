// compaction judge: prints the request for verdicts on the facts of a session, and applies an answer to it.
import { toRequest } from "../compact/request.js";
import { withOwnTemplates } from "../hosts/host-rules.js";
import { type Fact, toFact } from "../hosts/judging.js";
import { createKeeper } from "../hosts/keeper.js";
import { neutral } from "../hosts/neutral.js";
import { beginRound } from "../hosts/round.js";
import type { JudgedCounts } from "../judge/apply-answer.js";
import { messageNames } from "../source/session/messages.js";
import { defined } from "../text/json.js";
import { type Arguments, forbidTwice, oneSession } from "./input/arguments.js";
import { notStored } from "./input/endpoint.js";
import { readBytes, readWholeSession } from "./input/open-session.js";
import { isOff, rulesFor } from "./input/project.js";
import { notesOf, shortLine } from "./output/lines.js";
import { CommandError, EXIT, printJson, say, warn } from "./output/terminal.js";

export async function judge({ values, flags, positionals }: Arguments): Promise<number | undefined> {
  const { project, format, answer } = values;
  const path = oneSession(positionals);
  forbidTwice(path, answer);
  const folder = project ?? process.cwd();
  const loaded = withOwnTemplates(rulesFor(folder));
  if (isOff(loaded)) return EXIT.fine;
  if (!loaded.judge) throw new CommandError("judging is switched off", "by judge: off in .compactionrc");
  const { session, notices } = readWholeSession(path, format);
  const keeper = createKeeper(folder, () => {}, "", undefined, loaded);
  const options = { alone: project === undefined, notices, whole: session.whole === true, judged: true };
  const round = beginRound(keeper, session, options);
  const { offer, extraction } = round;
  warn(notesOf({ session, diagnostics: extraction.continuation.diagnostics }));
  const about = { version: 1, session: { id: session.id, format: session.format } };

  if (answer === undefined) {
    if (!offer) warn("note: nothing was found that a model could judge\n");
    const { messages } = session;
    const asking = { messages, contexts: [], rules: loaded.rules, quote: neutral, names: messageNames(session) };
    const { text } = offer ? toRequest({ ...asking, prompt: offer.text }) : { text: "" };
    const offered = offer?.candidates.map(({ id, item }) => ({ ...toFact(item), id })) ?? [];
    const lines = offer?.lines?.map(({ id, text: line, place }) => defined({ id, text: line, source: place?.source })) ?? [];
    if (flags.json) return printJson({ ...about, round: offer?.round, request: text, offered, lines });
    return say(`${text}\n`);
  }

  round.judge(new TextDecoder().decode(readBytes(answer)));
  const facts = round.extraction.continuation.items.map(toFact);
  const judged = round.counts;
  if (judged.holds + judged.stale + judged.noise + judged.quotes === 0)
    warn("note: the answer has no verdict that can be used\n");
  if (flags.json) printJson({ ...about, round: offer?.round, facts, judged });
  else say(linesOf(facts, judged));
  try {
    await round.keepVerdicts();
  } catch (error) {
    throw notStored((error as Error).message);
  }
}

const QUOTE_CHARACTERS = 100;

function linesOf(facts: readonly Fact[], counts: JudgedCounts): string {
  const { offered, holds, marked, stale, noise, quotes, rejected, lines: among, needed } = counts;
  const lines = facts.map(({ id, status, kind, source, quote, witness, marked: isMarked }) => {
    const end = witness === undefined ? "" : `, ended by ${witness}`;
    return `${(isMarked ? `${status}!` : status).padEnd(10)} ${kind.padEnd(10)} [${id}] ${source}${end} "${shortLine(quote, QUOTE_CHARACTERS)}"\n`;
  });
  const said = `${offered} offered: ${holds} hold, ${marked} marked, ${stale} stale, ${noise} noise; ${quotes} quoted, ${rejected} rejected${among > 0 ? `; ${needed} of ${among} lines needed` : ""}`;
  return `${lines.join("")}${said}\n`;
}
