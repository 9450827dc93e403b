// How every match of a pattern begins, as an expression of the engine's own: fast, and too simple to take long.

const QUANTIFIER = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/;
// A choice between words, without anything repeated in it.
const WORDS = /^\(\?:(?:[A-Za-z0-9_\-|?]|\[[A-Za-z0-9_]*(?:\\-)?\])*\)/;
const CLASS = /^\[\^?\]?(?:\\.|[^\]\\])*\]/;
const PLAIN = /^[A-Za-z0-9 _:;,=@/#"'`<>~!%&-]/;

/**
 * Every match of the pattern begins with a match of the answer; undefined when too little can be said. What is repeated
 * in it ends with a run of blanks or with a run of other characters: where such runs are short, it takes no time.
 */
export function prefixOf(source: string): RegExp | undefined {
  const flags = /^\(\?i\)/.exec(source)?.[0] ?? "";
  let rest = source.slice(flags.length);
  let prefix = /^\^(?![*+?{])/.exec(rest)?.[0] ?? "";
  rest = rest.slice(prefix.length);
  let open = 0;
  let repeated: readonly string[] = [];
  for (; rest !== ""; ) {
    const named = /^\(\?P?<[A-Za-z]\w*>/.exec(rest)?.[0];
    if (named) {
      prefix += "(?:";
      open++;
      rest = rest.slice(named.length);
      continue;
    }
    if (rest.startsWith("|")) return undefined;
    if (rest.startsWith(")")) {
      if (open === 0 || QUANTIFIER.test(rest.slice(1))) return undefined;
      prefix += ")";
      open--;
      rest = rest.slice(1);
      continue;
    }
    const atom = (WORDS.exec(rest) ?? CLASS.exec(rest) ?? /^\\[bsdw./\\\-?+*()[\]{}|^$]/.exec(rest) ?? PLAIN.exec(rest))?.[0];
    if (atom === undefined || (CLASS.test(atom) && /.\[:|\\[^sdnrt\-\\\]/.^$]|^\[\^.*\\d/.test(atom))) break;
    rest = rest.slice(atom.length);
    const quantifier = QUANTIFIER.exec(rest)?.[0];
    rest = rest.slice(quantifier?.length ?? 0);
    const written = toNative(atom, flags !== "");
    if (quantifier === undefined || quantifier === "?") prefix += written + (quantifier ?? "");
    else if (/^[*+]$/.test(quantifier) && isBounded(atom) && !repeated.some((one) => overlap(one, written)))
      prefix += written + quantifier;
    else {
      const least = quantifier.startsWith("+") ? "1" : (/^\{(\d+)/.exec(quantifier)?.[1] ?? "0");
      if (least !== "0") prefix += `${written}{${least}}`;
      break;
    }
    // What must stand between two repetitions keeps them apart.
    if (quantifier === undefined) repeated = [];
    else if (quantifier !== "?") repeated = quantifier === "+" ? [written] : [...repeated, written];
  }
  if (hasChoice(rest)) return undefined;
  try {
    return new RegExp(prefix + ")".repeat(open), flags ? "iu" : "u");
  } catch {
    return undefined;
  }
}

/** The engine's white space is wider, and where case does not count so are its words. */
function toNative(atom: string, anyCase: boolean): string {
  if (atom === "\\s") return "[\\t\\n\\f\\r ]";
  // Outside of a class it knows no escaped hyphen.
  if (atom === "\\-") return "-";
  if (atom === "\\b" && anyCase) return "";
  return atom.startsWith("[^") ? atom.replaceAll("\\s", "\\t\\n\\f\\r ") : atom;
}

/** Is it all blanks, or no blanks at all? */
function isBounded(atom: string): boolean {
  if (/^(?:\\.|[^ [(])$/.test(atom)) return atom !== "\\b";
  if (atom === "[ \\t]") return true;
  return atom.startsWith("[^") ? atom.includes("\\s") : atom.startsWith("[") && !/[ ]|\\[snrt]/.test(atom);
}

/** Could a character belong to both? Then there is more than one way to share a run of it. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [new RegExp(one, "iu"), new RegExp(other, "iu")];
  return Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).some((mark) => a.test(mark) && b.test(mark));
}

/** Is there another choice to what was read, in one of the groups that are open or outside of them? */
function hasChoice(rest: string): boolean {
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    const mark = rest[at];
    if (mark === "\\") at++;
    else if (mark === "[") at += (CLASS.exec(rest.slice(at))?.[0].length ?? 1) - 1;
    else if (mark === "(") depth++;
    else if (mark === ")" && depth > 0) depth--;
    // A group that may be left out is a choice as well.
    else if ((mark === "|" && depth === 0) || (mark === ")" && QUANTIFIER.test(rest.slice(at + 1)))) return true;
  }
  return false;
}
