// A plan that the user accepted stands in the files of Claude Code and Codex as the user's message. The model wrote it.
import { PLAN_NAME_CHARACTERS } from "../limits.js";
import { asList, asText, type Fields, isFields } from "./parsed.js";

// What the host says behind the plan.
const BEHIND = /\n\s*If you need specific details from before exiting plan mode\b/;

/** The plan as the assistant's record, and what is left: that it is to be carried out, and what it is called. */
export function withPlanApart(record: Fields): readonly Fields[] {
  const { planContent, message, ...rest } = record;
  const text = isFields(message) ? textOf(message.content) : undefined;
  // The field may be cut, so it says where the plan begins, and no more.
  const name = firstLine(asText(planContent) ?? "");
  const start = name === "" || text === undefined ? -1 : `\n${text}`.indexOf(`\n${name}`);
  if (record.type !== "user" || text === undefined || start < 0) return [record];
  const end = start + (BEHIND.exec(text.slice(start))?.index ?? text.length);
  const id = asText(record.uuid);
  const request = requestFor(text.slice(0, start), name);
  return [
    { ...rest, type: "assistant", ...(id !== undefined && { uuid: `${id}#plan` }), message: { content: text.slice(start, end) } },
    { ...rest, message: { ...(message as Fields), content: request } },
  ];
}

// What Codex says before the plan.
const BEFORE = /^\s*PLEASE IMPLEMENT THIS PLAN:/;

/** The same of a text of Codex's. */
export function planApart(text: string): { readonly plan: string; readonly request: string } | undefined {
  const [before] = BEFORE.exec(text) ?? [];
  const plan = before === undefined ? "" : text.slice(before.length).trim();
  return before === undefined || plan === "" ? undefined : { plan, request: requestFor(before, firstLine(plan)) };
}

const requestFor = (before: string, name: string) => `${before.trimEnd()} ${name.replace(/^#+\s*/, "")}`.trim();

function textOf(content: unknown): string | undefined {
  const [block, ...more] = asList(content);
  return asText(content) ?? (more.length === 0 && isFields(block) ? asText(block.text) : undefined);
}

const firstLine = (text: string) => text.trimStart().slice(0, PLAN_NAME_CHARACTERS).split("\n", 1)[0]?.trimEnd() ?? "";
