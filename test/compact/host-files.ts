// Files as the hosts write them, a record at a time: what was undone stays in them.

export interface HostFile {
  readonly name: string;
  /** Each answers a mark that `goBack` goes back to. */
  readonly user: (text: string) => string;
  readonly assistant: (text: string) => string;
  readonly edit: (path: string) => void;
  /** As the host does it: everything behind the mark is undone, which is so many turns. */
  readonly goBack: (mark: string, turns: number) => void;
  readonly compact: (summary: string, kept?: readonly string[]) => void;
  readonly text: () => string;
  readonly records: object[];
}

const time = (count: number) => new Date(Date.UTC(2026, 0, 2) + count * 1_000).toISOString();

export function claudeCode(): HostFile {
  const records: object[] = [];
  let last: string | null = null;
  const add = (record: object) => {
    const uuid = `u${records.length}`;
    records.push({ uuid, parentUuid: last, sessionId: "s-1", timestamp: time(records.length), isSidechain: false, ...record });
    last = uuid;
    return uuid;
  };
  const say = (type: string, content: unknown, more: object = {}) =>
    add({ type, message: { role: type, id: type === "user" ? undefined : `m${records.length}`, content }, ...more });
  const result = (id: string) => [{ type: "tool_result", tool_use_id: id, content: "ok" }];
  return {
    name: "claude-code",
    records,
    user: (text) => say("user", text),
    assistant: (text) => say("assistant", [{ type: "text", text }]),
    edit(path) {
      const id = `t${records.length}`;
      say("assistant", [{ type: "tool_use", id, name: "Write", input: { file_path: path, content: "x" } }]);
      say("user", result(id));
    },
    goBack: (mark) => {
      last = mark;
    },
    compact(summary, uuids = []) {
      const preserved = { headUuid: uuids[0], tailUuid: uuids.at(-1) };
      const compactMetadata = {
        trigger: "auto",
        ...(uuids.length > 0 && { preservedSegment: preserved, preservedMessages: { uuids } }),
      };
      add({ type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid: last, compactMetadata });
      const content = `This session is being continued from a previous conversation. Summary:\n${summary}`;
      say("user", content, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
    },
    text: () => toLines(records),
  };
}

export function codex(): HostFile {
  const records: object[] = [{ type: "session_meta", payload: { id: "s-1", source: "cli" } }];
  const add = (type: string, payload: object) =>
    String(records.push({ timestamp: time(records.length), ordinal: records.length, type, payload }));
  const say = (role: string, type: string, text: string) =>
    add("response_item", { type: "message", id: `msg_${records.length}`, role, content: [{ type, text }] });
  return {
    name: "codex",
    records,
    user: (text) => say("user", "input_text", text),
    assistant: (text) => say("assistant", "output_text", text),
    edit(path) {
      const call_id = `call_${records.length}`;
      const input = `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
      add("response_item", { type: "custom_tool_call", status: "completed", call_id, name: "apply_patch", input });
      add("response_item", { type: "custom_tool_call_output", call_id, output: "Exit code: 0\nSuccess." });
    },
    goBack: (_, turns) => void add("event_msg", { type: "thread_rolled_back", num_turns: turns }),
    compact: (message) => void add("compacted", { message, replacement_history: [] }),
    text: () => toLines(records),
  };
}

export function pi(): HostFile {
  const records: object[] = [{ type: "session", version: 3, id: "s-1", timestamp: time(0), cwd: "/p" }];
  let last: string | null = null;
  const add = (record: object) => {
    const id = `e${records.length}`;
    records.push({ id, parentId: last, timestamp: time(records.length), ...record });
    last = id;
    return id;
  };
  const say = (message: object) => add({ type: "message", message });
  const text = (said: string) => [{ type: "text", text: said }];
  return {
    name: "pi",
    records,
    user: (said) => say({ role: "user", content: text(said) }),
    assistant: (said) => say({ role: "assistant", content: text(said), stopReason: "stop" }),
    edit(path) {
      const id = `c${records.length}`;
      const content = [{ type: "toolCall", id, name: "write", arguments: { path, content: "x" } }];
      say({ role: "assistant", content, stopReason: "toolUse" });
      say({ role: "toolResult", toolCallId: id, toolName: "write", content: text("ok"), isError: false });
    },
    goBack: (mark) => {
      last = mark;
    },
    compact: (summary, [first] = []) => void add({ type: "compaction", summary, firstKeptEntryId: first ?? "" }),
    text: () => toLines(records),
  };
}

export const toLines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
