// What blocks of a text hand on to the blocks below them.

export interface Outline {
  readonly headings: { readonly depth: number; readonly text: string }[];
  /** The paragraph or heading that stands last: it introduces a list or table. */
  lead: string | undefined;
  /** As it was last asked for. */
  path?: readonly string[];
}

/** The headings above, as one list for all that stands below them: what is asked about it is asked once. */
export function pathOf(outline: Outline): readonly string[] {
  const { headings, path } = outline;
  if (path?.length === headings.length && headings.every(({ text }, place) => text === path[place])) return path;
  outline.path = headings.map(({ text }) => text);
  return outline.path;
}
