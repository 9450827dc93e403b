// A place in the session by which a fact is known again.

export interface Place {
  readonly source: string;
  readonly start: number;
  /** Index of the tool call whose answer it stands in. */
  readonly tool?: number;
}

export const placeKey = ({ source, tool, start }: Place) => `${source}\n${tool ?? ""}\n${start}`;
