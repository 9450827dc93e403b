// compaction show: prints the messages around a place that find names.
import { existsSync } from "node:fs";
import { redact } from "../../extract/redact.js";
import type { Session } from "../../model.js";
import { storedSession } from "../../recall/stored-session.js";
import { builtInRules } from "../../rules/load-rules.js";
import { messageNamed, messageNames } from "../../source/session/sources.js";
import { parseArguments, wholeNumber } from "../input/arguments.js";
import { readWholeSession } from "../input/input.js";
import { messageText } from "../output/lines.js";
import { CommandError, EXIT, printJson, say } from "../output/terminal.js";
import { withStore } from "./open-store.js";

export const help = `npx compaction-rules show SESSION#MESSAGE [--around N] [--json]

Prints a message and those around it, with secrets masked. SESSION is a file, or the id of a session that find printed;
MESSAGE is its name there, such as m12.

  --around N        so many messages before and after it; 1 unless given
  --json            print them as JSON

Exit status: 0 done, 2 it could not run.
`;

/** Passages of a session that are read from a store. */
const MOST = 20_000;

export async function show(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, help);
  const [place, ...more] = given.positionals;
  const [, named = "", name = ""] = /^(.+)#([^#]+)$/s.exec(place ?? "") ?? [];
  if (named === "" || more.length > 0) throw new CommandError("name one place", "such as SESSION#m12, as find prints it");
  const session = await sessionNamed(named);
  const messages = messagesAround(session, name, wholeNumber(given, "around") ?? 1);
  const { redactions } = builtInRules().rules;
  const shown = messages.map((message) => ({ ...message, text: redact(message.text, redactions) }));
  const names = messageNames(session);
  if (given.flags.json)
    return printJson({
      version: 1,
      session: session.id,
      messages: shown.map(({ id, role, time, text, toolCalls }) => ({
        name: names.get(id) ?? id,
        role,
        ...(time !== undefined && { time }),
        text,
        calls: toolCalls.map((call) => call.name),
      })),
    });
  say(shown.map((message) => messageText({ ...message, id: names.get(message.id) ?? message.id }, message.text)).join("\n"));
  return EXIT.fine;
}

function messagesAround(session: Session, name: string, around: number): Session["messages"] {
  const id = messageNamed(name, session);
  const at = session.messages.findIndex((message) => message.id === id);
  if (at < 0) throw new CommandError(`the session has no message ${name}`);
  return session.messages.slice(Math.max(0, at - around), at + around + 1);
}

/** A file, or a session that the store knows: from its file if that is here, otherwise as far as the store holds it. */
async function sessionNamed(named: string): Promise<Session> {
  if (existsSync(named)) return readWholeSession(named, undefined).session;
  const unknown = new CommandError(
    `there is no file and no known session ${named}`,
    "find prints the sessions that it knows, once it is switched on",
  );
  const found = await withStore(".", undefined, async (store) => {
    const path = (await store.listIndexed()).find(({ session }) => session === named)?.path;
    return path === undefined ? store.search({ session: named, most: MOST }) : path;
  });
  if (typeof found === "string") return readWholeSession(found, undefined).session;
  if (!found || found.length === 0) throw unknown;
  return storedSession(named, found);
}
