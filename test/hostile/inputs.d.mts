type Inputs = Readonly<Record<string, (size: number) => string>>;
export declare const HOSTILE: Inputs;
export declare const AWKWARD: Inputs;
export declare const FOUND: Inputs;

interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly toolCalls?: readonly { name: string; input: unknown; output: string; status: string }[];
}
export declare const SESSIONS: Readonly<Record<string, (size: number) => readonly Said[]>>;
