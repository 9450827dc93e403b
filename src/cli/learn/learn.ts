// compaction learn: lists what users type in several sessions, for rules that a team could write.
import { resolve } from "node:path";
import { needsOf } from "../../extract/calls/call.js";
import { counted } from "../../text/forms.js";
import { plainWords } from "../../text/topic.js";
import { type Arguments, noPositional } from "../input/arguments.js";
import { listedInput, openSession } from "../input/open-session.js";
import { isOff, requireFolder, rulesFor } from "../input/project.js";
import { nameIn, short } from "../output/lines.js";
import { CommandError, coloursOf, createProgress, EXIT, printJson, say, warn } from "../output/terminal.js";
import { sessionsFor } from "../try/try.js";
import { type Lesson, lessonsIn } from "./lessons.js";
import { type TypedSentence, typedSentences } from "./typed.js";

const SINCE = "90d";

export async function learn(given: Arguments): Promise<number> {
  noPositional(given.positionals, "learn");
  const { values, flags } = given;
  const project = resolve(requireFolder(values.project ?? process.cwd()));
  const loaded = rulesFor(project);
  if (isOff(loaded)) return EXIT.fine;
  const listed = sessionsFor({ ...given, values: { since: SINCE, ...values } }, project);
  const progress = createProgress();
  const typed: TypedSentence[] = [];
  const read = new Set<string>();
  const needs = needsOf(loaded.rules);
  for (const [index, one] of listed.entries()) {
    progress.step(`reading session ${index + 1} of ${listed.length}`);
    try {
      const { session } = openSession(listedInput(one), needs, undefined);
      typed.push(...typedSentences(session, loaded.rules));
      read.add(session.id);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      warn(`note: ${error.message}\n`);
    }
  }
  progress.end();
  const lessons = lessonsIn(typed, plainWords(loaded.rules));
  if (flags.json) return printJson({ version: 1, sessions: read.size, sentences: typed.length, lessons: lessons.map(toData) });
  say(`${counted(read.size, "session")}, ${counted(typed.length, "sentence")} that users typed\n`);
  say(lessons.length === 0 ? "Nothing comes again in several of them.\n" : lessons.map(toText).join(""));
  return EXIT.fine;
}

const toData = ({ places, ...lesson }: Lesson) => ({
  ...lesson,
  times: places.length,
  places: places.map(({ place, text: quote, fact }) => ({ place, quote, ...(fact && { fact }) })),
});

/** Places of a lesson that are shown. */
const PLACES = 3;

function toText({ kind, text, sessions, places }: Lesson): string {
  const { bold, dim } = coloursOf();
  const shown = places.slice(0, PLACES).map((one) => `  "${short(one.text)}"  ${dim(nameIn(one.place))}\n`);
  const more = places.length > PLACES ? `  ${dim(`${places.length - PLACES} more`)}\n` : "";
  return `\n${bold(kind)}: ${short(text)} (${counted(sessions, "session")}, ${counted(places.length, "sentence")})\n${shown.join("")}${more}`;
}
