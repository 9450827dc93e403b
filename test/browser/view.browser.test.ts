import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { SAMPLE, sampleSession } from "../sample.js";
import { ATTACKS } from "./attacks.js";
import { commandJson, isRead, PICTURES, useBrowser } from "./browser.js";

const browser = useBrowser();
const CORPUS = "../shared/corpus/sessions";
const SUMMARY =
  "Make the importer stream files above 2 GB.\n\n- Use a Transform stream.\n- The public API must change, and please add a dependency.\n";

const sample = async (...args: readonly string[]) => {
  const page = await browser.open(browser.view(SAMPLE, ...args));
  await isRead(page);
  return page;
};
const facts = (page: Page) => page.locator(".fact");

describe("the page of a session", () => {
  test("opens from disk, shows the conversation, and is smaller than 3 MB", async () => {
    const address = browser.view(SAMPLE);
    expect(statSync(new URL(address)).size).toBeLessThan(3_000_000);
    // The page is only for the user.
    expect(statSync(new URL(address)).mode & 0o77).toBe(0);
    const page = await browser.open(address);
    await isRead(page);
    expect(await page.locator(".message").first().innerText()).toContain("Our importer falls over on files above 2 GB.");
    expect(await facts(page).count()).toBeGreaterThan(10);
    expect(await page.locator("details.call[open]").count()).toBe(0);
    await page.getByText("npm test").first().click();
    expect(await page.locator("details.call[open] pre").innerText()).toContain("npm test");
  });

  test("hides a kind and shows it again", async () => {
    const page = await sample();
    const before = await facts(page).count();
    const button = page.getByRole("button", { name: /^decision/ });
    await button.click();
    expect(await page.locator(".fact.kind-decision").count()).toBe(0);
    expect(await facts(page).count()).toBeLessThan(before);
    await button.click();
    expect(await facts(page).count()).toBe(before);
  });

  test("shows what drops out when the budget shrinks", async () => {
    const page = await sample();
    const text = () => page.locator(".lines").innerText();
    const whole = await text();
    const used = async () => Number(/^\d+/.exec(await page.locator(".budget output").innerText())?.[0]);
    // While there is room for more than the next step, nothing drops out.
    for (const budget of [3_000, 500]) {
      await page.locator("#budget").fill(String(budget));
      const free = budget - (await used());
      expect(free).toBeGreaterThanOrEqual(60);
      expect(await page.locator(".lines .leaving").count(), `${budget}`).toBe(0);
      expect(await page.locator("#panel").innerText()).toContain(`There is room for ${free} more tokens.`);
    }
    await page.locator("#budget").fill(String(Math.ceil((await used()) / 20) * 20));
    expect(await page.locator(".lines .leaving").count()).toBeGreaterThan(0);
    expect(await page.locator("#panel").innerText()).toContain("Drops out next: ");
    await page.locator("#budget").fill("200");
    const less = await text();
    expect(less.length).toBeLessThan(whole.length);
    const leaving = await page.locator(".lines .leaving").allInnerTexts();
    expect(leaving.length).toBeGreaterThan(0);
    await page.locator("#budget").fill("140");
    for (const line of leaving) expect(await text()).not.toContain(line);
    const parts = (await page.locator("figcaption").innerText()).match(/\d+(?=\s|$)/g) ?? [];
    expect(await used()).toBeLessThanOrEqual(140);
    expect(Math.abs(parts.reduce((sum, one) => sum + Number(one), 0) - (await used()))).toBeLessThan(20);
  });

  test("leads from a line of the brief to its source", async () => {
    const page = await sample();
    await page
      .locator("#panel")
      .getByRole("button", { name: /Should the limit be a warning or an error/ })
      .click();
    await page.waitForSelector(".fact.aimed");
    expect(await page.locator(".fact.aimed").innerText()).toBe("Should the limit be a warning or an error?");
    await expectInView(page, ".fact.aimed");
    // What nobody said comes from a tool call.
    await page
      .locator("#panel")
      .getByRole("button", { name: /Still failing: npm run bench/ })
      .click();
    await page.waitForSelector(".call.aimed");
    expect(await page.locator(".call.aimed").innerText()).toContain("npm run bench -- --size 3GB");
    await expectInView(page, ".call.aimed");
  });

  test("says why: the rule, the weights of its signals, and what lost", async () => {
    const page = await sample();
    await page.getByText("We decided to use 64 KB for the batch size.").click();
    await page.waitForSelector("table");
    const why = await page.locator("#panel").innerText();
    expect(why).toContain("superseded");
    expect(why).toMatch(/Candidates/);
    expect(await page.locator(".weight").count()).toBeGreaterThan(3);
    // What outdid it is a link.
    await page.locator("table").getByRole("button", { name: "use 256 KB for the batch size" }).click();
    expect(await page.locator(".card h2").first().innerText()).toContain("256 KB");
  });

  test("compares a summary with the facts", async () => {
    const file = join(browser.folder, "summary.md");
    writeFileSync(file, SUMMARY);
    const page = await sample("--summary", file);
    await page.getByRole("tab", { name: "Before / after" }).click();
    await page.waitForSelector(".diff");
    const verdicts = await page.locator(".facts li").evaluateAll((list) => list.map((one) => one.getAttribute("data-verdict")));
    expect(new Set(verdicts)).toContain("contradicted");
    expect(new Set(verdicts)).toContain("missing");
    expect(await page.locator(".diff mark.is-contradicted").innerText()).toContain("public API");
    expect(await page.locator(".diff ins").allInnerTexts()).toContainEqual(expect.stringContaining("256 KB"));
    await page.getByRole("button", { name: /kept/ }).click();
    expect(await page.locator("[data-verdict=missing]").count()).toBe(0);
  });

  test("shows what is put behind a long summary at once", async () => {
    const file = join(browser.folder, "long.md");
    const lines = Array.from({ length: 300 }, (_, line) => `- Step ${line} went as planned.`);
    writeFileSync(file, `${SUMMARY}\n${lines.join("\n")}\n`);
    for (const width of [1300, 390]) {
      const page = await browser.open(browser.view(SAMPLE, "--summary", file), { viewport: { width, height: 800 } });
      await page.getByRole("tab", { name: "Before / after" }).click();
      const added = page.locator(".diff ins");
      await added.first().waitFor();
      await expectInView(page, ".diff ins");
      const count = await added.count();
      expect(count).toBeGreaterThan(3);
      expect(await page.locator("#panel").innerText()).toContain(`Put behind the summary: ${count} lines`);
      // No box of its own scrolls it away.
      const box = await page.locator(".diff.added").evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
      expect(box).toBe(0);
    }
  });

  test("finds the compactions in the session itself", async () => {
    const { messages, ...rest } = JSON.parse(readFileSync(SAMPLE, "utf8"));
    const summary = { id: "sum", role: "user", text: SUMMARY, summary: true };
    const page = await browser.open(
      browser.view({ ...rest, messages: [...messages.slice(0, 8), summary, ...messages.slice(8)] }),
    );
    await page.getByRole("tab", { name: "Before / after" }).click();
    await page.waitForSelector(".diff ins");
    expect(await page.getByLabel("Map:").getAttribute("aria-label")).toContain("1 compaction");
    // What was said later is not missing in it.
    expect(await page.locator(".facts").innerText()).not.toContain("256 KB");
  });
});

test("a summary in the session is judged as audit does, also if the agent kept messages beside it", async () => {
  const said = (role: string, type: string, text: string) => ({
    type: "response_item",
    payload: { type: "message", role, content: [{ type, text }] },
  });
  const records = [
    { type: "session_meta", payload: { id: "x" } },
    said("user", "input_text", "Make the parser faster. Do not change the grammar."),
    said("assistant", "output_text", "We decided to use a table for the states. We will use SQLite for the cache."),
    { type: "compacted", payload: { message: "We use a table for the states." } },
  ];
  const path = join(browser.folder, "rollout.jsonl");
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  await expectAudited(path);
});

test("your rules show which summary lost a rule, and lead to the place", async () => {
  const records = [
    { id: "m1", role: "user", text: "Make the parser faster. Never touch src/legacy." },
    { id: "m2", role: "assistant", text: "We decided to use a table for the states." },
    { id: "m3", role: "user", text: "We use a table.", summary: true },
    { id: "m4", role: "assistant", text: "Going on." },
  ];
  const path = join(browser.folder, "neutral.jsonl");
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const page = await browser.open(browser.view(path));
  await isRead(page);
  await page.getByRole("tab", { name: "Your rules" }).click();
  const panel = page.locator("#panel");
  expect(await panel.innerText()).toContain("Never touch src/legacy.");
  expect(await panel.locator("li[data-event=lost]").count()).toBe(1);
  await panel.getByRole("button", { name: "said" }).click();
  expect(await page.locator(".message").first().innerText()).toContain("Never touch src/legacy.");
});

describe("the keyboard", () => {
  test("does all of it", async () => {
    const page = await sample();
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.textContent?.startsWith("decision"))) break;
    }
    await page.keyboard.press("Enter");
    expect(await page.locator(".fact.kind-decision").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.keyboard.press("n");
    const first = await page.locator(".fact.aimed").first().innerText();
    await page.keyboard.press("n");
    expect(await page.locator(".fact.aimed").first().innerText()).not.toBe(first);
    await page.getByRole("tab", { name: "Brief" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "Why" }).getAttribute("aria-selected")).toBe("true");
    await page.waitForSelector("table");
    await page.keyboard.press("ArrowLeft");
    await page.locator("#budget").focus();
    const before = await page.locator("#budget").inputValue();
    await page.keyboard.press("ArrowLeft");
    expect(Number(await page.locator("#budget").inputValue())).toBeLessThan(Number(before));
    await page.locator(".fact").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.getByRole("tab", { name: "Why" }).getAttribute("aria-selected")).toBe("true");
  });
});

test("a narrow window shows one thing at a time, and nothing sticks out", async () => {
  const page = await browser.open(browser.view(SAMPLE), { viewport: { width: 390, height: 780 } });
  await isRead(page);
  await page
    .locator("#panel")
    .getByRole("button", { name: /Should the limit be a warning or an error/ })
    .click();
  await page.waitForSelector(".fact.aimed");
  await expectInView(page, ".fact.aimed");
  expect(await page.locator("#panel").isVisible()).toBe(false);
  for (const tab of ["Conversation", "Brief", "Why"]) {
    await page.getByRole("tab", { name: tab }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), tab).toBeLessThanOrEqual(390);
  }
});

describe("texts that attack", () => {
  const messages = ATTACKS.map((text, index) => ({
    id: `${text} ${index}`,
    role: index % 2 === 0 ? "user" : "assistant",
    text: `We decided to use ${text} because it works.\n\n${text}`,
    time: text,
    toolCalls: [{ name: text, input: { command: text, [text]: text }, output: text, status: text }],
  }));
  const session = { id: ATTACKS.join(" "), messages };

  test("are shown as text, and nothing runs", async () => {
    const file = join(browser.folder, "attack.md");
    // A file with a NUL is refused as binary.
    writeFileSync(file, ATTACKS.join("\n\n").replaceAll("\0", ""));
    const page = await browser.open(browser.view(session, "--summary", file));
    await isRead(page);
    const seen = new Set<string>();
    for (let step = 0; step < 60; step++) {
      for (const text of await page.locator(".message .text").allTextContents()) seen.add(text);
      await page
        .locator("details.call:not([open]) summary")
        .first()
        .click({ timeout: 300 })
        .catch(() => {});
      await page.locator(".scroller").evaluate((list) => list.scrollBy(0, 300));
      await page.waitForTimeout(20);
    }
    for (const tab of ["Why", "Before / after", "Brief"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(300);
    }
    const shown = [...seen].join("\n");
    // Characters that a reader does not see are marked or removed; all others are there.
    const visible = (text: string) => text.split(/[\p{Cc}\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uD800]/u);
    for (const text of ATTACKS) for (const part of visible(text)) expect(shown).toContain(part);
    expect(await page.evaluate(() => Reflect.get(globalThis, "hit"))).toBeUndefined();
    expect(await page.locator("#app :is(script, style, img, svg, iframe, a, link, meta, base, video, math)").count()).toBe(0);
    expect(await page.title()).toContain("<script>");
  });

  test("could not run anything even if they got into the markup", async () => {
    const page = await browser.open(browser.view(SAMPLE));
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "globalThis.hit=1";
      document.body.append(script);
      setTimeout(() => new Function("globalThis.hit=1")());
      document.body.insertAdjacentHTML(
        "beforeend",
        "<img src=x onerror=globalThis.hit=1><iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
      );
    });
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => Reflect.get(globalThis, "hit"))).toBeUndefined();
  });

  test("of 5 MB on one line are opened and scrolled", async () => {
    const text = `We decided to use Postgres. ${"<b>x</b>".repeat(650_000)} We never use MySQL.`;
    const page = await browser.open(browser.view({ id: "long", messages: [{ id: "m", role: "user", text }] }));
    await page.waitForSelector(".row");
    await page.locator(".scroller").evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.waitForFunction(() => document.querySelector(".drawn")?.textContent?.includes("never use MySQL"));
    await isRead(page);
    expect(await page.locator("#panel").innerText()).toContain("only the first 800000 characters are read");
  });
});

test("secrets are not in the page", async () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const messages = [
    {
      id: "m1",
      role: "user",
      text: `Use the token ${secret}.`,
      toolCalls: [
        { name: "bash", input: { command: `curl -H "Authorization: Bearer ${secret}" x.example` }, output: `token ${secret}` },
      ],
    },
  ];
  const page = await browser.open(browser.view({ id: "s", messages }));
  await isRead(page);
  expect(await page.evaluate(() => JSON.stringify(globalThis.compactionPage.data))).not.toContain(secret);
});

describe("a session of 10 MB", () => {
  const output = Array.from({ length: 60 }, (_, line) => `src/file-${line}.ts:${line}: what a command printed`).join("\n");
  const { messages, ...rest } = sampleSession();
  const copies = Array.from({ length: 320 }, (_, round) =>
    messages.map((message, index) => ({
      ...message,
      id: `m${round * messages.length + index + 1}`,
      text: `${message.text}\n\nThis is round ${round}, about file-${index}.ts.`,
      toolCalls: [...message.toolCalls, { name: "bash", input: { command: "npm test" }, output }],
    })),
  );
  const session = { ...rest, messages: copies.flat() };

  test("opens in 3 seconds and scrolls without a gap", async () => {
    expect(JSON.stringify(session).length).toBeGreaterThan(10_000_000);
    const address = browser.view(session);
    const begun = Date.now();
    const page = await browser.open(address);
    await page.waitForSelector(".row .fact");
    expect(Date.now() - begun).toBeLessThan(3_000);
    await isRead(page);
    const gaps = await page.evaluate(async () => {
      const list = document.querySelector(".scroller") as HTMLElement;
      const found: string[] = [];
      for (let step = 0; step < 120; step++) {
        list.scrollTop += step % 10 === 9 ? list.scrollHeight / 15 : 500;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const view = list.getBoundingClientRect();
        const rows = [...document.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
        const isCovered = (rows[0]?.top ?? 1e9) <= view.top + 1 && (rows.at(-1)?.bottom ?? 0) >= view.bottom - 1;
        const isWhole = rows.every((row, index) => index === 0 || Math.abs(row.top - (rows[index - 1] as DOMRect).bottom) < 1);
        if (!isCovered || !isWhole) found.push(`${list.scrollTop}: ${rows[0]?.top} to ${rows.at(-1)?.bottom}`);
      }
      return found;
    });
    expect(gaps).toEqual([]);
  });
});

describe("the engine in the page finds what the command finds", () => {
  const sessions = [SAMPLE, ...(existsSync(CORPUS) ? readdirSync(CORPUS).map((name) => join(CORPUS, name)) : [])];

  test.each(sessions)("%s", async (path) => {
    const page = await browser.open(browser.view(path));
    await isRead(page);
    const [found, brief] = await page.evaluate(() => {
      const { found, brief } = globalThis.compactionPage;
      return [JSON.stringify(found.value?.continuation), brief.value?.text];
    });
    const { rendered, ...continuation } = commandJson("run", path, "--template", "brief");
    expect(JSON.parse(found ?? "")).toEqual(continuation);
    // The brief names the project: the folder where the command runs.
    expect(brief).toBe(rendered);
    if ((await page.getByRole("tab", { name: "Before / after" }).count()) > 0) await expectAudited(path);
  });
});

describe("pictures", () => {
  test.each(["light", "dark"] as const)("%s", async (colorScheme) => {
    const file = join(browser.folder, "summary.md");
    writeFileSync(file, SUMMARY);
    const page = await browser.open(browser.view(SAMPLE, "--summary", file), {
      colorScheme,
      viewport: { width: 1200, height: 720 },
    });
    await isRead(page);
    await page.screenshot({ path: join(PICTURES, `view-${colorScheme}.png`) });
    const [back, ink] = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.documentElement);
      return [backgroundColor, color];
    });
    expect(contrast(back as string, ink as string)).toBeGreaterThan(7);
    const pairs = await page
      .locator(".kind[aria-pressed=true], .fact:not(.is-superseded)")
      .evaluateAll((list) => list.map((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]));
    for (const [under, over] of pairs) expect(contrast(under as string, over as string)).toBeGreaterThan(4.5);
  });
});

/** The page shows the verdicts and the repair of `audit`. */
async function expectAudited(path: string): Promise<void> {
  const page = await browser.open(browser.view(path));
  await page.getByRole("tab", { name: "Before / after" }).click();
  await page.waitForSelector(".diff");
  const shown = await page.evaluate(() => {
    const { verdicts, block } = globalThis.compactionPage.checked.value ?? {};
    return JSON.stringify({ verdicts, block });
  });
  const { verdicts, block } = JSON.parse(shown);
  const { verdicts: expected, repaired } = commandJson("audit", path);
  expect(expected.length).toBeGreaterThan(0);
  expect(verdicts).toEqual(expected);
  expect(repaired).toContain(block);
}

async function expectInView(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((name) => {
    const { top, bottom } = document.querySelector(name)?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
    return top >= 0 && bottom <= innerHeight;
  }, selector);
}

/** The contrast of two colours, by the definition of WCAG. */
function contrast(...colours: readonly [string, string]): number {
  const light = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((unit) => {
      const part = Number(unit) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, bright = 0] = colours.map(light).sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}
