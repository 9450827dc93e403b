// Throw-away folders, environment and configuration for an OpenCode that must not reach the network or the user's files.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { VERSION } from "../../.scripts/opencode-binary.mjs";

export const MODEL = { providerID: "scripted", modelID: "model" };

export const makeRoot = () => mkdtempSync(join(tmpdir(), "compaction-e2e-"));

export function writeFiles(folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}

/**
 * OpenCode installs its plugin package into every configuration folder and waits for it, up to 71 s without a network.
 * A lock file that lists it makes it skip the installation.
 */
function stubDependencies(folder) {
  const dependencies = { "@opencode-ai/plugin": VERSION };
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFiles(folder, {
    "package.json": { dependencies },
    "package-lock.json": { lockfileVersion: 3, packages: { "": { dependencies } } },
  });
}

/** Plugins of `before` are called before those of a project, those of `after` behind them. */
export function makeEnvironment(root, provider, { limit, before = [], after = [] }) {
  const home = join(root, "home");
  const folders = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_STATE_HOME: join(home, ".local/state"),
    TMPDIR: join(root, "tmp"),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const global = join(folders.XDG_CONFIG_HOME, "opencode");
  writeFiles(home, { "models.json": {} });
  writeFiles(global, { "opencode.json": { ...globalConfiguration(provider, limit), plugin: before } });
  stubDependencies(global);
  const off = "AUTOUPDATE MODELS_FETCH LSP_DOWNLOAD DEFAULT_PLUGINS CLAUDE_CODE EXTERNAL_SKILLS SHARE".split(" ");
  return {
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    SHELL: "/bin/sh",
    GIT_CONFIG_NOSYSTEM: "1",
    ...folders,
    ...Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, "1"])),
    OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: "1",
    OPENCODE_MODELS_PATH: join(home, "models.json"),
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ plugin: after }),
  };
}

function globalConfiguration(provider, limit = { context: 200_000, output: 8_000 }) {
  const model = { name: "Scripted", tool_call: true, reasoning: false, attachment: false, limit };
  return {
    autoupdate: false,
    share: "disabled",
    model: `${MODEL.providerID}/${MODEL.modelID}`,
    small_model: `${MODEL.providerID}/${MODEL.modelID}`,
    enabled_providers: [MODEL.providerID],
    permission: { "*": "allow" },
    // Nothing is ever undone here, and a snapshot costs several git processes for each step.
    snapshot: false,
    // Hardly anything is kept verbatim, so that a fact cannot survive by standing in a recent message.
    compaction: { tail_turns: 1, preserve_recent_tokens: 60 },
    provider: {
      [MODEL.providerID]: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: provider.url, apiKey: "none" },
        models: { [MODEL.modelID]: model },
      },
    },
  };
}

/** A project that says `plugin: false` brings a configuration of its own, or none. */
export function makeProject(root, name, { plugin = [], files = {} }) {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, { ...(plugin && { "opencode.json": { plugin } }), ...files });
  if (existsSync(join(folder, ".opencode"))) stubDependencies(join(folder, ".opencode"));
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=e2e", "-c", "user.email=e2e@localhost", ...args], { cwd: folder, stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  // OpenCode tells projects apart by their first commit: it must differ.
  git("commit", "-q", "-m", folder);
  return folder;
}
