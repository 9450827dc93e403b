// compaction play: serves the page of a session with an editor for the rules.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { inside, projectRoot } from "../../files/folders.js";
import { replaceFile } from "../../files/regular-file.js";
import { PACK_BYTES } from "../../limits.js";
import { type LoadedRules, loadRules } from "../../rules/load-rules.js";
import { isFields, parseJson } from "../../text/json.js";
import { findSessions, type SessionHere } from "../first/agents-here.js";
import type { Arguments } from "../input/arguments.js";
import { inputOf, listedInput, SAMPLE, STANDARD_INPUT } from "../input/open-session.js";
import { isOff, requireFolder } from "../input/project.js";
import { CommandError, say } from "../output/terminal.js";
import { packTexts, pageData, readMasked, toHtml } from "../page/page.js";
import { openInBrowser } from "../view.js";
import { createPlayServer, json, type Reply, refusal } from "./server.js";

const RECENT = 50;
const WATCH_MILLISECONDS = 400;
const CONFIG = ".compactionrc";
const STARTER = `# Rules for this project. Save to keep them: this file is written then.
extends: [compaction:recommended]

rules:
`;

export async function play({ values, flags, positionals }: Arguments): Promise<undefined> {
  const folder = resolve(requireFolder(values.project ?? "."));
  const [given, ...more] = positionals;
  if (more.length > 0 || given === STANDARD_INPUT) throw new CommandError("name one session file");
  const recent = () => recentSessions(values.sessions);
  const [newest] = given === undefined ? recent() : [];
  const path = given ?? newest?.path ?? SAMPLE;
  if (isOff(loadRules(folder))) return;

  let listed: readonly SessionHere[] = [];
  const token = randomBytes(24).toString("base64url");
  const server = createPlayServer(token, {
    page: () => {
      const loaded = loadRules(folder);
      const data = pageData(newest ? listedInput(newest) : inputOf(path), { loaded, project: folder, format: values.format });
      const files = filesOf(folder, loaded);
      const file = Object.keys(files).find((name) => mayBeSaved(name, folder) && name !== loaded.file) ?? loaded.file;
      const nonce = randomBytes(16).toString("base64");
      // The page saves packs at their places.
      return toHtml({ ...data, folder, files, play: { token, nonce, file: file ?? join(folder, CONFIG) } });
    },
    get: {
      "/sessions": () => {
        listed = recent();
        return json(listed.map((one) => one.path));
      },
      "/session": (query) => session(listed, query.get("path") ?? "", loadRules(folder)),
    },
    post: { "/save": (body) => save(parseJson(body), folder) },
    listen: (send) => watch(folder, path, send),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const address = `http://127.0.0.1:${port}/?token=${token}`;
  say(`${address}\n`);
  if (flags.open) openInBrowser(address);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  server.close();
  server.closeAllConnections();
}

const recentSessions = (folder: string | undefined) =>
  findSessions(folder === undefined ? undefined : resolve(requireFolder(folder))).slice(0, RECENT);

/** The packs of a project. Without a configuration, it gets one to try rules in. */
const filesOf = (folder: string, loaded = loadRules(folder)): Readonly<Record<string, string>> => ({
  ...packTexts(loaded, folder),
  ...(loaded.file === undefined && { [join(folder, CONFIG)]: STARTER }),
});

function session(known: readonly SessionHere[], path: string, loaded: LoadedRules): Reply {
  const one = known.find((other) => other.path === path);
  if (!one) return refusal(403, "this is not one of the sessions");
  try {
    return json(readMasked(listedInput(one), loaded).session);
  } catch (error) {
    return refusal(422, (error as Error).message);
  }
}

/** Is it a pack or the configuration, and a file of the project itself? */
function mayBeSaved(file: string, folder: string): boolean {
  const root = projectRoot(folder);
  const isPack = /\.ya?ml$/.test(file) || file.endsWith(CONFIG);
  const steps = file.slice(root.length).split(/[\\/]/).slice(1, -1);
  const isForeign = steps.some((step) => step === "node_modules" || step.startsWith("."));
  return resolve(file) === file && isPack && inside(file, root) && !isForeign;
}

/** Writes a pack that the page has loaded. `was` is what the page knows of it: newer changes are not overwritten. */
function save(body: unknown, folder: string): Reply {
  const { file, text, was } = isFields(body) ? body : {};
  if (typeof file !== "string" || typeof text !== "string" || typeof was !== "string") return refusal(400, "file, text and was");
  const known = filesOf(folder);
  if (!mayBeSaved(file, folder) || !Object.hasOwn(known, file)) return refusal(403, `${file} is not a pack of the project`);
  if (Buffer.byteLength(text) > PACK_BYTES) return refusal(413, `a pack has at most ${PACK_BYTES} bytes`);
  if (known[file] !== was) return refusal(409, `${file} was changed by somebody else`);
  replaceFile(file, text, { exactMode: statSync(file, { throwIfNoEntry: false })?.mode });
  return json({ saved: file });
}

/** Sends the packs when one changes, and a word when the session does. */
function watch(folder: string, path: string, send: (data: string) => void): () => void {
  const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const timesOf = (files: object) => Object.keys(files).map(timeOf).join();
  let files = filesOf(folder);
  let times: string | undefined;
  let time = timeOf(path);
  const timer = setInterval(() => {
    // The times come before the texts: a file that is written while they are read is read again.
    const now = timesOf(files);
    if (now !== times) {
      files = filesOf(folder);
      times = now;
      send(JSON.stringify({ files }));
    }
    if (timeOf(path) !== time) send(JSON.stringify({ session: true }));
    time = timeOf(path);
  }, WATCH_MILLISECONDS);
  return () => clearInterval(timer);
}
