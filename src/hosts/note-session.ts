// The note on a session goes to the sinks. They may take their time: nobody waits for them, and what they say is logged.
import { basename } from "node:path";
import type { Extraction, Session } from "../model.js";
import { render } from "../render/render.js";
import { isInstant } from "../render/view.js";
import type { LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { writeToSinks } from "../sinks/write.js";
import type { Log } from "./keeper.js";

type Used = Pick<LoadedRules, "rules" | "sinks">;

/** @param round which compaction of the session it is */
export function noteSession(
  session: Session,
  extraction: Extraction,
  round: number,
  folder: string,
  { rules, sinks }: Used,
  log: Log,
) {
  if (!sinks.notes && !sinks.maenifold) return;
  const now = session.messages.findLast(({ time }) => isInstant(time))?.time;
  const rendered = render(extraction, rules.templates.get("note") as Template, rules, {
    project: basename(folder),
    round,
    ...(now && { now }),
  });
  void writeToSinks(rendered, sinks).then((outcomes) => {
    for (const outcome of outcomes)
      if (outcome.ok) log("info", `${outcome.sink}: the note is written${outcome.uri ? ` (${outcome.uri})` : ""}`);
      else log(outcome.level, `${outcome.sink}: ${outcome.message}`);
  });
}
