// compaction run: sessions in, Continuations or rendered text out.
import { basename, resolve } from "node:path";
import { didYouMean } from "../config/suggest.js";
import type { Continuation } from "../model.js";
import { render } from "../render/render.js";
import type { LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { type Options, parseArguments, wholeNumber } from "./arguments.js";
import { extractFrom, isOff, printNotes, type Reading } from "./extraction.js";
import { EXIT, Failure } from "./failure.js";
import { rulesFor } from "./rules.js";
import { createProgress } from "./terminal.js";
import { gapLine } from "./work.js";

export const help = `compaction run [SESSION...] [--project DIR] [--strict] [--format F] [--template NAME] [--tokens N] [--json | --jsonl] [--no-cache]

Reads sessions and prints what the next context needs: the brief, unless told otherwise. "-" reads standard input.
With a project and no session, its notes and work items are read by themselves, and the continuation is printed.

  --project DIR     the project: its .compactionrc counts, and its notes (SESSION.md) and work items are read
  --strict          exit with 1 when the project's notes lack a required section or hold malformed entries
  --format F        the format of the sessions; told from the content unless given
  --template NAME   what to print: brief (the default), continuation, knowledge, note, structured, or your own
  --tokens N        at most so many tokens, over what the template says
  --json            the typed result; an array when several sessions are named
  --jsonl           the typed result, one line for each session
  --no-cache        neither use nor keep what was found in the same messages before

With --json and --jsonl, the field "rendered" holds the text when --template is given.
Exit status: 0 done, 1 gaps with --strict, 2 something could not be read.
`;

const options: Options = {
  project: { type: "string" },
  format: { type: "string" },
  template: { type: "string" },
  tokens: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
  jsonl: { type: "boolean" },
  "no-cache": { type: "boolean" },
};

interface Job extends Reading {
  readonly template: Template | undefined;
  readonly tokens: number | undefined;
}

export function run(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "run");
  const project = values.project as string | undefined;
  if (positionals.length === 0 && project === undefined)
    throw new Failure("no session is named", 'name a session file, "-" for standard input, or a project with --project');
  if (values.strict && project === undefined) throw new Failure("--strict is about a project", "name it with --project");
  if (values.json && values.jsonl) throw new Failure("--json and --jsonl exclude each other");
  const loaded = rulesFor(project ?? process.cwd());
  if (isOff(loaded)) return EXIT.fine;
  const typed = values.json === true || values.jsonl === true;
  const named = values.template as string | undefined;
  const template =
    named !== undefined || !typed
      ? findTemplate(named ?? (positionals.length === 0 ? "continuation" : "brief"), loaded)
      : undefined;
  const job: Job = {
    loaded,
    project,
    format: values.format as string | undefined,
    template,
    tokens: wholeNumber(values, "tokens"),
    useCache: values["no-cache"] !== true,
  };

  const progress = createProgress();
  const results: Continuation[] = [];
  let failed = false;
  const paths = positionals.length === 0 ? [undefined] : positionals;
  let gaps = 0;
  for (const [index, path] of paths.entries()) {
    const step = (part: string) => progress.step(`${index + 1}/${paths.length} ${path ?? project}${part}`);
    step("");
    try {
      const result = runSession(path, job, step);
      gaps += result.gaps?.length ?? 0;
      if (values.jsonl) process.stdout.write(`${JSON.stringify(result)}\n`);
      else if (values.json) results.push(result);
      else printText(result, positionals.length > 1);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      progress.end();
      process.stderr.write(`compaction: ${error.message}${error.hint ? ` (${error.hint})` : ""}\n`);
      failed = true;
    }
  }
  progress.end();
  const document = positionals.length > 1 ? results : results[0];
  if (values.json && document !== undefined)
    process.stdout.write(`${JSON.stringify(document, null, 2)}
`);
  if (failed) return EXIT.couldNotRun;
  return values.strict && gaps > 0 ? EXIT.findings : EXIT.fine;
}

function runSession(path: string | undefined, { template, tokens, ...reading }: Job, step: (part: string) => void): Continuation {
  const extraction = extractFrom(path, reading, step);
  const { session } = extraction;
  if (!template) return extraction.continuation;
  const now = session.messages.findLast(({ time }) => time !== undefined)?.time;
  const { text } = render(extraction, template, reading.loaded.rules, {
    project: basename(resolve(reading.project ?? ".")),
    ...(now !== undefined && { now }),
    ...(tokens !== undefined && { tokens }),
  });
  return { ...extraction.continuation, rendered: text };
}

function printText(result: Continuation, titled: boolean): void {
  const { session, rendered = "", gaps = [] } = result;
  if (titled) process.stdout.write(`# ${session.id}\n\n`);
  const text = rendered.trim() === "" ? "(nothing was found)\n" : rendered.endsWith("\n") ? rendered : `${rendered}\n`;
  process.stdout.write(titled ? `${text}\n` : text);
  for (const gap of gaps) process.stderr.write(`gap: ${gapLine(gap)}\n`);
  printNotes(result);
}

export function findTemplate(name: string, { rules }: LoadedRules): Template {
  const template = rules.templates.get(name);
  if (!template) throw new Failure(`there is no template "${name}"`, didYouMean(name, rules.templates.keys()));
  return template;
}
