// What the user typed in a session, sentence by sentence, with the kind of fact that each says.
import { extract } from "../../extract/pipeline.js";
import { projectHome } from "../../files/folders.js";
import type { Kind, Session } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { messageNames } from "../../source/session/messages.js";
import { typedLength } from "../../source/session/spoken.js";

export type TypedSentence = ReturnType<typeof typedSentences>[number];

/** What a team decides, by the kinds of facts. */
const CHOICES: readonly Kind[] = ["constraint", "decision", "rejection"];

/** Only what the user typed is read: this takes a fraction of the time that a whole session takes. */
export function typedSentences(session: Session, rules: RuleSet) {
  const own = session.messages.filter(({ role, meta, summary }) => role === "user" && !meta && !summary);
  const messages = own.map((one) => ({ ...one, text: one.text.slice(0, typedLength(one.text)), toolCalls: [] }));
  const { statements, continuation } = extract({ ...session, messages }, rules);
  const names = messageNames(session);
  const times = new Map(messages.map(({ id, time }) => [id, time]));
  const common = { session: session.id, project: session.folder === undefined ? "" : projectHome(session.folder) };
  const chosen = continuation.items.filter(({ kind }) => CHOICES.includes(kind));
  return statements.map(({ source, start, end, text }) => {
    const fact = chosen.find(({ evidence: one }) => one.source === source && start <= one.start && one.end <= end)?.kind;
    // The same in every file that holds the message: a session that goes on in another file is there twice.
    const said = `${times.get(source) ?? session.id} ${text}`;
    return { ...common, text, fact, said, place: `${session.id}#${names.get(source) ?? source}` };
  });
}
