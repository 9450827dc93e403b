// What Claude Code kept as it is when it compacted: a record before the summary names it, and the summary does not cover it.
import { asList, asText, type Fields, isFields } from "./parsed.js";

/** For the record of each summary the records that were kept beside it, by their ids. */
export function preservedBy(records: readonly Fields[]): ReadonlyMap<string, readonly string[]> {
  const preserved = new Map<string, readonly string[]>();
  let kept: readonly string[] = [];
  for (const record of records) {
    if (record.subtype === "compact_boundary") kept = keptAt(record, records);
    if (record.isCompactSummary !== true) continue;
    if (typeof record.uuid === "string" && kept.length > 0) preserved.set(record.uuid, kept);
    kept = [];
  }
  return preserved;
}

function keptAt({ compactMetadata }: Fields, records: readonly Fields[]): readonly string[] {
  if (!isFields(compactMetadata)) return [];
  const { preservedMessages: all, preservedSegment: segment } = compactMetadata;
  if (isFields(all)) return asList(all.uuids).filter((uuid) => typeof uuid === "string");
  if (!isFields(segment)) return [];
  // Some versions name the ends only.
  const [first, last] = [segment.headUuid, segment.tailUuid].map((end) => records.findIndex(({ uuid }) => uuid === end));
  if (first === undefined || last === undefined || first < 0) return [];
  return records.slice(first, last + 1).flatMap(({ uuid }) => asText(uuid) ?? []);
}
