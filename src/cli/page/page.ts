// A page of view and play: what it shows, and the file that it is. Secrets are masked before anything is put into it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { isBuiltIn, isBuiltInFile } from "../../config/load-pack.js";
import { parseYaml } from "../../config/parse-yaml.js";
import { needsOf } from "../../extract/calls/call.js";
import { extract } from "../../extract/pipeline.js";
import { maskSession } from "../../extract/redact-session.js";
import { orUndefined, projectRoot } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { PACK_BYTES } from "../../limits.js";
import type { Item, ProjectFile, WorkItem } from "../../model.js";
import type { PageData } from "../../page/data.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { maskBody, maskTemplate } from "../../rules/redact/mask-pack.js";
import { masker, redactValue } from "../../rules/redact/redact.js";
import { readWorkspace } from "../../source/notes/workspace.js";
import type { ReadSession } from "../../source/session/reader.js";
import { chosenIn, readChoices } from "../../state/choices.js";
import { readMemory } from "../../state/memory.js";
import { markControls, oneLine } from "../../text/forms.js";
import { livesIn, toJson } from "../guards/lives.js";
import { type ExtractionInput, type Input, openSession } from "../input/open-session.js";

type Mask = (text: string) => string;

/** Masks each step by itself, so that a path still begins with the folder above it. */
const maskPath = (path: string, mask: Mask) =>
  path
    .split(/([\\/])/)
    .map(mask)
    .join("");

/** @param summary to be compared with the session */
export function pageData(input: Input, { loaded, project, format }: ExtractionInput, summary?: string): PageData {
  const folder = resolve(project ?? ".");
  const mask = masker(loaded.rules.redactions);
  const { session, notices } = readMasked(input, loaded, format);
  const { choices } = readChoices(project ?? ".");
  const judged = loaded.judge ? readMemory(session.id).memory?.judged : undefined;
  const { files, items, notices: unread = [] } = project === undefined ? {} : readWorkspace(project, loaded.rules);
  const masked = <T extends ProjectFile>(file: T): T => ({ ...file, path: mask(file.path), text: mask(file.text) });
  const maskedItem = ({ name, folder: path, artifacts, ...item }: WorkItem): WorkItem => {
    return { ...item, name: mask(name), folder: mask(path), artifacts: artifacts.map(masked) };
  };
  const workspace = {
    notices: [...notices, ...unread],
    files: files?.map(masked),
    items: items?.map(maskedItem),
  };
  const safe = { ...choices, pins: choices.pins.map(mask) };
  const { continuation } = extract(session, loaded.rules, { ...workspace, ...chosenIn(safe), statements: false });
  return {
    session,
    folder: maskPath(folder, mask),
    project: mask(basename(folder)),
    files: packTexts(loaded, folder, mask),
    workspace,
    choices: { pins: safe.pins, drops: safe.drops },
    items: continuation.items,
    lives: livesOfPage(session, continuation.items, loaded, folder, mask),
    judged: judged && (redactValue(judged, mask) as typeof judged),
    summary: summary === undefined ? summary : mask(summary),
  };
}

/** The rules of the user that something became of. */
function livesOfPage(session: ReadSession["session"], items: readonly Item[], loaded: LoadedRules, folder: string, mask: Mask) {
  const lives = livesIn(session, items, loaded, folder).filter(({ events }) => events.length > 0);
  return redactValue(lives.map(toJson), mask) as PageData["lives"];
}

/** A session without secrets, and without tool output that no rule needs. */
export function readMasked(input: Input, { rules }: LoadedRules, format?: string): ReadSession {
  const { session, notices } = openSession(input, needsOf(rules), format);
  return { session: maskSession(session, masker(rules.redactions)), notices };
}

/** The configuration, packs and templates that are not built in. With masks, packs lose their comments. */
export function packTexts({ packs }: LoadedRules, folder: string, mask?: Mask): PageData["files"] {
  const masked = (file: string, text: string) =>
    mask ? JSON.stringify(maskBody(parseYaml(file, text).value, mask) ?? null) : text;
  const own = packs.packs.filter((pack) => !isBuiltIn(pack) && pack.yaml.text !== "");
  const manifests = own
    .filter(({ file }) => file.includes("node_modules"))
    .flatMap(({ root }) => {
      const file = join(root, "package.json");
      const text = orUndefined(() => readRegular(file, PACK_BYTES).toString("utf8"));
      return text === undefined ? [] : [[file, masked(file, text)] as const];
    });
  const templates = [...packs.templates.values()].flatMap(({ text, textFile }) =>
    textFile === undefined || isBuiltInFile(textFile) ? [] : [[textFile, mask ? maskTemplate(mask)(text) : text] as const],
  );
  const all = [
    // Marks where the project ends, as a repository does.
    [join(projectRoot(folder), ".git"), ""] as const,
    ...own.map(({ file, yaml }) => [file, masked(file, yaml.text)] as const),
    ...manifests,
    ...templates,
  ];
  return Object.fromEntries(all.map(([file, text]) => [mask ? maskPath(file, mask) : file, text]));
}

const part = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const packed = (json: string) => gzipSync(json).toString("base64");
const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The policy lets nothing run but the programs of the page, and nothing be fetched but from the server of a playground. The data
 * is compressed, so that no text of a session is ever part of the page's markup. */
export function toHtml(data: PageData): string {
  const scripts = [...(data.play ? [part("page/editor.js")] : []), part("page/page.js")];
  const style = part("page/page.css");
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(" ")}`,
    `style-src ${hash(style)}${data.play ? ` 'nonce-${data.play.nonce}'` : ""}`,
    ...(data.play ? ["connect-src 'self'", "img-src data:"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(markControls(oneLine(data.session.id || data.project)))} · compaction</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript. It runs only what is in this file, and fetches nothing.</noscript></div>
<script type="text/plain" id="built-in">${packed(builtIn())}</script>
<script type="text/plain" id="data">${packed(JSON.stringify(data))}</script>
${scripts.map((text) => `<script>${text}</script>`).join("\n")}
</body>
</html>
`;
}

/** The built-in packs, as the build prepared them: modules of the library, each with one value in JSON. */
function builtIn(): string {
  const values = ["prepared", "phrases", "texts", "templates"].map((name) => {
    const module = part(`config/data/${name}.js`);
    return `"${name}":${module.slice("export default ".length, -1)}`;
  });
  return `{${values.join()}}`;
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (unit) => `&#${unit.charCodeAt(0)};`);
