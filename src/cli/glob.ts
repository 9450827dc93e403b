// File names with * ? [] {} and **, where the shell has not made names of them.
import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GLOB_ALTERNATIVES, LOOKED_FOLDERS } from "../limits.js";
import { Failure } from "./failure.js";

const SPECIAL = /[*?[{]/;

/** The files that a name stands for: itself when it is there or has nothing special in it. */
export function expand(name: string): readonly string[] {
  if (!SPECIAL.test(name) || existsSync(name)) return [name];
  const found = new Set(alternatives(name).flatMap((pattern) => (SPECIAL.test(pattern) ? search(pattern) : existing(pattern))));
  if (found.size === 0) throw new Failure(`no file is called ${name}`);
  return [...found].sort();
}

const existing = (path: string) => (existsSync(path) ? [path] : []);

/** `{a,b}` written out, the innermost first. */
function alternatives(pattern: string): readonly string[] {
  let open = [pattern];
  const done: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [group, inner] = /\{([^{}]*,[^{}]*)\}/.exec(next) ?? [];
    if (group === undefined || inner === undefined) done.push(next);
    else open = [...open, ...inner.split(",").map((word) => (next as string).replace(group, () => word))];
    if (open.length + done.length > GLOB_ALTERNATIVES) throw new Failure(`${pattern} stands for too many names`);
  }
  return done;
}

function search(pattern: string): readonly string[] {
  const absolute = pattern.startsWith("/");
  const steps = pattern.split("/").filter((step) => step !== "");
  let looked = 0;
  function below(folder: string, [step, ...rest]: readonly string[]): readonly string[] {
    if (step === undefined) return [];
    if (step !== "**" && !SPECIAL.test(step)) {
      const path = join(folder, step);
      return rest.length === 0 ? existing(path) : below(path, rest);
    }
    if (++looked > LOOKED_FOLDERS) throw new Failure(`${pattern} leads through more than ${LOOKED_FOLDERS} folders`);
    const fits = step === "**" ? /^[^.]/ : toRegExp(step);
    const entries = entriesOf(folder).filter(({ name }) => fits.test(name));
    if (step === "**") {
      // Folders that are links are not gone into: they may lead back up.
      const folders = entries.filter((entry) => entry.isDirectory());
      const here = rest.length === 0 ? entries.filter(mayBeFile).map(({ name }) => join(folder, name)) : below(folder, rest);
      return [...here, ...folders.flatMap(({ name }) => below(join(folder, name), [step, ...rest]))];
    }
    if (rest.length > 0) return entries.filter((entry) => !entry.isFile()).flatMap(({ name }) => below(join(folder, name), rest));
    return entries.filter(mayBeFile).map(({ name }) => join(folder, name));
  }
  return below(absolute ? "/" : "", steps);
}

/** Who means a pipe names it. */
const mayBeFile = (entry: Dirent) => entry.isFile() || entry.isSymbolicLink();

function entriesOf(folder: string) {
  try {
    return readdirSync(folder === "" ? "." : folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** As in a shell, a name that begins with a dot must be named with it. */
function toRegExp(step: string): RegExp {
  const body = step.replace(/\*+|\?|\[[!^]?[^\]]+\]|[\\^$.|+()[\]{}]/g, (part) => {
    if (part.startsWith("*")) return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length === 1) return `\\${part}`;
    return part.replace(/^\[[!^]/, "[^").replaceAll("\\", "\\\\");
  });
  try {
    return new RegExp(`^${step.startsWith(".") ? "" : "(?!\\.)"}${body}$`, "u");
  } catch {
    throw new Failure(`${step} is no pattern of names`);
  }
}
