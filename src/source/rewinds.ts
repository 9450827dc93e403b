// Where the user went back to an earlier message and said something else, a Claude Code file holds both: a record names
// the one before it, and only what leads to the last record is still the conversation. Chains have breaks and side
// branches that are no such thing, so a record is left out only where it hangs on words that others took the place of.
import { asList, asText, type Fields, isFields } from "./parsed.js";

/** In the order of the file, in which a record stands behind the one that it names. */
export function withoutRewound(records: readonly Fields[]): readonly Fields[] {
  const known = new Map(records.flatMap((record) => (typeof record.uuid === "string" ? [[record.uuid, record] as const] : [])));
  const spoken = records.filter(isSpoken);
  const places = new Map(spoken.map((record) => [record, turnBefore(record, known)]));
  // Hardly any session has a fork: the rest is for those.
  const turns = [...places.values()].filter((turn) => turn !== undefined);
  if (new Set(turns).size === turns.length) return records;
  const way = wayTo(
    records.findLast(({ uuid }) => typeof uuid === "string"),
    known,
  );
  const replaced = new Set<unknown>();
  const gone = new Set<unknown>();
  // From behind: what took the place of others stands later.
  for (const record of spoken.toReversed()) {
    const turn = places.get(record);
    if (turn === undefined) continue;
    if (way.has(record)) replaced.add(turn);
    else if (replaced.has(turn)) gone.add(record.uuid);
  }
  return records.filter((record) => {
    if (way.has(record)) return true;
    const isGone = gone.has(record.uuid) || (typeof record.parentUuid === "string" && gone.has(record.parentUuid));
    if (isGone && record.uuid !== undefined) gone.add(record.uuid);
    return !isGone;
  });
}

/** Words of a person: no answer of a tool, and nothing that the program put in. */
function isSpoken({ type, uuid, message, isMeta, isCompactSummary }: Fields): boolean {
  if (type !== "user" || typeof uuid !== "string" || isMeta === true || isCompactSummary === true || !isFields(message))
    return false;
  const { content } = message;
  if (typeof content === "string") return true;
  const types = asList(content).map((block) => (isFields(block) ? block.type : undefined));
  return types.includes("text") && !types.includes("tool_result");
}

const isTurn = ({ type }: Fields) => type === "user" || type === "assistant";
export const parentOf = ({ parentUuid, logicalParentUuid }: Fields) => asText(parentUuid) ?? asText(logicalParentUuid);

/** The message that was answered, over what the program noted in between; undefined where the chain breaks. */
function turnBefore(record: Fields, known: ReadonlyMap<string, Fields>): Fields | undefined {
  const seen = new Set<Fields>();
  let at = known.get(asText(record.parentUuid) ?? "");
  while (at && !isTurn(at)) {
    if (seen.has(at)) return undefined;
    seen.add(at);
    at = known.get(asText(at.parentUuid) ?? "");
  }
  return at;
}

/** The records that lead to one, over compactions too. */
function wayTo(record: Fields | undefined, known: ReadonlyMap<string, Fields>): ReadonlySet<Fields> {
  const way = new Set<Fields>();
  for (let at = record; at && !way.has(at); at = known.get(parentOf(at) ?? "")) way.add(at);
  return way;
}
