// What /carry lists, as a user reads it: each fact with the id that drops it, and messages by number, because nobody knows their ids.
import { PINS } from "../extract/by-hand.js";
import type { Extraction, Item, Session, Statement } from "../model.js";
import { factId } from "../state/choices.js";

export function asCarried({ continuation, statements }: Extraction, { messages }: Session): Extraction {
  const numbers = new Map(messages.map(({ id }, index) => [id, `message ${index + 1}`]));
  const numbered = (id: string) => numbers.get(id) ?? "an earlier message";
  const sourceOf = (by: Item["by"], source: string) => (by === "file" || source === PINS ? source : numbered(source));
  const items = continuation.items.map((item): Item => {
    const { by, fields, evidence, judged } = item;
    const witness = judged?.witness === undefined ? {} : { witness: numbered(judged.witness) };
    return {
      ...item,
      fields: { ...fields, id: factId(item) },
      evidence: { ...evidence, source: sourceOf(by, evidence.source) },
      ...(judged && { judged: { ...judged, ...witness } }),
    };
  });
  const said = statements.map((one): Statement => ({ ...one, source: sourceOf(one.by, one.source) }));
  return { continuation: { ...continuation, items }, statements: said };
}
