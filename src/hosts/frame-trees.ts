// The trees of frames of one OpenCode: where they are, how they change, and whose sessions they are of.
import { redact } from "../extract/redact.js";
import type { Changed, FrameEvent, Learnt } from "../frames/change.js";
import type { Tree } from "../frames/frame.js";
import { fillFrame } from "../frames/say.js";
import type { FrameSettings } from "../frames/settings.js";
import { changeTree, listTrees, readTree } from "../frames/store.js";
import type { RuleSet } from "../rules/rule-set.js";
import { type FrameClient, type FrameSessions, frameSessions } from "./frame-sessions.js";
import type { Log } from "./log.js";

export interface FramesInput {
  readonly client: FrameClient;
  readonly settings: FrameSettings;
  readonly rules: RuleSet;
  readonly log: Log;
  /** What rules find in a session: its goal, the files it changed, what it settled. */
  readonly learn: (id: string, messages: readonly unknown[]) => Promise<Learnt & { readonly goal?: string }>;
  readonly stateFolder?: string;
}

export interface FrameTrees {
  readonly sessions: FrameSessions;
  readonly settings: FrameSettings;
  readonly log: Log;
  readonly now: () => string;
  /** The time, for frames whose summary is overdue. */
  readonly clock: () => FrameEvent;
  readonly read: (root: string) => Tree;
  readonly update: (root: string, ...events: readonly FrameEvent[]) => Changed;
  /** The tree that a session belongs to, and the sessions from it up to the root. */
  readonly treeOf: (id: string) => Promise<{ readonly root: string; readonly line: readonly string[]; readonly tree: Tree }>;
  /** The roots of the trees that a session is in, also of one that is gone. */
  readonly rootsOf: (id: string) => readonly string[];
  /** What is stored holds no secret. */
  readonly masked: (text: string) => string;
  readonly say: (template: string, view: object) => string;
}

export function frameTrees({ client, settings, rules, log, stateFolder }: FramesInput): FrameTrees {
  const sessions = frameSessions(client);
  const now = () => new Date().toISOString();
  const read = (root: string) => readTree(root, stateFolder);
  return {
    sessions,
    settings,
    log,
    now,
    clock: () => ({ type: "clock", now: now(), milliseconds: settings.milliseconds }),
    read,
    update: (root, ...events) => changeTree(root, events, stateFolder),
    async treeOf(id) {
      const line = await sessions.lineage(id);
      const root = line.at(-1) as string;
      return { root, line, tree: read(root) };
    },
    rootsOf: (id) => listTrees(id, stateFolder).trees.flatMap(({ frames: [root] }) => (root ? [root.sessionID] : [])),
    masked: (text) => redact(text, rules.redactions),
    say: (template, view) => fillFrame(rules, template, view),
  };
}
