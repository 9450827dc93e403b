// compaction test: runs the examples beside the rules.

import { extract } from "../extract/pipeline.js";
import { declarations, type ExampleReport, testExamples } from "../extract/test-examples.js";
import { GUARD_PREFIX, testGuards } from "../guards/examples.js";
import { ownProgram } from "../hosts/own-program.js";
import { type LoadedRules, loadRulesFrom } from "../rules/load-rules.js";
import { readCases } from "../state/cases.js";
import { factId } from "../state/choices.js";
import { didYouMean } from "../text/did-you-mean.js";
import { counted, oneLine } from "../text/forms.js";
import { type Arguments, oneOf } from "./input/arguments.js";
import { requireFolder, rulesFor, usable } from "./input/project.js";
import { short } from "./output/lines.js";
import { masked, printReport, REPORTERS } from "./output/report.js";
import { CommandError, EXIT, say } from "./output/terminal.js";

export function test(given: Arguments): number {
  const { values, flags, positionals } = given;
  const reporter = oneOf(given, "reporter", REPORTERS, given.flags.json ? "json" : "pretty");
  const [files, ids] = [positionals.filter(isPack), positionals.filter((name) => !isPack(name))];
  if (files.length > 1) throw new CommandError("name one pack", "the first can extend the others");
  const loaded = files[0] === undefined ? rulesFor(values.project ?? process.cwd()) : usable(loadRulesFrom(files[0]));
  if (flags.cases) return testCases(values.project ?? process.cwd(), loaded);
  const known = [...declarations(loaded.packs), ...loaded.guards.map(({ id }) => ({ id: GUARD_PREFIX + id }))].map(
    ({ id }) => id,
  );
  for (const id of ids) {
    if (known.includes(id)) continue;
    // Guards, sections and cues have a prefix before their names.
    const full = known.find((name) => name.endsWith(`:${id}`));
    throw new CommandError(`there is no rule "${id}"`, full ? `did you mean "${full}"?` : didYouMean(id, known));
  }
  const covers = flags.coverage === true;
  const tested = testExamples(loaded.packs, loaded.rules, ids, covers);
  const guarded = testGuards(loaded, ids, covers);
  const [rules, examples] = [tested.rules + guarded.guards, tested.examples + guarded.examples];
  const coverage = [...tested.coverage, ...guarded.coverage];
  const diagnostics = [...tested.diagnostics, ...guarded.diagnostics];
  printReport(diagnostics, reporter, [loaded]);
  if (reporter === "pretty") {
    if (flags.coverage) say(masked(`${diagnostics.length > 0 ? "\n" : ""}${coverageTable(coverage)}`));
    const failed = diagnostics.length > 0 ? `\n${diagnostics.length} of ` : "";
    say(`${failed}${examples} examples of ${counted(rules, "rule")}${failed ? " fail" : ": all pass"}\n`);
  }
  return diagnostics.length > 0 ? EXIT.findings : EXIT.fine;
}

/** No rule has such a name. */
const isPack = (name: string) => /\.ya?ml$/.test(name);

/** Whether the rules still find what the user called wrong. */
function testCases(folder: string, { rules }: LoadedRules): number {
  const { cases, broken } = readCases(requireFolder(folder));
  if (broken !== undefined) throw new CommandError(broken);
  if (cases.length === 0) throw new CommandError("there are no cases yet", `${ownProgram()} wrong ID makes one`);
  const still = cases.filter(({ id, by, quote }) => {
    const message = { id: "case", role: by === "user" ? ("user" as const) : ("assistant" as const), text: quote, toolCalls: [] };
    const { items } = extract({ id: "case", format: "case", messages: [message] }, rules, { statements: false }).continuation;
    return items.some((item) => factId(item) === id);
  });
  for (const { id, kind, text, rule, note } of still)
    say(`still found  ${id} ${kind} by ${rule}: ${short(text)}${note === undefined ? "" : `\n             ${oneLine(note)}`}\n`);
  say(
    still.length > 0
      ? `\n${still.length} of ${counted(cases.length, "case")} still found\n`
      : `${counted(cases.length, "case")}: none is found\n`,
  );
  return still.length > 0 ? EXIT.findings : EXIT.fine;
}

function coverageTable(coverage: ExampleReport["coverage"]): string {
  const width = Math.max(...coverage.map(({ id }) => id.length));
  return coverage.map(({ id, fires, still }) => `${id.padEnd(width)}  ${fires} fire, ${still} must not\n`).join("");
}
