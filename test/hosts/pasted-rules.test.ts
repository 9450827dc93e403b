// Rules that users type, and rules in texts that they show. The sets that are called unseen were written before the code they first
// tried. The bounds are what was reached; they must not get worse.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandingRules } from "../../src/hosts/standing-rules.js";
import { type LoadedRules, loadRules, type Message, type ToolCall } from "../../src/index.js";
import { readStanding } from "../../src/state/standing.js";
import { atOnce } from "../../src/steps.js";

interface Sample {
  readonly text: string;
  /** What the agent does next. */
  readonly after: "text" | "look" | "work" | "both" | "copy" | "nothing";
  /** The rule in it that must be learnt; any rule will do if it is absent. */
  readonly rule?: string;
}
type Samples = Readonly<Record<"typed" | "pasted", readonly Sample[]>>;
const sets = JSON.parse(readFileSync(new URL("../fixtures/pasted-rules.json", import.meta.url), "utf8")) as Record<
  string,
  Samples
>;

let folder: string;
let loaded: LoadedRules;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-pasted-"));
  loaded = loadRules(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const edit = (text: string): ToolCall => ({
  name: "Edit",
  input: { file_path: "src/a.ts", old_string: "a", new_string: text },
  output: "ok",
  status: "completed",
});
const read: ToolCall = { name: "Read", input: { file_path: "src/a.ts" }, output: "a", status: "completed" };
const answer = (text: string, ...toolCalls: readonly ToolCall[]): Message => ({ id: "a", role: "assistant", text, toolCalls });

function learnt(text: string, ...answers: readonly Message[]): readonly string[] {
  const state = join(folder, `state${count++}`);
  const messages: readonly Message[] = [{ id: "m", role: "user", text, toolCalls: [] }, ...answers];
  atOnce(createStandingRules(folder, loaded, state).remember({ id: "s", format: "test", typed: true, messages }))();
  return readStanding(folder, state).map(({ item }) => item.evidence.quote);
}

const answers = (text: string): Readonly<Record<Sample["after"], readonly Message[]>> => ({
  text: [answer("Answer.")],
  look: [answer("I look.", read)],
  work: [answer("", edit("b"))],
  both: [answer("Answer.", edit("b"))],
  copy: [answer("", edit(text))],
  nothing: [],
});
const isLearnt = ({ text, after, rule }: Sample) =>
  learnt(text, ...answers(text)[after]).some((quote) => rule === undefined || rule.includes(quote) || quote.includes(rule));

describe.each([
  ["development", 62, 1],
  ["unseen-a", 38, 1],
  ["unseen-b", 31, 3],
  ["unseen-c", 36, 5],
  // Nine of the typed rules are German, French or Japanese, and none of these is learnt.
  ["unseen-d", 29, 0],
  ["unseen-e", 36, 2],
  // Five and one are German, French or Spanish. At the first try, 32 and 2 of unseen-f were learnt; unseen-g was never tuned on.
  ["unseen-f", 34, 1],
  ["unseen-g", 18, 0],
  // In these two, the agent always edits code. At the first try, 18 and 9 of unseen-h were learnt; unseen-i was never tuned on.
  ["unseen-h", 18, 2],
  ["unseen-i", 18, 6],
  // At the first try, 36 and 34 were learnt of unseen-j and unseen-k; unseen-l was never tuned on.
  ["unseen-j", 38, 0],
  ["unseen-k", 36, 4],
  ["unseen-l", 38, 3],
  // Tried once, and never tuned on.
  ["unseen-m", 37, 2],
])("in the set %s", (name, least, most) => {
  const { typed = [], pasted = [] } = sets[name] ?? {};
  test(`learns at least ${least} of ${typed.length} rules that users type`, () => {
    const missed = typed.filter((one) => !isLearnt(one)).map(({ text }) => text);
    expect(typed.length - missed.length, missed.join("\n")).toBeGreaterThanOrEqual(least);
  });

  test(`learns rules of at most ${most} of ${pasted.length} texts that users show`, () => {
    const taken = pasted.map(({ text, after }) => ({ text, after })).filter(isLearnt);
    expect(taken.length, taken.map(({ text }) => text).join("\n")).toBeLessThanOrEqual(most);
  });
});

describe("a rule behind a request", () => {
  const REQUEST = "Make the importer read large files in parts. Never load a whole file into memory.";
  test("is learnt when the agent works on it, and not before", () => {
    expect(learnt(REQUEST)).toEqual([]);
    expect(learnt(REQUEST, answer("Here is how."))).toEqual([]);
    expect(learnt(REQUEST, answer("I look.", read))).toEqual([]);
    expect(learnt(REQUEST, answer("I look.", read), { ...answer("", edit("b")), id: "b" })).toHaveLength(1);
  });

  test("is not learnt when the agent writes it down as a text", () => {
    const request = "Make a new page for the handbook. Never load a whole file into memory.";
    expect(learnt(request, answer("", edit("b")))).toHaveLength(1);
    expect(learnt(request, answer("", edit("# Files\n\nNever load a whole file into memory.")))).toEqual([]);
  });

  test("is not learnt when the agent corrects the text that has it", () => {
    const request = "Fix the typos on the sign for the kitchen. Never leave dirty cups in teh sink.";
    expect(learnt(request, answer("", edit("const SIGN = 'Never leave dirty cups in the sink';")))).toEqual([]);
  });

  test("is not learnt when it says what others must do", () => {
    const request = "Add the rows of the price list. Customers must never see the cost.";
    expect(learnt(request, answer("", edit("b")))).toEqual([]);
    expect(learnt(request.replace("Customers must never see", "Never show customers"), answer("", edit("b")))).toHaveLength(1);
  });

  test.each([
    "Skriv om det till docs/regler.md på svenska.",
    "Proszę to przetłumaczyć na polski i zapisać.",
    "이 문장을 번역해 주세요.",
    "Cosa ne pensi di questa regola.",
  ])("is not learnt when the request is not in English: %s", (request) => {
    expect(learnt(`${request} Never load a whole file into memory.`, answer("", edit("b")))).toEqual([]);
  });

  test("is not learnt when a request is only answered in words", () => {
    const request = "I need a short version of it for the poster. Never load a whole file into memory.";
    expect(learnt(request, answer("Keep files out of memory."))).toEqual([]);
  });

  test("is not learnt for work on another message", () => {
    const next: Message = { id: "n", role: "user", text: "Fix the login.", toolCalls: [] };
    expect(learnt(REQUEST, answer("Here is how."), next, { ...answer("", edit("b")), id: "b" })).toEqual([]);
  });
});

test.each([
  "For this project: no new dependencies without asking me.",
  "Rule for the whole project: all dates are stored in UTC.",
  "A heads-up: never restart the worker on the second host.",
  "hey, one thing: never use lodash here.",
])("learns the rule behind a label: %s", (text) => expect(learnt(text, answer("Ok."))).toEqual([text]));

test("learns what the user wants no more, ever, and rules that the user announces", () => {
  expect(learnt("I don't want emojis in commit messages, ever.", answer("Ok."))).toHaveLength(1);
  expect(learnt("Two things to remember. Never log mail addresses. Always hash user ids.", answer("Ok."))).toHaveLength(2);
});

test("learns no list below a question without a question mark", () => {
  const text = "what do you think of this CLAUDE.md of another project\n\n- Always use tabs\n- Never commit without tests";
  expect(learnt(text, answer("It is short."))).toEqual([]);
});

test("keeps the stop of a sentence that a single word makes a rule", () => {
  expect(learnt("Keep your changes minimal. Always.")).toEqual(["Keep your changes minimal. Always."]);
});

test.each([
  ["words behind a code block", "Never run the integration tests.\n\n```\nfoo\n```\n\nWhat does that mean?"],
  ["words behind the rule about where it is from", "Never run the integration tests.\n\nBob wrote it on the wall."],
])("learns nothing because of %s", (_, text) => {
  expect(learnt(text)).toEqual([]);
});

test.each([
  [3_900, 1],
  [4_000, 0],
])("behind %i characters, a message has at most %i rules", (characters, most) => {
  const before = "We work on the parser of this project. ".repeat(200).slice(0, characters - 1);
  expect(learnt(`${before}\nNever touch the legacy folder.`)).toHaveLength(most);
});

describe("a session in which much is typed", () => {
  const typed = (count: number, text: string): readonly Message[] => [
    { id: "m", role: "user", text: "Never touch the legacy folder.", toolCalls: [] },
    ...Array.from({ length: count }, (_, index): Message => ({ id: `m${index}`, role: "user", text, toolCalls: [] })),
  ];
  function remember(messages: readonly Message[], state: string, whole = false): number {
    const session = { id: "s", format: "test", typed: true, messages };
    const steps = createStandingRules(folder, loaded, state).remember(session, whole);
    for (let count = 0; ; count++) {
      const step = steps.next();
      if (!step.done) continue;
      step.value();
      return count;
    }
  }
  const rules = (state: string) => readStanding(folder, state).map(({ item }) => item.evidence.quote);

  test.each([false, true])("keeps the rules of messages that are not searched again (whole: %s)", (whole) => {
    const state = join(folder, `state${count++}`);
    const messages = typed(1_500, "I like how you work on my project. ".repeat(40));
    remember(messages.slice(0, 1), state);
    remember(messages, state, whole);
    expect(rules(state)).toEqual(["Never touch the legacy folder."]);
    remember(messages.slice(1), state, whole);
    expect(rules(state)).toEqual(whole ? [] : ["Never touch the legacy folder."]);
  });

  test("is searched in steps, and only at its end", () => {
    const state = join(folder, `state${count++}`);
    const few = remember(typed(100, "Fix it. ".repeat(125)), state);
    const many = remember(typed(2_000, "Fix it. ".repeat(125)), state);
    expect(few).toBeGreaterThanOrEqual(100);
    expect(many).toBeLessThanOrEqual(2.5 * few);
  });
});
