// The packs of a git revision, in a temporary folder. Git only prints its files: nothing of the revision is checked out or run.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseYaml } from "../../config/parse-yaml.js";
import { inside, projectRoot } from "../../files/folders.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { isFields } from "../../text/json.js";
import { CommandError } from "../output/terminal.js";
import { packTexts } from "../page/page.js";
import type { TryOptions } from "./tried-rules.js";

const BYTES = 50_000_000;
const INSTALLED = /[\\/]node_modules[\\/]/;
const TEMPLATE = /\.md$/;
/** Marks where the project ends. */
const REPOSITORY = /[\\/]\.git$/;

/** @param now the rules as they are: installed packs and templates are those of today */
export function packsAt(revision: string, { project, packs }: TryOptions, now: LoadedRules): TryOptions {
  const root = projectRoot(project);
  const outside = packs.find((file) => !inside(file, root));
  if (outside !== undefined)
    throw new CommandError(`${outside} is not in the repository ${root}`, "--against needs packs of the project");
  const commit = git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`])?.trim();
  if (commit === undefined)
    throw new CommandError(`git knows no revision "${revision}" in ${root}`, "git log --oneline prints them");
  const texts = new Map<string, string>();
  const pathOf = (file: string) => relative(root, file).replaceAll("\\", "/");
  const read = (file: string): void => {
    if (texts.has(file) || INSTALLED.test(file)) return;
    const text = git(root, ["cat-file", "blob", `${commit}:${pathOf(file)}`]);
    if (text === undefined) return;
    texts.set(file, text);
    const value = TEMPLATE.test(file) ? undefined : parseYaml(file, text).value;
    const extended = isFields(value) ? [value.extends].flat() : [];
    for (const one of extended) if (typeof one === "string" && one.startsWith(".")) read(resolve(dirname(file), one));
  };
  // A package above the repository is not copied: everything stays in the temporary folder.
  const today = Object.entries(packTexts(now, project)).filter(([file]) => !pathOf(file).startsWith(".."));
  for (const file of [...today.map(([name]) => name), ...packs]) read(file);
  for (const [file, text] of today)
    if (!texts.has(file) && [INSTALLED, TEMPLATE, REPOSITORY].some((what) => what.test(file))) texts.set(file, text);
  const folder = mkdtempSync(join(tmpdir(), "compaction-try-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const copyPathOf = (file: string) => join(folder, relative(root, file));
  for (const [file, text] of texts) {
    mkdirSync(dirname(copyPathOf(file)), { recursive: true });
    writeFileSync(copyPathOf(file), text);
  }
  mkdirSync(copyPathOf(project), { recursive: true });
  return { project: copyPathOf(project), packs: packs.filter((file) => texts.has(file)).map(copyPathOf) };
}

function git(root: string, args: readonly string[]): string | undefined {
  const { status, stdout, error } = spawnSync("git", ["-C", root, ...args], { encoding: "utf8", maxBuffer: BYTES });
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOENT")
    throw new CommandError("git is not there", "--against needs git on the path");
  return status === 0 ? stdout : undefined;
}
