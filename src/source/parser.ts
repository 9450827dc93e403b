// remark with what is used of it. It stands by itself because a command that parses nothing does not load it.
import type { Root } from "mdast";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import remarkParse from "remark-parse";
import remarkWikiLink from "remark-wiki-link";
import { type Processor, unified } from "unified";

export { toString as plainText } from "mdast-util-to-string";

/** Task boxes and tables are all that is needed of GitHub's markdown; the whole of it halves the speed. */
function taskAndTable(this: Processor): void {
  const data = this.data() as Record<string, unknown[]>;
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfmTable(), gfmTaskListItem()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()];
}

const parser = unified().use(remarkParse).use(taskAndTable).use(remarkWikiLink, { aliasDivider: "|" }).freeze();

export const parse = (text: string): Root => parser.parse(text);
