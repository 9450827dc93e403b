// Follows the documents that the agent writes (plans, specs, notes), and gives the lines of their last versions.
import { DEED_CHARACTERS } from "../../limits.js";
import type { DocumentLine, ToolCall } from "../../model.js";
import { redactStart } from "../../rules/redact/redact.js";
import type { Tool } from "../../rules/tool-set.js";
import { firstText, listAt } from "./input-fields.js";

/** Most lines of all documents: several times more than a text can show. The newest documents come first. */
const LINES = 1_500;
/** Lines of fewer words, such as a date or a cell with a number, say nothing; the lead of their list counts. */
const LINE_WORDS = 4;

/** What is known of a document: its text, or the parts of it that were edited. */
interface WrittenDocument {
  readonly parts: readonly string[];
  /** The first part is the document as it was written; the others are edits elsewhere in it. */
  readonly whole: boolean;
  readonly message: number;
}

/** @param endings how the names of documents end */
export function createDocuments(endings: readonly string[]) {
  const documents = new Map<string, WrittenDocument>();
  return {
    /** @param message the index of the message with the call */
    addCall({ input }: ToolCall, tool: Tool, paths: readonly string[], message: number): void {
      const [path] = paths;
      if (path === undefined || paths.length > 1 || !endings.some((ending) => path.toLowerCase().endsWith(ending))) return;
      let { parts = [], whole = false } = documents.get(path) ?? {};
      const keys = tool.mentions.filter((key) => !tool.old.includes(key));
      for (const entry of [input, ...tool.list.flatMap((key) => listAt(input, key))]) {
        const next = firstText(entry, keys);
        if (next === undefined) continue;
        const old = tool.effect === "created" ? undefined : firstText(entry, tool.old);
        if (tool.effect === "created") [parts, whole] = [[next], true];
        else if (old !== undefined && parts.some((part) => part.includes(old)))
          parts = parts.map((part) => part.replace(old, () => next));
        else parts = [...parts, next];
      }
      documents.delete(path);
      documents.set(path, { parts, whole, message });
    },
    /** @param nameOf undefined: the document is gone */
    *lines(
      messages: number,
      nameOf: (path: string) => string | undefined,
      masked: (text: string) => string,
    ): Generator<DocumentLine> {
      let left = LINES;
      for (const [path, { parts, whole, message }] of [...documents].reverse()) {
        const file = nameOf(path);
        for (const [index, part] of file === undefined ? [] : parts.entries())
          for (const { text, heading, item } of linesIn(redactStart(part, DEED_CHARACTERS, masked))) {
            // The list of an edited item may say "revisit this if".
            if (item && heading === "" && !(whole && index === 0)) continue;
            if (left-- <= 0) return;
            yield { file: file as string, heading, text, when: (message + 1) / messages };
          }
      }
    },
  };
}

const ITEM = /^(?:[-*+>]|\d+[.)]) +/;
/** "**Not ideal for:**" or "Advantages:" is about the list below it. */
const LEAD = /^\*\*[^*]+\*\*:?$|:(?:\*\*)?$/;

/** What describes a document at its top is no line of it. */
const FRONT_MATTER = /^---\r?\n[\s\S]*?\n---(?:\r?\n|$)/;

/** Neither an item nor a row nor a heading: such a line goes on with the one before it. */
const GOES_ON = /^(?![|#>]|[-*_]{3})/;

interface DocumentText {
  readonly text: string;
  readonly heading: string;
  readonly lead: string;
  /** It is an item of a list. */
  readonly item: boolean;
}

/** The items and paragraphs of a Markdown text outside code, each with what stands above it: the lead of its list, or else the heading. */
function* linesIn(text: string): Generator<DocumentText> {
  for (const one of paragraphsIn(text))
    if (!one.text.endsWith(":") && (`${one.lead} ${one.text}`.match(/\p{L}[^\s|]*/gu) ?? []).length >= LINE_WORDS) yield one;
}

function* paragraphsIn(text: string): Generator<DocumentText> {
  let [heading, lead] = ["", ""];
  let isCode = false;
  let open: DocumentText | undefined;
  for (const raw of [...text.replace(FRONT_MATTER, "").split("\n"), ""]) {
    const line = raw.trim();
    const isItem = ITEM.test(line);
    const said = line.replace(ITEM, "").replaceAll("**", "");
    const isFence = line.startsWith("```");
    if (open && !isCode && !isFence && line !== "" && !isItem && GOES_ON.test(line)) {
      open = { ...open, text: `${open.text} ${said}` };
      continue;
    }
    if (open) yield open;
    open = undefined;
    if (isFence) isCode = !isCode;
    if (isCode || isFence || line === "") continue;
    if (/^#{1,6} /.test(line)) [heading, lead] = [line.replace(/^#+ +/, ""), ""];
    else if (LEAD.test(line.replace(ITEM, ""))) lead = said.replace(/:$/, "");
    else {
      if (!isItem) lead = "";
      open = { heading: lead || heading, lead, text: said, item: isItem };
    }
  }
}
