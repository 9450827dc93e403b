// compaction test: runs the examples beside the rules.
import { declarations, type ExampleReport, testExamples } from "../extract/match/examples.js";
import { counted } from "../text/counted.js";
import { didYouMean } from "../text/did-you-mean.js";
import { type Arguments, oneOf } from "./input/arguments.js";
import { rulesFor } from "./input/project.js";
import { printReport, REPORTERS } from "./output/report.js";
import { CommandError, EXIT, say } from "./output/terminal.js";

export const help = `npx compaction-rules test [RULE...] [--coverage] [--project DIR] [--reporter pretty|json|github]

Runs the examples of the active rules and sections, with everything that is loaded. A failing example is missing (the
rule does not fire), noisy (it fires but must not) or wrong (it gives other fields).

  --coverage        print how many examples each rule has; a rule without a firing and a non-firing example fails
  --project DIR     the folder whose .compactionrc is used; this one unless given
  --reporter NAME   pretty (the default), json or github

Exit status: 0 all examples pass, 1 some fail, 2 it could not run.
`;

export function test(given: Arguments): number {
  const { values, flags, positionals } = given;
  const reporter = oneOf(given, "reporter", REPORTERS, "pretty");
  const loaded = rulesFor(values.project ?? process.cwd());
  const known = declarations(loaded.packs).map(({ id }) => id);
  for (const id of positionals) {
    if (known.includes(id)) continue;
    // Sections and cues have a prefix before their names.
    const full = known.find((name) => name.endsWith(`:${id}`));
    throw new CommandError(`there is no rule "${id}"`, full ? `did you mean "${full}"?` : didYouMean(id, known));
  }
  const { rules, examples, ...tested } = testExamples(loaded.packs, loaded.rules, positionals, flags.coverage === true);
  const { coverage, diagnostics } = tested;
  printReport(diagnostics, reporter, [loaded]);
  if (reporter === "pretty") {
    if (flags.coverage) say(`${diagnostics.length > 0 ? "\n" : ""}${coverageTable(coverage)}`);
    const failed = diagnostics.length > 0 ? `\n${diagnostics.length} of ` : "";
    say(`${failed}${examples} examples of ${counted(rules, "rule")}${failed ? " fail" : ": all pass"}\n`);
  }
  return diagnostics.length > 0 ? EXIT.findings : EXIT.fine;
}

function coverageTable(coverage: ExampleReport["coverage"]): string {
  const width = Math.max(...coverage.map(({ id }) => id.length));
  return coverage.map(({ id, fires, still }) => `${id.padEnd(width)}  ${fires} fire, ${still} must not\n`).join("");
}
