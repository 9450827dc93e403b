// The Markdown parser with the extensions in use. A separate file, so that commands that parse nothing do not load it.
import type { Nodes, Root } from "mdast";
import { type Extension, fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
// @ts-expect-error: the package has no types.
import { syntax as wikiLink } from "micromark-extension-wiki-link";

export { toString as plainText } from "mdast-util-to-string";

export interface WikiLink {
  readonly type: "wikiLink";
  /** The link target, without its alias. */
  value: string;
  readonly position?: Nodes["position"];
}

const wikiLinkFromMarkdown: Extension = {
  enter: {
    wikiLink(token) {
      this.enter({ type: "wikiLink", value: "" } satisfies WikiLink as never, token);
    },
  },
  exit: {
    wikiLinkTarget(token) {
      (this.stack.at(-1) as unknown as WikiLink).value = this.sliceSerialize(token);
    },
    wikiLink(token) {
      this.exit(token);
    },
  },
};

/** Each block is parsed separately, so a definition could not reach its references. */
const withoutDefinitions = { disable: { null: ["definition"] } };

/** Only task boxes and tables of GitHub's Markdown are needed; all of its extensions would halve the speed. */
const options = {
  extensions: [gfmTable(), gfmTaskListItem(), wikiLink({ aliasDivider: "|" }), withoutDefinitions],
  mdastExtensions: [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown(), wikiLinkFromMarkdown],
};

export const parseMarkdown = (text: string): Root => fromMarkdown(text, options);
