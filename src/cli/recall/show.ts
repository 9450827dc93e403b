// compaction show: prints the messages around a place that find names.
import { existsSync } from "node:fs";
import { maskMessage } from "../../extract/redact-session.js";
import { projectHome } from "../../files/folders.js";
import type { Session } from "../../model.js";
import { isOfProject, type ListedSession } from "../../recall/listed.js";
import { storedSession } from "../../recall/store.js";
import { masker } from "../../rules/redact/redact.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { messageNamed, messageNames } from "../../source/session/messages.js";
import { readSession } from "../../source/session/read-session.js";
import { listSessions } from "../first/agents-here.js";
import { type Arguments, wholeNumber } from "../input/arguments.js";
import { readWholeSession } from "../input/open-session.js";
import { rulesFor } from "../input/project.js";
import { messageText } from "../output/lines.js";
import { CommandError, printJson, say } from "../output/terminal.js";
import { withStore } from "./recall.js";

const MOST = 20_000;

export async function show(given: Arguments): Promise<number | undefined> {
  const [place, ...more] = given.positionals;
  const around = wholeNumber(given, "around", 0) ?? 1;
  const { session, messages } = await messagesAt(more.length > 0 ? "" : (place ?? ""), around, rulesFor(".").rules);
  if (!given.flags.json) return say(messages.map((message) => messageText(message, message.text)).join("\n"));
  const shown = messages.map(({ id: name, role, time, text, toolCalls }) => {
    return { name, role, time, text, calls: toolCalls.map((call) => call.name) };
  });
  return printJson({ version: 1, session, messages: shown });
}

/** The message at a place and those around it, with the names of messages as ids, and with secrets masked.
 * @param folder only sessions of this project that are in the store */
export async function messagesAt(place: string, around: number, { redactions }: RuleSet, folder?: string) {
  const [, named = "", name = ""] = /^"?(.+)#([^#]+?)"?$/s.exec(place) ?? [];
  if (named === "") throw new CommandError("name one place", "such as SESSION#m12, as find prints it");
  const session = await sessionNamed(named, folder);
  const names = messageNames(session);
  const mask = masker(redactions);
  const messages = messagesAround(session, name, around).map((message) => {
    return { ...maskMessage(message, mask), id: names.get(message.id) ?? message.id };
  });
  return { session: session.id, messages };
}

function messagesAround(session: Session, name: string, around: number): Session["messages"] {
  const id = messageNamed(name, session);
  const at = session.messages.findIndex((message) => message.id === id);
  if (at < 0) throw new CommandError(`the session has no message ${name}`);
  return session.messages.slice(Math.max(0, at - around), at + around + 1);
}

/** A file, or a session that the store knows: from its file if an agent keeps it here, otherwise as far as the store holds it.
 * Others write into the store of a team, so it does not say which file is read.
 * @param folder only sessions of this project that are in the store */
async function sessionNamed(named: string, folder: string | undefined): Promise<Session> {
  if (folder === undefined && existsSync(named)) return readWholeSession(named, undefined).session;
  const project = folder === undefined ? undefined : projectHome(folder);
  const isOurs = project === undefined ? () => true : isOfProject(project);
  const found = await withStore(folder ?? ".", undefined, async (store) => {
    const known = (await store.listIndexed()).filter(({ session }) => session.startsWith(named)).map(({ path }) => path);
    const listed = known.length === 0 ? undefined : listSessions().find((one) => known.includes(one.path) && isOurs(one));
    return listed ?? store.search({ session: named, most: MOST, project });
  });
  if (found && "path" in found) return readWholeListed(found);
  const id = found?.[0]?.session;
  const hint = "find prints the sessions that it knows, once it is switched on";
  if (!found || id === undefined) throw new CommandError(`there is no file and no known session ${named}`, hint);
  const own = found.filter(({ session }) => session === id);
  return storedSession(id, own);
}

const readWholeListed = ({ path, row }: ListedSession): Session =>
  row ? readSession(row.read(), path).session : readWholeSession(path, undefined).session;
