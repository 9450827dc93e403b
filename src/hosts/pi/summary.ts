// Asks for a summary with pi's own function, so that it has pi's prompt, model and file lists.
import { withoutBlocks } from "../../audit/block.js";
import { untilAborted } from "../../steps.js";

export interface CompactionEvent {
  readonly preparation: Preparation;
  readonly branchEntries?: readonly { readonly type: string; readonly fromHook?: boolean; readonly details?: Details }[];
  /** What the user typed behind /compact. */
  readonly customInstructions?: string;
  readonly signal?: AbortSignal;
}

interface Preparation {
  readonly previousSummary?: string;
  readonly fileOps?: Readonly<Record<"read" | "written" | "edited", ReadonlySet<string>>>;
  readonly [field: string]: unknown;
}

/** pi's lists of files, which it stores with a summary. */
type Details = { readonly readFiles?: readonly string[]; readonly modifiedFiles?: readonly string[] };

export interface CompactionResult {
  readonly summary: string;
  readonly details?: Details;
  readonly [field: string]: unknown;
}

export type Compact = (
  preparation: Preparation,
  model: unknown,
  key: string | undefined,
  headers: unknown,
  instructions: string,
  signal: AbortSignal | undefined,
  thinking: unknown,
  stream: unknown,
) => Promise<CompactionResult>;

/** pi's package has had two names. pi maps the one that it has to itself. */
const PACKAGES = ["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"];

export type Load = (name: string) => Promise<unknown>;

/** Undefined if this version of pi has none. */
export async function hostCompact(load: Load): Promise<Compact | undefined> {
  for (const name of PACKAGES)
    try {
      const { compact } = (await load(name)) as { compact?: Compact };
      if (typeof compact === "function") return compact;
    } catch {
      // The other name, then.
    }
  return undefined;
}

/** The part of pi's context that a request needs. */
interface Requesting {
  readonly model?: unknown;
  readonly thinkingLevel?: unknown;
  readonly modelRegistry?: {
    getApiKeyAndHeaders(model: unknown): Promise<{ ok?: boolean; apiKey?: string; headers?: unknown }>;
    streamSimple?(model: unknown, context: unknown, options: unknown): unknown;
  };
}

/** Throws if the model fails; undefined if there is none, or the user aborted. */
export async function requestSummary(compact: Compact, event: CompactionEvent, context: object, injection: string) {
  const { model, modelRegistry: registry, thinkingLevel } = context as Requesting;
  const { signal, customInstructions = "" } = event;
  if (!model || !registry) return undefined;
  const { ok, apiKey, headers } = await registry.getApiKeyAndHeaders(model);
  if (ok === false) return undefined;
  const stream = registry.streamSimple && ((...args: [unknown, unknown, unknown]) => registry.streamSimple?.(...args));
  const instructions = [customInstructions, injection].filter((text) => text !== "").join("\n\n");
  const answer = compact(prepared(event), model, apiKey, headers, instructions, signal, thinkingLevel, stream);
  // pi waits for this hook, also after the user aborted.
  const result = await untilAborted(answer, signal);
  return typeof result?.summary === "string" ? result : undefined;
}

/** Without our last block, and with the files of our last summary: pi does not read those of an extension. */
function prepared({ preparation, branchEntries = [] }: CompactionEvent): Preparation {
  const { previousSummary, fileOps } = preparation;
  const before = branchEntries.findLast(({ type }) => type === "compaction");
  const { readFiles = [], modifiedFiles = [] } = (before?.fromHook && before.details) || {};
  const all = fileOps && {
    read: new Set([...fileOps.read, ...readFiles]),
    edited: new Set([...fileOps.edited, ...modifiedFiles]),
  };
  const previous = previousSummary && { previousSummary: withoutBlocks(previousSummary) };
  return { ...preparation, ...previous, ...(fileOps && { fileOps: { ...fileOps, ...all } }) };
}
