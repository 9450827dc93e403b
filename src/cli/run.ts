// compaction run: sessions in, Continuations or rendered text out.
import { basename, resolve } from "node:path";
import { didYouMean } from "../config/suggest.js";
import { extract } from "../extract/extract.js";
import type { Continuation } from "../model.js";
import { render } from "../render/render.js";
import type { LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { readProjectFiles } from "../source/workspace.js";
import { type Options, parseArguments, wholeNumber } from "./arguments.js";
import { choicesFor } from "./choices.js";
import { EXIT, Failure } from "./failure.js";
import { openSession } from "./input.js";
import { rulesFor } from "./rules.js";
import { createProgress } from "./terminal.js";

export const help = `compaction run SESSION... [--project DIR] [--format F] [--template NAME] [--tokens N] [--json | --jsonl]

Reads sessions and prints what the next context needs: the brief, unless told otherwise. "-" reads standard input.

  --project DIR     the project: its .compactionrc counts and its notes (SESSION.md) are read
  --format F        the format of the sessions; told from the content unless given
  --template NAME   what to print: brief (the default), knowledge, note, structured, or one of your own
  --tokens N        at most so many tokens, over what the template says
  --json            the typed result; an array when several sessions are named
  --jsonl           the typed result, one line for each session

With --json and --jsonl, the field "rendered" holds the text when --template is given.
Exit status: 0 done, 2 something could not be read.
`;

const options: Options = {
  project: { type: "string" },
  format: { type: "string" },
  template: { type: "string" },
  tokens: { type: "string" },
  json: { type: "boolean" },
  jsonl: { type: "boolean" },
};

interface Job {
  readonly loaded: LoadedRules;
  readonly project: string | undefined;
  readonly format: string | undefined;
  readonly template: Template | undefined;
  readonly tokens: number | undefined;
}

export function run(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "run");
  if (positionals.length === 0) throw new Failure("no session is named", 'name a session file, or "-" for standard input');
  if (values.json && values.jsonl) throw new Failure("--json and --jsonl exclude each other");
  const project = values.project as string | undefined;
  const loaded = rulesFor(project ?? process.cwd());
  if (!loaded.enabled) {
    process.stderr.write("compaction: switched off, by enabled: false in .compactionrc or by COMPACTION_RULES=off\n");
    return EXIT.fine;
  }
  const typed = values.json === true || values.jsonl === true;
  const named = values.template as string | undefined;
  const template = named !== undefined || !typed ? findTemplate(named ?? "brief", loaded) : undefined;
  const job: Job = {
    loaded,
    project,
    format: values.format as string | undefined,
    template,
    tokens: wholeNumber(values, "tokens"),
  };

  const progress = createProgress();
  const results: Continuation[] = [];
  let failed = false;
  for (const [index, path] of positionals.entries()) {
    const step = (part: string) => progress.step(`${index + 1}/${positionals.length} ${path}${part}`);
    step("");
    try {
      const result = runSession(path, job, step);
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
  return failed ? EXIT.couldNotRun : EXIT.fine;
}

function runSession(
  path: string,
  { loaded, project, format, template, tokens }: Job,
  step: (part: string) => void,
): Continuation {
  const { session, notices } = openSession(path, format);
  const files = project === undefined ? [] : readProjectFiles(project, loaded.rules.files);
  const extraction = extract(session, loaded.rules, {
    ...choicesFor(project ?? "."),
    files,
    notices,
    progress: (done, total) => step(` ${done}/${total}`),
  });
  if (!template) return extraction.continuation;
  const now = session.messages.findLast(({ time }) => time !== undefined)?.time;
  const { text } = render(extraction, template, loaded.rules, {
    project: basename(resolve(project ?? ".")),
    ...(now !== undefined && { now }),
    ...(tokens !== undefined && { tokens }),
  });
  return { ...extraction.continuation, rendered: text };
}

function printText({ session, rendered = "", diagnostics }: Continuation, titled: boolean): void {
  if (titled) process.stdout.write(`# ${session.id}\n\n`);
  const text = rendered.trim() === "" ? "(nothing was found)\n" : rendered.endsWith("\n") ? rendered : `${rendered}\n`;
  process.stdout.write(titled ? `${text}\n` : text);
  for (const { code, message, source, count } of diagnostics) {
    process.stderr.write(
      `note: ${session.id}${source ? ` ${source}` : ""}: ${message}${count > 1 ? ` (${count})` : ""} [${code}]\n`,
    );
  }
}

export function findTemplate(name: string, { rules }: LoadedRules): Template {
  const template = rules.templates.get(name);
  if (!template) throw new Failure(`there is no template "${name}"`, didYouMean(name, rules.templates.keys()));
  return template;
}
