// What a page is made of: plain data that a command puts into it, with secrets masked.
import type { ExtractOptions } from "../extract/pipeline.js";
import type { Judged } from "../judge/judged.js";
import type { Item, Session } from "../model.js";

export interface PageData {
  readonly session: Session;
  /** The folder whose configuration is used. */
  readonly folder: string;
  readonly project: string;
  /** Path → text of the configuration, packs and templates that are not built in, as the engine looks for them. */
  readonly files: Readonly<Record<string, string>>;
  /** The project's notes and work items, if a project is given, and notices about the session. */
  readonly workspace: Pick<ExtractOptions, "files" | "items" | "notices">;
  readonly choices: { readonly pins: readonly string[]; readonly drops: readonly string[] };
  /** What the command found. The page shows it until its own engine has read the session, which gives the same. */
  readonly items: readonly Item[];
  readonly judged?: Judged;
  /** A summary of the session, to be compared with it. */
  readonly summary?: string;
  /** What became of the rules of the user, if anything did. */
  readonly lives: readonly ShownRule[];
  /** Present if a server can save packs. */
  readonly play?: Play;
}

export interface ShownRule {
  readonly id: string;
  readonly text: string;
  readonly from: string;
  readonly said?: string;
  readonly does?: string;
  /** Each with its message, the number of its call, and what the call touches or runs. */
  readonly events: readonly { readonly what: string; readonly at: string; readonly call?: string }[];
}

export interface Play {
  readonly token: string;
  readonly file: string;
  /** The editor adds styles with it. */
  readonly nonce: string;
}
