// Reads the text of a template. A pack may come from anyone, and what its templates say is printed, stored and sent to a model.
// So it cannot name the user's private files: git must track the file, or it must be part of an installed package.
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import { inside, orUndefined, projectRoot, realPath } from "../files/folders.js";
import { trackedNames } from "../files/git-index.js";
import type { TemplateFile } from "../generated/pack-file.js";
import { remember } from "../text/remember.js";
import { isBuiltInFile, readPackText } from "./load-pack.js";
import type { PackEntry, TemplateEntry } from "./pack.js";

const TEMPLATE_FILE = /\.(?:md|txt|mustache)$/i;

/** Reads each index of git once. @param project the folder that the configuration belongs to */
export function createTemplateLoader(project: string): (entry: PackEntry<TemplateFile>) => TemplateEntry | Diagnostic {
  const tracked = remember(trackedNames);

  return (entry) => {
    const { file, text } = entry.value;
    if (text !== undefined && file === undefined) return { ...entry, text };
    if (file === undefined)
      return diagnostic("template-missing", `the template "${entry.id}" has neither file nor text`, entry.at());
    const pack = entry.from("file");
    const path = resolve(dirname(pack.file), file);
    const at = () => entry.at(["file"]);
    const refused = isBuiltInFile(pack.file) ? undefined : refusal(path, pack.root);
    if (refused) return diagnostic("template-reach", `${file} ${refused.why}`, at(), refused.hint);
    const read = readPackText(path);
    if (typeof read === "string") return { ...entry, text: read, textFile: path };
    return read.code === "file-encoding"
      ? diagnostic(read.code, read.message, read.at, read.hint)
      : diagnostic("template-missing", read.message, at());
  };

  /** Looks at the file that is really read: a link may have any name. */
  function refusal(path: string, root: string): { readonly why: string; readonly hint: string } | undefined {
    if (!inside(path, root)) return { why: `is outside of ${root}`, hint: "keep the template beside its pack" };
    const [target, base] = [realPath(path), realPath(root)];
    if (!TEMPLATE_FILE.test(target))
      return { why: "is not a .md, .txt or .mustache file", hint: "give the template one of these endings" };
    if (slashed(base, target).some((part) => part.startsWith(".")))
      return { why: "is hidden, or in a hidden folder", hint: "move the template to a folder that is not hidden" };
    if (!isFile(target) || (root !== project && base.split(sep).includes("node_modules"))) return undefined;
    const repository = projectRoot(base);
    if (!existsSync(join(repository, ".git"))) return undefined;
    const name = slashed(repository, target).join("/");
    if (tracked(repository)?.has(name)) return undefined;
    const hint = `git add ${name}, or write the template into the pack as text`;
    return { why: "is not tracked by git, so it may be a private file", hint };
  }
}

const isFile = (path: string) => orUndefined(() => statSync(path).isFile()) === true;
const slashed = (folder: string, file: string) => relative(folder, file).split(sep);
