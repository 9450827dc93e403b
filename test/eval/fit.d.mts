export interface Row {
  readonly signals: ReadonlyMap<string, number>;
  readonly right: boolean;
}
export declare function fitWeights(
  windows: readonly (readonly Row[])[],
  names: readonly string[],
  fixed: ReadonlyMap<string, number>,
): ReadonlyMap<string, number>;
export declare function weighBy(weights: ReadonlyMap<string, number>, signals: ReadonlyMap<string, number>): number;
