// A real Chromium for tests of pages, and pages to open in it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { PageModel } from "../../src/page/page-model.js";

/** UPDATE=1 writes the pictures of README and docs. */
export const PICTURES = process.env.UPDATE ? "docs" : tmpdir();

export const COMMAND = resolve("dist/cli/main.js");

// Without these, the browser tries to reach its maker.
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

declare global {
  /** The model of the page in the browser. */
  var compactionPage: PageModel;
}

/** Starts a browser and a folder for the tests of a file. */
export function useBrowser() {
  let browser: Browser;
  const servers: ChildProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), "compaction-page-"));
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: QUIET });
  });
  afterAll(async () => {
    await browser.close();
    for (const server of servers) server.kill();
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    /** Opens an address. Errors of the page and requests to anywhere else fail the test. */
    async open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1300, height: 800 }, ...options });
      page.on("pageerror", (error) => {
        if (!error.message.includes("unsafe-eval")) expect.unreachable(`the page failed: ${error.stack}`);
      });
      const { origin } = new URL(address);
      page.on("request", (request) => {
        if (request.url() !== address) expect(new URL(request.url()).origin, request.url()).toBe(origin);
      });
      await page.goto(address);
      return page;
    },
    /** Writes the page of a session with `view`. @returns its address */
    view(session: unknown, ...args: readonly string[]): string {
      const path = typeof session === "string" ? session : join(folder, `session-${Math.random()}.json`);
      if (typeof session !== "string") writeFileSync(path, JSON.stringify(session));
      const out = join(folder, `page-${Math.random()}.html`);
      execFileSync(process.execPath, [COMMAND, "view", resolve(path), "--out", out, ...args], { cwd: folder });
      return `file://${out}`;
    },
    /** Starts `play` in a folder, until the tests are over. @returns its address */
    async play(cwd: string, ...args: readonly string[]): Promise<string> {
      const server = spawn(process.execPath, [COMMAND, "play", ...args], { cwd });
      servers.push(server);
      const [printed] = await once(server.stdout, "data");
      return String(printed).trim();
    },
  };
}

/** Waits until the engine in the page has read the session. */
export const isRead = (page: Page) => page.waitForFunction(() => globalThis.compactionPage?.progress.value === 100);

export const commandJson = (command: string, path: string, ...args: readonly string[]) =>
  JSON.parse(execFileSync(process.execPath, [COMMAND, command, path, "--json", ...args], { encoding: "utf8", maxBuffer: 1e9 }));
