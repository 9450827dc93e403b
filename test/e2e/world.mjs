// One OpenCode with its model: projects in it, sessions in them, turns and compactions in those.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MODEL, makeEnvironment, makeProject, makeRoot } from "./folders.mjs";
import { call, command, listen, run, startServer } from "./opencode.mjs";
import { startProvider } from "./provider.mjs";
import { promptParts, readable } from "./summariser.mjs";

export async function openWorld(binary, options = {}) {
  const root = makeRoot();
  const provider = await startProvider();
  const environment = makeEnvironment(root, provider, options);
  const state = join(environment.XDG_STATE_HOME, "compaction-rules");
  const settings = join(environment.XDG_CONFIG_HOME, "compaction-rules");
  const world = {
    root,
    provider,
    environment,
    state,
    settings,
    log: "",
    loadErrors: [],
    sessionErrors: [],
    start,
    stop,
    restart,
    project,
    importFile,
    close,
  };
  let server;
  let deafen;
  if (!options.idle) await start();
  return world;

  async function start() {
    server = await startServer({ binary, folder: root, environment, onOutput: (text) => (world.log += text) });
    deafen = await listen(server.url, ({ type, properties }) => {
      if (type !== "session.error") return;
      (properties?.sessionID ? world.sessionErrors : world.loadErrors).push(JSON.stringify(properties?.error));
    });
  }
  async function stop() {
    deafen?.();
    await server?.stop();
    server = undefined;
  }
  async function restart() {
    await stop();
    await start();
  }
  async function close() {
    await stop();
    await provider.close();
    rmSync(root, { recursive: true, force: true });
  }
  function project(name, content) {
    const folder = makeProject(root, name, content);
    const ask = (...request) => call(server.url, folder, ...request);
    /** `opencode run` in the project, with what the model answers. */
    const runs = (reply, ...args) => {
      provider.replies = [{ text: reply }];
      return run({ binary, folder, environment }, "run", ...args);
    };
    return { folder, ask, runs, session: (id) => openSession(world, ask, id) };
  }
  function importFile(folder, file) {
    return command({ binary, folder, environment }, "import", file);
  }
}

async function openSession(world, ask, given) {
  const id = given ?? (await ask("POST", "/session", { title: "A test" })).id;
  return { id, say, command, compact, messages };

  /** Plays a turn; gives the answer's text and what the model could read in each request of the turn. */
  function say(text, ...replies) {
    return turn("message", { model: MODEL, parts: [{ type: "text", text }] }, replies);
  }

  /** The same for a command, and what a client shows as the user's own message. */
  async function command(name, typed, ...replies) {
    const played = await turn("command", { command: name, arguments: typed }, replies);
    const { parts } = (await messages()).findLast(({ info }) => info.role === "user");
    return { ...played, parts, shown: partsText({ parts: parts.filter(({ synthetic }) => !synthetic) }) };
  }

  async function turn(path, body, replies) {
    const from = world.provider.requests.length;
    world.provider.replies = replies.map((reply) => (typeof reply === "string" ? { text: reply } : reply));
    const answer = await ask("POST", `/session/${id}/${path}`, body);
    const requests = world.provider.requests.slice(from).filter(({ kind }) => kind === "chat");
    return { answer: partsText(answer), requests: requests.map(({ body }) => readable(body)) };
  }

  /** Compacts with a model of that temper; `block` is what the stored summary says beyond the model's words. */
  async function compact(mode = "amnesic") {
    const from = world.provider.requests.length;
    world.provider.mode = mode;
    await ask("POST", `/session/${id}/summarize`, { ...MODEL, auto: false });
    const request = world.provider.requests.slice(from).find(({ kind }) => kind === "compaction");
    if (!request) throw new Error("no compaction was requested");
    world.provider.mode = "amnesic";
    const stored = partsText((await messages()).findLast(({ info }) => info.summary === true));
    const said = request.reply.text ?? "";
    const block = stored.startsWith(said) ? stored.slice(said.length) : stored;
    return { ...promptParts(request.body), said, stored, block };
  }

  async function messages() {
    return ask("GET", `/session/${id}/message`);
  }
}

const partsText = ({ parts = [] } = {}) =>
  parts
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n");

/** The plugin's files about one session. */
export const stateFiles = (folder, id) =>
  (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.includes(id)).map((name) => join(folder, name));

/** All that the plugin has stored, as text: in JSON, quotation marks and line ends are written differently. */
export function storedText(folder) {
  if (!existsSync(folder)) return "";
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const text = files.map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8")).join("\n");
  return text.replaceAll("\\n", "\n").replaceAll('\\"', '"');
}
