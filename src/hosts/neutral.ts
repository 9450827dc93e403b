// What hosts and models get: without tags that could pass for a part of a prompt, and a project's own lines marked as such.
import { builtInRules } from "../rules/load-rules.js";
import type { Template } from "../rules/rule-set.js";
import { literalOf } from "../rules/template/say-text.js";
import { neutralTags } from "../text/neutral-tags.js";
import { ownText } from "./host-rules.js";

export const neutral = (text: string) => withOwnCommands(neutralTags(text));

/** Commands that the built-in packs say of a stage are not quoted, so their placeholders stay: `gate <task-id>`. */
const withOwnCommands = (text: string) =>
  text.includes("&lt;") ? ownCommands().reduce((said, one) => said.replaceAll(neutralTags(one), () => one), text) : text;

let commands: readonly string[] | undefined;
const ownCommands = () =>
  (commands ??= builtInRules()
    .rules.workflows.flatMap(({ stages }) => stages.flatMap(({ say }) => [...say.values()].flat(2)))
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

const LINE_BREAK = /\r?\n|[\u2028\u2029]/;
