// Finds the literals that a text must contain for a pattern to match.

type Anchors = readonly string[] | undefined;

export interface Required {
  /** Literals. Every match has at least one of them. */
  readonly anchors: readonly string[];
  /** Sets of literals. Every match has at least one of each set. */
  readonly every: readonly (readonly string[])[];
}

/**
 * Of all sets of literals that a match must contain, chooses as anchors the one whose shortest literal is longest.
 * Ignores syntax that it does not understand, so the result may be weaker than possible but never wrong.
 */
export function requiredLiterals(source: string): Required | undefined {
  let at = 0;
  /** The sets of literals at the outermost level. */
  const every: (readonly string[])[] = [];
  let chooses = false;
  /** \Q…\E is not supported. */
  let quoted = false;
  const worth = (anchors: Anchors) => (anchors ? Math.min(...anchors.map((anchor) => anchor.length)) : 0);

  function alternatives(outermost = false): Anchors {
    const branches = [sequence(outermost)];
    while (source[at] === "|") {
      at++;
      chooses ||= outermost;
      branches.push(sequence());
    }
    return branches.every((branch) => branch !== undefined)
      ? [...new Set(branches.flatMap((branch) => branch ?? []))]
      : undefined;
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
      const literal = atom(offer, endRun);
      const { optional, repeated } = quantifier();
      if (literal === undefined) continue;
      if (optional) endRun();
      else if (repeated) {
        run += literal;
        endRun();
      } else run += literal;
    }
    endRun();
    return best;
  }

  /** Reads one atom. Returns its text if it is a literal character. */
  function atom(offer: (anchors: Anchors) => void, endRun: () => void): string | undefined {
    const mark = String.fromCodePoint(source.codePointAt(at) ?? 0);
    at += mark.length;
    if (mark === "(") {
      endRun();
      const flags = /^\?[a-zA-Z-]*\)/.exec(source.slice(at))?.[0];
      if (flags) {
        at += flags.length;
        return undefined;
      }
      at += /^\?(?:P?<[^>]*>|[a-zA-Z-]*:)/.exec(source.slice(at))?.[0].length ?? 0;
      const inner = alternatives();
      at++;
      if (!peekOptional()) offer(inner);
      return undefined;
    }
    if (mark === "[") {
      endRun();
      if (source[at] === "^") at++;
      if (source[at] === "]") at++;
      while (at < source.length && source[at] !== "]") {
        if (source[at] === "\\") at++;
        if (source.startsWith("[:", at)) at = source.indexOf(":]", at) + 1;
        at++;
      }
      at++;
      return undefined;
    }
    if (mark === "\\") {
      const escaped = source[at++] as string;
      if (escaped === "b" || escaped === "B") return "";
      if (/[^a-zA-Z0-9]/.test(escaped)) return escaped;
      if (escaped === "Q") quoted = true;
      // \x41, \x{41}, \pL, \p{Greek} and \101 continue after their first character.
      const more = /^[xpP]$/.test(escaped)
        ? escaped === "x"
          ? /^(?:\{[^}]*\}|[0-9a-fA-F]{2})/
          : /^(?:\{[^}]*\}|.)/
        : /^[0-7]$/.test(escaped)
          ? /^[0-7]{1,2}/
          : undefined;
      at += more?.exec(source.slice(at))?.[0].length ?? 0;
      endRun();
      return undefined;
    }
    if (mark === "." || mark === "^" || mark === "$") {
      if (mark === ".") endRun();
      return mark === "." ? undefined : "";
    }
    return mark;
  }

  const peekOptional = () => /^(?:[?*]|\{0?[,}])/.test(source.slice(at));

  function quantifier(): { optional: boolean; repeated: boolean } {
    const found = /^(?:[?*+]|\{\d*,?\d*\})\??/.exec(source.slice(at))?.[0];
    if (!found) return { optional: false, repeated: false };
    at += found.length;
    return { optional: /^(?:[?*]|\{0?[,}])/.test(found), repeated: true };
  }

  const anchors = alternatives(true);
  return quoted || !anchors ? undefined : { anchors, every: chooses ? [anchors] : every };
}
