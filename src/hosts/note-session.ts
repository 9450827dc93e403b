// The note on a session goes to the sinks. They may take their time: nobody waits for them, and what they say is logged.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Extraction, Session } from "../model.js";
import { type Rendered, render } from "../render/render.js";
import { isInstant } from "../render/view.js";
import { builtInRules, type LoadedRules } from "../rules/load.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { writeToSinks } from "../sinks/write.js";
import { messageOf } from "./guard.js";
import type { Log } from "./log.js";

type Used = Pick<LoadedRules, "rules" | "sinks">;

/** What the last note said, but for its number, and who is told what this one says. */
interface Noted {
  readonly last: string | undefined;
  readonly written: (digest: string) => void;
}

/** @param round which compaction of the session it is */
export function noteSession(
  session: Session,
  extraction: Extraction,
  round: number,
  folder: string,
  { rules, sinks }: Used,
  log: Log,
  { last, written }: Noted,
) {
  if (!sinks.notes && !sinks.maenifold) return;
  let digest: string;
  let rendered: Rendered;
  try {
    const template = noteTemplate(rules, sinks);
    const noteOn = (number: number) => renderNote(session, extraction, number, folder, rules, template);
    digest = digestOf(noteOn(0));
    rendered = noteOn(round);
  } catch (error) {
    // Whatever is wrong with the note, the session is told what was found.
    log("error", `the note cannot be written: ${messageOf(error)}`);
    return;
  }
  // A host may ask twice for one compaction, and a user may, too.
  if (digest === last) return log("info", "no note is written: the last one says the same");
  void writeToSinks(rendered, sinks).then((outcomes) => {
    for (const outcome of outcomes)
      if (outcome.ok) log("info", `${outcome.sink}: the note is written${outcome.uri ? ` (${outcome.uri})` : ""}`);
      else log(outcome.level, `${outcome.sink}: ${outcome.message}`);
    if (outcomes.some(({ ok }) => ok)) written(digest);
  });
}

const digestOf = ({ text, store }: Rendered) =>
  createHash("sha256")
    .update(JSON.stringify([text, store]))
    .digest("hex")
    .slice(0, 16);

/** What a note says is the project's matter. What it is called where the user keeps notes of all projects is not. */
function noteTemplate({ templates }: RuleSet, { notes, maenifold }: LoadedRules["sinks"]): Template {
  const note = templates.get("note") as Template;
  if (!maenifold && notes?.project !== undefined) return note;
  const { store } = builtInRules().rules.templates.get("note") as Template;
  return { ...note, ...(store && { store }) };
}

function renderNote(
  session: Session,
  extraction: Extraction,
  round: number,
  folder: string,
  rules: RuleSet,
  template: Template,
): Rendered {
  const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
  const context = { project: basename(folder), round, ...(now && { now }) };
  return render(extraction, template, rules, context);
}
