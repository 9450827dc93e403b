// What a model thinks aloud before its summary. Hosts strip it, so it is no part of what is left.

const OPEN = /^\s*<(think|thinking|analysis|reasoning|scratchpad)>/i;
/** Those that a host strips even where they do not end. */
const ENDLESS = /^think(?:ing)?$/i;

/** Where they end: 0 where there are none, and the length of the text where nothing else is in it. */
export function endOfThoughts(text: string): number {
  let from = 0;
  for (;;) {
    const rest = text.slice(from);
    const [open = "", tag = ""] = OPEN.exec(rest) ?? [];
    if (open === "") return from;
    const close = `</${tag.toLowerCase()}>`;
    const end = rest.toLowerCase().indexOf(close, open.length);
    if (end < 0) return ENDLESS.test(tag) ? text.length : from;
    from += end + close.length;
  }
}

/** Made blank, so that places stand. */
export function blankThoughts(text: string): string {
  const end = endOfThoughts(text);
  return end === 0 ? text : text.slice(0, end).replace(/[^\r\n]/g, " ") + text.slice(end);
}
