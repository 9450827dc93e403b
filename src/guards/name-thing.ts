// What a user may call the thing that a guard is about: its folder, its file, or its command.
import { programName } from "../text/paths.js";
import type { Met } from "./match-guards.js";

/** The phrases of the packs know the thing by this word. */
const THING = "guardedthing";

type Words = readonly string[];
export const wordsOf = (text: string): Words => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** "migrations" and "force-pushing" name what "migration" and "force-push" name. */
const stemOf = (word: string) => (word.length > 4 ? word.replace(/(?:ing|ed|s)$/, "") : word);
const stemsOf = (text: string): Words => wordsOf(text).map(stemOf);

const stepsOf = (path: string): Words =>
  path
    .toLowerCase()
    .split(/[/\\]/)
    .filter((step) => !/^\.?$|[*?{]/.test(step));
const isPath = (text: string) => /[/\\]|^\.\w|\.\w*[a-z]\w*$/i.test(text);

/** A word with the marks around it. */
const TOKEN = /(["'“‘«([]*)(\S*?)(["'”’»)\],;:.!?]*)(\s+|$)/gu;

export function nameThing({ paths, commands, has }: Met["guard"], what: string) {
  const isCommand = commands.length + has.length > 0;
  const places = [...(isCommand ? [] : [stepsOf(what)]), ...paths.map(stepsOf)];
  const file = isCommand ? "" : (what.split(/[/\\]/).at(-1) ?? "").replace(/(?<=.)\.\w+$/, "");
  const options = [...has, ...commands.flatMap((command) => command.options)].filter((word) => /\w\w/.test(word));
  const programs = commands.map(({ words: [program = "", ...rest] }) => rest.at(-1) ?? programName(program));
  const said = [...places.map((steps) => steps.at(-1) ?? ""), file, ...(options.length > 0 ? options : programs)];
  const names = said.map(stemsOf).filter((words) => words.some((word) => word.length > 1));
  const telling = new Set([...names.flat(), ...commands.flatMap(({ words }) => words.flatMap(stemsOf)), ...has.flatMap(stemsOf)]);
  // Other words of the call go on with a name, but are none.
  const known = new Set([...telling, ...(isCommand ? stemsOf(what) : [])]);

  /** A part of its path, from a step on. A file beside it is something else. */
  function isPlace(text: string): boolean {
    const steps = stepsOf(text);
    const within = (all: Words, part: Words) => part.length > 0 && `/${all.join("/")}/`.includes(`/${part.join("/")}/`);
    return places.some((all) => within(all, steps)) || (!isCommand && `/${steps.join("/")}`.endsWith(`/${places[0]?.join("/")}`));
  }
  const isWord = (text: string) => wordsOf(text).length > 0 && stemsOf(text).every((word) => known.has(word));
  const isName = (words: Words, loosely: boolean) =>
    loosely ? words.some((word) => telling.has(word)) : names.some((name) => name.every((word) => words.includes(word)));

  /** @param loosely any word of its name names it */
  function replaceIn(text: string, loosely = false): string {
    let replaced = "";
    let run = "";
    let inRun: string[] = [];
    let isThing = false;
    const flush = (end: string) => {
      const isNamed = isThing || isName(inRun, loosely);
      replaced += run === "" ? end : (isNamed ? THING : run) + end;
      [run, inRun, isThing] = ["", [], false];
    };
    for (const [, before = "", core = "", after = "", gap = ""] of text.replaceAll("`", "").matchAll(TOKEN)) {
      const isHere = isPath(core) && places.length > 0 && isPlace(core);
      const isPart = isHere || ((!isPath(core) || isCommand) && isWord(core));
      if (!isPart || before !== "") flush(run === "" ? "" : (/\s+$/.exec(run)?.[0] ?? " "));
      if (!isPart) {
        replaced += before + core + after + gap;
        continue;
      }
      replaced += before;
      run += core;
      inRun.push(...stemsOf(core));
      isThing ||= isHere;
      if (after === "" && gap !== "") run += gap;
      else flush(after + gap);
    }
    if (run !== "") flush("");
    return replaced;
  }

  return { isCommand, replaceIn, isIn: (text: string) => replaceIn(text).includes(THING) };
}
