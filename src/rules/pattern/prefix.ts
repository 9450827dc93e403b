// Finds how every match of a pattern begins, as a JavaScript expression. It may find more places than RE2, never fewer: each part
// is read as it stands in the pattern, in both syntaxes the same or wider, and reading stops where that is not certain. What is
// behind that place does not matter, unless it is an alternative to what was read.

const QUANTIFIER = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/;
// A choice between words, without repetition.
const WORDS = /^\(\?:(?:[A-Za-z0-9_ \-|?]|\[[A-Za-z0-9_]*(?:\\-)?\])*\)/;
const CLASS = /^\[\^?\]?(?:\\.|[^\]\\])*\]/;
const ODD_CLASS = /.\[:|\\[^sdnrt\-\\\]/.^$]|^\[\^.*\\d|[^\0-\x7f]/;
const MIXED_RANGE = /(?![0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z])[^[^\\]-[^\]]/;
const PLAIN = /^[A-Za-z0-9 _:;,=@/#"'`<>~!%&-]/;

/** A JavaScript expression for how every match of the pattern begins; undefined if too little is known. Each repetition in it
 * takes either only blanks or only other characters, so it is fast where such runs are short. */
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
    if (atom === undefined || (CLASS.test(atom) && (ODD_CLASS.test(atom) || (flags !== "" && MIXED_RANGE.test(atom))))) break;
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
    // A required part between two repetitions separates them.
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

/** JavaScript has more white space characters than RE2, and more word characters when it ignores case. */
function toNative(atom: string, anyCase: boolean): string {
  if (atom === "\\s") return "[\\t\\n\\f\\r ]";
  // Outside a class, JavaScript does not allow an escaped hyphen.
  if (atom === "\\-") return "-";
  if (atom === "\\b" && anyCase) return "";
  return atom.startsWith("[^") ? atom.replaceAll("\\s", "\\t\\n\\f\\r ") : atom;
}

/** Does it match only blanks, or no blanks at all? */
function isBounded(atom: string): boolean {
  if (/^(?:\\.|[^ [(])$/.test(atom)) return atom !== "\\b";
  if (atom === "[ \\t]") return true;
  return atom.startsWith("[^") ? atom.includes("\\s") : atom.startsWith("[") && !/[ ]|\\[snrt]/.test(atom);
}

/** Can a character match both? Then there is more than one way to split a run. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [new RegExp(one, "iu"), new RegExp(other, "iu")];
  return Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).some((mark) => a.test(mark) && b.test(mark));
}

/** Is there an alternative to what was read, inside or outside the open groups? */
function hasChoice(rest: string): boolean {
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    const mark = rest[at];
    if (mark === "\\") at++;
    else if (mark === "[") at += (CLASS.exec(rest.slice(at))?.[0].length ?? 1) - 1;
    else if (mark === "(") depth++;
    else if (mark === ")" && depth > 0) depth--;
    // An optional group is also an alternative.
    else if ((mark === "|" && depth === 0) || (mark === ")" && QUANTIFIER.test(rest.slice(at + 1)))) return true;
  }
  return false;
}
