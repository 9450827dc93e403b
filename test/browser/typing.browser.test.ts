import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { sampleSession } from "../sample.js";
import { isRead, useBrowser } from "./browser.js";

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
# 0 ms:
# 5 ms:
# 20 ms:
# 40 ms:
# the end
`;
/** 300 characters that differ from their neighbours, so that a lost or moved one shows. */
const TYPED = Array.from({ length: 75 }, (_, index) => `${String(index).padStart(2, "0")}${"abcdefg"[index % 7]} `)
  .join("")
  .slice(0, 300);

/** The sample session and what a command printed, again and again. */
function sessionOf(rounds: number): string {
  const { messages, ...rest } = sampleSession();
  const output = Array.from({ length: 60 }, (_, line) => `src/file-${line}.ts:${line}: what a command printed`).join("\n");
  const copies = Array.from({ length: rounds }, (_, round) =>
    messages.map((message, index) => ({
      ...message,
      id: `m${round * messages.length + index + 1}`,
      text: `${message.text}\n\nThis is round ${round}, about file-${index}.ts.`,
      toolCalls: [...message.toolCalls, { name: "bash", input: { command: "npm test" }, output }],
    })),
  );
  return JSON.stringify({ ...rest, messages: copies.flat() });
}

async function openPlay(name: string, session: string) {
  const folder = join(browser.folder, name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  const pack = join(folder, "team.yaml");
  writeFileSync(join(folder, ".compactionrc"), "extends: [compaction:recommended, ./team.yaml]\n");
  writeFileSync(pack, PACK);
  writeFileSync(join(folder, "session.json"), session);
  const page = await browser.open(await browser.play(folder, "session.json"));
  await isRead(page);
  await page.locator(".cm-content").click();
  return { page, pack };
}

/** The text of the editor, and where its cursor is. The editor shows all lines, because the pack is short. */
const editorOf = (page: Page) =>
  page.evaluate(() => {
    const lines = [...document.querySelectorAll(".cm-line")];
    const { focusNode, focusOffset } = getSelection() as Selection;
    const line = lines.findIndex((one) => one.contains(focusNode));
    const range = document.createRange();
    range.setStart(lines[line] as Element, 0);
    range.setEnd(focusNode as Node, focusOffset);
    return { text: lines.map((one) => one.textContent).join("\n"), line, column: range.toString().length };
  });

/** Puts the cursor at the end of a line. */
async function goToLine(page: Page, line: number): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  for (let step = 0; step < line; step++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save…" }).click();
  await page.getByRole("button", { name: "Write it" }).click();
  await page.getByText("Saved.").waitFor();
}

describe.each([
  ["a short session", 1],
  ["a session of 2.4 MB", 77],
])("next to %s, the editor keeps what is typed", (name, rounds) => {
  let page: Page;
  let pack = "";
  let text = PACK;
  beforeAll(async () => {
    ({ page, pack } = await openPlay(name, sessionOf(rounds)));
  }, 120_000);

  // From the last line up: the cursor moves over lines as they are shown, and long ones are wrapped.
  test.each([40, 20, 5, 0])("with %d ms between keys, in the middle of the text", async (delay) => {
    const head = `# ${delay} ms:`;
    const line = PACK.split("\n").indexOf(head);
    await goToLine(page, line);
    await page.keyboard.type(TYPED, { delay });
    text = text.replace(head, head + TYPED);
    expect(await editorOf(page)).toEqual({ text, line, column: head.length + TYPED.length });
    await save(page);
    expect(readFileSync(pack, "utf8")).toBe(text);
  });
});

describe("what another program writes", () => {
  test("waits until the user leaves the editor, and keeps the cursor", async () => {
    const { page, pack } = await openPlay("waits", sessionOf(1));
    const line = PACK.split("\n").indexOf("# 5 ms:");
    await goToLine(page, line);
    const theirs = PACK.replace("name: team\n", "name: team\n# theirs\n");
    writeFileSync(pack, theirs);
    await page.getByText("It is reloaded when you leave the editor.").waitFor();
    expect(await editorOf(page)).toEqual({ text: PACK, line, column: "# 5 ms:".length });
    await page.locator("#file").focus();
    await page.getByText("Reloaded.").waitFor();
    await page.locator(".cm-content").focus();
    expect(await editorOf(page)).toEqual({ text: theirs, line: line + 1, column: "# 5 ms:".length });
    // It is not an edit of the user's.
    expect(await page.getByRole("button", { name: "Save…" }).isDisabled()).toBe(true);
  });

  test("is not overwritten when the user types before it is taken over", async () => {
    const { page, pack } = await openPlay("both", sessionOf(1));
    await goToLine(page, PACK.split("\n").indexOf("# 5 ms:"));
    writeFileSync(pack, `${PACK}# theirs\n`);
    await page.getByText("It is reloaded when you leave the editor.").waitFor();
    await page.keyboard.type(" mine", { delay: 5 });
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByText("Changed elsewhere, too").waitFor();
    await page.getByRole("button", { name: "Write it" }).click();
    await page.getByText("Not saved").waitFor();
    expect(await page.locator(".cm-content").innerText()).toContain("# 5 ms: mine");
    expect(readFileSync(pack, "utf8")).toBe(`${PACK}# theirs\n`);
  });

  test("does not take an edited pack away when it is no longer part of the configuration", async () => {
    const { page, pack } = await openPlay("gone", sessionOf(1));
    await goToLine(page, PACK.split("\n").indexOf("# 5 ms:"));
    await page.keyboard.type(" mine", { delay: 5 });
    writeFileSync(join(pack, "../.compactionrc"), "extends: [compaction:recommended]\n");
    await page.getByText("Changed elsewhere, too").waitFor();
    await page.locator("#file").focus();
    expect(await page.locator(".cm-content").innerText()).toContain("# 5 ms: mine");
  });
});
