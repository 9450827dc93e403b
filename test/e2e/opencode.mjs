// A real `opencode serve` as a child process, and its HTTP interface.
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";

const running = new Set();

/** Ends every OpenCode that was started here, with its children: each leads a process group of its own. */
export function killAll() {
  for (const child of running) signal(child, "SIGKILL");
}

function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch {
    // It is gone already.
  }
}

/** `--port 0` would mean 4096. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export async function startServer({ binary, folder, environment, onOutput }) {
  const port = await freePort();
  const args = ["serve", "--hostname", "127.0.0.1", "--port", String(port), "--print-logs", "--log-level", "INFO"];
  const child = spawn(binary, args, { cwd: folder, env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const ended = new Promise((resolve) => child.once("exit", resolve)).then(() => running.delete(child));
  const url = await new Promise((resolve, reject) => {
    let start = "";
    const timer = setTimeout(() => reject(new Error(`opencode serve did not start:\n${start.slice(-1000)}`)), 40_000);
    const take = (data) => {
      onOutput(String(data));
      start = (start + data).slice(-20_000);
      const [, found] = /listening on (http:\/\/\S+)/.exec(start) ?? [];
      if (found) resolve(found);
      if (found) clearTimeout(timer);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    ended.then(() => reject(new Error(`opencode serve ended:\n${start.slice(-1000)}`)));
  });
  return { url, stop };

  async function stop() {
    signal(child, "SIGTERM");
    const timer = setTimeout(() => signal(child, "SIGKILL"), 3_000);
    await ended;
    clearTimeout(timer);
  }
}

/** A request about the project in `folder`; the first one makes OpenCode load the project's plugins. */
export async function call(url, folder, method, path, body, timeout = 45_000) {
  const address = new URL(path, url);
  address.searchParams.set("directory", folder);
  const response = await fetch(address, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Errors while plugins load stand in no log: they are only told to those who listen. */
export async function listen(url, onEvent) {
  const controller = new AbortController();
  const response = await fetch(new URL("/global/event", url), { signal: controller.signal });
  read(response, onEvent).catch(() => {});
  return () => controller.abort();
}

async function read(response, onEvent) {
  const decoder = new TextDecoder();
  let pending = "";
  for await (const chunk of response.body) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split("\n");
    pending = lines.pop();
    for (const line of lines) if (line.startsWith("data:")) onEvent(JSON.parse(line.slice(5)).payload ?? {});
  }
}

/** A command of OpenCode that ends by itself, such as `import`; plugins are not loaded. */
export function command({ environment, ...rest }, ...args) {
  return run({ ...rest, environment: { ...environment, OPENCODE_PURE: "1", OPENCODE_CONFIG_CONTENT: "{}" } }, ...args);
}

/** The same with the project's plugins; gives what it prints. */
export function run({ binary, folder, environment }, ...args) {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...environment, PWD: folder }, timeout: 60_000 };
    const child = execFile(binary, args, options, (error, output) => (error ? reject(error) : resolve(output)));
    // `opencode run` reads what is piped to it before it starts.
    child.stdin.end();
  });
}
