// Writes the note of a session to the sinks. Sinks can be slow, so nobody waits for them; their results are logged.
import { basename } from "node:path";
import type { Extraction, Session } from "../model.js";
import { type Rendered, render } from "../render/render.js";
import { isInstant } from "../render/template-fields.js";
import { ownRules } from "../rules/load-rules.js";
import type { Template } from "../rules/rule-set.js";
import { writeToSinks } from "../sinks/index.js";
import { timeOfWriting } from "../sinks/notes.js";
import { digestOf } from "../text/forms.js";
import { messageOf } from "./catcher.js";
import { type Keeper, store, templateOf } from "./keeper.js";

/** Characters of a conversation below which nothing is noted or injected: little is lost, or the host could not read its messages. */
export const LEAST_CHARACTERS = 100;

export const charactersSaid = ({ messages }: Session): number => messages.reduce((sum, { text }) => sum + text.trim().length, 0);

/** @param round the number of this compaction in the session @param last the digest of the last note, without its number */
export function noteSession(keeper: Keeper, session: Session, extraction: Extraction, round: number, last: string | undefined) {
  const { folder, log, rules, sinks } = keeper;
  if (!sinks.notes && !sinks.maenifold) return;
  const said = charactersSaid(session);
  if (said < LEAST_CHARACTERS) return log("debug", `no note is written: the conversation has only ${said} characters`);
  let digest: string;
  let rendered: Rendered;
  try {
    const template = noteTemplate(keeper);
    const time = session.messages.findLast((message) => isInstant(message.time))?.time;
    const noteOn = (number: number, now = time) =>
      render(extraction, template, rules, { project: basename(folder), round: number, ...(now && { now }) });
    const { text, store: place } = noteOn(0);
    digest = digestOf(JSON.stringify([text, place]), 16);
    // Without a time of its own, the note has that of the compaction.
    rendered = noteOn(round, time ?? timeOfWriting());
  } catch (error) {
    // If the note fails, the compaction continues.
    log("error", `the note cannot be written: ${messageOf(error)}`);
    return;
  }
  // A host or a user may compact twice without a change in between.
  if (digest === last) return log("info", "no note is written: the last one says the same");
  void writeToSinks(rendered, sinks).then((outcomes) => {
    for (const outcome of outcomes)
      if (outcome.ok) log("info", `${outcome.sink}: the note is written${outcome.uri ? ` (${outcome.uri})` : ""}`);
      else log(outcome.level, `${outcome.sink}: ${outcome.message}`);
    if (outcomes.some(({ ok }) => ok)) store(keeper, session.id, (before) => before && { ...before, noted: digest });
  });
}

/** The project decides what a note says, but not its name among the user's notes of all projects. */
function noteTemplate(keeper: Keeper): Template {
  const { notes, maenifold } = keeper.sinks;
  const note = templateOf(keeper, "note");
  if (!maenifold && notes?.project !== undefined) return note;
  const { store: place } = ownRules().templates.get("note") as Template;
  return { ...note, ...(place && { store: place }) };
}
