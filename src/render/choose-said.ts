// Chooses which statements and facts of a session a template may show, before any budget.
import type { Extraction, Item, Statement } from "../model.js";
import type { Template } from "../rules/rule-set.js";
import { countLines, withoutFragments, withoutPasted, withPasted } from "./pastes.js";
import { joinMessages, joinRows, standingStatements, withoutFallen, withoutOldSentences } from "./statements.js";

type Said = { readonly items: readonly Item[]; readonly statements: readonly Statement[] };

/** @param inOrder the template shows the statements in their order, so short messages are shown whole */
export function chooseSaid(extraction: Extraction, { recent, once }: Template, inOrder: boolean): Said {
  const { continuation, statements: all } = extraction;
  const standing = standingStatements(extraction);
  const isRecent = recent !== undefined;
  const newest = isRecent ? withoutOldSentences(standing, recent) : standing;
  const counts = countLines(all);
  const said = withPasted(newest, counts);
  const rows = joinRows(once ? withoutFragments(said, counts) : said);
  // What was left before a commit may be done.
  const beforeCommit = all.filter(({ places }) => isRecent && places.has("before-commit"));
  // Without statements, nothing tells which facts are old.
  const items = all.length > 0 ? withoutFallen(continuation.items, newest, beforeCommit) : continuation.items;
  return {
    items: withoutPasted(items, said),
    statements: inOrder ? joinMessages(rows, continuation.items) : rows,
  };
}
