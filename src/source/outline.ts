// What blocks of a text hand on to the blocks below them.

export interface Outline {
  readonly headings: { readonly depth: number; readonly text: string }[];
  /** The paragraph or heading that stands last: it introduces a list or table. */
  lead: string | undefined;
}

export const pathOf = ({ headings }: Outline): readonly string[] => headings.map(({ text }) => text);
