import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { SAMPLE } from "../sample.js";
import { COMMAND, isRead, PICTURES, useBrowser } from "./browser.js";

const browser = useBrowser();

const PACK = `compaction: 1
name: team
rules:
  prefers:
    emit: decision
    match: "default {text}"
    examples:
      - text: "The default is 64 KB."
        emits: { text: is 64 KB }
      - text: "It is 64 KB."
        emits: none
`;
const ADDED = `${PACK}  batches:
    emit: note
    match: "batches go to {text}"
    examples:
      - text: "Batches go to Postgres."
        emits: { text: Postgres }
      - text: "It is a batch."
        emits: none
`;

/** A project with a pack of its own and two sessions, and its playground. @returns the address and the folder */
async function playground(name: string): Promise<{ readonly address: string; readonly folder: string; readonly pack: string }> {
  const folder = join(browser.folder, name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, "sessions"));
  writeFileSync(join(folder, ".compactionrc"), "extends: [compaction:recommended, ./team.yaml]\n");
  writeFileSync(join(folder, "team.yaml"), PACK);
  cpSync(SAMPLE, join(folder, "sessions/one.json"));
  writeFileSync(
    join(folder, "sessions/two.json"),
    '{"id":"two","messages":[{"id":"m","role":"assistant","text":"Batches go to Kafka."}]}',
  );
  writeFileSync(join(folder, "sessions/broken.json"), "{");
  const address = await browser.play(folder, "sessions/one.json", "--sessions", "sessions");
  return { address, folder, pack: join(folder, "team.yaml") };
}

const type = async (page: Page, text: string) => {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
};

describe("the playground", () => {
  let at: Awaited<ReturnType<typeof playground>>;
  let page: Page;
  beforeAll(async () => {
    at = await playground("edits");
    page = await browser.open(at.address, { viewport: { width: 1200, height: 720 } });
    await isRead(page);
  });

  test("shows the packs of the project and the built-in ones", async () => {
    expect(await page.locator(".cm-content").innerText()).toContain("prefers:");
    await page.locator("#file").selectOption({ label: "compaction:recommended" });
    await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent?.includes("compaction:"));
    await page.keyboard.press("Tab");
    expect(await page.getByRole("button", { name: "Save…" }).isDisabled()).toBe(true);
    await page.locator("#file").selectOption({ label: "team.yaml" });
  });

  test("applies an edit at once, and shows the facts that it gains and loses", async () => {
    await type(page, ADDED);
    await page.waitForSelector(".changes .gained");
    await page.screenshot({ path: join(PICTURES, "view-play.png") });
    expect(await page.locator(".changes").innerText()).toMatch(/\+ note .*Postgres.*batches/);
    await type(page, ADDED.replace('match: "default', 'match: "nowhere'));
    await page.waitForSelector(".changes .lost");
    expect(await page.locator(".changes .lost").first().innerText()).toContain("prefers");
  });

  test("shows the calls that a guard is for while it is edited", async () => {
    const guarded = (path: string) =>
      `${PACK}guards:\n  frozen: { on: { tool: edit, path: "${path}" }, then: refuse, say: "No." }\n`;
    await type(page, guarded("src/**"));
    await page.locator(".guards li").first().waitFor();
    expect(await page.locator(".guards li").first().innerText()).toMatch(/^frozen src\/.+ refuse$/);
    await type(page, guarded("vendor/**"));
    await page.getByText("Calls that a guard is for: 0").waitFor();
    await type(page, PACK);
    await page.locator(".guards").waitFor({ state: "detached" });
  });

  test("shows what is wrong where validate does", async () => {
    const wrong = ADDED.replace("emit: note", "emit: nota").replace('"default {text}"', '"default {text"');
    await type(page, wrong);
    // The mark in the text is on the word.
    await page.locator(".cm-lintRange-error", { hasText: /^nota$/ }).waitFor();
    const copy = `${at.folder}-copy`;
    cpSync(at.folder, copy, { recursive: true });
    writeFileSync(join(copy, "team.yaml"), wrong);
    const told = await page.locator(".findings b").allInnerTexts();
    const expected = validate(copy).map(({ line, column, severity }) => `${line}:${column} ${severity}`);
    expect(expected.length).toBeGreaterThan(0);
    expect([...told].sort()).toEqual([...expected].sort());
    expect(await page.locator("#panel").innerText()).toContain("when the errors are fixed");
    expect(await page.getByRole("button", { name: "Save…" }).isDisabled()).toBe(true);
  });

  test("completes keys and values, and explains keys", async () => {
    await type(page, "compaction: 1\nname: team\nrules:\n  x:\n    em");
    await page.keyboard.press("Control+ ");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    expect(await page.locator(".cm-tooltip-autocomplete").innerText()).toContain("emit");
    await page.keyboard.press("Escape");
    await type(page, "compaction: 1\nname: team\nrules:\n  x:\n    emit: d");
    await page.keyboard.press("Control+ ");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    expect(await page.locator(".cm-tooltip-autocomplete").innerText()).toContain("decision");
    await page.keyboard.press("Escape");
    await page.locator(".cm-line", { hasText: "emit" }).getByText("emit").hover();
    await page.waitForSelector(".hover");
    expect(await page.locator(".hover").innerText()).toContain("kind of fact");
  });

  test("tries the edits on other sessions", async () => {
    await type(page, ADDED);
    await page.waitForSelector(".changes .gained");
    await page.getByRole("button", { name: /Try on my last/ }).click();
    await page.getByText(/Tried on 3 sessions/).waitFor();
    const told = await page.locator(".tries").innerText();
    expect(told).toContain("Kafka");
    expect(told).toContain("one.json +1");
    expect(told).toContain("broken.json");
  });

  test("writes a pack after a confirmation, and nothing before", async () => {
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(readFileSync(at.pack, "utf8")).toBe(PACK);
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByRole("button", { name: "Write it" }).click();
    await page.getByText("Saved.").waitFor();
    expect(readFileSync(at.pack, "utf8")).toBe(ADDED);
    await page.getByText("No fact more, no fact less.").waitFor();
  });

  test("takes over what another program writes, and does not overwrite it", async () => {
    writeFileSync(at.pack, `${ADDED}# by somebody else\n`);
    await page.getByText("Reloaded.").waitFor();
    expect(await page.locator(".cm-content").innerText()).toContain("# by somebody else");
    await type(page, `${ADDED}# mine\n`);
    writeFileSync(at.pack, `${ADDED}# theirs\n`);
    await page.getByText("Changed elsewhere, too").waitFor();
    expect(await page.locator(".cm-content").innerText()).toContain("# mine");
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByRole("button", { name: "Write it" }).click();
    await page.getByText("Not saved").waitFor();
    expect(readFileSync(at.pack, "utf8")).toContain("# theirs");
  });
});

test("all tabs are in view in a narrow window", async () => {
  const page = await browser.open((await playground("narrow")).address, { viewport: { width: 390, height: 780 } });
  await isRead(page);
  const ends = await page.getByRole("tab").evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().right));
  expect(ends).toHaveLength(4);
  for (const end of ends) expect(end).toBeLessThanOrEqual(390);
});

test("a project without a configuration gets one when it is saved", async () => {
  const folder = join(browser.folder, "bare");
  mkdirSync(join(folder, ".git"), { recursive: true });
  const page = await browser.open(await browser.play(folder, resolve(SAMPLE)));
  await isRead(page);
  expect(existsSync(join(folder, ".compactionrc"))).toBe(false);
  await type(page, "rules: { rationale: off }\n");
  await page.getByRole("button", { name: "Save…" }).click();
  await page.getByRole("button", { name: "Write it" }).click();
  await page.getByText("Saved.").waitFor();
  expect(readFileSync(join(folder, ".compactionrc"), "utf8")).toBe("rules: { rationale: off }\n");
});

describe("the server refuses", () => {
  let at: Awaited<ReturnType<typeof playground>>;
  let token = "";
  beforeAll(async () => {
    at = await playground("refusals");
    token = new URL(at.address).searchParams.get("token") ?? "";
  });
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) =>
    new Promise<number>((done, fail) => {
      const { hostname, port } = new URL(at.address);
      const method = body === undefined ? "GET" : "POST";
      const sent = request({ hostname, port, path, method, headers }, (answer) => {
        answer.resume();
        done(answer.statusCode ?? 0);
      });
      sent.on("error", fail);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const own = () => ({ "x-compaction-token": token });
  const saving = (file: string, was = PACK) => ask("/save", own(), { file, text: "hacked", was });

  test("a request without the token, or with another one", async () => {
    for (const path of ["/", "/sessions", "/session?path=x", "/events", "/nothing"]) expect(await ask(path), path).toBe(403);
    expect(await ask(`/?token=${"x".repeat(token.length)}`)).toBe(403);
    expect(await ask("/save", {}, { file: at.pack, text: "hacked", was: PACK })).toBe(403);
    expect(await ask(`/?token=${token}`)).toBe(200);
  });

  test("a request from another origin, or to another name of this machine", async () => {
    for (const origin of ["https://attacker.invalid", "null", "http://127.0.0.1:1", "http://localhost"]) {
      expect(await ask("/sessions", { ...own(), origin }), origin).toBe(403);
      expect(await ask("/save", { ...own(), origin }, { file: at.pack, text: "hacked", was: PACK }), origin).toBe(403);
    }
    expect(await ask("/sessions", { ...own(), host: "attacker.invalid" })).toBe(403);
    expect(await ask("/sessions", { ...own(), "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await ask("/sessions", own())).toBe(200);
  });

  test("to write or read outside of the packs and sessions of the project", async () => {
    const outside = join(browser.folder, "outside.yaml");
    writeFileSync(outside, PACK);
    symlinkSync(outside, join(at.folder, "link.yaml"));
    writeFileSync(join(at.folder, ".compactionrc"), "extends: [./team.yaml, ./link.yaml]\n");
    const places = [
      outside,
      "/etc/passwd",
      `${at.folder}/../outside.yaml`,
      "team.yaml",
      join(at.folder, "link.yaml"),
      join(at.folder, "new.yaml"),
      join(at.folder, ".git/config"),
      join(at.folder, "sessions/one.json"),
    ];
    for (const place of places) expect(await saving(place), place).toBe(403);
    expect(readFileSync(outside, "utf8")).toBe(PACK);
    for (const path of ["/etc/passwd", join(at.folder, "team.yaml"), "../outside.yaml"])
      expect(await ask(`/session?path=${encodeURIComponent(path)}`, own()), path).toBe(403);
    expect(await saving(at.pack, "not what is there")).toBe(409);
    expect(await ask("/save", own(), { file: at.pack, text: "x".repeat(3_000_000), was: PACK })).toBe(413);
    expect(readFileSync(at.pack, "utf8")).toBe(PACK);
  });

  test("to be reached from another machine", () => {
    expect(new URL(at.address).hostname).toBe("127.0.0.1");
  });
});

interface Reported {
  readonly line: number;
  readonly column: number;
  readonly severity: string;
}

function validate(cwd: string): readonly Reported[] {
  const { stdout } = spawnSync(process.execPath, [COMMAND, "validate", "--reporter", "json"], { cwd, encoding: "utf8" });
  return JSON.parse(stdout).findings;
}
