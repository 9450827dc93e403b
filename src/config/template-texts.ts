// The texts of templates, from the packs or from files beside them.
import { dirname, resolve } from "node:path";
import { type Diagnostic, diagnostic, type Report } from "../diagnostics.js";
import type { TemplateFile } from "../generated/pack-file.js";
import { inside } from "../reach.js";
import { isBuiltIn, readText } from "./load.js";
import type { Entry, TemplateEntry } from "./resolve.js";

/** Those that have a text. */
export function loadTemplates(entries: Iterable<[string, Entry<TemplateFile>]>, report: Report): Map<string, TemplateEntry> {
  const templates = new Map<string, TemplateEntry>();
  for (const [id, entry] of entries) {
    const { file, text } = entry.value;
    if (file !== undefined && text !== undefined)
      report(diagnostic("unused-key", `"text" of the template "${id}" is not used beside file`, entry.at(["text"], "key")));
    const loaded = loadTemplate(entry);
    if ("code" in loaded) report(loaded);
    else templates.set(id, loaded);
  }
  return templates;
}

function loadTemplate(entry: Entry<TemplateFile>): TemplateEntry | Diagnostic {
  const { file, text } = entry.value;
  if (text !== undefined && file === undefined) return { ...entry, text };
  if (file === undefined)
    return diagnostic("template-missing", `the template "${entry.id}" has neither file nor text`, entry.at());
  const pack = entry.from("file");
  const path = resolve(dirname(pack.file), file);
  const at = () => entry.at(["file"]);
  if (!isBuiltIn(pack) && !inside(path, pack.root))
    return diagnostic("template-reach", `${file} leaves ${pack.root}`, at(), "keep the template beside its pack");
  const read = readText(path);
  if (typeof read !== "string")
    return read.code === "file-encoding"
      ? diagnostic(read.code, read.message, read.at, read.hint)
      : diagnostic("template-missing", read.message, at());
  return { ...entry, text: read, textFile: path };
}
