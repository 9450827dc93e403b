/** The fields without those that are undefined, because in stored and printed data a missing value is no field. */
export const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
