// The part of a reference that is about notes and workflows: values, and stages in their order.
import type { Effective } from "./effective.js";
import { cellCode, cellText, code } from "./markdown.js";

type Fields = Readonly<Record<string, unknown>>;
const texts = (value: unknown) => (value ?? []) as readonly string[];
const spans = (list: readonly string[]) => list.map(cellCode).join(", ");

export function valueRow({ id, value }: Effective): Fields {
  const { match, regex, fields, headings } = value as Fields;
  return {
    id: cellCode(id),
    phrases: spans([...texts(match), ...texts(regex)]),
    fields: texts(fields).map(cellText).join(", "),
    headings: spans(texts(headings)),
  };
}

export function workflowEntry({ id, value }: Effective, origin: string): Fields {
  const { folder, artifacts, pick, stages } = value as Fields;
  return {
    id: code(id),
    origin: code(origin),
    folder: code(String(folder)),
    artifacts: Object.values((artifacts ?? {}) as Record<string, string>)
      .map(code)
      .join(", "),
    pick: texts(pick).map(code).join(", "),
    stages: Object.entries((stages ?? {}) as Record<string, Fields>)
      .filter(([, stage]) => stage.off !== true)
      .map(([name, stage]) => ({
        name: cellCode(name),
        edits: stage.edits === undefined ? "" : cellCode(String(stage.edits)),
        objective: cellText(firstLine(stage.say)),
      })),
  };
}

/** What the first section of a stage says: its objective. */
function firstLine(say: unknown): string {
  const [lines] = Object.values((say ?? {}) as Record<string, readonly (readonly string[])[]>);
  return lines?.[0]?.[0] ?? "";
}
