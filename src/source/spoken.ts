// What a person typed, as against what a host put into the same message.

export interface Spoken {
  readonly text: string;
  /** Nothing in it was typed. */
  readonly meta: boolean;
}

/** Typed texts hide the machine's beside them; where there is none, the machine's are shown as such. */
export function spokenOf(texts: readonly string[], isMachine: (text: string, index: number) => boolean): Spoken {
  const typed = texts.filter((text, index) => text.trim() !== "" && !isMachine(text, index));
  const shown = typed.length > 0 ? typed : texts.filter((text) => text.trim() !== "");
  return { text: shown.join("\n"), meta: typed.length === 0 };
}

/** The text without what a host put between the first `open` and the last `close`: what stands between may hold the tags, too. */
export function without(text: string, open: string, close: string): string {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.lastIndexOf(close);
  return end < start + open.length ? text : `${text.slice(0, start)}${text.slice(end + close.length)}`.trim();
}

/** With it hosts begin a session that goes on behind a summary. */
export const CONTINUED = "This session is being continued from a previous conversation";

// Hosts name their tags in several words, which those of HTML do not have.
const OPENING = /^[ \t]*<([a-z][a-z0-9]*(?:[_-][a-z0-9]+)+)(?:\s[^<>]*)?>/;
/** Tags in which hosts and users put what was typed. */
const TYPED = /^(?:user|human|my|task|feature|bug|problem|question|requirements?|acceptance|code|example|error)[_-]/;
const NOT_TYPED = /^(?:user[_-](?:instructions|shell[_-]command|action|info|rules)|task[_-]notification)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The text as long as it was, with what a host put into it made into empty lines: blocks in tags that begin a line and end one,
 * outside of code.
 */
export function withoutHost(text: string): string {
  if (text.trimStart().startsWith(CONTINUED)) return emptied(text);
  if (!/^[ \t]*<[a-z][a-z0-9]*[_-]/m.test(text)) return text;
  const kept: string[] = [];
  let from = 0;
  let at = 0;
  let fence = "";
  const closings = closingsIn(text);
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next + 1;
    const line = text.slice(at, end);
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence !== "" ? mark.startsWith(fence) : mark !== "") fence = fence === "" ? mark : "";
    const close = fence === "" && mark === "" ? endOfBlock(text, at, line, closings) : at;
    if (close > at) {
      kept.push(text.slice(from, at), emptied(text.slice(at, close)));
      from = close;
    }
    at = close > at ? close : end;
  }
  return kept.join("") + text.slice(from);
}

const emptied = (text: string) => "\n".repeat(text.length);

/** Where each tag is closed, the first place last. Looked up once: a text may open thousands and close none. */
function closingsIn(text: string): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const { 1: tag = "", index } of text.matchAll(/<\/([a-z][a-z0-9]*(?:[_-][a-z0-9]+)+)>/g)) {
    const own = places.get(tag);
    if (own) own.push(index);
    else places.set(tag, [index]);
  }
  for (const own of places.values()) own.reverse();
  return places;
}

/** Where the block that a line opens ends; the line's start where it opens none. */
function endOfBlock(text: string, at: number, line: string, closings: ReadonlyMap<string, number[]>): number {
  const [open = "", tag = ""] = OPENING.exec(line) ?? [];
  if (tag === "" || (TYPED.test(tag) && !NOT_TYPED.test(tag))) return at;
  const places = closings.get(tag) ?? [];
  while ((places.at(-1) ?? text.length) < at + open.length) places.pop();
  const found = places.at(-1) ?? -1;
  const end = found + `</${tag}>`.length;
  // What is closed amid a line is something of which the user speaks.
  return found >= 0 && /^[ \t]*(?:\r?\n|$|<)/.test(text.slice(end, end + 80)) ? end : at;
}
