// Sessions that change as those of a host do: messages come, go and are told otherwise.
import fc from "fast-check";
import type { Message, Session } from "../../src/index.js";

const SAID = [
  "Yes, go ahead.",
  "No, not like that.",
  "2",
  "Option B please.",
  "Never touch the migrations.",
  "Let's use Redis for the cache.",
  "Actually, use Postgres instead.",
  "Scratch that.",
  "The timeout must be 30 s.",
  "Make it 60 s.",
  "Why does the scheduler queue drop the retry counter?",
  "# Wanted\n\n- [ ] use **Redis** for `cache.ts`\n- the timeout must be _30_ s",
];
const ANSWERED = [
  "I'll put the retry counter into the scheduler queue.",
  "Option A: keep the table.\nOption B: drop the table.\n\nWhich one?",
  "1. Keep the ledger file.\n2. Split the ledger file.\n\nWhich do you prefer?",
  "Done: the cache uses Redis now.",
  "The root cause is the stale lock in `queue.ts`.",
  "We decided to keep the SchedulerQueue class because the retryCounter lives there.",
  "All tests pass.",
  "## Plan\n\n- [ ] **Rename** `queue.ts`\n- [x] Split the [ledger file](ledger.md)\n\n> The *stale lock* in `queue.ts` broke it.\n\n| file | state |\n|---|---|\n| `queue.ts` | keep |",
];
const WRITTEN = ["class SchedulerQueue { retryCounter = 0 }", "const cache = new Redis()", "ledger.split()", ""];

const call = fc.record({
  name: fc.constantFrom("write", "read", "bash"),
  input: fc.constantFrom(...WRITTEN).map((content) => ({ filePath: "queue.ts", content, command: "npm test" })),
  output: fc.constantFrom("", "error: stale lock", ...WRITTEN),
  status: fc.constantFrom("completed", "error"),
});
export const message = fc.oneof(
  fc.record({ role: fc.constant("user" as const), text: fc.constantFrom(...SAID), toolCalls: fc.constant([]) }),
  fc.record({
    role: fc.constant("assistant" as const),
    text: fc.constantFrom(...ANSWERED, ""),
    toolCalls: fc.array(call, { maxLength: 2 }),
  }),
);

type Bare = Omit<Message, "id">;
/** The session after each of the changes. */
export function* history(
  first: readonly Bare[],
  changes: readonly { does: string; at: number; with: Bare }[],
): Generator<Session> {
  let count = 0;
  const named = (bare: Bare): Message => ({ ...bare, id: `m${count++}` });
  let messages = first.map(named);
  // As a host has it: each time read anew.
  const session = () => structuredClone({ id: "s", format: "neutral", messages });
  yield session();
  for (const { does, at, with: bare } of changes) {
    const place = at % Math.max(1, messages.length);
    if (does === "append") messages = [...messages, named(bare)];
    if (does === "replace") messages = messages.map((old, index) => (index === place ? { ...bare, id: old.id } : old));
    if (does === "drop") messages = messages.filter((_, index) => index !== place);
    if (does === "swap") messages = [...messages.slice(0, place), ...messages.slice(place).reverse()];
    if (does === "rename") messages = messages.map((old) => ({ ...old, id: `${old.id}-` }));
    if (does === "begin later") messages = messages.slice(place);
    yield session();
  }
}
