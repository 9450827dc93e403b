// Removes rewound messages. When the user of Claude Code goes back to an earlier message and says something else, both are kept.
// Each record names its parent, and only the records that lead to the last one are current. Chains also have gaps and harmless
// side branches, so a record is removed only if it follows a replaced message.
import { asText, fieldsIn, isFields, type JsonFields } from "../../text/json.js";

export const isTurn = ({ type }: JsonFields): boolean => type === "user" || type === "assistant";

/** Expects the order of the file, in which a record comes after its parent. */
export function withoutRewound(records: readonly JsonFields[]): readonly JsonFields[] {
  const known = new Map(records.flatMap((record) => (typeof record.uuid === "string" ? [[record.uuid, record] as const] : [])));
  const spoken = records.filter(isSpoken);
  const places = new Map(spoken.map((record) => [record, turnBefore(record, known)]));
  // Most sessions have no fork and are done here.
  const turns = [...places.values()].filter((turn) => turn !== undefined);
  if (new Set(turns).size === turns.length) return records;
  const last = records.findLast(({ uuid }) => typeof uuid === "string");
  const way = wayTo(last, known);
  const replaced = new Set<unknown>();
  const gone = new Set<unknown>();
  // From the end, because a replacement comes after what it replaces.
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

/** Is it a person's message, not a tool's result or text that the program inserted? */
function isSpoken({ type, uuid, message, isMeta, isCompactSummary }: JsonFields): boolean {
  if (type !== "user" || typeof uuid !== "string" || isMeta === true || isCompactSummary === true || !isFields(message))
    return false;
  const { content } = message;
  if (typeof content === "string") return true;
  const types = fieldsIn(content).map(({ type }) => type);
  return types.includes("text") && !types.includes("tool_result");
}

export const parentOf = ({ parentUuid, logicalParentUuid }: JsonFields) => asText(parentUuid) ?? asText(logicalParentUuid);

/** The message before this one, skipping the program's own records; undefined if the chain is broken. */
function turnBefore(record: JsonFields, known: ReadonlyMap<string, JsonFields>): JsonFields | undefined {
  const seen = new Set<JsonFields>();
  let at = known.get(asText(record.parentUuid) ?? "");
  while (at && !isTurn(at)) {
    if (seen.has(at)) return undefined;
    seen.add(at);
    at = known.get(asText(at.parentUuid) ?? "");
  }
  return at;
}

/** The records that lead to this one, also across compactions. */
function wayTo(record: JsonFields | undefined, known: ReadonlyMap<string, JsonFields>): ReadonlySet<JsonFields> {
  const way = new Set<JsonFields>();
  for (let at = record; at && !way.has(at); at = known.get(parentOf(at) ?? "")) way.add(at);
  return way;
}
