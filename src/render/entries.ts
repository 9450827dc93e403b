// Lists every line that a template may show: what was said, and what calls and notes prove.
import { type Continuation, type DocumentLine, type LastCall, placeKey, type Statement } from "../model.js";
import { type Add, type Entry, PLAIN_ENTRY } from "./entry.js";
import { addByHand, addInstructions, addItems } from "./item-entries.js";
import { addCalls, addDocuments, addFiles, addLastCalls, addNotes } from "./proven-entries.js";
import { addOpening, addRequests, addStatements, goalsOf, lastWords } from "./said-entries.js";
import { createTalk, type EntryOptions } from "./talk.js";

export interface EntryParts {
  readonly continuation: Continuation;
  readonly statements: readonly Statement[];
  readonly documents: readonly DocumentLine[];
  readonly lastCalls: readonly LastCall[];
}

const COUNTED = { ...PLAIN_ENTRY, tells: "", salience: 0, when: 0, fact: false, fields: {} } as const;

/** All entries, in the order in which each list shows them. */
export function toEntries({ continuation, statements, documents, lastCalls }: EntryParts, options: EntryOptions) {
  const { lists, once } = options;
  const entries: Entry[] = [];
  const add: Add = (list, toEntry) =>
    entries.push(lists.has(list) ? { list, of: list, ...toEntry() } : { list, of: list, ...COUNTED });
  const talk = createTalk(continuation, statements, options);
  const { line, toldOf, ofStatement } = talk;
  addItems(add, talk, continuation.sections);
  addByHand(add, talk);
  addInstructions(add, talk);
  addFiles(add, continuation);
  addCalls(add, continuation, line, toldOf);
  addNotes(add, continuation, line);
  addDocuments(add, documents);
  const closing = lastWords(statements);
  if (closing) addLastCalls(add, lastCalls);
  if (closing) add("closing", () => ({ ...ofStatement(closing), share: "end", fact: false, ...line.ofStatement(closing) }));
  const goals = goalsOf(talk);
  addOpening(add, talk, goals);
  addRequests(add, talk, goals);
  // With `once`, a fact replaces its sentence.
  const facts = new Set(once ? entries.flatMap(({ list, place }) => (place && lists.has(list) ? [placeKey(place)] : [])) : []);
  addStatements(add, talk, goals, facts);
  return entries;
}
