// The note on a session goes to the sinks. They may take their time: nobody waits for them, and what they say is logged.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Extraction, Session } from "../model.js";
import { type Rendered, render } from "../render/render.js";
import { isInstant } from "../render/view.js";
import type { LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { writeToSinks } from "../sinks/write.js";
import type { Log } from "./keeper.js";

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
  const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
  const rendered = (number: number) =>
    render(extraction, rules.templates.get("note") as Template, rules, {
      project: basename(folder),
      round: number,
      ...(now && { now }),
    });
  const digest = digestOf(rendered(0));
  // A host may ask twice for one compaction, and a user may, too.
  if (digest === last) return log("info", "no note is written: the last one says the same");
  void writeToSinks(rendered(round), sinks).then((outcomes) => {
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
