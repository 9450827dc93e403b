// Separates accepted plans. Claude Code and Codex store a plan that the user accepted as the user's message, but the model wrote
// it.
import { asList, asText, isFields, type JsonFields } from "../session/parse-json.js";

/** Longest name of a plan; a longer line is part of the plan. */
const PLAN_NAME_CHARACTERS = 200;

// What the host adds after the plan.
const BEHIND = /\n\s*If you need specific details from before exiting plan mode\b/;

/** Splits a record into the plan, as the assistant's, and the user's request to carry it out, with the plan's name. */
export function withPlanApart(record: JsonFields): readonly JsonFields[] {
  const { planContent, message, ...rest } = record;
  const text = isFields(message) ? textOf(message.content) : undefined;
  // The field may be cut off, so it only shows where the plan starts.
  const name = firstLine(asText(planContent) ?? "");
  const start = name === "" || text === undefined ? -1 : `\n${text}`.indexOf(`\n${name}`);
  if (record.type !== "user" || text === undefined || start < 0) return [record];
  const end = start + (BEHIND.exec(text.slice(start))?.index ?? text.length);
  const id = asText(record.uuid);
  const request = requestFor(text.slice(0, start), name);
  return [
    { ...rest, type: "assistant", ...(id !== undefined && { uuid: `${id}#plan` }), message: { content: text.slice(start, end) } },
    { ...rest, message: { ...(message as JsonFields), content: request } },
  ];
}

// What Codex adds before the plan.
const BEFORE = /^\s*PLEASE IMPLEMENT THIS PLAN:/;

/** Does the same for a text of Codex. */
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
