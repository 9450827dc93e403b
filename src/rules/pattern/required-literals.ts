// Finds the literals that a text must contain for a pattern to match.

type Anchors = readonly string[] | undefined;

export interface Required {
  /** Literals. Every match has at least one of them. */
  readonly anchors: readonly string[];
  /** Sets of literals. Every match has at least one of each set. */
  readonly every: readonly (readonly string[])[];
}

/** An atom of a pattern: flags, the start of a group, a class, an escape with all that belongs to it, or a character. */
const ATOM = new RegExp(
  [
    /\(\?[a-zA-Z-]*\)/,
    /\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:))?/,
    /\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]?/,
    /\\(?:x(?:\{[^}]*\}|[0-9a-fA-F]{2})?|[pP](?:\{[^}]*\}|.)|[0-7]{1,3}|.)/,
    /./,
  ]
    .map(({ source }) => source)
    .join("|"),
  "suy",
);
const REPEATED = /(?:[?*+]|\{\d*,?\d*\})\??/y;
const OPTIONAL = /^(?:[?*]|\{0?[,}])/;

/** Of all sets of literals that a match must contain, chooses as anchors the one whose shortest literal is longest. Ignores
 * syntax that it does not understand, so the result may be weaker than possible but never wrong. */
export function requiredLiterals(source: string): Required | undefined {
  let at = 0;
  /** The sets of literals at the outermost level. */
  const every: (readonly string[])[] = [];
  let chooses = false;
  /** \Q…\E is not supported. */
  let quoted = false;
  const worth = (anchors: Anchors) => (anchors ? Math.min(...anchors.map((anchor) => anchor.length)) : 0);

  function next(expression: RegExp): string {
    expression.lastIndex = at;
    const found = expression.exec(source)?.[0] ?? "";
    at += found.length;
    return found;
  }

  function alternatives(outermost = false): Anchors {
    const branches = [sequence(outermost)];
    while (source[at] === "|") {
      at++;
      chooses ||= outermost;
      branches.push(sequence());
    }
    return branches.every((branch) => branch !== undefined) ? [...new Set(branches.flat())] : undefined;
  }

  function sequence(outermost = false): Anchors {
    let best: Anchors;
    let run = "";
    const offer = (anchors: Anchors) => {
      if (outermost && anchors) every.push(anchors);
      if (worth(anchors) > worth(best)) best = anchors;
    };
    const endRun = () => {
      if (run) offer([run.toLowerCase()]);
      run = "";
    };
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const atom = next(ATOM);
      quoted ||= atom === "\\Q";
      const literal = literalOf(atom);
      if (literal === undefined) endRun();
      const inner = isGroup(atom) ? alternatives() : undefined;
      if (isGroup(atom)) at++;
      const often = next(REPEATED);
      const isOptional = OPTIONAL.test(often);
      if (!isOptional) offer(inner);
      if (!isOptional) run += literal ?? "";
      if (often) endRun();
    }
    endRun();
    return best;
  }

  const anchors = alternatives(true);
  return quoted || !anchors ? undefined : { anchors, every: chooses ? [anchors] : every };
}

const isGroup = (atom: string) => atom.startsWith("(") && !atom.endsWith(")");

/** The character that an atom stands for; empty if it takes none, undefined if it may be several. */
function literalOf(atom: string): string | undefined {
  if (/^(?:\^|\$|\\[bB])$/.test(atom)) return "";
  if (/^\\[^a-zA-Z0-9]$/u.test(atom)) return atom.slice(1);
  return /^[\\([.]/.test(atom) ? undefined : atom;
}
