/**
 * A value that must be there, or an error that says what is missing.
 * @template T
 * @param {T | undefined | null} value
 * @param {string} what
 * @returns {T}
 */
export function known(value, what) {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
