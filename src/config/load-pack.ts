// Finds and reads packs and configurations. They are data files; nothing in them is ever executed.
import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import { inside, orUndefined } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { PACK_BYTES } from "../limits.js";
import { didYouMean, nearest } from "../text/did-you-mean.js";
import { checkShape, soundPart } from "./check-shape.js";
import { inManifest, pathInManifest } from "./find-config.js";
import { normalise } from "./normalise.js";
import type { LoadedPack, PackBody, ReadFailure } from "./pack.js";
import { laterYaml, parseYaml, partOf } from "./parse-yaml.js";
import { embedded, packText, prepared } from "./prepared.js";
import { salvage } from "./salvage.js";

/** The folder of the built-in packs. If they are embedded in the program, a path that does not exist. */
export const rulesFolder = embedded
  ? join(sep, "compaction-rules", "rules", sep)
  : fileURLToPath(new URL("../../rules/", import.meta.url));

export const isBuiltInFile = (file: string): boolean => file.startsWith(rulesFolder);

/** The name of a built-in file, or an empty text for other files. */
const builtInName = (file: string) => (isBuiltInFile(file) ? file.slice(rulesFolder.length).split(sep).join("/") : "");

const embeddedText = (file: string): string | undefined => embedded?.[builtInName(file)];

/** The prepared content of a built-in file, if it was prepared from exactly this text. */
function preparedBody(file: string, text: string): PackBody | undefined {
  const name = builtInName(file);
  const body = prepared && Object.hasOwn(prepared.packs, name) ? prepared.packs[name] : undefined;
  return body && (embedded?.[name] ?? packText(name)) === text ? body : undefined;
}

/** The name of a built-in pack; fitted weights are in `model`. */
const BUILT_IN_NAME = /^(?:model\/)?[a-z-]+$/;

function builtInNames(): readonly string[] {
  const files = embedded ? Object.keys(embedded) : readdirSync(rulesFolder, { encoding: "utf8", recursive: true });
  const names = files.flatMap((name) => (name.endsWith(".yaml") ? [name.slice(0, -5).split(sep).join("/")] : []));
  return names.filter((name) => BUILT_IN_NAME.test(name));
}

export const BUILT_IN = "compaction:";
export const isBuiltIn = ({ root }: Pick<LoadedPack, "root">) => root === rulesFolder;
/** Tells a pack from other data. */
const PACK_KEY = /(?:^|[{,])\s*["']?compaction["']?\s*:/m;
const DATA_FILE = /\.(ya?ml|json)$/;

export function readPackText(file: string): string | ReadFailure {
  const inside = embeddedText(file);
  if (inside !== undefined) return inside;
  const at = { file, line: 1, column: 1 };
  try {
    // Built-in files need no checks.
    if (isBuiltInFile(file)) return readFileSync(file, "utf8");
    const info = statSync(file);
    // A device or a pipe may be endless, or block before the first byte.
    if (!info.isFile()) {
      const what = info.isDirectory() ? "is a folder" : "is a device or a pipe, not a file";
      return { code: "file-unreadable", message: `${file} ${what}`, at };
    }
    const bytes = readRegular(file, PACK_BYTES + 1);
    if (bytes.length > PACK_BYTES) {
      const size = Math.max(info.size, bytes.length);
      const message = `${file} has ${size} bytes; the limit is ${PACK_BYTES}`;
      return { code: "file-too-large", message, at, text: bytes.toString("utf8", 0, PACK_BYTES) };
    }
    const text = bytes.toString("utf8");
    return misread(file, bytes, text) ?? (text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") return { code: "file-unreadable", message: `${file} cannot be read (${code})`, at };
    const why = lstatSync(file, { throwIfNoEntry: false }) ? "is a broken link" : "does not exist";
    return { code: "file-missing", message: `${file} ${why}`, at };
  }
}

/** Rejects other encodings: read as UTF-8, their phrases would never match. */
function misread(file: string, bytes: Buffer, text: string): ReadFailure | undefined {
  const zero = bytes.indexOf(0);
  if (zero < 0 && isUtf8(bytes)) return undefined;
  const again = Buffer.from(text, "utf8");
  const odd = bytes.findIndex((byte, index) => byte !== again[index]);
  const first = Math.min(zero < 0 ? bytes.length : zero, odd < 0 ? bytes.length : odd);
  const read = bytes.toString("utf8", 0, first).replace(/^\uFEFF/, "");
  const before = read.split("\n");
  return {
    code: "file-encoding",
    message: zero < 0 ? "this is not UTF-8" : "this is not UTF-8; it looks like UTF-16",
    at: { file, line: before.length, column: (before.at(-1) ?? "").length + 1 },
    hint: "save the file as UTF-8",
    text: bytes.toString(zero < 0 ? "latin1" : "utf16le").replace(/^\uFEFF/, ""),
  };
}

/** Read once: they never change. */
const builtInPacks = new Map<string, LoadedPack>();

/** Reads and checks one file. The caller may pass its text, or the reason why it cannot be read. */
export function loadPack(file: string, root: string, what: "pack" | "config", given?: string | ReadFailure): LoadedPack {
  if (given !== undefined || root !== rulesFolder) return readPack(file, root, what, given);
  const pack = builtInPacks.get(file) ?? readPack(file, root, what);
  builtInPacks.set(file, pack);
  return pack;
}

function readPack(file: string, root: string, what: "pack" | "config", given?: string | ReadFailure): LoadedPack {
  const text = given ?? readPackText(file);
  if (typeof text !== "string") {
    const yaml = parseYaml(file, "");
    const body = salvage(text.text ?? "", what);
    return { file, root, what, yaml, body, diagnostics: [diagnostic(text.code, text.message, text.at, text.hint)] };
  }
  const known = text === "" && what === "config" ? {} : preparedBody(file, text);
  if (known) return { file, root, what, yaml: laterYaml(file, text), body: known, diagnostics: [] };
  if (what === "pack" && !PACK_KEY.test(text)) {
    // A project may extend any file of the user's, so nothing of its content is shown.
    const missing = diagnostic("missing-key", '"compaction" is missing', { file, line: 1, column: 1 }, "write compaction: 1");
    return { file, root, what, yaml: parseYaml(file, ""), body: {}, diagnostics: [missing] };
  }
  const isConfig = what === "config";
  const yaml = isConfig ? partOf(parseYaml(file, text), pathInManifest(file)) : parseYaml(file, text);
  const broken = yaml.diagnostics.some((finding) => finding.severity === "error");
  const empty = yaml.value === null || yaml.value === undefined;
  const body = broken ? {} : normalise(empty && isConfig ? {} : yaml.value, what);
  const shape = broken ? [] : checkShape(yaml, body, what);
  const diagnostics = [...yaml.diagnostics, ...shape];
  const faulty = broken || shape.length > 0;
  const sound = shape.length > 0 && { sound: soundPart(body, what) };
  const part = isConfig ? (inManifest(file, text) ?? "") : text;
  return { file, root, what, yaml, body: faulty ? salvage(part, what) : (body as PackBody), ...sound, diagnostics };
}

type Target = { readonly file: string; readonly root: string } | Diagnostic;

/** Resolves an entry of `extends` in a project with the given root. */
export function findPack(entry: string, from: LoadedPack, project: string, at: () => Position): Target {
  if (entry.startsWith(BUILT_IN)) {
    const name = entry.slice(BUILT_IN.length);
    const file = `${rulesFolder}${name}.yaml`;
    if (embeddedText(file) !== undefined || (BUILT_IN_NAME.test(name) && existsSync(file))) return { file, root: rulesFolder };
    return diagnostic("extends-missing", `there is no built-in pack "${name}"`, at(), didYouMean(name, builtInNames()));
  }
  const folder = dirname(from.file);
  if (/^\.{1,2}[/\\]/.test(entry)) {
    const file = resolve(folder, entry);
    const hint = "keep packs inside the project, or publish them as a package";
    // Following the links of a path takes longer than reading a built-in pack.
    if (!isBuiltIn(from) && !inside(file, from.root))
      return diagnostic("extends-reach", `${entry} is outside of ${from.root}`, at(), hint);
    if (!DATA_FILE.test(file)) return diagnostic("extends-missing", `${entry} is not a .yaml, .yml or .json file`, at());
    return embeddedText(file) !== undefined || existsSync(file)
      ? { file, root: from.root }
      : diagnostic("extends-missing", `${entry} does not exist`, at(), `looked for ${file}`);
  }
  return findPackage(entry, folder, project, at);
}

function findPackage(entry: string, folder: string, project: string, at: () => Position): Target {
  const parts = entry.split("/");
  const name = parts.slice(0, entry.startsWith("@") ? 2 : 1).join("/");
  if (name === "" || name.includes("..") || name.includes("\\"))
    return diagnostic("extends-missing", `"${entry}" is not the name of a pack`, at(), hintFor(entry));
  for (let above = folder; ; above = dirname(above)) {
    const root = join(above, "node_modules", name);
    if (existsSync(root)) {
      // A workspace may link to its own packages. A link that came with a clone could lead to any file of the user.
      const reach = inside(above, project) ? project : above;
      const hint = "install the package, or copy the pack";
      if (!inside(root, reach))
        return diagnostic("extends-reach", `${root} is a link to a place outside of ${reach}`, at(), hint);
      const inner = parts.slice(name.split("/").length).join("/") || packEntry(root);
      const file = resolve(root, inner);
      if (!inside(file, root)) return diagnostic("extends-reach", `${entry} is outside of its package`, at());
      if (!DATA_FILE.test(file))
        return diagnostic("extends-missing", `${inner} of ${name} is not a .yaml, .yml or .json file`, at(), "packs are data");
      if (existsSync(file)) return { file, root: realpathSync(root) };
      return diagnostic("extends-missing", `${name} has no ${inner}`, at());
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
  const manifest = readPackText(join(root, "package.json"));
  const entry = typeof manifest === "string" ? orUndefined(() => JSON.parse(manifest).compaction) : undefined;
  return typeof entry === "string" ? entry : "pack.yaml";
}

/** Suggests a built-in pack that declares the id and is not extended, or a similar id. */
export function suggest(map: string, id: string, known: Iterable<string>, extended: readonly LoadedPack[]): string | undefined {
  const pack = declaringPack(map, id);
  if (!pack || extended.some(({ file }) => file === pack.file)) return didYouMean(id, known);
  return `extend ${BUILT_IN}${pack.name}, which declares it`;
}

/** What a built-in pack declares, extended or not. */
export const builtInValue = (map: string, id: string): unknown => mapIn(declaringPack(map, id)?.body, map)[id];

function declaringPack(map: string, id: string) {
  builtIn ??= builtInNames().map((name) => ({ name, ...loadPack(`${rulesFolder}${name}.yaml`, rulesFolder, "pack") }));
  return builtIn.find(({ body }) => Object.hasOwn(mapIn(body, map), id));
}

const mapIn = (body: PackBody | undefined, map: string): Readonly<Record<string, unknown>> =>
  (body as Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined)?.[map] ?? {};

let builtIn: readonly (LoadedPack & { readonly name: string })[] | undefined;
