// Compares paths and words with `*`, `**`, `?` and `{a,b}`, also with patterns of the shell, in time that is linear in their lengths: a clone's pack may declare any.

/** Pieces of `{a,b}` that are tried. */
const ALTERNATIVES = 64;

/** How a path is compared. */
export interface Compared {
  /** It is a pattern of the shell, and meets the other one if a file could fit both. */
  readonly glob?: boolean;
  /** It is gone with all that is in it. */
  readonly gone?: boolean;
}

/** Is it the file, or in the folder, that the pattern names? Without a slash, the pattern is for a name anywhere in the project. */
export const fitsPath = (pattern: string, path: string, how: Compared = {}): boolean =>
  isWhole(pattern) === isWhole(path) &&
  pathsOf(path, how).some((steps) =>
    partsOf(pattern).some((parts) => {
      // A pattern of the shell that could name the folder itself is meant for files.
      const isDeep = how.glob && !how.gone && parts.at(-1) === "**" && isWild(steps.at(-1) ?? "");
      const ends = reach(isDeep ? [...parts.slice(0, -1), "*", "**"] : parts, steps, fitter(how));
      // A pattern without `*` at its end may name a folder.
      return ends.has(steps.length) || (!isWild(parts.at(-1) ?? "") && ends.size > 0);
    }),
  );

/** Is the path a folder in which all that the pattern names must be? */
export const holdsPath = (pattern: string, path: string, how: Compared = {}): boolean =>
  pathsOf(path, how).some((steps) =>
    partsOf(pattern).some((parts) => {
      const fits = fitter(how);
      const isOn = (step: string, index: number) => !isWild(parts[index] ?? "") && fits(parts[index] as string, step);
      return steps.length < parts.length && steps.every(isOn);
    }),
  );

const pathsOf = (path: string, { glob }: Compared): readonly (readonly string[])[] =>
  glob ? alternatives(path.replace(/\[[^\]/]*\]/g, "?")).map(stepsOf) : [stepsOf(path)];

const isWild = (part: string) => /[*?]/.test(part);

type Fits = (part: string, step: string) => boolean;

const fitter = ({ glob }: Compared): Fits => (glob ? (part, step) => meets(part, step) : fitsWord);

/** Could a name fit both patterns? Compared are their beginnings and ends, so it may be said of a few that have none. */
function meets(one: string, other: string): boolean {
  if (!isWild(one)) return fitsWord(other, one);
  if (!isWild(other)) return fitsWord(one, other);
  const [[begin, end], [start, close]] = [plainEnds(one), plainEnds(other)];
  return (begin.startsWith(start) || start.startsWith(begin)) && (end.endsWith(close) || close.endsWith(end));
}

const plainEnds = (pattern: string) => [pattern.replace(/[*?].*$/s, ""), pattern.replace(/^.*[*?]/s, "")] as const;

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
function reach(parts: readonly string[], steps: readonly string[], fits: Fits): ReadonlySet<number> {
  const isAnyDepth = (step: string | undefined) => fits !== fitsWord && step === "**";
  let ends = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    if (part === "**") for (let end = Math.min(...ends); end <= steps.length; end++) next.add(end);
    else
      for (const end of ends) {
        if (isAnyDepth(steps[end])) next.add(end);
        if (end < steps.length && fits(part, steps[end] as string)) next.add(end + 1);
      }
    // A set also visits what is added meanwhile.
    for (const end of next) if (isAnyDepth(steps[end])) next.add(end + 1);
    if (next.size === 0) return next;
    ends = next;
  }
  return ends;
}
