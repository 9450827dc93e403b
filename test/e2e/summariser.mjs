// What OpenCode asks of the summarising model, taken apart, and models of several tempers that answer it.

const SYSTEM = "context summarization";
/** The last line of OpenCode's own prompt: what follows was put there by plugins. */
const PROMPT_END = "Do not mention the summary process or that context was compacted.";

export function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

/** Everything that the model can read in a request, the arguments of calls included. */
export const readable = (body) =>
  body.messages
    .map((message) => [textOf(message.content), ...(message.tool_calls ?? []).map((call) => call.function.arguments)].join("\n"))
    .join("\n");

export const isCompaction = (body) =>
  body.messages.some(({ role, content }) => role === "system" && textOf(content).includes(SYSTEM));

/** The whole prompt of a request, whoever wrote it. */
export const promptOf = (body) => textOf(body.messages.at(-1)?.content);

export function promptParts(body) {
  const prompt = textOf(body.messages.at(-1)?.content);
  const end = prompt.lastIndexOf(PROMPT_END);
  const afterConversation = prompt.slice(Math.max(0, prompt.lastIndexOf("</conversation>", end)));
  // Greedy: a summary may itself hold the closing mark.
  const prior = /<prior-summary>\n([\s\S]*)\n<\/prior-summary>/.exec(
    afterConversation.slice(0, afterConversation.indexOf(PROMPT_END)),
  );
  return { injected: end === -1 ? "" : prompt.slice(end + PROMPT_END.length).trim(), prior: prior?.[1] ?? "" };
}

const shaped = (details) =>
  `## Objective\n- Continue the task.\n\n## Important Details\n${details}\n\n## Work State\n### Completed\n- Some work was done.\n\n## Next Move\n1. (none)`;

const TEMPERS = {
  /** Keeps nothing. */
  amnesic: () => ({ text: shaped("- (none)") }),
  /** Copies what a plugin asks it to keep. */
  obedient: (body) => ({ text: shaped(promptParts(body).injected || "- (none)") }),
  /** Gives the summary before this one back as it is, the plugin's block included. */
  echo: (body) => ({ text: promptParts(body).prior || shaped("- (none)") }),
  empty: () => ({ text: "" }),
  error: () => ({ error: { status: 400, code: "invalid_prompt", message: "scripted failure of the summary" } }),
};

/** A temper by its name, or a function of the request. */
export const summarise = (body, mode) => (typeof mode === "function" ? mode : TEMPERS[mode])(body);
