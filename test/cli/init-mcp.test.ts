// compaction init --host --mcp: the entry of the server is added, and what was there before comes back.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findAgents } from "../../src/cli/first/agents-here.js";
import { initHost } from "../../src/cli/init/init-host.js";
import { type JsonNode, parseJsonc } from "../../src/cli/init/jsonc.js";

vi.mock("../../src/rules/load-rules.js", async (original) => (await import("./built-in-rules.js")).withBuiltInRules(original));
// What is said is in the scenarios.
vi.mock("../../src/cli/output/terminal.js", async (original) => ({ ...(await original<object>()), say: () => {} }));

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-init-mcp-")));
  mkdirSync(join(folder, ".git"));
  vi.stubEnv("XDG_STATE_HOME", `${folder}.state`);
  vi.stubEnv("NO_COLOR", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of [folder, `${folder}.state`]) rmSync(path, { recursive: true, force: true });
});

const JSON_HOSTS = {
  "claude-code": [".mcp.json", "mcpServers"],
  opencode: ["opencode.json", "mcp"],
  gemini: [".gemini/settings.json", "mcpServers"],
  cursor: [".cursor/mcp.json", "mcpServers"],
} as const;
type JsonHost = keyof typeof JSON_HOSTS;
const ALL = Object.entries(JSON_HOSTS) as readonly [JsonHost, readonly [string, string]][];
const CODEX = ".codex/config.toml";

const flags = { yes: true, mcp: true } as const;
const put = (host: string, more = {}) => initHost({ values: { host, project: folder }, flags: { ...flags, ...more } });
const remove = (host: string, more = {}) => put(host, { remove: true, ...more });
const read = (file: string) => readFileSync(join(folder, file), "utf8");
function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
const parsed = (text: string) => (parseJsonc(text) as JsonNode).value as Record<string, Record<string, unknown>>;

describe("an agent whose configuration is JSON", () => {
  test.each(ALL)("%s: writes it once, with --yes only, and removes it with its file", (host, [file, servers]) => {
    initHost({ values: { host, project: folder }, flags: { mcp: true } });
    expect(existsSync(join(folder, file))).toBe(false);
    put(host);
    const after = read(file);
    expect(JSON.stringify(parsed(after)[servers]?.["compaction-rules"])).toMatch(/"compaction-rules".*"mcp"/);
    put(host);
    expect(read(file)).toBe(after);
    remove(host);
    expect(existsSync(join(folder, file))).toBe(false);
  });

  const bodies = (servers: string): readonly string[] => [
    "{}",
    "{\n}\n",
    "",
    "\n",
    `{ "a": 1 }`,
    `{\r\n  "a": 1 // one\r\n}\r\n`,
    `{ "${servers}": {} }`,
    `{\n  "${servers}": {\n  }\n}`,
    `{\n\t"${servers}": {\n\t\t"other": { "command": "x" } // mine\n\t},\n\t"a": 1\n}`,
    `{ "${servers}": { "other": { "command": "x" }, }, }`,
    `{ /* none */ }`,
  ];
  test.each(ALL)("%s: any file comes back as it was", (host, [file, servers]) => {
    for (const body of bodies(servers)) {
      write(file, body);
      put(host);
      const value = parsed(read(file));
      expect(Object.keys(value[servers] ?? {})).toContain("compaction-rules");
      expect(value[servers]).toMatchObject((body.includes("other") && { other: { command: "x" } }) || {});
      remove(host);
      expect(read(file), body).toBe(body);
    }
  });

  test.each(ALL)("%s: a program in node_modules is started from there", (host, [file]) => {
    write("node_modules/.bin/compaction-rules", "");
    put(host);
    expect(read(file)).toMatch(/[/"]node_modules\/\.bin\/compaction-rules"/);
    remove(host);
    expect(existsSync(join(folder, file))).toBe(false);
  });

  test.each(ALL)("%s: a server of this name with other settings stays", (host, [file, servers]) => {
    const text = `{ "${servers}": { "compaction-rules": { "command": "docker" } } }`;
    write(file, text);
    put(host);
    expect(() => remove(host)).toThrow("with other settings: nothing was written");
    expect(read(file)).toBe(text);
    write(file, `{ "${servers}": [] }`);
    expect(() => put(host)).toThrow("is not a map");
  });

  test.each(["opencode", "gemini"] as const)("%s: hooks or plugin in the same file come and go by themselves", (host) => {
    const [file] = JSON_HOSTS[host];
    for (const body of ["{}", `{ "a": 1 }`, `{\n  "a": 1\n}\n`]) {
      write(file, body);
      put(host, { mcp: false });
      const own = read(file);
      put(host);
      remove(host);
      expect(read(file)).toBe(own);
      put(host);
      remove(host, { mcp: false });
      const { plugin, hooks, mcp, mcpServers } = parsed(read(file));
      expect(plugin ?? []).toEqual([]);
      expect(hooks).toBeUndefined();
      expect(mcp ?? mcpServers).toHaveProperty("compaction-rules");
      remove(host);
      expect(parsed(read(file)).a).toBe(parsed(body).a);
      rmSync(join(folder, file));
    }
  });
});

describe("Codex, whose configuration is TOML", () => {
  const TABLE = '[mcp_servers.compaction-rules]\ncommand = "compaction-rules"\nargs = ["mcp"]\n';

  test("any file comes back as it was", () => {
    put("codex");
    expect(read(CODEX)).toBe(TABLE);
    put("codex");
    expect(read(CODEX)).toBe(TABLE);
    remove("codex");
    expect(existsSync(join(folder, CODEX))).toBe(false);
    for (const body of [
      "",
      "\n",
      'model = "a"',
      'model = "a"\n',
      'model = "a"\n\n\n',
      'model = "a"\r\n[mcp_servers.other]\r\ncommand = "x"\r\n',
      '[mcp_servers]\nother = { command = "x" }\n',
      'text = """\n[mcp_servers]\n"""\n# end',
    ]) {
      write(CODEX, body);
      put("codex");
      expect(read(CODEX).startsWith(body)).toBe(true);
      expect(read(CODEX).replaceAll("\r", "")).toMatch(/(^|\n)\[mcp_servers\.compaction-rules\]\ncommand = /);
      remove("codex");
      expect(read(CODEX), body).toBe(body);
    }
  });

  test("after other changes too, and what stands behind it stays", () => {
    write(CODEX, 'model = "a"\n');
    put("codex");
    write(CODEX, `${read(CODEX)}\n[features]\nx = true\n`);
    remove("codex");
    expect(read(CODEX)).toBe('model = "a"\n[features]\nx = true\n');
  });

  test("what has another form is not touched", () => {
    for (const body of [
      'mcp_servers = { "compaction-rules" = { command = "x" } }\n',
      'mcp_servers."compaction-rules".command = "x"\n',
      '[mcp_servers]\n"compaction-rules" = { command = "x" }\n',
      '[mcp_servers."compaction-rules".env]\nA = "b"\n',
      'text = """\nopen\n',
    ]) {
      write(CODEX, body);
      expect(() => put("codex"), body).toThrow("nothing was written");
      expect(read(CODEX)).toBe(body);
    }
    for (const more of ["startup_timeout_sec = 9\n", '[mcp_servers.compaction-rules.env]\nA = "b"\n']) {
      write(CODEX, TABLE + more);
      expect(() => remove("codex"), more).toThrow("nothing was written");
      expect(read(CODEX)).toBe(TABLE + more);
    }
  });
});

test("--mcp is refused for an agent without it, and the server alone does not count as wired", () => {
  expect(() => put("pi")).toThrow('--host cannot be "pi"');
  expect(() => put("cursor", { mcp: false })).toThrow('--host cannot be "cursor"');
  put("gemini");
  mkdirSync(join(folder, ".gemini/tmp"));
  const agents = () => findAgents(folder, folder, {}).find(({ setup }) => setup.name === "gemini");
  expect(agents()?.configured).toEqual([]);
  put("gemini", { mcp: false });
  expect(agents()?.configured).not.toEqual([]);
});
