// Whatever a model answers: nothing that binds it is lost, no words are added, and the block does not stay in the text.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Item, type Message, type Template } from "../../src/index.js";
import { applyAnswer } from "../../src/judge/apply-answer.js";
import { type Judged, mergeJudged, withJudged } from "../../src/judge/judged.js";
import { toOffer } from "../../src/judge/offer.js";
import { readAnswer, withoutAnswer } from "../../src/judge/read-answer.js";
import { atOnce } from "../../src/steps.js";
import { leastTime } from "../cpu.js";
import { runs, sized } from "../runs.js";

const { rules } = builtInRules();
const template = rules.templates.get("judge-offer") as Template;
const PIN = "The release is on Friday.";
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const TEXTS = [
  "Build the importer. Never touch the legacy folder. All amounts must be stored as integer cents.",
  "We decided to use Redis for the session store because it is fast. I found that the parser rounds twice.",
  `That one costs far too much, let's take the files on disk. The token is ${SECRET}, never log it.`,
  "We decided to use plain files for the sessions. Next: rotate the **signing key**. The build passes now.",
  "The colleagues have cleaned up last night, so the old legacy stuff is open to you.",
  "Understood. We still need to write the runbook. We ruled out Kafka because nobody can operate it.",
];
const RAN = `export LEDGER_TOKEN=${SECRET}; ./migrate --all batches of the ledger`;
const PRINTED = `4 batches were migrated with ${SECRET}, and batch 7 was left out.`;
const messages: Message[] = TEXTS.map((text, index) => ({
  id: `m${index + 1}`,
  role: index % 2 ? "assistant" : "user",
  text,
  toolCalls: index === 3 ? [{ name: "Bash", input: { command: RAN }, output: PRINTED }] : [],
}));
const session = { id: "s", format: "test", messages };
const alone = extract(session, rules, { pins: [PIN] });

function offerOf(judged?: Judged, round = 1) {
  const offering = { rules, round, judged, proposals: alone.propose ? atOnce(alone.propose()) : [], session, named: true };
  return toOffer(withJudged(alone, judged, session), template, offering);
}
const offer = offerOf();
const { items } = alone.continuation;
const judging = { session, sources: alone.sources ?? [], rules, items };
const idOf = (words: string) => offer.candidates.find(({ item }) => item.evidence.quote.includes(words))?.id as string;

function judge(answer: string) {
  const { judged, counts } = applyAnswer(answer, offer, judging);
  const after = withJudged(alone, judged, session);
  const factOf = (words: string) => after.continuation.items.find(({ evidence }) => evidence.quote.includes(words));
  return { judged, counts, after: after.continuation.items, factOf };
}
const block = (...lines: readonly string[]) => ["<facts>", ...lines, "</facts>"].join("\n");
const [REDIS, LEGACY, CENTS, PARSER] = ["use Redis for", "Never touch the legacy", "integer cents", "rounds twice"].map(idOf);

describe("what is offered", () => {
  test("is each fact under an id, in the order in which it was said", () => {
    expect(offer.candidates.map(({ id }) => id)).toEqual(offer.candidates.map((_, index) => `f${index + 1}`));
    expect(offer.text).toContain(`${REDIS} decision m2: We decided to use Redis for the session store because it is fast.`);
    expect(offer.text).toContain(`${LEGACY} constraint m1 user: Never touch the legacy folder.`);
    expect(offer.text).not.toContain(PIN);
    expect(offer.text).not.toContain(SECRET);
  });

  test("does not hold what was judged noise or stale, until it is said again", () => {
    const { judged } = judge(block(`holds: ${CENTS}`, `stale: ${REDIS}<m3`));
    const next = offerOf(judged, 2).candidates.map(({ item }) => item.evidence.quote);
    expect(next.some((quote) => quote.includes("use Redis"))).toBe(false);
    const again = { ...session, messages: [...messages, { ...messages[1], id: "m7", role: "assistant" } as Message] };
    const said = withJudged(extract(again, rules), judged, again).continuation.items;
    expect(said.find(({ text, kind }) => kind === "decision" && text.includes("use Redis"))?.status).toBe("active");
  });
});

describe("an answer", () => {
  test("holds, ends by a later message, leaves out, corrects and quotes", () => {
    const { counts, factOf } = judge(
      block(
        `holds: ${CENTS}, ${PARSER}=decision`,
        `stale: ${REDIS}<m003, ${LEGACY} (m5)`,
        "missed:",
        "- done m4 “The build passes now.”",
        '- finding m4 "Nobody ever said that."',
      ),
    );
    expect(factOf("use Redis for")).toMatchObject({ status: "stale", judged: { round: 1, witness: "m3" } });
    expect(factOf("Never touch")).toMatchObject({ status: "stale", judged: { round: 1, witness: "m5" } });
    expect(factOf("rounds twice")).toMatchObject({ kind: "decision", status: "active", judged: { was: "finding" } });
    expect(factOf("build passes")).toMatchObject({ kind: "done", status: "active" });
    expect(factOf("write the runbook")?.status).toBe("noise");
    expect(counts).toMatchObject({ offered: offer.candidates.length, stale: 2, rejected: 1 });
  });

  test.each([
    ["lower and upper case, blanks for commas", `<FACTS>\nHOLDS: ${CENTS} ${PARSER}\nStale: ${REDIS} < M3\n</Facts>`],
    ["a fence", `Summary.\n\n\`\`\`xml\n${block(`holds: ${CENTS}`, `stale: ${REDIS}<[m3]`)}\n\`\`\``],
    ["emphasis and lists", block(`- **holds:** ${CENTS}`, `- **stale:** ${REDIS} → m3`)],
    ["the middle of a text", `Before.\n${block(`stale: ${REDIS}<m3`, `holds: ${CENTS}`)}\nAfter.`],
    ["several blocks: the last", `${block(`holds: ${REDIS}`)}\n${block(`stale: ${REDIS}<m3`)}`],
    ["a mention before", `I end with <facts> as asked.\n${block(`stale: ${REDIS}<m3`)}`],
    ["a quote of the later words", block(`stale: ${REDIS}<"let’s take the files on disk"`)],
    ["another candidate", block(`stale: ${REDIS}<${idOf("use plain files")}`)],
  ])("is read with %s", (_, answer) => {
    expect(judge(answer).factOf("use Redis for")).toMatchObject({ status: "stale" });
  });

  test.each([
    ["an earlier message", block(`stale: ${REDIS}<m1`)],
    ["no message", block(`stale: ${REDIS}`)],
    ["a message that is not there", block(`stale: ${REDIS}<m99`)],
    ["a quote of what nobody said", block(`stale: ${REDIS}<"we never wanted any of this"`)],
  ])("ends nothing by %s", (_, answer) => {
    const { factOf, counts } = judge(answer);
    expect(factOf("use Redis for")).toEqual(items.find(({ evidence }) => evidence.quote.includes("use Redis for")));
    expect(counts).toMatchObject({ stale: 0, rejected: 1 });
  });

  test("cannot end a rule of the user's by words of its own, nor call it noise", () => {
    const { factOf } = judge(block(`stale: ${LEGACY}<m6, ${CENTS}<m6`, `noise: ${LEGACY}, ${CENTS}`));
    for (const words of ["Never touch", "integer cents"]) expect(factOf(words)).toMatchObject({ status: "active" });
  });

  describe("ends a rule of the user's", () => {
    const ended = (...later: readonly string[]) => {
      const texts = ["Never touch the legacy folder. We want a new importer.", "Ok.", ...later];
      const messages = texts.map(
        (text, index): Message => ({ id: `m${index + 1}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] }),
      );
      const session = { id: "s", format: "test", messages };
      const alone = extract(session, rules);
      const given = toOffer(alone, template, { rules, round: 1, proposals: [], session, named: true });
      const rule = given.candidates.find(({ item }) => item.text.includes("legacy"));
      const { items } = alone.continuation;
      const answer = block(`stale: ${rule?.id}<m${texts.length}`);
      return applyAnswer(answer, given, { session, sources: alone.sources ?? [], rules, items }).counts;
    };

    test.each([
      ["Thanks, please go on."],
      ["Great work! Now write the runbook."],
      ["Perfect", "", "I'm back from lunch."],
      ["Yes.", "Done.", "No, wait. I meant the other page."],
    ])("not by words about something else: %s", (...later) => {
      expect(ended(...later)).toMatchObject({ stale: 0, rejected: 1 });
    });

    test.each([
      ["That legacy stuff is all yours from today."],
      ["Fine.", "Ok.", "The folder was renamed, so change what you like in it."],
      ["Scratch that, I was wrong."],
      ["Sorry, I take that back."],
    ])("by words about it, or that take something back right behind it: %s", (...later) => {
      expect(ended(...later)).toMatchObject({ stale: 1, rejected: 0 });
    });
  });

  test("cannot make a rule of the user's out of the assistant's words, by a quote or by another kind", () => {
    const quote = '- constraint m6 "nobody can operate it"';
    const { after, factOf, counts } = judge(block(`holds: ${PARSER}=constraint, ${CENTS}`, "missed:", quote));
    expect(after.filter(({ kind, by }) => kind === "constraint" && by !== "user")).toEqual([]);
    expect(factOf("rounds twice")).toMatchObject({ kind: "finding", status: "active" });
    expect(factOf("nobody can operate")).toMatchObject({ kind: "rejection", by: "assistant" });
    expect(counts).toMatchObject({ quotes: 0, rejected: 0 });
  });

  test("that is not closed, or names nothing that was offered, calls nothing noise by leaving it out", () => {
    for (const answer of [`<facts>\nholds: ${CENTS}, ${REDIS}`, block("holds: f900")])
      expect(judge(answer).after.filter(({ status }) => status === "noise")).toEqual([]);
  });

  test("that repeats the request changes nothing", () => {
    const answer = `Summary.\n\n${offer.text}`;
    expect(judge(answer).after).toBe(items);
    expect(withoutAnswer(answer)).not.toMatch(/^holds:|<\/?facts>/m);
  });

  test("quotes a secret only masked", () => {
    const { after } = judge(block(`holds: ${CENTS}`, "missed:", `- finding m3 "The token is ${SECRET}, never log it."`));
    expect(JSON.stringify(after)).not.toContain(SECRET);
  });

  test("of a later round ends a fact whose kind an earlier one corrected", () => {
    const first = judge(block(`holds: ${PARSER}=decision`)).judged as Judged;
    const next = offerOf(first, 2);
    const id = next.candidates.find(({ item }) => item.evidence.quote.includes("rounds twice"))?.id;
    const { judged } = applyAnswer(block(`stale: ${id}<m4`), next, judging);
    const { continuation } = withJudged(alone, mergeJudged(first, judged as Judged, 2), session);
    const fact = continuation.items.find(({ evidence }) => evidence.quote.includes("rounds twice"));
    expect(fact).toMatchObject({ status: "stale", judged: { round: 2, witness: "m4" } });
  });
});

// Answers of any sort: bytes, and blocks of entries that contradict each other, cut off anywhere.
const anyId = fc.integer({ min: 0, max: offer.candidates.length + 3 }).map((number) => `f${number}`);
const anyMessage = fc.integer({ min: 0, max: 8 }).map((number) => `m${number}`);
const anyQuote = fc.oneof(
  fc.constantFrom(
    ...[...TEXTS, RAN, PRINTED].flatMap((text) => text.split(/(?<=[.;])\s/)),
    SECRET,
    "</facts>",
    "<candidates> f1",
    '"',
    "",
  ),
  fc.string({ unit: "binary" }),
);
const anyKind = fc.constantFrom("decision", "rules", "constraint", "Findings", "done", "goal", "note");
const anyEntry = fc.oneof(
  anyId,
  anyId.map((id) => `${id}!`),
  fc.tuple(anyId, anyKind).map(([id, kind]) => `${id}=${kind}`),
  fc.tuple(anyId, anyMessage).map(([id, message]) => `${id}<${message}`),
  fc.tuple(anyId, anyQuote).map(([id, quote]) => `${id}<"${quote}"`),
  fc.tuple(anyId, anyId).map(([one, other]) => `${one}-${other}`),
);
const anyLine = fc.oneof(
  fc
    .tuple(fc.constantFrom("holds", "Stale", "noise", "- **stale**", "hold"), fc.array(anyEntry, { maxLength: 12 }))
    .map(([heading, entries]) => `${heading}: ${entries.join(", ")}`),
  fc.constant("missed:"),
  fc.tuple(anyKind, anyMessage, anyQuote).map(([kind, message, quote]) => `- ${kind} ${message} "${quote}"`),
  fc.string({ unit: "binary" }),
);
const anyBlock = fc.array(anyLine, { maxLength: 20 }).map((lines) => block(...lines));
const anyAnswer = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => new TextDecoder().decode(bytes)),
  anyBlock,
  fc.tuple(fc.string(), anyBlock, fc.string(), fc.nat(600)).map(([a, b, c, cut]) => `${a}\n${b}\n${c}`.slice(0, 600 - cut)),
);

const places = (item: Item) => [item.evidence, ...item.also].map(({ source }) => Number(source.slice(1)));

describe("any answer", () => {
  test("throws nothing, loses no pin and no rule of the user's, and adds no words", () => {
    const rulesOfUser = items.filter(({ kind, by, status }) => kind === "constraint" && by === "user" && status === "active");
    expect(rulesOfUser.length).toBeGreaterThan(1);
    fc.assert(
      fc.property(anyAnswer, anyAnswer, (first, second) => {
        let judged: Judged | undefined;
        for (const [index, answer] of [first, second].entries()) {
          const now = applyAnswer(answer, offerOf(judged, index + 1), judging).judged;
          if (now) judged = mergeJudged(judged, now, index + 1);
        }
        const after = withJudged(alone, judged, session).continuation.items;
        expect(after.find(({ text }) => text === PIN)).toEqual(items.find(({ text }) => text === PIN));
        for (const rule of rulesOfUser) {
          const now = after.find(
            ({ evidence }) => evidence.start === rule.evidence.start && evidence.source === rule.evidence.source,
          );
          const witness = Number(now?.judged?.witness?.slice(1));
          const isWithdrawn = now?.status === "stale" && witness % 2 === 1 && places(rule).every((place) => place < witness);
          expect(now?.status === "active" || isWithdrawn).toBe(true);
        }
        for (const { text, by, kind, evidence } of after.filter((item) => item.evidence.rule === "model")) {
          const { source, input, start, end, quote } = evidence;
          const said = judging.sources.find(({ id }) => id === source)?.text;
          const whole = by === "tool" ? (input === undefined ? PRINTED : RAN) : said;
          // In calls, only the quote is masked. A mask is as long as its secret, or covers the mark behind it too.
          const spelled = (whole ?? "").slice(start, end).replaceAll(SECRET, "█".repeat(SECRET.length));
          expect(quote).toBe([...spelled].map((mark, at) => (mark === ";" && quote[at] === "█" ? "█" : mark)).join(""));
          expect(text).toBe(quote.replace(/\s+/g, " "));
          expect(by === "tool" && kind === "constraint").toBe(false);
        }
        expect(JSON.stringify(after)).not.toContain(SECRET);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test("without a block gives what rules alone give", () => {
    const noBlock = fc.string({ unit: "binary", maxLength: 300 }).filter((text) => !/facts/i.test(text));
    fc.assert(
      fc.property(noBlock, (answer) => {
        const { judged, counts, after } = judge(answer);
        expect(judged).toBeUndefined();
        expect(after).toBe(items);
        expect(counts).toMatchObject({ holds: 0, stale: 0, noise: 0, quotes: 0, rejected: 0 });
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.each([
    ["ids", "f1, f2-f190 ", "holds: "],
    ["witnesses", "f1<'f2<m3 ", "stale: "],
    ["punctuation", "-.", "missed:\nx"],
    ["blanks", " ", "missed:\n- finding "],
    ["quotes", '- finding "the session store"\n', "missed:\n"],
    ["tags", "<facts>", "holds: f1\n"],
    ["blocks", `${block("holds: f1")}\n\`\`\`\n`, ""],
    ["tags behind blanks", `${" ".repeat(1_000)}<facts>\n`, ""],
    ["letters", "aaaaaaaa", 'missed:\n- finding "'],
  ])("of nothing but %s is read in time that grows with it", async (_, unit, start) => {
    const whole = `${start}${unit.repeat(sized(1_000_000, 250_000) / unit.length)}`;
    for (const answer of [block(whole), `<facts>\n${whole}`]) {
      const read = (tried: number) => [judge(answer + "\n".repeat(tried)), withoutAnswer(answer + "\n".repeat(tried))];
      expect(await leastTime(3_000, read)).toBeLessThan(3_000);
    }
  });

  test.each(["talk", "calls"])("of many quotes in a long session of %s is verified in linear time", async (where) => {
    const long = { ...(judging.sources[0] as (typeof judging.sources)[0]), text: "aaaaaaaa ".repeat(100_000) };
    const quotes = Array.from({ length: 100 }, (_, index) => `- finding "aaaaaaaa aaaaaaaa ${index} b"`);
    const verify = (tried: number) => {
      const answer = block(`holds: ${CENTS}`, "missed:", ...quotes, ...Array.from({ length: tried }, () => ""));
      const text = long.text.slice(9 * tried);
      const toolCalls = [{ name: "Bash", input: {}, output: text }];
      const called = { ...session, messages: messages.map((message) => ({ ...message, toolCalls })) };
      const asked = where === "talk" ? { sources: [{ ...long, text }] } : { sources: [], session: called };
      applyAnswer(answer, offer, { ...judging, ...asked });
    };
    expect(await leastTime(3_000, verify)).toBeLessThan(3_000);
  });
});

describe("the block", () => {
  const SUMMARY = "## Goal\nBuild the importer.\n\n```ts\nconst a = 1;\n```\n\n- The parser rounds twice.";
  const anyOwn = fc
    .tuple(fc.array(anyEntry), fc.array(anyId), fc.array(fc.tuple(anyKind, anyMessage, fc.constantFrom(...TEXTS))))
    .map(([holds, stale, missed]) => {
      const quotes = missed.map(([kind, message, text]) => `- ${kind} ${message} "${text}"`);
      return block(`holds: ${holds.join(", ").replace(/\s+|<[^,]*/g, " ")}`, `stale: ${stale.join(" ")}`, "missed:", ...quotes);
    });

  test("does not stay in the summary, wherever the answer is cut off", () => {
    fc.assert(
      fc.property(anyOwn, fc.nat(), (own, place) => {
        const cut = 1 + (place % own.length);
        expect(withoutAnswer(`${SUMMARY}\n\n${own.slice(0, cut)}`)).toBe(SUMMARY);
        expect(withoutAnswer(own.slice(0, cut))).toBe("");
      }),
      { numRuns: runs(5_000) },
    );
  });

  test("does not stay in the middle of a summary, in a fence, or twice", () => {
    const own = block(`holds: ${CENTS}`, "missed:", '- finding m2 "the parser rounds twice"');
    expect(withoutAnswer(`${own}\n\n${SUMMARY}`)).toBe(SUMMARY);
    expect(withoutAnswer(`Before.\n${own}\nAfter.`)).toBe("Before.\n\nAfter.");
    expect(withoutAnswer(`${SUMMARY}\n\n\`\`\`\n${own}\n\`\`\`\n`)).toBe(SUMMARY);
    expect(withoutAnswer(`${SUMMARY}\n\n\`\`\`xml\n${own.slice(0, 20)}`)).toBe(SUMMARY);
    expect(withoutAnswer(`${SUMMARY}\n${own}\n${own}`)).toBe(SUMMARY);
    expect(withoutAnswer(`Done. ${own}`)).toBe("Done.");
    expect(withoutAnswer(`${SUMMARY}\n\n${own}\nUnder missed, see above.\n</facts>`)).toBe(
      `${SUMMARY}\n\nUnder missed, see above.`,
    );
  });

  test("without an end leaves the summary behind it", () => {
    expect(withoutAnswer(`<facts>\nholds: f1, f2\nstale: f3<m4\n\n${SUMMARY}`)).toBe(SUMMARY);
  });

  test("is not a tag in a sentence", () => {
    for (const text of ["The block is written as <facts> and </facts>.", "We parse <facts> now.\n\nStale: nothing.", SUMMARY])
      expect(withoutAnswer(text)).toBe(text);
  });
});

test("the recorded answers are read as they were", () => {
  const folder = "test/fixtures/judge";
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".answer.txt"))) {
    const text = readFileSync(`${folder}/${name}`, "utf8");
    const { closed, holds, unread } = readAnswer(text) ?? {};
    expect({ name, closed, unread }).toEqual({ name, closed: true, unread: 0 });
    expect(holds?.size).toBeGreaterThan(5);
    expect(withoutAnswer(text)).not.toMatch(/holds:|<\/?facts>/);
  }
});
