// Finds a conversation that was pasted into a message: turns of speakers that take their turn. What they say is not the user's.

interface Turn {
  readonly speaker: string;
  readonly start: number;
}

/** "User:", "**You**:", "## Assistant", "ChatGPT said:", "[10:32] Ann: yes", "Ann  10:32 AM" */
const HEAD =
  /^[ \t]{0,3}(?:#{1,6}[ \t]+)?[*_]{0,2}(?:\[?\(?\d{1,2}:\d\d[^\n\])]{0,12}[\])]?[ \t]+)?([\p{L}@][\p{L}\p{N} ._'@-]{0,30}?)[*_]{0,2}(?:(?:[ \t]{1,4}|[ \t]?[([—-][ \t]?)(?:today |at )*\d{1,2}:\d\d(?: ?[ap]m)?[)\]]?)?(?:[*_]{0,2}:[*_]{0,2}(?=\s|$)|[*_]{0,2}[ \t]*$)/gimu;

/** Fewer turns are a conversation only if all their speakers are known ones. */
const TURNS = 3;

/** @param isSpeaker does a label name somebody who takes part in a conversation with a model? @returns where it begins and ends */
export function transcriptIn(text: string, isSpeaker: (label: string) => boolean): { start: number; end: number } | undefined {
  if (!text.includes("\n")) return undefined;
  const all = [...text.matchAll(HEAD)].map(({ 1: label = "", index }): Turn => ({ speaker: label.toLowerCase(), start: index }));
  const counts = new Map<string, number>();
  for (const { speaker } of all) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  const known = new Set([...counts.keys()].filter(isSpeaker));
  // Who is not known speaks more than once, as no title does.
  const turns = all.filter(({ speaker }) => known.has(speaker) || (known.size > 0 && (counts.get(speaker) ?? 0) > 1));
  const [first] = turns;
  const speakers = new Set(turns.map(({ speaker }) => speaker));
  const changes = turns.filter(({ speaker }, index) => index > 0 && speaker !== turns[index - 1]?.speaker).length;
  const isKnown = turns.length > 1 && [...speakers].every((speaker) => known.has(speaker));
  if (!first || speakers.size < 2 || known.size === 0 || changes + 1 < (isKnown ? 2 : TURNS)) return undefined;
  return { start: first.start, end: endOf(text, first.start, turns.at(-1)?.start ?? 0) };
}

/** Without a word before it, the user's own words are the last paragraph. */
function endOf(text: string, start: number, last: number): number {
  if (text.slice(0, start).trim() !== "") return text.length;
  const turn = text.slice(last).trimEnd();
  const gap = turn.lastIndexOf("\n\n");
  // Behind a label alone, the first paragraph is what the speaker says.
  const isOwn = gap > 0 && turn.slice(turn.indexOf("\n"), gap).trim() !== "";
  return isOwn ? last + gap : text.length;
}
