import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtInRules, type Lifecycle } from "../../src/index.js";
import {
  chooseLifecycle,
  filterCompacted,
  findPrunable,
  type HostMessage,
  isOverflow,
  type LifecycleChoice,
  messagesInView,
  type Usage,
} from "../../src/lifecycle/index.js";

const load = (name: string) => JSON.parse(readFileSync(`test/vectors/${name}.json`, "utf8"));
const { rulings } = load("rulings") as { rulings: Record<string, Record<string, string>> };
const { rules } = builtInRules();
const NAMES = ["classic", "opencode"] as const;

interface Circumstances {
  readonly config: { readonly compaction?: LifecycleChoice["settings"] };
  readonly env: Readonly<Record<string, string>>;
}
const choose = (name: string, input?: Circumstances) =>
  chooseLifecycle(rules, { name, settings: input?.config.compaction, environment: input?.env }) as Lifecycle;

interface Vector<I, E, D = E> {
  readonly id: string;
  readonly input: I;
  readonly expected: E;
  readonly upstreamDev: D;
}
const cases = <V extends { readonly id: string }>(vectors: readonly V[]) =>
  vectors.flatMap((vector) => NAMES.map((name) => [vector.id, name, vector] as const));

test("every vector file is whole", () => {
  for (const name of ["overflow", "prune", "filter-compacted"]) expect(load(name).vectors).toHaveLength(load(name).count);
});

describe("overflow", () => {
  const ruled: Readonly<Record<string, boolean>> = { "o28-context-lt-output-zero": false };
  const { vectors } = load("overflow") as { vectors: readonly Vector<Usage & Circumstances, boolean>[] };

  test("every ruling has its answer here", () => {
    expect(Object.keys(rulings.overflow ?? {}).filter((id) => !(id in ruled))).toEqual([]);
    expect(rulings.overflow).toBeDefined();
  });

  test.each(cases(vectors))("%s, %s", (id, name, { input, expected, upstreamDev }) => {
    expect(isOverflow(input, choose(name, input))).toBe(ruled[id] ?? (name === "classic" ? expected : upstreamDev));
  });
});

describe("prune", () => {
  interface Flat {
    readonly id: string;
    readonly role: string;
    readonly summary?: boolean;
    readonly parts: readonly {
      readonly type: string;
      readonly state?: { readonly status: string; readonly outputLength: number };
    }[];
  }
  type Expected = { readonly marked: readonly string[]; readonly pruned: number; readonly total: number };
  type PruneVector = Vector<{ readonly messages: readonly Flat[] } & Circumstances, Expected> & {
    readonly upstreamDevMarked: readonly string[];
  };
  const { vectors } = load("prune") as { vectors: readonly PruneVector[] };

  const toMessage = ({ parts, ...info }: Flat): HostMessage => ({
    info,
    parts: parts.map(({ state, ...part }) => ({
      ...part,
      ...(state && { state: { ...state, output: "x".repeat(state.outputLength) } }),
    })),
  });

  test("no ruling changes a vector", () => expect(rulings.prune).toBeUndefined());

  test.each(cases(vectors))("%s, %s", (_, name, { input, expected, upstreamDevMarked }) => {
    const { parts, pruned, total } = findPrunable(input.messages.map(toMessage), choose(name, input));
    const marked = parts.map(({ id }) => id);
    if (name === "classic") expect({ marked, pruned, total }).toEqual(expected);
    else expect(marked).toEqual(upstreamDevMarked);
  });

  test.each(vectors.map((vector) => [vector.id, vector] as const))(
    "%s, opencode where pruning is asked for, is as the other rule set",
    (_, { input, expected }) => {
      const asked = { ...input, config: { compaction: { prune: true, ...input.config.compaction } } };
      const { parts, pruned, total } = findPrunable(input.messages.map(toMessage), choose("opencode", asked));
      expect({ marked: parts.map(({ id }) => id), pruned, total }).toEqual(expected);
    },
  );
});

describe("filter-compacted", () => {
  const { vectors } = load("filter-compacted") as { vectors: readonly Vector<readonly HostMessage[], readonly string[]>[] };

  test("no ruling changes a vector", () => expect(rulings["filter-compacted"]).toBeUndefined());

  test.each(cases(vectors))("%s, %s", async (_, name, { input, expected, upstreamDev }) => {
    const wanted = name === "classic" ? expected : upstreamDev;
    async function* stream() {
      yield* input;
    }
    const ids = (messages: readonly HostMessage[]) => messages.map(({ info }) => info.id);
    expect(ids(await filterCompacted(stream(), choose(name)))).toEqual(wanted);
    expect(ids(await filterCompacted(input, choose(name)))).toEqual(wanted);
    expect(ids(messagesInView(input.toReversed(), choose(name)))).toEqual(wanted);
  });

  test("a stream is read no further than the last compaction, or its tail", async () => {
    const reads = async (id: string, name: string) => {
      let count = 0;
      function* stream() {
        for (const message of vectors.find((vector) => vector.id === id)?.input ?? []) {
          count++;
          yield message;
        }
      }
      await filterCompacted(stream(), choose(name));
      return count;
    };
    expect(await reads("f05-two", "classic")).toBe(3);
    expect(await reads("f12-tail", "classic")).toBe(3);
    expect(await reads("f12-tail", "opencode")).toBe(5);
  });
});
