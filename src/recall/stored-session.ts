// A session as far as a store holds it, for those who do not have its file.
import type { Message, Role, Session } from "../model.js";
import { groupBy } from "../text/sorted.js";
import type { Found } from "./store.js";

/** @param found all passages of the session, newest first */
export function storedSession(id: string, found: readonly Found[]): Session {
  const messages = [...groupBy(found.toReversed(), ({ message }) => message)].map(([name, passages]): Message => {
    const said = passages.filter(({ kind }) => kind !== "run");
    const [first] = said;
    return {
      id: name,
      role: (first?.by ?? "assistant") as Role,
      text: said.map(({ own }) => own).join("\n"),
      toolCalls: passages.flatMap(({ kind, own }) =>
        kind === "run" ? [{ name: own.split(" ", 1)[0] ?? "", input: {}, output: "" }] : [],
      ),
      ...(passages[0]?.time && { time: passages[0].time }),
    };
  });
  return { id, format: "stored", messages: messages.sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true })) };
}
