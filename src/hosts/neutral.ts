// What hosts and models get: without tags that could pass for a part of a prompt, and a project's own lines marked as such.
import type { Extraction } from "../model.js";
import { type Rendered, type RenderOptions, render } from "../render/render.js";
import { countTokens } from "../render/tokens.js";
import { ownRules } from "../rules/load-rules.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { literalOf } from "../rules/template/say-text.js";
import { neutralTags } from "../text/neutral-tags.js";
import { ownText } from "./host-rules.js";

export const neutral = (text: string) => withOwnCommands(neutralTags(text));

/** Commands that the built-in packs say of a stage are not quoted, so their placeholders stay: `gate <task-id>`. */
const withOwnCommands = (text: string) =>
  text.includes("&lt;") ? ownCommands().reduce((said, one) => said.replaceAll(neutralTags(one), () => one), text) : text;

let commands: readonly string[] | undefined;
const ownCommands = () =>
  (commands ??= ownRules()
    .workflows.flatMap(({ stages }) => stages.flatMap(({ say }) => [...say.values()].flat(2)))
    .flatMap((text) => literalOf(text)?.match(/`[^`]+`/g) ?? [])
    .filter((text) => neutralTags(text) !== text));

/** What was written with a template, for a host or a model. A project may change most lines that are quoted, but not who speaks: its
 * lines go under the product's own sentences, and each of them begins with a mark, so none can pass for something else. */
export function forModel({ id, foreign }: Template, text: string): string {
  if (!foreign) return neutral(text);
  const [first = ""] = ownText(id).split("\n", 1);
  const sentence = first.includes("{{") ? "" : first;
  const rest = text.trim();
  const lines = neutral(rest.startsWith(sentence) ? rest.slice(sentence.length).trim() : rest).split(LINE_BREAK);
  return [...(sentence ? [sentence] : []), ownText("foreign-lines"), ...lines.map((line) => `| ${line}`.trimEnd())].join("\n");
}

/** Renders for a model within the budget: what marks a project's lines counts, too. */
export function renderForModel(
  extraction: Extraction,
  template: Template,
  rules: RuleSet,
  options: RenderOptions = {},
): Rendered {
  const { tokens = template.tokens } = options;
  for (let room = tokens; ; ) {
    const rendered = render(extraction, template, rules, { ...options, tokens: room });
    const text = forModel(template, rendered.text);
    const over = template.foreign ? countTokens(text) - tokens : 0;
    if (over <= 0 || room === 0) return { ...rendered, text };
    room = Math.max(0, room - over);
  }
}

const LINE_BREAK = /\r?\n|[\u2028\u2029]/;
