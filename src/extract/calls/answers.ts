// Splits the output of a tool that asks the user by speaker: the answer is the user's, the question and a repeated plan are the
// agent's, the rest is the host's. Of other tools, only the user's reason for refusing the call counts.
import { ANSWER_DEPTH, ASKED_CHARACTERS, ASKED_PAIRS } from "../../limits.js";
import type { Speaker, ToolCall } from "../../model.js";
import { firstPhrase } from "../../rules/phrase/match-phrase.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tool } from "../../rules/tool-set.js";
import { toWords } from "../../text/words.js";
import { hasFailed, markIn, reasonIn, type OutputSpan as Span } from "./call.js";

type Answered = { readonly by: Extract<Speaker, "user" | "assistant">; readonly spans: readonly Span[] };

export interface ToldText {
  readonly by: Answered["by"];
  /** As long as the output, so that offsets stay valid: the words of others become empty lines. */
  readonly text: string;
}

const NOTHING: readonly ToldText[] = [];

/** @param format of the session: a tool of another server may have the same name as a host's own */
export function toldIn(given: ToolCall, { tools, refusals, askingHosts }: RuleSet, format: string): readonly ToldText[] {
  const tool = tools.get(given.name);
  if (given.output.trim() === "") return NOTHING;
  const call = given.output.length > ASKED_CHARACTERS ? { ...given, output: given.output.slice(0, ASKED_CHARACTERS) } : given;
  if (tool && asksUser(tool, format, askingHosts)) return textsOf(call, answeredIn(call, tool), tool);
  const reason = reasonIn(call, refusals);
  return reason ? textsOf(call, [{ by: "user", spans: [reason.span] }], reason.refusal) : NOTHING;
}

const ANY_HOST = "any";

const asksUser = ({ answers }: Tool, format: string, hosts: ReadonlySet<string>): boolean =>
  answers.includes(ANY_HOST) || answers.includes(format) || (answers.length > 0 && !hosts.has(format));

function answeredIn(call: ToolCall, tool: Tool): readonly Answered[] {
  const { output } = call;
  const asked = new Set(textsIn(call.input));
  const answered = fromJson(output, tool, asked) ?? fromPairs(output, tool, asked) ?? fromLines(output, asked);
  return answered?.slice(0, 2 * ASKED_PAIRS) ?? fromProse(call, tool, asked);
}

function textsOf({ output }: ToolCall, answered: readonly Answered[], tool: Tool): readonly ToldText[] {
  return answered.flatMap(({ by, spans }) => {
    const own = spans.flatMap((span) => (by === "user" ? withoutHost(output, span, tool) : [span]));
    const text = only(output, own);
    return text.trim() === "" ? [] : [{ by, text }];
  });
}

function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth === ANSWER_DEPTH) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

function only(output: string, spans: readonly Span[]): string {
  let text = "";
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    if (start < text.length) continue;
    text += "\n".repeat(start - text.length);
    text += output.slice(start, end);
  }
  return text + "\n".repeat(output.length - text.length);
}

const pair = (question: Span | undefined, answers: readonly Span[]): readonly Answered[] => [
  ...(question ? [{ by: "assistant" as const, spans: [question] }] : []),
  { by: "user", spans: answers },
];

/** `{"answers": {"id": {"answers": ["…"]}}}` and the like. */
function fromJson(output: string, tool: Tool, asked: ReadonlySet<string>): readonly Answered[] | undefined {
  if (!/^\s*[[{]/.test(output)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return undefined;
  }
  let from = 0;
  /** Where a text is, between its quotation marks. Keys and values come in the order of the output. */
  function spanOf(text: string): Span | undefined {
    const written = JSON.stringify(text);
    const next = output.indexOf(written, from);
    const at = next < 0 ? output.indexOf(written) : next;
    if (at < 0) return undefined;
    from = at + written.length;
    return [at + 1, from - 1];
  }
  const answers = (Array.isArray(value) ? value : [value]).flatMap((one) =>
    tool.values.flatMap((key) => (isObject(one) && key in one ? [one[key]] : [])),
  );
  return answers.flatMap((one) => {
    const entries: readonly (readonly [string, unknown])[] = isObject(one) ? Object.entries(one) : [["", one]];
    return entries.flatMap(([key, answer]) => {
      const question = /\s/.test(key) && isAsked(key, asked) ? spanOf(key) : undefined;
      const spans = textsIn(answer).flatMap((text) => {
        const span = spanOf(text);
        return span ? linesOf(output, behindMark(output, span, tool) ?? span) : [];
      });
      return pair(question, spans);
    });
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** In JSON, a line end is two characters. */
function linesOf(output: string, [start, end]: Span): readonly Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const { index } of output.slice(start, end).matchAll(/\\[nr]/g)) {
    spans.push([from, start + index]);
    from = start + index + 2;
  }
  return [...spans, [from, end]];
}

const isAsked = (text: string, asked: ReadonlySet<string>) => /\?\W{0,3}$/.test(text) || (text.trim() !== "" && asked.has(text));

/** `"Question"="Answer", "Question"="Answer"` in a host's words. The call has the questions, which may hold such pairs. */
function fromPairs(output: string, tool: Tool, asked: ReadonlySet<string>): readonly Answered[] | undefined {
  if (!output.includes('"="')) return undefined;
  const questions: Span[] = [...asked]
    .flatMap((text): readonly Span[] => {
      const at = output.indexOf(`"${text}"="`);
      return at < 0 ? [] : [[at + 1, at + 1 + text.length]];
    })
    .sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd);
  // A match inside a question is not a question.
  const pairs = questions.filter(([start], index) => start >= (questions[index - 1]?.[1] ?? 0));
  return pairs.flatMap((question, index) => {
    const start = question[1] + '"="'.length;
    const next = (pairs[index + 1]?.[0] ?? output.length + 1) - 1;
    const between = next - (/,\s*$/.exec(output.slice(Math.max(start, next - 9), next))?.[0].length ?? 0);
    const closing = output.lastIndexOf('"', between - 1);
    const end = closing >= start ? closing : between;
    const note = behindMark(output, [end, between], tool);
    return pair(question, note ? [[start, end], note] : [[start, end]]);
  });
}

/** `Question -> Answer`, one per line. */
function fromLines(output: string, asked: ReadonlySet<string>): readonly Answered[] | undefined {
  const pairs: { question: Span; answer: [number, number] }[] = [];
  let at = 0;
  for (const line of output.split("\n")) {
    const arrow = /\s(?:->|→|=>)\s/.exec(line);
    const question = arrow ? line.slice(0, arrow.index) : "";
    const last = pairs.at(-1);
    if (arrow && isAsked(question, asked))
      pairs.push({ question: [at, at + question.length], answer: [at + arrow.index + arrow[0].length, at + line.length] });
    else if (last) last.answer[1] = at + line.length;
    else if (line.trim() !== "") return undefined;
    at += line.length + 1;
  }
  return pairs.length > 0 ? pairs.flatMap(({ question, answer }) => pair(question, [answer])) : undefined;
}

/** Prose: the user's words follow a mark that a pack names, or are all lines that the call was not given. */
function fromProse(call: ToolCall, tool: Tool, asked: ReadonlySet<string>): readonly Answered[] {
  const { output } = call;
  const echo = markIn(output, [0, output.length], tool.echoes);
  // The echoed input may contain the host's marks too, so search only before it.
  const said = behindMark(output, [0, echo?.[0] ?? output.length], tool);
  if (!said && !echo && hasFailed(call, tool)) return [];
  const start = said?.[0] ?? 0;
  const before: Span = [0, said ? (markIn(output, [0, start], tool.said)?.[0] ?? start) : 0];
  const after: Span = [start, echo && echo[1] > start ? echo[0] : output.length];
  const isChosen = asked.has(output.slice(...after).trim());
  const given = new Set(isChosen ? [] : [...asked].flatMap((text) => [text, ...text.split("\n")]).map(plain));
  const lines = linesIn(output, after);
  const isGiven = (span: Span) => given.has(plain(output.slice(...span)));
  const own = [
    ...withoutHost(output, before, tool),
    ...lines.filter(isGiven),
    ...(echo ? [[echo[1], output.length] as const] : []),
  ];
  return [
    { by: "assistant", spans: own },
    { by: "user", spans: lines.filter((line) => !isGiven(line)) },
  ];
}

const plain = (line: string) => line.replace(/[^\p{L}\p{N}]+/gu, " ").trim();

function linesIn(output: string, [start, end]: Span): readonly Span[] {
  let at = start;
  return output
    .slice(start, end)
    .split(/(?<=\n)/)
    .map(({ length }): Span => {
      at += length;
      return [at - length, at];
    });
}

function behindMark(output: string, span: Span, { said }: Tool): Span | undefined {
  const mark = markIn(output, span, said);
  return mark && [mark[1], span[1]];
}

/** The sentences of a span that are not the host's. */
function withoutHost(output: string, [start, end]: Span, { unsaid }: Tool): readonly Span[] {
  if (unsaid.length === 0) return [[start, end]];
  const kept: [number, number][] = [];
  let at = start;
  for (const sentence of output.slice(start, end).split(/(?<=[.!?…]\s)(?=[\p{Lu}"“(])|(?<=\n)/u)) {
    const words = toWords(sentence.replace(/^[\s#>*_-]+/, ""));
    const next = at + sentence.length;
    const last = kept.at(-1);
    if (!firstPhrase(unsaid, words)) {
      if (last && last[1] === at) last[1] = next;
      else kept.push([at, next]);
    }
    at = next;
  }
  return kept;
}
