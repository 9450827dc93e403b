// The types of packs: a loaded file, and one declaration after merging.
import type { Code, Diagnostic, Position } from "../diagnostics.js";
import type { ConfigFile, PackFile, TemplateFile } from "../generated/pack-file.js";
import type { Path, YamlFile } from "./parse-yaml.js";

/** The content of a pack or a configuration, in the long form. */
export type PackBody = Partial<PackFile> &
  Pick<ConfigFile, "budget" | "enabled" | "keepDays" | "sinks" | "frames" | "judge" | "recall">;

export interface LoadedPack {
  readonly file: string;
  /** The pack cannot reach anything outside of this folder. */
  readonly root: string;
  readonly what: "pack" | "config";
  readonly yaml: YamlFile;
  readonly body: PackBody;
  /** Of a file that violates the schema: its other entries, to check them as well. They are never used. */
  readonly sound?: PackBody;
  readonly diagnostics: readonly Diagnostic[];
  /** The files that it extends, without the built-in ones. */
  readonly uses?: readonly string[];
}

export interface ReadFailure {
  readonly code: Extract<Code, "file-missing" | "file-too-large" | "file-unreadable" | "file-encoding">;
  readonly message: string;
  readonly at: Position;
  readonly hint?: string;
  /** The part that could be read. */
  readonly text?: string;
}

/** One declaration, possibly changed by later packs. */
export interface PackEntry<T> {
  readonly id: string;
  readonly value: T;
  /** The last pack that set a key, or a part below it. */
  from(...path: Path): LoadedPack;
  at(path?: Path, what?: "key" | "value"): Position;
  /** The place of a character in a text of the declaration. */
  within(path: Path, offset: number): Position;
}

export type TemplateEntry = PackEntry<TemplateFile> & { readonly text: string; readonly textFile?: string };
