import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtInRules, type Lifecycle } from "../../src/index.js";
import { chooseLifecycle, type HostMessage, messagesInView, sessionDifferences } from "../../src/lifecycle/index.js";

const { rules } = builtInRules();
const samples = "../shared/harness/opencode/samples";
const load = (file: string): readonly HostMessage[] => {
  const read = JSON.parse(readFileSync(`${samples}/${file}`, "utf8"));
  return read.messages ?? read;
};
const view = (name: string, messages: readonly HostMessage[]) =>
  messagesInView(messages, chooseLifecycle(rules, { name }) as Lifecycle);

describe.skipIf(!existsSync(samples))("real sessions of OpenCode (../shared)", () => {
  test.each(["export-long-3-compactions.json", "messages-auto-compaction.json", "messages-overflow-replay.json"])(
    "%s",
    (file) => {
      const messages = load(file);
      const last = messages.findLastIndex(({ parts }) => parts.some(({ type }) => type === "compaction"));
      const [part] = messages[last]?.parts ?? [];
      const tail = messages.findIndex(({ info }) => info.id === part?.tail_start_id);
      expect(view("classic", messages)).toEqual(messages.slice(last));
      const kept = messages
        .slice(tail < 0 ? last : tail, last)
        .filter(({ info, parts }) => info.summary !== true && parts[0]?.type !== "compaction");
      expect(view("opencode", messages)).toEqual([...messages.slice(last, last + 2), ...kept, ...messages.slice(last + 2)]);
    },
  );

  test("the files that a session changed", () => {
    const changed = sessionDifferences(load("export-long-3-compactions.json"));
    expect(changed.map(({ file, additions, deletions, status }) => [file, additions, deletions, status])).toEqual([
      ["src/cart.js", 1, 1, "modified"],
      ["src/discount.js", 1, 0, "added"],
      ["src/session.js", 1, 0, "added"],
    ]);
  });
});
