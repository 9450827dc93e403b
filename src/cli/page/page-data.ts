// Collects what a page shows. Secrets are masked before anything is put into it.
import { basename, join, resolve } from "node:path";
import { isBuiltIn, isBuiltInFile } from "../../config/load-pack.js";
import { needsOf } from "../../extract/calls/call.js";
import { extract } from "../../extract/pipeline.js";
import { masker, redactValue } from "../../extract/redact.js";
import { orUndefined, projectRoot } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { PACK_BYTES } from "../../limits.js";
import type { Session } from "../../model.js";
import type { PageData } from "../../page/data.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { readWorkspace } from "../../source/notes/workspace.js";
import type { ReadSession } from "../../source/session/reader.js";
import { chosenIn, readChoices } from "../../state/choices.js";
import { readMemory } from "../../state/memory.js";
import { type Input, openSession } from "../input/input.js";

export interface PageInput {
  readonly loaded: LoadedRules;
  readonly project: string | undefined;
  readonly format?: string | undefined;
  readonly summary?: string | undefined;
}

type Mask = (text: string) => string;

export function pageData(input: Input, { loaded, project, format, summary }: PageInput): PageData {
  const mask = masker(loaded.rules.redactions);
  const { session, notices } = readMasked(input, loaded, format);
  const { choices } = readChoices(project ?? ".");
  const judged = loaded.judge ? readMemory(session.id).memory?.judged : undefined;
  const { files, items, notices: unread = [] } = project === undefined ? {} : readWorkspace(project, loaded.rules);
  const masked = <T extends { readonly text: string }>(file: T): T => ({ ...file, text: mask(file.text) });
  const workspace = {
    notices: [...notices, ...unread],
    ...(files && { files: files.map(masked) }),
    ...(items && { items: items.map((item) => ({ ...item, artifacts: item.artifacts.map(masked) })) }),
  };
  const safe = { ...choices, pins: choices.pins.map(mask) };
  const { continuation } = extract(session, loaded.rules, { ...workspace, ...chosenIn(safe), statements: false });
  return {
    session,
    folder: resolve(project ?? "."),
    project: basename(resolve(project ?? ".")),
    files: packTexts(loaded, resolve(project ?? ".")),
    workspace,
    choices: { pins: safe.pins, drops: safe.drops },
    items: continuation.items,
    ...(judged && { judged: redactValue(judged, mask) as typeof judged }),
    ...(summary !== undefined && { summary: mask(summary) }),
  };
}

/** A session without secrets, and without tool output that no rule needs. */
export function readMasked(input: Input, { rules }: LoadedRules, format?: string): ReadSession {
  const mask = masker(rules.redactions);
  const { session, notices } = openSession(input, needsOf(rules), format);
  return { session: maskSession(session, mask), notices };
}

const maskSession = (session: Session, mask: Mask): Session => ({
  ...session,
  messages: session.messages.map((message) => ({
    ...message,
    text: mask(message.text),
    toolCalls: message.toolCalls.map((call) => ({
      ...call,
      name: mask(call.name),
      input: redactValue(call.input, mask),
      output: mask(call.output),
    })),
  })),
});

/** The configuration, packs and templates that are not built in. */
export function packTexts({ packs }: LoadedRules, folder: string): PageData["files"] {
  const own = packs.packs.filter((pack) => !isBuiltIn(pack) && pack.yaml.text !== "");
  const manifests = own
    .filter(({ file }) => file.includes("node_modules"))
    .flatMap(({ root }) => {
      const file = join(root, "package.json");
      const text = orUndefined(() => readRegular(file, PACK_BYTES).toString("utf8"));
      return text === undefined ? [] : [[file, text] as const];
    });
  const templates = [...packs.templates.values()].flatMap(({ text, textFile }) =>
    textFile === undefined || isBuiltInFile(textFile) ? [] : [[textFile, text] as const],
  );
  return Object.fromEntries([
    // Marks where the project ends, as a repository does.
    [join(projectRoot(folder), ".git"), ""],
    ...own.map(({ file, yaml }) => [file, yaml.text] as const),
    ...manifests,
    ...templates,
  ]);
}
