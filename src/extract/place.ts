// The place of a text in the session, which identifies a fact.

/** Where something was said. */
export interface FactPlace {
  readonly source: string;
  readonly start: number;
  /** Index of the tool call whose output contains it. */
  readonly tool?: number;
  /** It is in the input of that call, under this key. */
  readonly input?: string;
  /** The places of the texts that are joined to this one. */
  readonly joined?: readonly FactPlace[];
}

export const placeKey = ({ source, tool, input, start }: FactPlace) =>
  `${source}\n${tool ?? ""}${input === undefined ? "" : `.${input}`}\n${start}`;
