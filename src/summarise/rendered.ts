// The summary that the rules write by themselves, so long that a hook takes it with its lists and what is put behind it.
import type { ListedFiles } from "../keep/compaction-state.js";
import { HOOK_CHARACTERS, LISTED_CHARACTERS, TOKEN_CHARACTERS } from "../limits.js";
import type { Extraction, Session } from "../model.js";
import { type RenderOptions, render } from "../render/render.js";
import { countTokens } from "../render/tokens.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { withFileLists } from "./file-lists.js";
import { shownFiles } from "./shown-files.js";

export function renderForHook(
  extraction: Extraction,
  files: ListedFiles,
  session: Session,
  rules: RuleSet,
  context: RenderOptions,
): string {
  const template = rules.templates.get("structured") as Template;
  const { more, ...shown } = shownFiles(files, session, HOOK_CHARACTERS - LISTED_CHARACTERS);
  const lists = withFileLists("", shown, more);
  const { continuation } = extraction;
  const bare = {
    ...extraction,
    continuation: { ...continuation, files: { ...continuation.files, read: [], created: [], modified: [] } },
  };
  const textOf = (tokens: number) => render(bare, template, rules, { ...context, tokens }).text.trimEnd();
  let tokens = Math.max(1, template.tokens - countTokens(lists));
  let text = textOf(tokens);
  // Who wants more than a hook takes gets it.
  if (template.tokens * TOKEN_CHARACTERS > HOOK_CHARACTERS) return text;
  const behind = (rules.templates.get("repair")?.tokens ?? 0) * TOKEN_CHARACTERS;
  const room = HOOK_CHARACTERS - lists.length - behind;
  while (text.length > room && tokens > LEAST_TOKENS) {
    tokens = Math.max(LEAST_TOKENS, Math.floor(tokens * Math.min(0.95, room / text.length)));
    text = textOf(tokens);
  }
  return text;
}

/** Tokens with which a summary still says something under each of its headings. */
const LEAST_TOKENS = 400;
