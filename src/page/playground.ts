// The state of the playground: edits of packs, what they change, trying them on other sessions, and saving.
import { computed, effect, signal } from "@preact/signals";
import type { Diagnostic } from "../diagnostics.js";
import { compareFacts, type Difference } from "../extract/compare-facts.js";
import { extractInSteps } from "../extract/pipeline.js";
import type { Item, Session } from "../model.js";
import { findingsOf } from "../render/lint.js";
import type { RuleSet } from "../rules/rule-set.js";
import { inSlices } from "../steps.js";
import type { Play } from "./data.js";
import { rulesOf } from "./engine.js";
import type { PageModel } from "./page-model.js";

/** Typing goes on for this long before the edits apply. */
const PAUSE_MILLISECONDS = 250;

type Texts = Readonly<Record<string, string>>;

/** What the rules find in another session, or why it cannot be read. */
export type Tried = Difference & { readonly path: string; readonly failed?: string };

export type Playground = ReturnType<typeof createPlayground>;

export function createPlayground(model: PageModel, play: Play) {
  const { data, packs, items, foundWith } = model;
  const state = {
    play,
    saved: signal<Texts>(data.files),
    texts: signal<Texts>(data.files),
    file: signal(play.file),
    findings: signal<readonly Diagnostic[]>(findingsOf(packs.peek().loaded)),
    notice: signal(""),
    /** How often packs were replaced by what is on disk. */
    reloads: signal(0),
    tried: signal<readonly Tried[] | undefined>(undefined),
    trying: signal(""),
    /** The packs have errors with which no command would use them. */
    isBroken: signal(false),
  };
  const { saved, texts, file, findings, notice, reloads, tried, trying, isBroken } = state;
  /** The editor has the focus, so its text is the user's alone. */
  let isTyping = false;
  /** The facts with the packs as they are saved. */
  const before = signal<readonly Item[]>(data.items);
  const isEdited = computed(() => texts.value[file.value] !== saved.value[file.value]);
  const difference = computed(() => compareFacts(before.value, items.value));
  effect(() => {
    if (foundWith.value && isSame(foundWith.value.texts, saved.value)) before.value = items.value;
  });

  /** Broken packs do not apply: what was found before stays. */
  function apply(): void {
    const loaded = rulesOf(data, texts.value);
    findings.value = findingsOf(loaded);
    isBroken.value = loaded.diagnostics.some(({ severity }) => severity === "error");
    if (!isBroken.value) packs.value = { texts: texts.value, loaded };
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const applySoon = () => {
    clearTimeout(timer);
    timer = setTimeout(apply, PAUSE_MILLISECONDS);
  };

  const ask = (path: string, body?: unknown) =>
    fetch(path, {
      headers: { "x-compaction-token": play.token },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });

  let disk: Texts = data.files;
  const events = new EventSource(`/events?token=${play.token}`);
  events.onmessage = ({ data: sent }) => {
    const { files, session } = JSON.parse(sent) as { files?: Texts; session?: true };
    if (session) notice.value = "The session has changed. Reload the page to see it.";
    if (!files) return;
    disk = files;
    takeOver();
  };
  /** Replaces what somebody else changed, except packs that were edited here, and nothing under the hands of the user. */
  function takeOver(): void {
    const [mine, known] = [texts.value, saved.value];
    if (isSame(disk, known)) return;
    const isOwn = (name: string) => mine[name] !== undefined && mine[name] !== known[name] && mine[name] !== disk[name];
    if (isTyping && !isOwn(file.value) && mine[file.value] !== disk[file.value]) {
      notice.value = "Changed elsewhere. It is reloaded when you leave the editor.";
      return;
    }
    const own = Object.keys(mine).filter(isOwn);
    const pick = (here: Texts) => ({ ...disk, ...Object.fromEntries(own.map((name) => [name, here[name] as string])) });
    const conflicts = own.filter((name) => disk[name] !== known[name]);
    notice.value = conflicts.length > 0 ? `Changed elsewhere, too, and not saved here: ${conflicts.join(", ")}` : "Reloaded.";
    saved.value = pick(known);
    if (isSame(pick(mine), mine)) return;
    [texts.value, reloads.value] = [pick(mine), reloads.value + 1];
    apply();
  }

  return {
    ...state,
    isEdited,
    difference,
    edit(text: string): void {
      if (text === texts.value[file.value]) return;
      texts.value = { ...texts.value, [file.value]: text };
      applySoon();
    },
    setTyping(now: boolean): void {
      isTyping = now;
      if (!now) takeOver();
    },
    async save(): Promise<void> {
      notice.value = "";
      const name = file.value;
      const [text, was] = [texts.value[name], saved.value[name]];
      const answer = await ask("/save", { file: name, text, was });
      const { message } = (await answer.json()) as { message?: string };
      notice.value = answer.ok ? "Saved." : `Not saved: ${message}`;
      if (!answer.ok || text === undefined) return;
      saved.value = { ...saved.value, [name]: text };
      disk = { ...disk, [name]: text };
    },
    /** With edits, lists what they change; without, what the rules of the file find. */
    async tryOnSessions(): Promise<void> {
      const now = rulesOf(data, texts.value);
      const old = isEdited.value ? rulesOf(data, saved.value).rules : undefined;
      const body = now.packs.packs.find((pack) => pack.file === file.value)?.body;
      const own = new Set([...Object.keys(body?.rules ?? {}), ...Object.keys(body?.cues ?? {}).map((id) => `cues:${id}`)]);
      tried.value = [];
      const paths = (await (await ask("/sessions")).json()) as readonly string[];
      for (const [index, path] of paths.entries()) {
        trying.value = `${index + 1} of ${paths.length}`;
        const answer = await ask(`/session?path=${encodeURIComponent(path)}`);
        const read = (await answer.json()) as Session & { readonly message?: string };
        if (!answer.ok) {
          tried.value = [...tried.value, { path, gained: [], lost: [], failed: read.message ?? "" }];
          continue;
        }
        const found = await factsIn(read, now.rules);
        const change = old
          ? compareFacts(await factsIn(read, old), found)
          : { gained: found.filter(({ evidence }) => own.has(evidence.rule)), lost: [] };
        tried.value = [...tried.value, { path, ...change }];
      }
      trying.value = "";
    },
  };
}

const isSame = (a: Texts, b: Texts) =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, text]) => b[name] === text);

async function factsIn(session: Session, rules: RuleSet): Promise<readonly Item[]> {
  const { continuation } = await inSlices(extractInSteps(session, rules, { statements: false }));
  return continuation.items;
}
