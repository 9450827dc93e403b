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

/** The text without the stretches from `open` to `close`. What is opened and never closed is left as it is. */
export function without(text: string, open: string, close: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + close.length;
  }
  if (from === 0) return text;
  kept.push(text.slice(from));
  return kept.join("").trim();
}
