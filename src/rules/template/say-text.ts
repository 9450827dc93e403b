// Parses the texts of sections and workflows: {placeholders}, [optional parts], and \ to escape a mark.

export type TextNode =
  | { readonly literal: string }
  | { readonly path: readonly string[]; readonly sentence: boolean; readonly offset: number }
  | { readonly optional: readonly TextNode[] };

export type SayText = { readonly source: string; readonly nodes: readonly TextNode[] };

const PLACEHOLDER = /^\{([a-z][\w-]*(?:\.[a-z][\w-]*)*)(:sentence)?\}/;

/** Characters with a special meaning. */
const MARK = /[\\{[\]]/g;

export function parseText(source: string): SayText | { readonly message: string; readonly offset: number } {
  const stack: { nodes: TextNode[]; offset: number }[] = [{ nodes: [], offset: 0 }];
  let literal = "";
  const nodes = () => stack.at(-1)?.nodes as TextNode[];
  const flush = () => {
    if (literal !== "") nodes().push({ literal });
    literal = "";
  };
  for (let at = 0; at < source.length; ) {
    const mark = source[at] as string;
    if (mark === "\\" && at + 1 < source.length) {
      literal += source[at + 1];
      at += 2;
    } else if (mark === "{") {
      const found = PLACEHOLDER.exec(source.slice(at));
      if (!found) return { message: `"${source.slice(at, at + 20)}" is not a placeholder`, offset: at };
      flush();
      nodes().push({ path: (found[1] as string).split("."), sentence: found[2] !== undefined, offset: at });
      at += found[0].length;
    } else if (mark === "[") {
      flush();
      stack.push({ nodes: [], offset: at++ });
    } else if (mark === "]") {
      flush();
      const optional = stack.pop()?.nodes ?? [];
      if (stack.length === 0) return { message: '"]" closes nothing', offset: at };
      nodes().push({ optional });
      at++;
    } else {
      MARK.lastIndex = at;
      const end = MARK.exec(source)?.index ?? source.length;
      literal += source.slice(at, Math.max(end, at + 1));
      at = Math.max(end, at + 1);
    }
  }
  flush();
  if (stack.length > 1) return { message: '"[" is not closed', offset: stack.at(-1)?.offset ?? 0 };
  return { source, nodes: stack[0]?.nodes ?? [] };
}

/** All placeholders of a text, including those in optional parts. */
export const placeholders = (nodes: readonly TextNode[]): readonly Extract<TextNode, { path: unknown }>[] =>
  nodes.flatMap((node) => ("path" in node ? [node] : "optional" in node ? placeholders(node.optional) : []));

/** The text, if it is the same whatever the notes say. */
export function literalOf({ nodes }: SayText): string | undefined {
  const literals = nodes.flatMap((node) => ("literal" in node ? [node.literal] : []));
  return literals.length === nodes.length ? literals.join("") : undefined;
}
