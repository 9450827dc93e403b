// compaction test: runs the examples beside the rules.
import { didYouMean } from "../config/suggest.js";
import { declarations } from "../extract/declarations.js";
import { testExamples } from "../extract/examples.js";
import { type Options, oneOf, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say } from "./print.js";
import { isData, REPORTERS, report } from "./reporters/report.js";
import { rulesFor } from "./rules.js";
import { printable } from "./terminal.js";
import { textsOf } from "./texts.js";

export const help = `compaction test [RULE...] [--coverage] [--project DIR] [--reporter pretty|json|github]

Runs the examples of the rules and sections that hold here. An example is missing (the rule does not fire),
noisy (it fires and must not) or wrong (it gives other fields).

  --coverage        a rule without a firing and a non-firing example fails
  --project DIR     the folder whose .compactionrc counts; this one unless given
  --reporter NAME   pretty (the default), json or github

Exit status: 0 all examples hold, 1 some do not, 2 it could not run.
`;

const options: Options = { coverage: { type: "boolean" }, project: { type: "string" }, reporter: { type: "string" } };

export function test(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "test");
  const reporter = oneOf(values, "reporter", REPORTERS, "pretty");
  const loaded = rulesFor(typeof values.project === "string" ? values.project : process.cwd());
  const known = declarations(loaded.packs).map(({ id }) => id);
  for (const id of positionals) {
    if (known.includes(id)) continue;
    // Sections and cues have a word before their names.
    const full = known.find((name) => name.endsWith(`:${id}`));
    throw new Failure(`there is no rule "${id}"`, full ? `did you mean "${full}"?` : didYouMean(id, known));
  }
  const { rules, examples, diagnostics } = testExamples(loaded.packs, loaded.rules, positionals, values.coverage === true);
  const text = report(diagnostics, reporter, textsOf([loaded]));
  process.stdout.write(isData(reporter) ? text : printable(text));
  if (reporter === "pretty") {
    const failed = diagnostics.length > 0 ? `\n${diagnostics.length} of ` : "";
    say(`${failed}${examples} examples of ${rules} ${rules === 1 ? "rule" : "rules"}${failed ? " do not hold" : ": all hold"}\n`);
  }
  return diagnostics.length > 0 ? EXIT.findings : EXIT.fine;
}
