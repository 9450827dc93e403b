// Packs and configurations from the file system. Data files only: nothing that is found is ever run.
import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Code, type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import type { ConfigFile, PackFile } from "../generated/pack-file.js";
import { PACK_BYTES } from "../limits.js";
import { inside } from "../reach.js";
import { readRegular } from "../regular-file.js";
import { builtInNames, embeddedText, hasBuiltIn, preparedBody, rulesFolder } from "./built-in.js";
import { checkShape } from "./check.js";
import { normalise } from "./normalise.js";
import { salvage } from "./salvage.js";
import { didYouMean, nearest } from "./suggest.js";
import { laterYaml, parseYaml, type YamlFile } from "./yaml.js";

/** What a pack or a configuration says, in the long form. */
export type PackBody = Partial<PackFile> & Pick<ConfigFile, "budget" | "enabled" | "keepDays" | "sinks" | "frames">;

export interface LoadedPack {
  readonly file: string;
  /** Nothing outside of this folder is reached from the pack. */
  readonly root: string;
  readonly what: "pack" | "config";
  readonly yaml: YamlFile;
  readonly body: PackBody;
  readonly diagnostics: readonly Diagnostic[];
}

export const BUILT_IN = "compaction:";
/** Packs that come with the program. */
export const isBuiltIn = ({ root }: Pick<LoadedPack, "root">) => root === rulesFolder;
const DATA_FILE = /\.(ya?ml|json)$/;

export interface ReadFailure {
  readonly code: Extract<Code, "file-missing" | "file-too-large" | "file-unreadable" | "file-encoding">;
  readonly message: string;
  readonly at: Position;
  readonly hint?: string;
  /** What could be read of it. */
  readonly text?: string;
}

export function readText(file: string): string | ReadFailure {
  const inside = embeddedText(file);
  if (inside !== undefined) return inside;
  const at = { file, line: 1, column: 1 };
  try {
    // What is part of the program is as it is.
    if (file.startsWith(rulesFolder)) return readFileSync(file, "utf8");
    const info = statSync(file);
    // A device or a pipe may have no end, or never begin.
    if (!info.isFile()) {
      const what = info.isDirectory() ? "is a folder" : "is no file but a device or a pipe";
      return { code: "file-unreadable", message: `${file} ${what}`, at };
    }
    const bytes = readRegular(file, PACK_BYTES + 1);
    if (bytes.length > PACK_BYTES) {
      const size = Math.max(info.size, bytes.length);
      const message = `${file} has ${size} bytes; at most ${PACK_BYTES} are read`;
      return { code: "file-too-large", message, at, text: bytes.toString("utf8", 0, PACK_BYTES) };
    }
    const text = bytes.toString("utf8");
    return misread(file, bytes, text) ?? (text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const link = missing && lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    return missing
      ? { code: "file-missing", message: `${file} ${link ? "is a link that leads nowhere" : "is not there"}`, at }
      : { code: "file-unreadable", message: `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, at };
  }
}

/** Other encodings would be read as other words, which no text ever holds. */
function misread(file: string, bytes: Buffer, text: string): ReadFailure | undefined {
  const zero = bytes.indexOf(0);
  if (zero < 0 && isUtf8(bytes)) return undefined;
  const again = Buffer.from(text, "utf8");
  const odd = bytes.findIndex((byte, index) => byte !== again[index]);
  const first = Math.min(zero < 0 ? bytes.length : zero, odd < 0 ? bytes.length : odd);
  const before = bytes
    .toString("utf8", 0, first)
    .replace(/^\uFEFF/, "")
    .split("\n");
  return {
    code: "file-encoding",
    message: zero < 0 ? "this is not UTF-8" : "this is not UTF-8; it looks like UTF-16",
    at: { file, line: before.length, column: (before.at(-1) ?? "").length + 1 },
    hint: "save the file as UTF-8",
    text: bytes.toString(zero < 0 ? "latin1" : "utf16le").replace(/^\uFEFF/, ""),
  };
}

/** Reads and checks one file, unless its text is given, or why it is not read. */
export function loadPack(file: string, root: string, what: "pack" | "config", given?: string | ReadFailure): LoadedPack {
  const text = given ?? readText(file);
  if (typeof text !== "string") {
    const yaml = parseYaml(file, "");
    const body = salvage(text.text ?? "", what);
    return { file, root, what, yaml, body, diagnostics: [diagnostic(text.code, text.message, text.at, text.hint)] };
  }
  const known = text === "" && what === "config" ? {} : preparedBody(file, text);
  if (known) return { file, root, what, yaml: laterYaml(file, text), body: known, diagnostics: [] };
  const yaml = parseYaml(file, text);
  const broken = yaml.diagnostics.some((finding) => finding.severity === "error");
  const empty = yaml.value === null || yaml.value === undefined;
  const body = broken ? {} : normalise(empty && what === "config" ? {} : yaml.value, what);
  const shape = broken ? [] : checkShape(yaml, body, what);
  const diagnostics = [...yaml.diagnostics, ...shape];
  const faulty = broken || shape.length > 0;
  return { file, root, what, yaml, body: faulty ? salvage(text, what) : (body as PackBody), diagnostics };
}

type Target = { readonly file: string; readonly root: string } | Diagnostic;

/** Where an entry of `extends` leads to, in a project with that root. */
export function findPack(entry: string, from: LoadedPack, project: string, at: () => Position): Target {
  if (entry.startsWith(BUILT_IN)) {
    const name = entry.slice(BUILT_IN.length);
    const file = `${rulesFolder}${name}.yaml`;
    if (/^[a-z-]+$/.test(name) && hasBuiltIn(name)) return { file, root: rulesFolder };
    return diagnostic("extends-missing", `there is no built-in pack "${name}"`, at(), didYouMean(name, builtInNames()));
  }
  const folder = dirname(from.file);
  if (/^\.{1,2}[/\\]/.test(entry)) {
    const file = resolve(folder, entry);
    if (!inside(file, from.root))
      return diagnostic(
        "extends-reach",
        `${entry} leaves ${from.root}`,
        at(),
        "keep packs inside the project, or publish them as a package",
      );
    if (!DATA_FILE.test(file)) return diagnostic("extends-missing", `${entry} is not a .yaml, .yml or .json file`, at());
    return embeddedText(file) !== undefined || existsSync(file)
      ? { file, root: from.root }
      : diagnostic("extends-missing", `${entry} is not there`, at(), `looked for ${file}`);
  }
  return findPackage(entry, folder, project, at);
}

function findPackage(entry: string, folder: string, project: string, at: () => Position): Target {
  const parts = entry.split("/");
  const name = parts.slice(0, entry.startsWith("@") ? 2 : 1).join("/");
  if (name === "" || name.includes("..") || name.includes("\\"))
    return diagnostic("extends-missing", `"${entry}" names no pack`, at(), hintFor(entry));
  for (let above = folder; ; above = dirname(above)) {
    const root = join(above, "node_modules", name);
    if (existsSync(root)) {
      // A workspace links to packages of its own. A link that came with a clone may lead to any file of the user's.
      const reach = inside(above, project) ? project : above;
      if (!inside(root, reach))
        return diagnostic(
          "extends-reach",
          `${root} is a link that leaves ${reach}`,
          at(),
          "install the package, or copy the pack",
        );
      const inner = parts.slice(name.split("/").length).join("/") || packEntry(root);
      const file = resolve(root, inner);
      if (!inside(file, root)) return diagnostic("extends-reach", `${entry} leaves its package`, at());
      if (!DATA_FILE.test(file))
        return diagnostic("extends-missing", `${inner} of ${name} is not a .yaml, .yml or .json file`, at(), "packs are data");
      return existsSync(file)
        ? { file, root: realpathSync(root) }
        : diagnostic("extends-missing", `${name} has no ${inner}`, at());
    }
    if (dirname(above) === above) break;
  }
  return diagnostic("extends-missing", `the package "${name}" is not installed`, at(), hintFor(entry));
}

function hintFor(entry: string): string {
  const near = nearest(entry, builtInNames());
  if (near) return `did you mean "${BUILT_IN}${near}"?`;
  return "write ./name.yaml for a file, compaction:name for a built-in pack, or install the package";
}

function packEntry(root: string): string {
  const manifest = readText(join(root, "package.json"));
  try {
    const entry = typeof manifest === "string" ? JSON.parse(manifest).compaction : undefined;
    return typeof entry === "string" ? entry : "pack.yaml";
  } catch {
    return "pack.yaml";
  }
}
