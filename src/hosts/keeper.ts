// What every host's adapter needs: messages in, text out. Files, state and rules are at hand; the host's own API is not.
import { basename, join } from "node:path";
import { type ExtractOptions, extract } from "../extract/extract.js";
import { countVerdicts } from "../keep/audit.js";
import { openCache } from "../keep/cache.js";
import { factId, pin, readChoices } from "../keep/choices.js";
import { emptyExtraction } from "../keep/empty.js";
import { type Memory, readMemory, toMemory, withMemory, writeMemory } from "../keep/memory.js";
import { repair } from "../keep/repair.js";
import { readStanding, rememberStanding } from "../keep/standing.js";
import type { Extraction, Session } from "../model.js";
import { render } from "../render/render.js";
import type { Template } from "../rules/rule-set.js";
import { writeToSinks } from "../sinks/write.js";
import { readWorkspace } from "../source/workspace.js";
import { loadOrFallBack } from "./fall-back.js";
import { neutral } from "./neutral.js";

export type Level = "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string) => void;

/** A session that is being compacted. */
interface Compacting {
  readonly extraction: Extraction;
  readonly memory: Memory | undefined;
}

export interface Keeper {
  readonly enabled: boolean;
  /** Does what takes long the first times, a part of it in each round. */
  readonly warm: (round: number) => void;
  /** What the host's compaction is given; undefined when there is nothing. */
  readonly inject: (session: Session, options?: Pick<ExtractOptions, "late">) => string | undefined;
  /** The summary, with what it lost behind it. */
  readonly mend: (sessionId: string, summary: string) => string;
  /** What a session that was not told yet should know: the rules of the sessions before it. */
  readonly standing: (sessionId: string) => string | undefined;
  /** What the last round put behind the summary. */
  readonly block: (sessionId: string) => string | undefined;
  readonly record: (sessionId: string, summary: string) => void;
  /** Keeps a text of the user's in every compaction of the project. */
  readonly pin: (text: string) => void;
  /** What would be carried now. */
  readonly carry: (session: Session) => string;
  /** The text of a template that needs nothing filled in. */
  readonly plain: (template: string) => string;
}

export function createKeeper(folder: string, log: Log, stateFolder?: string): Keeper {
  const { rules, enabled, sinks } = loadOrFallBack(folder, log);
  const template = (id: string) => rules.templates.get(id) as Template;
  const open = new Map<string, Compacting>();

  function remembered(sessionId: string): Memory | undefined {
    const { memory, broken } = readMemory(sessionId, stateFolder);
    if (broken) log("warn", `${broken}; it is set aside`);
    return memory;
  }

  function quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      log("warn", `what was found cannot be stored: ${(error as Error).message}`);
    }
  }
  const store = (memory: Memory) => quietly(() => writeMemory(memory, stateFolder));

  /** After a restart the session is known from its state alone. */
  function compacting(sessionId: string): Compacting | undefined {
    const known = open.get(sessionId);
    if (known) return known;
    const memory = remembered(sessionId);
    return (
      memory && {
        extraction: withMemory(emptyExtraction(sessionId), memory, { id: sessionId, format: "", messages: [] }),
        memory,
      }
    );
  }

  /** The session and the project as they are now, and what is remembered of them. */
  function found(session: Session, options: Pick<ExtractOptions, "late"> = {}) {
    const workspace = readWorkspace(folder, rules);
    const { choices } = readChoices(folder, stateFolder);
    const drops = new Set(choices.drops);
    const cache = openCache(rules, stateFolder === undefined ? undefined : join(stateFolder, "cache"));
    const now = extract(session, rules, {
      cache,
      ...workspace,
      ...options,
      pins: choices.pins,
      isDropped: (item) => drops.has(factId(item)),
    });
    cache.flush();
    const memory = remembered(session.id);
    const noted = workspace.files.some(({ name }) => rules.files.some(({ id, state }) => id === name && state));
    const extraction = withoutEmptyNotes(withMemory(now, memory, session), noted);
    return { extraction, memory, notices: now.continuation.diagnostics };
  }

  /** A sink may take its time: nobody waits for it, and what it says is logged when it comes. */
  function note(session: Session, extraction: Extraction, round: number): void {
    if (!sinks.notes && !sinks.maenifold) return;
    const now = session.messages.findLast(({ time }) => time !== undefined)?.time;
    const rendered = render(extraction, template("note"), rules, { project: basename(folder), round, ...(now && { now }) });
    void writeToSinks(rendered, sinks).then((outcomes) => {
      for (const outcome of outcomes)
        if (outcome.ok) log("info", `${outcome.sink}: the note is written${outcome.uri ? ` (${outcome.uri})` : ""}`);
        else log(outcome.level, `${outcome.sink}: ${outcome.message}`);
    });
  }

  return {
    enabled,
    warm(round) {
      // Any text will do to run through what a compaction runs through; the templates are at hand.
      const texts = [...rules.templates.values()].flatMap(({ text }) => text.split("\n\n"));
      const messages = texts.map((text, index) => ({
        id: `${index}`,
        role: index % 2 ? ("assistant" as const) : ("user" as const),
        text,
        toolCalls: [],
      }));
      const said = messages.map((message) => ({ ...message, text: `${message.text} ${round}.` }));
      const sample = extract({ id: "", format: "", messages: said }, rules);
      render(sample, template("injection"), rules);
      repair(sample, texts[round] ?? "", template("repair"), rules);
    },
    inject(session, options = {}) {
      const { extraction, memory, notices } = found(session, options);
      open.set(session.id, { extraction, memory });
      store(toMemory(session.id, memory?.round ?? 0, extraction, kept(memory)));
      quietly(() => rememberStanding(folder, session.id, extraction.continuation.items, stateFolder));
      note(session, extraction, (memory?.round ?? 0) + 1);
      for (const { code, message, count } of notices) log("debug", `${message} (${count}) [${code}]`);
      const { text, entries, hidden } = render(extraction, template("injection"), rules);
      log("info", `${extraction.continuation.items.length} facts, ${entries} lines injected, ${hidden} not shown`);
      return entries === 0 ? undefined : neutral(text);
    },
    mend(sessionId, summary) {
      const known = compacting(sessionId);
      if (!known) return summary;
      const mended = repair(known.extraction, summary, template("repair"), rules);
      const given = Object.entries(countVerdicts(mended.verdicts)).filter(([, count]) => count > 0);
      const counts = Object.fromEntries(given);
      const round = (known.memory?.round ?? 0) + 1;
      const more = { verdicts: counts, block: mended.block, summary: mended.summary };
      store(toMemory(sessionId, round, known.extraction, more));
      log(
        "info",
        `summary audited: ${
          Object.entries(counts)
            .map(([verdict, count]) => `${count} ${verdict}`)
            .join(", ") || "no facts"
        }; ${mended.hidden} not shown`,
      );
      return mended.summary;
    },
    standing(sessionId) {
      const { choices } = readChoices(folder, stateFolder);
      const drops = new Set(choices.drops);
      const told = readStanding(folder, stateFolder).filter(
        ({ session, item }) => session !== sessionId && !drops.has(factId(item)),
      );
      if (told.length === 0) return undefined;
      const { continuation } = emptyExtraction(sessionId);
      const items = told.map(({ item }) => item).reverse();
      const { text, entries } = render({ continuation: { ...continuation, items }, statements: [] }, template("standing"), rules);
      return entries === 0 ? undefined : neutral(text);
    },
    block(sessionId) {
      const known = compacting(sessionId);
      return known ? repair(known.extraction, "", template("repair"), rules).summary : undefined;
    },
    pin: (text) => quietly(() => pin(folder, text, stateFolder)),
    carry(session) {
      const { text, entries } = render(found(session).extraction, template("carry"), rules);
      return entries === 0 ? "" : neutral(text);
    },
    plain: (id) => template(id).text.trim(),
    record(sessionId, summary) {
      const memory = remembered(sessionId);
      if (memory && memory.summary !== summary) store({ ...memory, summary });
      open.delete(sessionId);
    },
  };
}

const kept = (memory: Memory | undefined): Partial<Memory> => ({
  ...(memory?.verdicts && { verdicts: memory.verdicts }),
  ...(memory?.block !== undefined && { block: memory.block }),
  ...(memory?.summary !== undefined && { summary: memory.summary }),
});

/** A project without notes and without a workflow has no state to tell of. */
function withoutEmptyNotes(extraction: Extraction, noted: boolean): Extraction {
  if (noted || extraction.continuation.workflow) return extraction;
  const { sections: _, ...continuation } = extraction.continuation;
  return { ...extraction, continuation };
}
