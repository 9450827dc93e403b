// Compares paths and words with `*`, `**`, `?` and `{a,b}`, in time that is linear in their lengths: a clone's pack may declare any.

/** Pieces of `{a,b}` that are tried. */
const ALTERNATIVES = 64;

/** Is it the file, or in the folder, that the pattern names? Without a slash, the pattern is for a name anywhere in the project. */
export const fitsPath = (pattern: string, path: string): boolean =>
  isWhole(pattern) === isWhole(path) &&
  partsOf(pattern).some((parts) => {
    const steps = stepsOf(path);
    const ends = reach(parts, steps);
    // A pattern without `*` at its end may name a folder.
    return ends.has(steps.length) || (!/[*?]/.test(parts.at(-1) ?? "") && ends.size > 0);
  });

/** Is the path a folder in which all that the pattern names must be? */
export const holdsPath = (pattern: string, path: string): boolean =>
  partsOf(pattern).some((parts) => {
    const steps = stepsOf(path);
    return steps.length < parts.length && steps.every((step, index) => step === parts[index]);
  });

/** A word of a command line, or the name of a tool. */
export function fitsWord(pattern: string, word: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < word.length)
    if (pattern[from] === "*") [star, mark, from] = [from, at, from + 1];
    else if (pattern[from] === word[at] || pattern[from] === "?") [at, from] = [at + 1, from + 1];
    else if (star >= 0) [from, mark, at] = [star + 1, mark + 1, mark + 1];
    else return false;
  while (pattern[from] === "*") from++;
  return from === pattern.length;
}

const isWhole = (path: string) => /^(?:\/|[A-Za-z]:\/)/.test(path);
const stepsOf = (path: string) => (path === "" ? [] : path.split("/"));

function partsOf(pattern: string): readonly (readonly string[])[] {
  const plain = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
  return alternatives(plain).map((one) => (one.includes("/") ? one : `**/${one}`).split("/"));
}

function alternatives(pattern: string): readonly string[] {
  let all = [pattern];
  for (let open = true; open && all.length <= ALTERNATIVES; ) {
    const next = all.flatMap((one) => {
      const [whole, inner = ""] = /\{([^{}]*)\}/.exec(one) ?? [];
      return whole === undefined ? [one] : inner.split(",").map((part) => one.replace(whole, () => part));
    });
    open = next.length > all.length || next.some((one, index) => one !== all[index]);
    all = next;
  }
  return all;
}

/** How many steps of the path the whole pattern may take. */
function reach(parts: readonly string[], steps: readonly string[]): ReadonlySet<number> {
  let ends = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    if (part === "**") for (let end = Math.min(...ends); end <= steps.length; end++) next.add(end);
    else for (const end of ends) if (end < steps.length && fitsWord(part, steps[end] as string)) next.add(end + 1);
    if (next.size === 0) return next;
    ends = next;
  }
  return ends;
}
