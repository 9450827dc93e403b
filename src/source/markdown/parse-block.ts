// Parses blocks of Markdown into segments with remark's parser. Commands that parse nothing do not load this file.
import type { Nodes, Parents, PhrasingContent, Table } from "mdast";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { toString as plainText } from "mdast-util-to-string";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import remarkParse from "remark-parse";
import remarkWikiLink from "remark-wiki-link";
import { type Processor, unified } from "unified";
import type { NodeType, Segment } from "../../model.js";
import type { MarkdownBlock } from "./blocks.js";
import type { Context, Cutting, Draft, Outline, Visible } from "./visible.js";
import { append, joinLines, linkSegment, pathOf, toSegments, WHOLE } from "./visible.js";

/** Most characters skipped in the source between two characters of a text: the margin of a quoted, indented line. */
const MARGIN_CHARACTERS = 100;

const blank = (code: string) => " ".repeat(code.length);
/** To the parser, an embedded note begins like an image: ![[Name]]. */
const EMBEDDED = /(?<!\\)!\[\[([^[\]|\n]{1,200})(?:\|[^[\]\n]{0,200})?\]\]/g;
/** In a table, the parser ends the cell before the alias: | [[Name|alias]] |. */
const DIVIDED = /\[\[([^[\]|\\\n]{1,200})\|[^[\]|\n]{0,200}\]\]/g;

export function parseBlock(text: string, block: MarkdownBlock, outline: Outline, cutting: Cutting): readonly Segment[] {
  const source = text.slice(block.start, block.end);
  const base = block.start;
  const segments: Segment[] = [];

  function add(node: NodeType, parent: Nodes, context: Context): void {
    const { visible, links } = inlines(parent, context);
    const sentences = toSegments(joinLines(visible), node, context, cutting);
    segments.push(...withMarks(sentences, parent as Parents, base), ...links);
  }

  function inlines(parent: Nodes, context: Context): { readonly visible: Visible; readonly links: readonly Segment[] } {
    const visible: Visible = { text: "", runs: [] };
    const links: Segment[] = [];
    for (const child of (parent as Parents).children ?? []) inline(child as PhrasingContent | WikiLink, visible, links, context);
    return { visible, links };
  }

  function inline(node: PhrasingContent | WikiLink, visible: Visible, links: Segment[], context: Context): void {
    const start = node.position?.start.offset ?? 0;
    const end = node.position?.end.offset ?? start;
    if (node.type === "text") {
      appendText(visible, node.value, source, start, end, base);
      links.push(...linksIn(EMBEDDED, start, end, context));
    }
    // In a conversation, what looks like a tag is mostly a placeholder or a type: <name>, Array<Item>.
    else if (node.type === "inlineCode" || node.type === "html") append(visible, source.slice(start, end), base + start);
    else if (node.type === "break") append(visible, " ", base + start);
    else if (node.type === "wikiLink") {
      append(visible, source.slice(start, end), base + start);
      links.push(linkSegment(node.value, base + start, base + end, context.headings));
    } else if ("children" in node) for (const child of node.children) inline(child, visible, links, context);
  }

  /** Links that the parser does not see. */
  const linksIn = (pattern: RegExp, start: number, end: number, { headings }: Context) =>
    [
      ...source
        .slice(start, end)
        .replace(/`[^`]*`/g, blank)
        .matchAll(pattern),
    ].map(({ 0: link, 1: target = "", index }) => {
      const at = base + start + index + link.indexOf("[[");
      return linkSegment(target, at, base + start + index + link.length, headings);
    });

  function walk(node: Nodes, type: NodeType, context: Context): void {
    if (node.type === "paragraph") return add(type, node, context);
    if (node.type === "heading") {
      if (type === "quote") return add("heading", node, context);
      const { headings } = outline;
      while (headings.length > 0 && (headings.at(-1)?.depth ?? 0) >= node.depth) headings.pop();
      add("heading", node, { ...context, headings: pathOf(outline) });
      headings.push({ depth: node.depth, text: plainText(node) });
      return;
    }
    if (node.type === "table") return table(node, context);
    if (node.type === "blockquote") return children(node, "quote", context);
    if (node.type === "list") return children(node, type, context);
    if (node.type === "listItem") {
      const task = typeof node.checked === "boolean" ? (node.checked ? "done" : "open") : undefined;
      const leaf = task && cutting === WHOLE ? !hasTask(node) : undefined;
      const depth = cutting === WHOLE ? (context.depth ?? 0) + 1 : undefined;
      return children(node, type === "quote" ? "quote" : task ? "task" : "item", { ...context, task, leaf, depth });
    }
    if (node.type === "root") return children(node, type, context);
  }

  /** The paragraph before a list or table is its lead. */
  function children(node: Parents, type: NodeType, context: Context): void {
    let lead = node.type === "root" ? outline.lead : context.lead;
    for (const [index, child] of node.children.entries()) {
      const current = { ...context, headings: pathOf(outline) };
      const nested = child.type === "list" || child.type === "table";
      // A task is counted once, so further paragraphs of an item are plain text.
      const further = cutting === WHOLE && node.type === "listItem" && index > 0 && !nested;
      const inner = nested ? { ...current, lead, task: undefined } : further ? { ...current, task: undefined } : current;
      walk(child, further && type !== "quote" ? "sentence" : type, inner);
      if (child.type === "thematicBreak") lead = undefined;
      // An item that is only a title with a colon is the lead of the items after it.
      if (cutting === WHOLE && child.type === "listItem" && child.children.length === 1 && /[:：]$/.test(plainText(child)))
        context = { ...context, lead: plainText(child) };
      if (child.type === "paragraph" || child.type === "heading") lead = plainText(child);
    }
    if (node.type === "root") outline.lead = lead;
  }

  function table(node: Table, context: Context): void {
    const [head, ...rows] = node.children;
    for (const title of head?.children ?? []) segments.push(...inlines(title, context).links);
    for (const row of node.children) {
      const { start, end } = row.position ?? {};
      segments.push(...linksIn(DIVIDED, start?.offset ?? 0, end?.offset ?? 0, context));
    }
    for (const row of rows) {
      for (const [column, cell] of row.children.entries()) {
        const title = head?.children[column];
        add("cell", cell, { ...context, lead: title ? plainText(title) : context.lead });
      }
    }
  }

  walk(parser.parse(source), "sentence", { headings: pathOf(outline) });
  return segments;
}

const hasTask = (node: Nodes): boolean =>
  "children" in node &&
  node.children.some((child) => (child.type === "listItem" && typeof child.checked === "boolean") || hasTask(child));

/** Extends the first and the last sentence over the emphasis marks around them, so that quotes are complete. */
function withMarks(sentences: readonly Draft[], { children }: Parents, base: number): readonly Segment[] {
  const start = children[0]?.position?.start.offset;
  const end = children.at(-1)?.position?.end.offset;
  const [first, last] = [sentences[0], sentences.at(-1)];
  if (first && start !== undefined) first.start = Math.min(first.start, base + start);
  if (last && end !== undefined) last.end = Math.max(last.end, base + end);
  return sentences;
}

/** Maps the value of a text node to the source, from which it differs by escapes, entities and line margins. */
function appendText(visible: Visible, value: string, source: string, start: number, end: number, base: number): void {
  if (source.slice(start, end) === value) return append(visible, value, base + start);
  let from = start;
  for (let at = 0; at < value.length; ) {
    if (source[from] === "\\" && value[at] !== "\\") from++;
    const entity =
      source[from] === "&" ? /^&#?[a-z0-9]{1,31};/i.exec(source.slice(from, Math.min(end, from + 34)))?.[0] : undefined;
    if (entity && !value.startsWith(entity, at)) {
      const length = (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      for (let unit = 0; unit < length; unit++) append(visible, value[at + unit] as string, base + from);
      at += length;
      from += entity.length;
      continue;
    }
    let found = from;
    const reach = Math.min(end, from + MARGIN_CHARACTERS);
    while (found < reach && source[found] !== value[at]) found++;
    if (found < reach) from = found;
    append(visible, value[at] as string, base + Math.min(from, end - 1));
    from++;
    at++;
  }
}

// The parser with the extensions in use.

/** What remark-wiki-link makes; its own types do not say so. */
interface WikiLink {
  readonly type: "wikiLink";
  /** The link target, without its alias. */
  readonly value: string;
  readonly position?: Nodes["position"];
}

/** Only task boxes and tables of GitHub's Markdown are needed; all of its extensions would halve the speed. */
function tablesAndTasks(this: Processor): void {
  // Each block is parsed separately, so a definition could not reach its references.
  const withoutDefinitions = { disable: { null: ["definition"] } };
  const data = this.data();
  data.micromarkExtensions = [gfmTable(), gfmTaskListItem(), withoutDefinitions];
  data.fromMarkdownExtensions = [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()];
}

const parser = unified().use(remarkParse).use(tablesAndTasks).use(remarkWikiLink, { aliasDivider: "|" }).freeze();
