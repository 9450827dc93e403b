// compaction docs: a Markdown reference of the rules that hold.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Mustache from "mustache";
import { rulesFolder } from "../config/built-in.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say } from "./print.js";
import { reference } from "./reference.js";
import { rulesFor } from "./rules.js";

export const help = `compaction docs [--project DIR]

Prints a Markdown reference of what holds here: packs; for each kind of fact its rules, with where they look, their
phrases, guards, score, category and examples; signals and their weights, sections, categories, tools, templates,
fragments. The same rules give the same text, so it can be kept beside them and compared.

  --project DIR     the folder whose .compactionrc counts; this one unless given

Exit status: 0 done, 2 it could not run.
`;

const options: Options = { project: { type: "string" } };

export function docs(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "docs");
  if (positionals.length > 0) throw new Failure(`docs takes no "${positionals[0]}"`, "--project names the folder");
  const loaded = rulesFor((values.project as string | undefined) ?? process.cwd());
  const template = readFileSync(join(rulesFolder, "docs", "reference.md"), "utf8");
  // What is put in is Markdown already.
  say(Mustache.render(template, reference(loaded), {}, { escape: String }));
  return EXIT.fine;
}
